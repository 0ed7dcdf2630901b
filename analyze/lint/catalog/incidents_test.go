package catalog

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const incidentsPage = "../../../docs/lint/incidents.md"

// incident matches a row of the page's first table: the rule, and the fixture in which
// it finds the incident.
var incident = regexp.MustCompile("(?m)^\\| .* \\| .* \\| ([A-Z]{3}-[0-9]{2}) \\| `([a-z0-9]+)(/testdata/[^`]+)` \\|$")

// What the page says of an incident is what a fixture of that rule wants: TestFixtures
// holds the rule against it.
func TestIncidents(t *testing.T) {
	page, err := os.ReadFile(incidentsPage)
	if err != nil {
		t.Fatal(err)
	}
	found, unseen, ok := strings.Cut(string(page), "\n## Not shown\n")
	if !ok {
		t.Fatal("the page has no part for what one file does not show")
	}
	rows := incident.FindAllStringSubmatch(found, -1)
	if n := strings.Count(found, "\n| ") - 2; len(rows) != n || n < 30 {
		t.Errorf("expected 30 rows or more with a rule and a fixture each, found %d of %d", len(rows), n)
	}
	for _, row := range rows {
		if dirOf(row[1]) != row[2] {
			t.Errorf("%s%s is no fixture of %s", row[2], row[3], row[1])
		}
		data, err := os.ReadFile(filepath.Join(rulesDir, row[2]+filepath.FromSlash(row[3])))
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.Contains(string(data), "want "+row[1]+` "`) {
			t.Errorf("%s%s wants nothing of %s", row[2], row[3], row[1])
		}
	}
	for _, line := range strings.Split(unseen, "\n") {
		cells := strings.Split(line, "|")
		if strings.HasPrefix(line, "|") && (len(cells) != 5 || strings.TrimSpace(cells[3]) == "") {
			t.Errorf("expected an incident, its source and why no file shows it, found %q", line)
		}
	}
}
