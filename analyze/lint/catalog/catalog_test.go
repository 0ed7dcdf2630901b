package catalog

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"os"
	"regexp"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/ruletest"
	"example.com/kneeline/internal/finding"
)

var update = flag.Bool("update", false, "write the list of rules anew")

const rulesDir = "../rules"

var ruleDir = regexp.MustCompile(`^[a-z]{3}[0-9]{2}$`)

// The list has every directory, and each rule the ID of its own.
func TestList(t *testing.T) {
	entries, err := os.ReadDir(rulesDir)
	if err != nil {
		t.Fatal(err)
	}
	var dirs []string
	for _, e := range entries {
		if e.IsDir() && ruleDir.MatchString(e.Name()) {
			dirs = append(dirs, e.Name())
		}
	}
	want, err := format.Source(list(dirs))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("all_gen.go", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile("all_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("the list is not that of the directories: run go test ./analyze/lint/catalog -run List -update")
	}
	for i, r := range All() {
		if i >= len(dirs) || dirOf(r.ID) != dirs[i] {
			t.Errorf("rule %d is %s, its directory is another", i, r.ID)
		}
	}
}

func list(dirs []string) []byte {
	var imports, rules bytes.Buffer
	for _, d := range dirs {
		fmt.Fprintf(&imports, "\t\"example.com/kneeline/analyze/lint/rules/%s\"\n", d)
		fmt.Fprintf(&rules, "\t\t%s.Rule,\n", d)
	}
	return fmt.Appendf(nil, "// Code generated from the directories of rules. DO NOT EDIT.\n\npackage catalog\n\nimport (\n\t\"example.com/kneeline/analyze/lint/rule\"\n%s)\n\n"+
		"// All returns the rules in the order of their IDs.\nfunc All() []rule.Rule {\n\treturn []rule.Rule{\n%s\t}\n}\n", &imports, &rules)
}

// dirOf is the directory of a rule.
func dirOf(id string) string { return strings.ToLower(strings.ReplaceAll(id, "-", "")) }

// Each rule has a whole page, a check and needs.
func TestPages(t *testing.T) {
	var pages []finding.Rule
	for _, r := range All() {
		pages = append(pages, r.Rule)
		if r.Check == nil && r.Chain == nil || r.Needs == 0 {
			t.Errorf("%s: no check or no needs", r.ID)
		}
	}
	if _, err := finding.NewRegistry(pages); err != nil {
		t.Error(err)
	}
}

// Each rule finds in its own files what they want, and nothing else of its own.
func TestFixtures(t *testing.T) {
	for _, r := range All() {
		t.Run(r.ID, func(t *testing.T) { ruletest.Run(t, r, rulesDir+"/"+dirOf(r.ID)+"/testdata") })
	}
}
