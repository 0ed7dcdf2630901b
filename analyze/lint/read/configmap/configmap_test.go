package configmap_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/read/configmap"
	"example.com/kneeline/analyze/lint/read/haproxy"
	"example.com/kneeline/analyze/lint/read/nginx"
	"example.com/kneeline/analyze/lint/read/spring"
	"example.com/kneeline/analyze/lint/readtest"
)

const several = `apiVersion: v1
kind: List
items:
  - kind: ConfigMap
    apiVersion: v1
    metadata: {name: web}
    data:
      nginx.conf: |
        http {
          server {
            location / {
              proxy_pass http://app;
              proxy_read_timeout 7s;
            }
          }
        }
      application.yml: |-
        server:
          tomcat:
            threads:
              max: 33
      _example: |
        server.tomcat.threads.max: 1
      configuration-snippet: |
        proxy_read_timeout 8s;
      plain: "a\nb"
  - kind: Secret
    apiVersion: v1
    metadata: {name: proxy}
    stringData:
      haproxy.cfg: |
        defaults
          timeout connect 3s
          timeout server 9s
        listen app
          bind :80
          server a 127.0.0.1:81
    data:
      nginx.conf: |
        QUJD
`

func collector(t *testing.T) *lint.Collector {
	t.Helper()
	return &lint.Collector{
		Texts: []read.Text{nginx.Reader, haproxy.Reader}, Objects: []read.Object{configmap.Reader, spring.Reader},
		Defaults: readtest.Input(t, "", nil).Defaults,
	}
}

// Files in ConfigMaps are read by the readers of their formats, in their places.
func TestInPlace(t *testing.T) {
	got := collector(t).Read("several.yaml", []byte(several))
	table := readtest.Table(got.Documents)
	readtest.Lines(t, table, "GapRead 7s set proxy_read_timeout at 13:34", "Exec.Threads 33 set server.tomcat.threads.max at 21:20", "GapRead 9s set timeout server at 34:26")
	if len(got.Documents) != 3 || len(got.Problems) > 0 {
		t.Errorf("%d documents, %v\n%s", len(got.Documents), got.Problems, table)
	}
}

// Where parts are not read there is nothing.
func TestNotWithoutParts(t *testing.T) {
	in := readtest.Input(t, "f.yaml", []byte(several))
	if docs := readtest.Objects(configmap.Reader)(in); docs != nil {
		t.Errorf("%+v", docs)
	}
}

// A file with many parts is not copied without end.
func TestBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: many}\ndata:\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "  f%d: |\n    %s\n", i, strings.Repeat("x", 300))
	}
	in := readtest.Input(t, "many.yaml", []byte(b.String()))
	parts := 0
	in.Nested = func(string, int, int) []*model.Document { parts++; return nil }
	docs := readtest.Objects(configmap.Reader)(in)
	if len(docs) != 1 || len(docs[0].Problems) != 1 || parts < 100 || parts*b.Len() > 256<<20 {
		t.Errorf("%d parts, %+v", parts, docs)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(several))
	f.Add([]byte("kind: ConfigMap\napiVersion: v1\ndata:\n  a.conf: |2\n      x\n\t\n  b: >+\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		c := collector(t)
		got, again := c.Read("f.yaml", data), c.Read("f.yaml", data)
		if readtest.Table(got.Documents) != readtest.Table(again.Documents) {
			t.Error("another model the second time")
		}
		for _, d := range got.Documents {
			for _, h := range d.Hops {
				if h.At.Line < 1 || h.At.End > len(data) {
					t.Errorf("a place outside of the file: %+v", h.At)
				}
			}
		}
	})
}
