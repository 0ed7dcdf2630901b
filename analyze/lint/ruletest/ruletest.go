// Package ruletest holds a rule against files that say what it is to find in them: a
// comment
//
//	# want TMO-02 "regexp of the message"
//
// on the line of the finding. A rule must find all that is wanted and nothing more, and
// needs a file in which it finds something and one in which it does not.
package ruletest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/defaults"
	"example.com/kneeline/analyze/lint/formats"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

var wanted = regexp.MustCompile(`want ([A-Z]{3}-[0-9]{2}) "((?:[^"\\]|\\.)*)"`)

// Run holds a rule against the files of a directory. A file in a directory below is
// named by its path from there, so that it can have the name by which its format is
// recognised. A directory with a topology.yaml is one chain: its files are read together,
// and the rule sees how they are linked.
func Run(t *testing.T, r rule.Rule, dir string) {
	t.Helper()
	silent, spoken := false, false
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		found := false
		switch {
		case !d.IsDir():
			found = check(t, r, dir, path)
		case !isChain(path):
			return nil
		default:
			found = checkChain(t, r, path)
			err = filepath.SkipDir
		}
		silent, spoken = silent || !found, spoken || found
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if !silent || !spoken {
		t.Errorf("expected a file with a finding and one without in %s", dir)
	}
}

// check holds a rule against one file and reports whether it is to find anything.
func check(t *testing.T, r rule.Rule, dir, path string) bool {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	name, _ := filepath.Rel(dir, path)
	c := Collector(t)
	collected := c.Read(filepath.ToSlash(name), data)
	if collected.State != lint.Recognised {
		t.Errorf("%s: of no format that is read", path)
	}
	for _, p := range collected.Problems {
		t.Errorf("%s:%d: %s", path, p.At.Line, p.Err)
	}
	result := lint.Judge([]lint.Collected{collected}, lint.Options{Rules: []rule.Rule{r}, Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
	return compare(t, r, result.Findings, map[string]string{collected.Name: path})
}

// compare holds findings against what files want and reports whether they want anything.
// Files are the paths of files by the names that findings have.
func compare(t *testing.T, r rule.Rule, findings []finding.Finding, files map[string]string) bool {
	t.Helper()
	got := map[string][]string{}
	for _, f := range findings {
		path := files[f.Location.File]
		got[path] = append(got[path], fmt.Sprintf("%d: %s", f.Location.Line, f.Message))
		if f.Remediation == "" || len(f.Evidence) == 0 {
			t.Errorf("%s:%d: a finding without evidence or without what to set: %s", path, f.Location.Line, f.Message)
		}
	}
	any := false
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := files[name]
		any = compareFile(t, r, path, got[path]) || any
		delete(got, path)
	}
	for path, messages := range got {
		t.Errorf("%s: not wanted: %q", path, messages)
	}
	return any
}

func compareFile(t *testing.T, r rule.Rule, path string, got []string) bool {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	any := false
	for i, line := range strings.Split(string(data), "\n") {
		for _, m := range wanted.FindAllStringSubmatch(line, -1) {
			if m[1] != r.ID {
				t.Errorf("%s:%d: expected want %s, found want %s", path, i+1, r.ID, m[1])
			}
			any = true
			re := regexp.MustCompile(strings.ReplaceAll(m[2], `\"`, `"`))
			at := slices.IndexFunc(got, func(g string) bool {
				line, message, _ := strings.Cut(g, ": ")
				return line == fmt.Sprint(i+1) && re.MatchString(message)
			})
			if at < 0 {
				t.Errorf("%s:%d: nothing matches %q among\n%s", path, i+1, m[2], strings.Join(got, "\n"))
				continue
			}
			got = slices.Delete(got, at, at+1)
		}
	}
	for _, g := range got {
		t.Errorf("%s:%s: not wanted", path, g)
	}
	return any
}

// Collector returns one with all formats and defaults.
func Collector(t testing.TB) *lint.Collector {
	t.Helper()
	table, err := defaults.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &lint.Collector{Texts: formats.Texts(), Objects: formats.Objects(), Defaults: table}
}
