package catalog

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/ruletest"
)

const incidentsPage = "../../../docs/lint/incidents.md"

// What the page has to have at least: rows, and reports that they stand for.
const (
	leastRows    = 55
	leastReports = 70
)

// incident matches a row of the page's first table: the source, the rule, and the fixture
// in which it finds the incident.
var incident = regexp.MustCompile("(?m)^\\| .* \\| (.*) \\| ([A-Z]{3}-[0-9]{2}) \\| `([a-z0-9]+)/testdata/([^`]+)` \\|$")

// report matches one report in the column of sources: a thread, or an outage with its year.
var report = regexp.MustCompile(`#[0-9]+|\b20[0-9]{2}(-[0-9]{2}(-[0-9]{2})?)?\b`)

// Each incident of the page is replayed: its rule finds it, with the figures, in the file
// that the page names, and nothing in the same file with the fix, which lies beside it.
func TestIncidents(t *testing.T) {
	found, unseen := incidentTables(t)
	rows := incident.FindAllStringSubmatch(found, -1)
	if n := strings.Count(found, "\n| ") - 2; len(rows) != n || n < leastRows {
		t.Errorf("expected %d rows or more with a rule and a fixture each, found %d of %d", leastRows, len(rows), n)
	}
	reports, files := map[string]bool{}, map[string]bool{}
	for _, row := range rows {
		source, id, dir, file := row[1], row[2], row[3], row[4]
		for _, part := range strings.Split(source, ";") {
			name := ""
			for _, r := range strings.Split(part, ",") {
				r = strings.TrimSpace(r)
				if i := strings.IndexByte(r, '#'); i > 0 {
					name = r[:i]
				}
				for _, m := range report.FindAllString(r, -1) {
					if strings.HasPrefix(m, "#") {
						m = name + m
					}
					reports[m] = true
				}
			}
		}
		if files[dir+"/"+file] {
			t.Errorf("%s/testdata/%s stands twice", dir, file)
		}
		files[dir+"/"+file] = true
		t.Run(source+" "+id, func(t *testing.T) { replay(t, id, dir, file) })
	}
	if len(reports) < leastReports {
		t.Errorf("expected %d reports or more, found %d", leastReports, len(reports))
	}
	for _, line := range strings.Split(unseen, "\n") {
		cells := strings.Split(line, "|")
		if strings.HasPrefix(line, "|") && (len(cells) != 5 || strings.TrimSpace(cells[3]) == "") {
			t.Errorf("expected an incident, its source and why it is not shown, found %q", line)
		}
	}
}

func incidentTables(t *testing.T) (found, unseen string) {
	t.Helper()
	page, err := os.ReadFile(incidentsPage)
	if err != nil {
		t.Fatal(err)
	}
	found, unseen, ok := strings.Cut(string(page), "\n## Not shown\n")
	if !ok {
		t.Fatal("the page has no part for what is not shown")
	}
	return found, unseen
}

// replay holds a rule against an incident and against the incident with the fix.
func replay(t *testing.T, id, dir, file string) {
	r, ok := byID(id)
	if !ok || dirOf(id) != dir {
		t.Fatalf("%s/testdata/%s is no fixture of %s", dir, file, id)
	}
	root := filepath.Join(rulesDir, dir, "testdata")
	if !ruletest.Finds(t, r, root, file) {
		t.Errorf("%s wants nothing of %s", file, id)
	}
	if ruletest.Finds(t, r, root, fixed(file)) {
		t.Errorf("%s, which has the fix, wants a finding of %s", fixed(file), id)
	}
}

func byID(id string) (rule.Rule, bool) {
	for _, r := range All() {
		if r.ID == id {
			return r, true
		}
	}
	return rule.Rule{}, false
}

// fixed is the file with the fix: in a directory of its own beside the incident's, or under
// a name of its own beside the incident's file.
func fixed(file string) string {
	if dir, name := path.Split(file); dir != "" {
		return strings.TrimSuffix(dir, "/") + "-fixed/" + name
	}
	ext := path.Ext(file)
	return strings.TrimSuffix(file, ext) + "-fixed" + ext
}
