package envoy

import (
	"os"
	"testing"

	"example.com/kneeline/analyze/lint/readtest"
)

func TestGolden(t *testing.T) { readtest.Golden(t, readtest.Objects(Reader), "testdata") }

// What is no configuration of Envoy has no documents.
func TestNotRecognised(t *testing.T) {
	for _, text := range []string{"static_resources: none\n", "resources: [{name: x}]\n", "resources: {cpu: 1}\n", "- static_resources\n"} {
		if docs := readtest.Objects(Reader)(readtest.Input(t, "f.yaml", []byte(text))); len(docs) > 0 {
			t.Errorf("%q: %s", text, readtest.Table(docs))
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"testdata/edge.yaml", "testdata/watched.json"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("static_resources:\n  clusters: [{name: a, connect_timeout: [1], circuit_breakers: {thresholds: 3}}]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		readtest.Sound(t, readtest.Objects(Reader), "f.yaml", data)
	})
}
