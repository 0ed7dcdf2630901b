package gatewayapi

import (
	"os"
	"testing"

	"example.com/kneeline/analyze/lint/readtest"
)

var both = readtest.Objects(Reader, EnvoyGateway)

func TestGolden(t *testing.T) { readtest.Golden(t, both, "testdata") }

func TestNotRecognised(t *testing.T) {
	for _, text := range []string{"apiVersion: gateway.networking.k8s.io/v1\nkind: Gateway\n", "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: EnvoyProxy\n", "kind: HTTPRoute\n"} {
		if docs := both(readtest.Input(t, "f.yaml", []byte(text))); len(docs) > 0 {
			t.Errorf("%q: %s", text, readtest.Table(docs))
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"testdata/routes.yaml", "testdata/policies.yaml"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { readtest.Sound(t, both, "f.yaml", data) })
}
