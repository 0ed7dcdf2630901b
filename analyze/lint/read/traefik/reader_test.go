package traefik

import (
	"os"
	"testing"

	"example.com/kneeline/analyze/lint/readtest"
)

func TestGolden(t *testing.T) { readtest.Golden(t, readtest.Objects(Reader), "testdata") }

func TestNotRecognised(t *testing.T) {
	for _, text := range []string{
		"http: {port: 80}\n", "http: [{name: x}]\n", "entryPoints: {a: b}\n", "apiVersion: traefik.io/v1alpha1\nkind: TLSOption\n",
		"http: {middlewares: {foobar: {retry: {attempts: 42}}, a: [foobar, foobar, foobar, foobar, foobar]}}\n",
	} {
		if docs := readtest.Objects(Reader)(readtest.Input(t, "f.yaml", []byte(text))); len(docs) > 0 {
			t.Errorf("%q: %s", text, readtest.Table(docs))
		}
	}
}

// Chains of middlewares may lead back to themselves.
func TestChainOfItself(t *testing.T) {
	const text = "http: {routers: {r: {service: s, middlewares: [a]}}, middlewares: {a: {chain: {middlewares: [a]}}}, services: {s: {loadBalancer: {}}}}\n"
	docs := readtest.Objects(Reader)(readtest.Input(t, "f.yaml", []byte(text)))
	if len(docs) != 1 || len(docs[0].Hops) != 1 || docs[0].Hops[0].Retry.Retries() {
		t.Errorf("%s", readtest.Table(docs))
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"dynamic.toml", "resources.yaml"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(name, data)
	}
	f.Add("f.yaml", []byte("http: {middlewares: {a: {retry: []}}, services: {b: {loadBalancer: 1}}}\nentryPoints: {w: {address: 1, transport: x}}\n"))
	f.Fuzz(func(t *testing.T, name string, data []byte) { readtest.Sound(t, readtest.Objects(Reader), name, data) })
}
