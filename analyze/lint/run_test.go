package lint

import (
	"strings"
	"testing"
	"time"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/read"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/tree"
	"example.com/kneeline/internal/finding"
)

// toy reads objects with a key called wait, whose rule objects to all of them.
func toy() (*Collector, []rule.Rule) {
	c := &Collector{Objects: []read.Object{{
		Name: "toy", Gate: []string{"wait"},
		Recognise: func(_ string, root *tree.Node) bool { return root.Get("wait").Present() || root.Get("data").Present() },
		Read: func(in *read.Input, root *tree.Node) []*model.Document {
			d := &model.Document{File: in.Name, Format: "toy"}
			if n := root.Get("wait"); n.Present() {
				d.Hops = append(d.Hops, &model.Hop{Name: "h", Total: in.Duration(n, "wait", read.NoBare), At: n.At})
			}
			out := []*model.Document{d}
			if n := root.Get("data"); n.Present() {
				out = append(out, in.Nested("part.yaml", n.At.Offset, n.At.End)...)
			}
			return out
		},
	}}}
	r := rule.Rule{Check: func(p *rule.Pass) {
		p.Hops(func(_ *model.Document, h *model.Hop) {
			p.Report(h.Total.At, h.Name, h.Total.Key, "waits "+h.Total.String()).Because(h.Total).Fix("wait: 1s")
		})
	}}
	r.ID, r.Severity = "TMO-99", finding.Warning
	return c, []rule.Rule{r}
}

func judge(t *testing.T, files map[string]string, opts func(*Options)) *Result {
	t.Helper()
	c, rules := toy()
	var all []Collected
	for name, text := range files {
		all = append(all, c.Read(name, []byte(text)))
	}
	o := Options{Rules: rules, Now: time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)}
	if opts != nil {
		opts(&o)
	}
	return Judge(all, o)
}

func TestJudge(t *testing.T) {
	r := judge(t, map[string]string{
		"b.yaml": "x: 1\n---\nwait: 5s\n", "a.yaml": "wait: {{ .x }}\n", "c.yaml": "nothing: 1\n", "d.yaml": "wait: [\n", "e": "wait\x00", "f.txt": "wait a moment",
	}, nil)
	if len(r.Findings) != 2 || r.Findings[0].Location.String() != "a.yaml:1:7 h" || r.Findings[1].Location.String() != "b.yaml:3:7 h" {
		t.Errorf("findings %+v", r.Findings)
	}
	if r.Counts.Recognised != 2 || r.Counts.Skipped != 1 || r.Counts.Warnings != 2 || len(r.Problems) != 1 || r.Problems[0].File != "d.yaml" {
		t.Errorf("%+v, problems %+v", r.Counts, r.Problems)
	}
	if r.Verdict != "0 errors, 2 warnings and 0 notes in 2 files" {
		t.Error(r.Verdict)
	}
}

func TestIgnores(t *testing.T) {
	for name, tt := range map[string]struct {
		text     string
		findings int
		problem  string
	}{
		"same line":   {"wait: 5s # kneeline:ignore TMO-99 \"why\"\n", 0, ""},
		"line before": {"# kneeline:ignore TMO-98,TMO-99 until=2026-11-29 \"why\"\n# more\nwait: 5s\n", 0, ""},
		"expired":     {"# kneeline:ignore TMO-99 until=2026-11-28 \"why\"\nwait: 5s\n", 1, "it has expired"},
		"other rule":  {"# kneeline:ignore TMO-98 \"why\"\nwait: 5s\n", 1, "no finding of these rules"},
		"no reason":   {"# kneeline:ignore TMO-99\nwait: 5s\n", 1, "expected kneeline:ignore RULE"},
		"empty":       {"# kneeline:ignore TMO-99 \" \"\nwait: 5s\n", 1, "expected kneeline:ignore RULE"},
		"no day":      {"# kneeline:ignore TMO-99 until=soon \"why\"\nwait: 5s\n", 1, "expected a day"},
	} {
		t.Run(name, func(t *testing.T) {
			r := judge(t, map[string]string{"f.yaml": tt.text}, nil)
			if len(r.Findings) != tt.findings || len(r.Findings)+len(r.Ignored) != 1 {
				t.Errorf("findings %+v, ignored %+v", r.Findings, r.Ignored)
			}
			if (len(r.Problems) > 0) != (tt.problem != "") || len(r.Problems) > 0 && !strings.Contains(r.Problems[0].Message, tt.problem) {
				t.Errorf("problems %+v, want %q", r.Problems, tt.problem)
			}
		})
	}
}

func TestOnlyAndSkip(t *testing.T) {
	files := map[string]string{"f.yaml": "wait: 5s # kneeline:ignore TMO-99 \"why\"\n"}
	for _, set := range []func(*Options){func(o *Options) { o.Skip = []string{"TMO-99"} }, func(o *Options) { o.Only = []string{"TMO-01"} }} {
		if r := judge(t, files, set); len(r.Findings)+len(r.Ignored)+len(r.Problems) != 0 {
			t.Errorf("%+v", r)
		}
	}
}

// A key twice is told where somebody means it: not of branches of a template, nor of
// files of others.
func TestKeyTwice(t *testing.T) {
	for text, want := range map[string]int{"wait: 5s\nwait: 6s\n": 1, "{{ if .x }}\nwait: 5s\n{{ else }}\nwait: 6s\n{{ end }}\n": 0, "await: 5s\nawait: 6s\n": 0} {
		if r := judge(t, map[string]string{"f.yaml": text}, nil); len(r.Problems) != want {
			t.Errorf("%q: problems %+v, want %d", text, r.Problems, want)
		}
	}
}

// Texts and programs with manifests in them are no manifests, and in Go {{ begins a list
// of structs, not an expression.
func TestForeign(t *testing.T) {
	const text = "---\ntitle: Waits\n---\nkind: X\nwait: 5s\n"
	for name, want := range map[string]int{"guide.md": 0, "apply.sh": 0, "waits_test.go": 0, "routes": 1, "routes.injected": 1} {
		r := judge(t, map[string]string{name: text}, nil)
		if r.Counts.Hops != want || len(r.Problems) > 0 {
			t.Errorf("%s: %d hops, want %d; problems %+v", name, r.Counts.Hops, want, r.Problems)
		}
	}
	var got string
	c := &Collector{Texts: []read.Text{{Name: "go", Recognise: func(string, []byte) bool { return true }, Read: func(in *read.Input) []*model.Document {
		got = string(in.Data)
		return nil
	}}}}
	if source := "var x = []T{{A: 1}}"; c.Read("x.go", []byte(source)).Template != "" || got != source {
		t.Errorf("%q, want %q", got, source)
	}
}

// A part that holds a format of its own is read in place.
func TestNested(t *testing.T) {
	r := judge(t, map[string]string{"f.yaml": "wait: 1s\n---\ndata: \"x\"\n"}, nil)
	if len(r.Findings) != 1 || r.Counts.Hops != 1 {
		t.Errorf("%+v", r)
	}
}
