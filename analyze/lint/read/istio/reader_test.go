package istio

import (
	"os"
	"testing"

	"example.com/kneeline/analyze/lint/readtest"
)

func TestGolden(t *testing.T) { readtest.Golden(t, readtest.Objects(Reader), "testdata") }

func TestNotRecognised(t *testing.T) {
	for _, text := range []string{"apiVersion: networking.istio.io/v1\nkind: Gateway\n", "apiVersion: apps/v1\nkind: VirtualService\n", "kind: VirtualService\n"} {
		if docs := readtest.Objects(Reader)(readtest.Input(t, "f.yaml", []byte(text))); len(docs) > 0 {
			t.Errorf("%q: %s", text, readtest.Table(docs))
		}
	}
}

func TestFullName(t *testing.T) {
	for in, want := range map[[2]string]string{{"a", ""}: "a.default.svc.cluster.local", {"a", "n"}: "a.n.svc.cluster.local", {"a.example.com", "n"}: "a.example.com"} {
		if got := fullName(in[0], in[1]); got != want {
			t.Errorf("%q: %s", in, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	data, err := os.ReadFile("testdata/shop.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("apiVersion: networking.istio.io/v1\nkind: DestinationRule\nspec: {trafficPolicy: [1], subsets: {a: b}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) { readtest.Sound(t, readtest.Objects(Reader), "f.yaml", data) })
}
