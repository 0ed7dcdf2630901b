package gcparse

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// judged puts the verdicts made by eye, which docs/gc-corpus-verdicts.md records
// with their reasons, in the place of what others say.
func judged(t testing.TB, refs []reference) []reference {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "docs", "gc-corpus-verdicts.md"))
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[string]reference{}
	for row := range strings.Lines(string(page)) {
		cells := strings.Split(row, "|")
		if len(cells) != 7 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		v := reference{file: strings.Trim(cells[1], " `"), agreed: true, hasTotal: true}
		v.stops = int(verdictNumber(t, cells[2]))
		v.total, v.longest = verdictNumber(t, cells[3]), verdictNumber(t, cells[4])
		verdicts[v.file] = v
	}
	for i := range refs {
		if v, ok := verdicts[refs[i].file]; ok {
			v.collector, v.full = refs[i].collector, refs[i].full
			refs[i] = v
			delete(verdicts, v.file)
		}
	}
	for file := range verdicts {
		t.Errorf("the verdict on %s is of no log in the corpus", file)
	}
	return refs
}

func verdictNumber(t testing.TB, cell string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// No log is left without a verdict: where no two others agree, one of ours stands.
func TestEveryLogIsJudged(t *testing.T) {
	for _, ref := range judged(t, references(t, corpus(t))) {
		if !ref.agreed && (strings.HasPrefix(ref.collector, "legacy ") || strings.HasPrefix(ref.collector, "OpenJ9")) {
			t.Errorf("%s: neither agreed nor judged by hand", ref.file)
		}
	}
}
