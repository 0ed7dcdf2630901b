package spring

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/readtest"
	"example.com/kneeline/analyze/lint/tree"
)

// readFile reads a file as the collector does: each document that is recognised.
func readFile(in *read.Input) []*model.Document {
	var roots []*tree.Node
	if strings.HasSuffix(in.Name, ".properties") {
		roots = []*tree.Node{tree.Properties(in.Name, in.Data)}
	} else {
		roots, _ = tree.YAML(in.Name, in.Data)
	}
	for _, r := range roots {
		in.Fill(r)
	}
	in.Roots = roots
	var out []*model.Document
	for _, r := range roots {
		if Reader.Recognise(in.Name, r) {
			out = append(out, Reader.Read(in, r)...)
		}
	}
	return out
}

// The tables beside the files hold each value with its place, dialect and origin.
func TestModel(t *testing.T) { readtest.Golden(t, readFile, "testdata/model") }

func TestRecognise(t *testing.T) {
	for data, want := range map[string]bool{
		"spring:\n  a: 1": true, "spring.datasource.url: x": true, "spring: yes": false, "server:\n  tomcat: {}": true, "server:\n  port: 80": false,
		"server:\n  applicationConnectors: []": false, "x:\n  ribbon:\n    ReadTimeout: 1": true, "x.ribbon.ReadTimeout: 1": true, "apiVersion: v1\nkind: ConfigMap\nspring: {a: 1}": false,
		"resilience4j.retry.instances.a.maxAttempts: 2": true, "- a": false, "services:\n  spring: {image: a}": false,
	} {
		roots, _ := tree.YAML("f", []byte(data))
		if got := Reader.Recognise("f.yml", roots[0]); got != want {
			t.Errorf("%q: %v", data, got)
		}
	}
}

func TestParts(t *testing.T) {
	for key, want := range map[string]string{
		"a": "a", "a.b-c": "a|b-c", "a[0].b": "a|0|b", "a[x.y].z": "a|x.y|z", "[a.b]": "a.b", "a[": "a|[", "": "", ".a": ".a", "a..b": "a|.b", "a[]": "a|",
	} {
		if got := strings.Join(parts(key), "|"); got != want {
			t.Errorf("%q: %q, want %q", key, got, want)
		}
	}
	if n := len(parts(strings.Repeat("a.", 1000))); n > maxKeys {
		t.Errorf("%d parts", n)
	}
}

// Later documents win, lists as a whole, and those of a profile are laid over the rest.
func TestLayers(t *testing.T) {
	docs := readFile(readtest.Input(t, "f.yml", []byte("spring.datasource.hikari: {maximum-pool-size: 5}\n---\nspring.datasource.hikari: {maximum-pool-size: 7}\n---\nspring:\n  profiles: big\n  datasource.hikari.connection-timeout: 900\n")))
	if len(docs) != 2 {
		t.Fatalf("%s", readtest.Table(docs))
	}
	if p := docs[0].Hops[0].Pool; p.Max.Amount != 7 {
		t.Errorf("base: %+v", p.Max)
	}
	if h := docs[1].Hops[0]; h.Pool.Max.Amount != 7 || h.Pool.Wait.Amount != 0.9 || h.Name != "datasource (profile big)" {
		t.Errorf("profile: %s", readtest.Table(docs[1:]))
	}
}

// References to keys of the file come before defaults; what refers to itself, to nothing
// or without end stays open.
func TestReferences(t *testing.T) {
	docs := readFile(readtest.Input(t, "f.yml", []byte(`
app: {wait: "${app.base}00", base: 7, loop: "${app.pool}", pool: "${app.loop}", big: "${app.bigger}${app.bigger}"}
app.bigger: `+strings.Repeat("x", maxResolved)+`
spring.datasource.hikari:
  connection-timeout: ${app.wait:9000}
  maximum-pool-size: ${app.loop}
  minimum-idle: "${app.none:3}"
  validation-timeout: ${app.none}
  idle-timeout: ${app.big}
`)))
	p := docs[0].Hops[0].Pool
	if p.Wait.String() != "700ms" || p.Wait.At.Line != 5 || p.Min.Amount != 3 || !p.Max.IsHole() || !p.Validation.IsHole() || !p.IdleEvict.IsHole() {
		t.Errorf("%s", readtest.Table(docs))
	}
}

// What experts found in public files must be in the model.
func TestCorpus(t *testing.T) {
	for name, wanted := range map[string][]string{
		"spring-petclinic__spring-petclinic-microservices__spring-petclinic-api-gateway__src__main__resources__application.yml": {
			"Retry.Methods[0].Name POST", "Retry.On[0].Word SERVICE_UNAVAILABLE", "Retry.Tries 2 set", "Backoff.Base 0s default", "PerTry no limit default",
		},
		"sqshq__piggymetrics__config__src__main__resources__shared__gateway.yml": {
			"Connect 20s set ribbon.ConnectTimeout", "GapRead 20s set", "Total 20s set hystrix", "Retry.Tries 2 derived", "Doubles[1][1] 20s set zuul.host.socket-timeout-millis",
		},
		"zlt2000__microservices-platform__zlt-gateway__sc-gateway__src__main__resources__application.yml": {"Total 1s set hystrix"},
		"zlt2000__microservices-platform__zlt-config__src__main__resources__application.properties": {
			"Connect 30s set feign feignName.connectTimeout", "GapRead 30s set", "Pool.Wait 1m set druid.max-wait", "Pool.Max 500 set druid.max-active", "Pool.Wait no limit set spring.data.redis.lettuce.pool.max-wait",
		},
		"thingsboard__thingsboard__application__src__main__resources__thingsboard.yml":      {"Pool.Max 16 set", "Pool.Max 4 set", "Pool.Wait 30s default connection-timeout"},
		"openzipkin__zipkin__zipkin-server__src__main__resources__zipkin-server-shared.yml": {"Drain.Stop -1ms set armeria.graceful-shutdown-timeout-millis"},
		"Netflix__ribbon__ribbon-examples__src__main__resources__sample-client.properties":  {"Retry.Tries 4 derived", "Connect 3s set", "GapRead 3s set", "Retry.AllMethods on set", "Backoff.Base 0s default"},
	} {
		in := readtest.Input(t, name, readtest.CorpusFile(t, name))
		docs := readFile(in)
		readtest.Lines(t, readtest.Table(docs), wanted...)
		for _, d := range docs {
			for _, p := range d.Problems {
				t.Errorf("%s:%d: %s", name, p.At.Line, p.Err)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/model/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		if data, err := os.ReadFile(name); err == nil && !strings.HasSuffix(name, ".golden") {
			f.Add(data, strings.HasSuffix(name, ".properties"))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, properties bool) {
		name := "f.yml"
		if properties {
			name = "f.properties"
		}
		readtest.Sound(t, readFile, name, data)
	})
}
