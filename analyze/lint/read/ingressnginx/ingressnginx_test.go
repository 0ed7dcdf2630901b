package ingressnginx

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/readtest"
	"example.com/kneeline/analyze/lint/tree"
)

var readAll = readtest.Objects(Reader)

// The tables beside the files hold each value with its place, dialect and origin.
func TestModel(t *testing.T) { readtest.Golden(t, readAll, "testdata/model") }

// A snippet is nginx's own configuration, read in its place.
func TestSnippets(t *testing.T) {
	data := "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata:\n  name: a\n  annotations:\n    nginx.ingress.kubernetes.io/configuration-snippet: |\n      proxy_read_timeout 5s;\nspec: {}\n"
	in := readtest.Input(t, "a.yaml", []byte(data))
	var name, text string
	in.Nested = func(n string, from, to int) []*model.Document {
		name, text = n, data[from:to]
		return []*model.Document{{Format: "nginx"}}
	}
	docs := readAll(in)
	if len(docs) != 2 || name != "nginx/configuration-snippet.conf" || !strings.Contains(text, "proxy_read_timeout 5s;") {
		t.Errorf("%d documents, %q %q", len(docs), name, text)
	}
}

// What experts found in public files must be in the model.
func TestCorpus(t *testing.T) {
	for name, wanted := range map[string][]string{
		"AccessibleAI__cnvrg-operator__pkg__app__controlplane__tmpl__webapp__ingress.tpl": {
			"GapRead 5h set nginx.ingress.kubernetes.io/proxy-read-timeout", "refused true", "Retry.Tries 3 default", "StartTry no limit default", "Word timeout",
		},
		"kubernetes__ingress-nginx__docs__examples__docker-registry__ingress-with-tls.yaml": {
			`GapRead 10m set nginx.ingress.kubernetes.io/proxy-read-timeout "600"`, "Retry.Tries 3 default", "StartTry no limit default",
		},
	} {
		table := readtest.Table(readAll(readtest.Input(t, name, readtest.CorpusFile(t, name))))
		readtest.Lines(t, table, wanted...)
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/model/*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		if data, err := os.ReadFile(name); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, errs := tree.YAML("f.yaml", data); len(errs) > 0 && len(data) > 1<<16 {
			return
		}
		readtest.Sound(t, readAll, "f.yaml", data)
	})
}
