package lint_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/catalog"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/ruletest"
	"example.com/kneeline/internal/finding"
)

// What lint must reach on public files that an expert has judged.
const (
	leastRecall    = 0.95
	leastPrecision = 0.90
)

// judged is one file with what the expert expects.
type judged struct {
	id, repo, path string
	expected       []string // IDs of rules
	// named are all IDs in the row, those in its remarks included: findings that the
	// expert has at least thought of.
	named []string
	clean bool // nothing is expected
}

// name is how the corpus calls the file.
func (j judged) name() string { return strings.ReplaceAll(j.repo+"/"+j.path, "/", "__") }

var ruleID = regexp.MustCompile(`\b[A-Z]{3}-[0-9]{2}`)

// expectedIDs are the IDs in a text that stand outside of brackets: those within are
// part of a reason.
func expectedIDs(text string) []string {
	depth := 0
	outside := strings.Map(func(r rune) rune {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth > 0 {
			return ' '
		}
		return r
	}, text)
	return ruleID.FindAllString(outside, -1)
}

func TestExpectedIDs(t *testing.T) {
	got := expectedIDs(`TMO-09(check 3s > 2s: RTY-01); TMO-01i(none, info); CBK-01; CBK-06(8ms) -> UNT-02`)
	if want := []string{"TMO-09", "TMO-01", "CBK-01", "CBK-06", "UNT-02"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// corpusDir is where the public files are; the test is skipped where they are not.
func corpusDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("KNEELINE_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	dir = filepath.Join(dir, "lint")
	if _, err := os.Stat(filepath.Join(dir, "expected.tsv")); err != nil {
		t.Skipf("no corpus of public files: %v; KNEELINE_CORPUS names its directory", err)
	}
	return dir
}

func readExpected(t *testing.T, dir string) []judged {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "expected.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var all []judged
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) < 7 || f[0] == "id" || strings.HasPrefix(line, "#") {
			continue
		}
		j := judged{id: f[0], repo: f[1], path: f[2], expected: expectedIDs(f[6]), named: ruleID.FindAllString(strings.Join(f[6:], " "), -1)}
		if strings.HasPrefix(f[6], "none") || strings.HasPrefix(f[6], "trap") {
			j.clean, j.expected = true, nil
		}
		all = append(all, j)
	}
	return all
}

// verdict is a row of a table in docs/lint/expectations.md.
type verdict struct {
	file, path string
	rules      []string
}

// is reports whether a verdict is on a file, whose path it may shorten by "...".
func (v verdict) is(j judged) bool {
	if !strings.HasPrefix(v.file, j.repo) {
		return false
	}
	at := j.path
	for i, part := range strings.Split(v.path, "...") {
		n := strings.LastIndex(at, part)
		if n < 0 || i > 0 && n == 0 && part != "" {
			return false
		}
		at = at[n+len(part):]
	}
	return at == ""
}

// readVerdicts reads the table under a heading.
func readVerdicts(t *testing.T, heading string) []verdict {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "lint", "expectations.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(data), "## "+heading+"\n")
	if !ok {
		t.Fatalf("docs/lint/expectations.md has no part %q", heading)
	}
	section, _, _ := strings.Cut(rest, "\n## ")
	var all []verdict
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) < 5 {
			continue
		}
		parts := strings.Split(cells[1], "`")
		if len(parts) < 3 {
			// The head of the table, or a row on all files of a repository.
			continue
		}
		all = append(all, verdict{file: strings.TrimSpace(parts[0]), path: parts[1], rules: ruleID.FindAllString(cells[2], -1)})
	}
	return all
}

func holdsFor(all []verdict, j judged, id string) bool {
	return slices.ContainsFunc(all, func(v verdict) bool { return v.is(j) && slices.Contains(v.rules, id) })
}

// TestCorpus holds the rules against public files. An expectation counts if its rule
// needs no more than a file and defaults, and no verdict says that it does not hold.
func TestCorpus(t *testing.T) {
	dir := corpusDir(t)
	refuted := readVerdicts(t, "Expectations that do not hold")
	beyond := readVerdicts(t, "Findings beyond the expectations")
	scope := map[string]bool{}
	var rules []rule.Rule
	for _, r := range catalog.All() {
		rules = append(rules, r)
		scope[r.ID] = r.Needs&(rule.Topology|rule.Load) == 0
	}
	c := ruletest.Collector(t)
	expected, met, errors, right, refutedCount := 0, 0, 0, 0, 0
	for _, j := range readExpected(t, dir) {
		data, err := os.ReadFile(filepath.Join(dir, j.name()))
		if err != nil {
			t.Errorf("%s: %v", j.id, err)
			continue
		}
		res := lint.Judge([]lint.Collected{c.Read(j.path, data)}, lint.Options{Rules: rules, Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
		found := map[string]bool{}
		for _, f := range res.Findings {
			found[f.Rule] = true
			if f.Severity != finding.Error {
				continue
			}
			errors++
			if slices.Contains(j.named, f.Rule) || holdsFor(beyond, j, f.Rule) {
				right++
			} else {
				t.Logf("%s %s/%s: error that nobody expects: %s %s: %s", j.id, j.repo, j.path, f.Location, f.Rule, f.Message)
			}
			if j.clean && !holdsFor(beyond, j, f.Rule) {
				t.Errorf("%s %s/%s: expected no error, found %s %s: %s", j.id, j.repo, j.path, f.Location, f.Rule, f.Message)
			}
		}
		for _, id := range slices.Compact(slices.Sorted(slices.Values(j.expected))) {
			if !scope[id] {
				continue
			}
			if !found[id] && holdsFor(refuted, j, id) {
				refutedCount++
				t.Logf("%s %s/%s: judged not to hold: %s", j.id, j.repo, j.path, id)
				continue
			}
			expected++
			if found[id] {
				met++
			} else {
				t.Logf("%s %s/%s: missed %s", j.id, j.repo, j.path, id)
			}
		}
	}
	recall, precision := float64(met)/float64(expected), float64(right)/float64(max(errors, 1))
	t.Logf("recall %d of %d = %.1f%%, %d more judged not to hold; precision of errors %d of %d = %.1f%%",
		met, expected, 100*recall, refutedCount, right, errors, 100*precision)
	if recall < leastRecall {
		t.Errorf("recall %.1f%%, want at least %.0f%%", 100*recall, 100*leastRecall)
	}
	if precision < leastPrecision {
		t.Errorf("precision of errors %.1f%%, want at least %.0f%%", 100*precision, 100*leastPrecision)
	}
}
