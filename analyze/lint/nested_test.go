package lint_test

import (
	"testing"
	"time"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/catalog"
	"example.com/kneeline/analyze/lint/effective"
	"example.com/kneeline/analyze/lint/ruletest"
)

// What cannot be read in a file of a ConfigMap is a problem of the file around it.
func TestNestedProblems(t *testing.T) {
	got := ruletest.Collector(t).Read("map.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  application.yml: |\n    spring:\n      datasource: {hikari: {maximum-pool-size: 5\n    b: [\n"))
	problems := got.AllProblems()
	if got.State != lint.Recognised || len(problems) != 1 {
		t.Fatalf("state %d, problems %v", got.State, problems)
	}
	if p := problems[0]; p.Line < 6 || p.File != "map.yaml" {
		t.Errorf("at %s:%d", p.File, p.Line)
	}
}

// Columns of findings count characters, offsets of their edits bytes.
func TestColumnsCountCharacters(t *testing.T) {
	text := "location /ä { proxy_pass http://10.0.0.1; proxy_read_timeout 5000; }\n"
	c := ruletest.Collector(t).Read("nginx.conf", []byte(text))
	r := lint.Judge([]lint.Collected{c}, lint.Options{Rules: catalog.All(), Only: []string{"UNT-01"}, Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
	if len(r.Findings) != 1 || len(r.Findings[0].Edits) != 1 {
		t.Fatalf("%+v", r.Findings)
	}
	at, edit := r.Findings[0].Location, r.Findings[0].Edits[0]
	if at.Column != 62 || edit.Column != 62 || edit.Offset != 62 || text[edit.Offset:edit.Offset+4] != "5000" {
		t.Errorf("column %d, the edit's %d, at byte %d", at.Column, edit.Column, edit.Offset)
	}
}

// The columns of effective settings count as those of findings do.
func TestEffectiveColumnsCountCharacters(t *testing.T) {
	text := "location /ä { proxy_pass http://10.0.0.1; proxy_read_timeout 5000; }\n"
	r := effective.Of([]lint.Collected{ruletest.Collector(t).Read("nginx.conf", []byte(text))}, true)
	for _, f := range r.Files {
		for _, h := range f.Hops {
			for _, v := range h.Values {
				if v.Key == "proxy_read_timeout" && v.At != nil {
					if v.At.Column != 62 {
						t.Errorf("column %d, want 62", v.At.Column)
					}
					return
				}
			}
		}
	}
	t.Errorf("no proxy_read_timeout in %+v", r.Files)
}
