package rendered

import (
	"strings"
	"testing"
)

const stream = `---
# Source: shop/templates/a.yaml
kind: A
spec:
  wait: 5s
---
# Source: shop/templates/b.yaml
kind: B
---
# Source: shop/templates/a.yaml
kind: A2
spec:
  wait: 7s
`

// Lines of a part are lines of the stream.
func TestSplit(t *testing.T) {
	if !IsStream([]byte(stream)) || IsStream([]byte("kind: A\n")) {
		t.Error("streams are not told from files")
	}
	parts := Split([]byte(stream))
	if len(parts) != 2 || parts[0].Source != "shop/templates/a.yaml" || parts[1].Source != "shop/templates/b.yaml" {
		t.Fatalf("%+v", parts)
	}
	whole := strings.Split(stream, "\n")
	for _, p := range parts {
		for i, line := range strings.Split(string(p.Data), "\n") {
			if line != "" && line != whole[i] {
				t.Errorf("%s: line %d is %q, in the stream %q", p.Source, i+1, line, whole[i])
			}
		}
	}
	if a := string(parts[0].Data); strings.Contains(a, "kind: B\n") || !strings.Contains(a, "wait: 7s") {
		t.Error(a)
	}
}

func TestLines(t *testing.T) {
	const template = `kind: A
spec:
  {{- if .Values.wait }}
  wait: {{ .Values.wait }}
  {{- end }}
  fixed: 1
---
kind: A2
spec:
  wait: {{ .Values.other }}
  {{- include "more" . | nindent 2 }}
`
	parts := Split([]byte(strings.Replace(stream, "  wait: 7s\n", "  wait: 7s\n  helper: x\n", 1)))
	l := NewLines([]byte(template), parts[0].Data)
	for n, want := range map[int]int{3: 1, 5: 4, 11: 8, 13: 10, 14: 0, 99: 0} {
		if got := l.Of(n); got != want {
			t.Errorf("line %d of the stream is line %d of the template, want %d", n, got, want)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add([]byte(stream))
	f.Add([]byte("# Source: \n---\n# Source: x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, p := range Split(data) {
			if strings.Count(string(p.Data), "\n") > strings.Count(string(data), "\n") {
				t.Errorf("%q has more lines than %q", p.Data, data)
			}
			l := NewLines(data, p.Data)
			for n := range 5 {
				l.Of(n)
			}
		}
	})
}
