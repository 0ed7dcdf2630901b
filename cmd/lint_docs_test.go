package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/tree"
)

// The page leads to the page of every format.
func TestLintPageNamesFormats(t *testing.T) {
	data, err := os.ReadFile("../docs/lint.md")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob("../docs/lint/*.md")
	if err != nil || len(pages) < 20 {
		t.Fatalf("pages %v, %v", pages, err)
	}
	for _, p := range pages {
		if link := "(lint/" + filepath.Base(p) + ")"; !strings.Contains(string(data), link) {
			t.Errorf("docs/lint.md has no link %s", link)
		}
	}
}

// What the page shows of a report is what the golden report has.
func TestLintPageShowsAFinding(t *testing.T) {
	page, err := os.ReadFile("../docs/lint.md")
	if err != nil {
		t.Fatal(err)
	}
	report, err := os.ReadFile("../testdata/golden/lint.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks("lint.md", string(page)) {
		if b.kind == "text" && !strings.Contains(string(report), strings.Join(b.lines, "\n")+"\n") {
			t.Errorf("the golden report does not have\n%s", strings.Join(b.lines, "\n"))
		}
	}
}

// The hook runs a command line that exists, on files that there are readers for.
func TestPreCommitHook(t *testing.T) {
	data, err := os.ReadFile("../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	roots, errs := tree.YAML(".pre-commit-hooks.yaml", data)
	if len(errs) > 0 || len(roots) != 1 {
		t.Fatal(errs)
	}
	hooks := 0
	for hook := range roots[0].Items() {
		hooks++
		if err := existing(hook.Get("entry").String()); err != nil {
			t.Error(err)
		}
		if !hook.Get("language").Is("golang") || hook.Get("id").String() == "" {
			t.Errorf("hook %d: %v", hooks, hook.Get("id"))
		}
	}
	if hooks == 0 {
		t.Error("no hooks")
	}
}

// commitAll makes a repository of the working directory, whose branch is main, and
// reports whether there is a git to do so.
func commitAll(t *testing.T) bool {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		return false
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "one"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	return true
}

// TestLintExamples runs the examples of help, in a tree that has what they name.
func TestLintExamples(t *testing.T) {
	inFolder(t, map[string]string{
		"nginx.conf": shopFiles["nginx.conf"], "deploy/routes.yaml": shopFiles["routes.yaml"],
		"chart/templates/ingress.yaml": shopFiles["ingress.tpl"], "chart/values.yaml": "readTimeout: 30\n",
		"application.yml": "spring:\n  datasource:\n    hikari:\n      maximum-pool-size: 5\n",
		"envoy.yaml":      "static_resources:\n  clusters:\n  - name: a\n    connect_timeout: 1s\n",
		"topology.yaml":   "version: 1\nservices: {edge: {replicas: 2}, storage: {replicas: 3}}\nhops:\n  - {from: edge, to: storage, total: 1s}\n",
		"headroom.json":   `{"schema": "kneeline.headroom/v1", "result": {"capacity_per_second": {"estimate": 100, "low": 95, "high": 105}}}`,
	})
	committed := commitAll(t)
	ran := 0
	for _, name := range []string{"lint", "effective", "graph"} {
		c, _, err := NewRoot().Find(map[string][]string{"lint": {"lint"}, "effective": {"lint", "effective"}, "graph": {"lint", "graph"}}[name])
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(c.Example, "\n") {
			line = strings.TrimSpace(line)
			if !strings.HasPrefix(line, "kneeline ") || !committed && strings.Contains(line, "--new-from") {
				continue
			}
			args, err := splitLine(line)
			if err != nil {
				t.Fatal(err)
			}
			ran++
			got := runIn(t, t.Context(), State{Args: args, Stdin: strings.NewReader(shopFiles["nginx.conf"])})
			toFile := strings.Contains(line, "svg=")
			if got.code > 1 || got.stdout == "" && !toFile {
				t.Errorf("%s: exit code %d: %s", line, got.code, got.stderr)
			}
		}
	}
	if ran < 9 {
		t.Errorf("ran only %d examples", ran)
	}
}
