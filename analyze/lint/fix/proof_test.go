package fix_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/catalog"
	"example.com/kneeline/analyze/lint/fix"
	"example.com/kneeline/analyze/lint/ruletest"
	"example.com/kneeline/internal/finding"
)

// day is the one on which ignores are judged.
var day = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// relint holds all rules against the bytes of a file.
func relint(c *lint.Collector, name string, data []byte) ([]finding.Finding, int) {
	r := lint.Judge([]lint.Collected{c.Read(name, data)}, lint.Options{Rules: catalog.All(), Now: day})
	return r.Findings, len(r.Problems)
}

// After a fix no finding of its rule is left where it was, and none is added: over the
// fixtures of all rules, and over the corpus of public files where it is there.
func TestFixesHold(t *testing.T) {
	c := ruletest.Collector(t)
	fixed, left := map[string]int{}, map[string]int{}
	for _, root := range []string{filepath.Join("..", "rules"), corpus()} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "rule.go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name := filepath.ToSlash(path)
			if _, below, ok := strings.Cut(name, "/testdata/"); ok {
				name = below
			}
			prove(t, c, name, data, fixed, left)
			return nil
		})
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	t.Logf("fixed %v, left %v", fixed, left)
	for _, id := range []string{"UNT-01", "TMO-03", "RTY-03", "TMO-17", "LSN-03"} {
		if fixed[id] == 0 {
			t.Errorf("no fixture in which %s is fixed", id)
		}
	}
}

// corpus is where the public files are, a name of nothing where they are not.
func corpus() string {
	if dir := os.Getenv("KNEELINE_CORPUS"); dir != "" {
		return filepath.Join(dir, "lint")
	}
	return "no corpus"
}

func prove(t *testing.T, c *lint.Collector, name string, data []byte, fixed, left map[string]int) {
	t.Helper()
	before, problems := relint(c, name, data)
	if !slices.ContainsFunc(before, func(f finding.Finding) bool { return len(f.Edits) > 0 || f.NoEdit != "" }) {
		return
	}
	change := fix.Plan(name, data, before, func(data []byte) ([]finding.Finding, int) { return relint(c, name, data) })
	for _, f := range change.Left {
		left[f.Rule]++
		if f.NoEdit == "" {
			t.Errorf("%s:%d: %s is left and nothing says why", name, f.Location.Line, f.Rule)
		}
		if strings.HasPrefix(f.NoEdit, "with it") || strings.HasPrefix(f.NoEdit, "the value alone") {
			t.Logf("%s:%d: %s: %s", name, f.Location.Line, f.Rule, f.NoEdit)
		}
	}
	after, now := relint(c, name, change.New)
	if now > problems {
		t.Errorf("%s: more problems after the fixes", name)
	}
	want := counts(before)
	for _, f := range change.Fixed {
		fixed[f.Rule]++
		want[f.Rule+" "+f.Location.Object]--
	}
	for key, n := range counts(after) {
		if n > want[key] {
			t.Errorf("%s: %d findings of %s after the fixes, expected at most %d", name, n, key, want[key])
		}
	}
	if len(change.Fixed) == 0 && !bytes.Equal(change.Old, change.New) {
		t.Errorf("%s: changed without a fix", name)
	}
	if got, want := comments(change.New), comments(change.Old); got != want {
		t.Errorf("%s: comments of\n%s\nare now\n%s", name, want, got)
	}
	again := fix.Plan(name, change.New, after, func(data []byte) ([]finding.Finding, int) { return relint(c, name, data) })
	for _, f := range again.Fixed { // one that another stood in the way of
		if !slices.ContainsFunc(change.Left, func(l finding.Finding) bool { return l.Rule == f.Rule }) {
			t.Errorf("%s: %s is fixed only the second time: %s", name, f.Rule, f.Message)
		}
	}
}

func counts(all []finding.Finding) map[string]int {
	out := map[string]int{}
	for _, f := range all {
		out[f.Rule+" "+f.Location.Object]++
	}
	return out
}

// comments are the lines of a file that are comments alone.
func comments(data []byte) string {
	var out []string
	for line := range strings.Lines(string(data)) {
		if text := strings.TrimSpace(line); strings.HasPrefix(text, "#") || strings.HasPrefix(text, "//") {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n")
}
