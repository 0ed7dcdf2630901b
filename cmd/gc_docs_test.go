package cmd

import (
	"os"
	"strings"
	"testing"
)

// The page names every column of events and every gate.
func TestGCPageNamesColumns(t *testing.T) {
	data, err := os.ReadFile("../docs/gc.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	for _, c := range eventColumns {
		named := strings.Contains(page, "`"+c.name+"`")
		for _, space := range []string{"heap", "young", "old", "metaspace"} {
			if rest, ok := strings.CutPrefix(c.name, space+"_"); ok {
				named = strings.Contains(page, "`"+space+"_…`") && strings.Contains(page, "`"+rest+"`")
			}
		}
		if !named {
			t.Errorf("docs/gc.md does not name the column %s", c.name)
		}
	}
}

// The first line that the page shows is the one of the golden report.
func TestGCPageShowsTheAnswer(t *testing.T) {
	page, err := os.ReadFile("../docs/gc.md")
	if err != nil {
		t.Fatal(err)
	}
	report, err := os.ReadFile("../testdata/golden/gc.txt")
	if err != nil {
		t.Fatal(err)
	}
	if first := firstLine(string(report)); !strings.Contains(string(page), "\n"+first+"\n") {
		t.Errorf("docs/gc.md does not show %q", first)
	}
}
