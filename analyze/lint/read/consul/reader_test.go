package consul

import (
	"os"
	"testing"

	"example.com/kneeline/analyze/lint/readtest"
)

func TestGolden(t *testing.T) { readtest.Golden(t, readtest.Objects(Reader), "testdata") }

func TestNotRecognised(t *testing.T) {
	for _, text := range []string{"kind: service-splitter\nname: x\n", "kind: service-router\n", "apiVersion: consul.hashicorp.com/v1alpha1\nkind: Mesh\n"} {
		if docs := readtest.Objects(Reader)(readtest.Input(t, "f.yaml", []byte(text))); len(docs) > 0 {
			t.Errorf("%q: %s", text, readtest.Table(docs))
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"resources.yaml", "resolver.json"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(name, data)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) { readtest.Sound(t, readtest.Objects(Reader), name, data) })
}
