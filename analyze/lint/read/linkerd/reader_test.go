package linkerd

import (
	"os"
	"testing"

	"example.com/kneeline/analyze/lint/readtest"
)

var both = readtest.Objects(Reader, Linkerd1)

func TestGolden(t *testing.T) { readtest.Golden(t, both, "testdata") }

func TestNotRecognised(t *testing.T) {
	for _, text := range []string{
		"apiVersion: v1\nkind: Pod\nmetadata: {annotations: {linkerd.io/inject: enabled}}\n", "routers: [{name: r1}]\n", "http: {routers: {a: {protocol: x}}}\n",
	} {
		if docs := both(readtest.Input(t, "f.yaml", []byte(text))); len(docs) > 0 {
			t.Errorf("%q: %s", text, readtest.Table(docs))
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"testdata/profile.yaml", "testdata/routers.yaml"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { readtest.Sound(t, both, "f.yaml", data) })
}
