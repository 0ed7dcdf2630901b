package contour

import (
	"os"
	"testing"

	"example.com/kneeline/analyze/lint/readtest"
)

func TestGolden(t *testing.T) { readtest.Golden(t, readtest.Objects(Reader), "testdata") }

func TestNotRecognised(t *testing.T) {
	for _, text := range []string{"apiVersion: projectcontour.io/v1\nkind: TLSCertificateDelegation\n", "kind: HTTPProxy\n"} {
		if docs := readtest.Objects(Reader)(readtest.Input(t, "f.yaml", []byte(text))); len(docs) > 0 {
			t.Errorf("%q: %s", text, readtest.Table(docs))
		}
	}
}

func FuzzRead(f *testing.F) {
	data, err := os.ReadFile("testdata/proxy.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) { readtest.Sound(t, readtest.Objects(Reader), "f.yaml", data) })
}
