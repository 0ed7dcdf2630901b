package compose

import (
	"os"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/readtest"
	"example.com/kneeline/analyze/lint/tree"
)

var readAll = readtest.Objects(Reader)

// The table beside the file holds each value with its place, unit and origin.
func TestModel(t *testing.T) { readtest.Golden(t, readAll, "testdata/model") }

func TestRecognise(t *testing.T) {
	for _, tt := range []struct {
		name, data string
		want       bool
	}{
		{"docker-compose.yml", "services: {a: {extends: b}}", true},
		{"compose.prod.yaml", "services: {a: {deploy: {replicas: 2}}}", true},
		{"any.yaml", "services: {a: {image: x}, b: {build: .}}", true},
		{"any.yaml", "services: {a: {image: x}, b: {url: http://b}}", false},
		{"any.yaml", "services: [{image: x}]", false},
		{"compose.yaml", "services: {a: x}", false},
		{"compose.yaml", "services: {}", false},
		{"any.yaml", "apiVersion: v1\nservices: {a: {image: x}}", false},
	} {
		docs, errs := tree.YAML(tt.name, []byte(tt.data))
		if len(errs) > 0 {
			t.Fatal(errs)
		}
		if got := recognise(tt.name, docs[0]); got != tt.want {
			t.Errorf("%s %q: %v", tt.name, tt.data, got)
		}
	}
}

// A variable that is given has its value.
func TestVariable(t *testing.T) {
	in := readtest.Input(t, "compose.yml", []byte("services: {a: {image: x, stop_grace_period: $GRACE}}"))
	in.Lookup = func(name string) (string, bool) { return "25s", name == "GRACE" }
	readtest.Lines(t, readtest.Table(readAll(in)), `Drain.Grace 25s set stop_grace_period`)
}

// The retries of a health check are no tries of requests.
func TestCorpus(t *testing.T) {
	name := "getsentry__self-hosted__docker-compose.yml"
	table := readtest.Table(readAll(readtest.Input(t, name, readtest.CorpusFile(t, name))))
	readtest.Lines(t, table, "Probes[0].Failures $HEALTHCHECK_RETRIES hole")
	if strings.Contains(table, "hop ") || strings.Contains(table, "refuses") {
		t.Error(table)
	}
}

func FuzzRead(f *testing.F) {
	data, err := os.ReadFile("testdata/model/docker-compose.yml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		readtest.Sound(t, readAll, "compose.yml", data)
	})
}
