package arch

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// root is the module's directory as seen from this package.
const root = "../.."

func TestHouse(t *testing.T) {
	src, err := load(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(src.files) < 5 {
		t.Fatalf("found only %d packages: is %s the module?", len(src.files), root)
	}
	for _, offence := range src.check() {
		t.Error(offence)
	}
}

// The rules must not name packages that are gone, or they say less than they
// seem to.
func TestRulesNameRealPackages(t *testing.T) {
	exists := func(dir string) bool {
		pattern := filepath.Join(root, dir, "*.go")
		if slices.Contains(trees, dir) {
			pattern = filepath.Join(root, dir)
		}
		found, err := filepath.Glob(pattern)
		return err == nil && len(found) > 0
	}
	for dir := range floors {
		if !exists(dir) {
			t.Errorf("floors: there is no package %s", dir)
		}
	}
	for dir := range testSupport {
		if !exists(dir) {
			t.Errorf("testSupport: there is no package %s", dir)
		}
	}
	for module, dirs := range owners {
		for _, dir := range dirs {
			if !exists(dir) {
				t.Errorf("owners of %s: there is no package %s", module, dir)
			}
		}
	}
}

func TestModulePath(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(data), "module "+module+"\n") {
		t.Errorf("go.mod is not that of %s", module)
	}
}

// Each offence that the rules are for is planted in a small tree and must be
// found; the same tree without it must be clean.
func TestOffencesAreFound(t *testing.T) {
	tests := []struct {
		name, file, src string
		want            string // empty: clean
	}{
		{"lower floor", "loadgen/a.go", `package loadgen; import _ "example.com/kneeline/internal/outcome"`, ""},
		{"upper floor", "internal/outcome/a.go", `package outcome; import _ "example.com/kneeline/loadgen"`, "may not import floor"},
		{"same floor", "internal/slo/a.go", `package slo; import _ "example.com/kneeline/queuecalc"`, "may not import floor"},
		{"library imports cmd", "loadgen/a.go", `package loadgen; import _ "example.com/kneeline/cmd"`, "may not import floor"},
		{"test imports upper floor", "loadgen/a_test.go", `package loadgen; import _ "example.com/kneeline/analyze/headroom"`, ""},
		{"test imports cmd", "loadgen/a_test.go", `package loadgen; import _ "example.com/kneeline/cmd"`, "above every library"},
		{"new package", "newthing/a.go", `package newthing`, "has no floor"},
		{"program in a tree", "bench/deep/one/a.go", `package main; import ("os"; _ "example.com/kneeline/loadgen"); func main() { os.Exit(1) }`, ""},
		{"tests alone need no floor", "e2e/a_test.go", `package e2e`, ""},
		{"UI package in its place", "internal/term/a.go", `package term; import _ "github.com/charmbracelet/lipgloss"`, ""},
		{"UI package elsewhere", "internal/report/a.go", `package report; import _ "github.com/charmbracelet/lipgloss"`, "belongs to internal/term"},
		{"cobra in a library", "loadgen/a.go", `package loadgen; import _ "github.com/spf13/cobra"`, "belongs to cmd"},
		{"cobra/doc in the program", "cmd/a.go", `package cmd; import _ "github.com/spf13/cobra/doc"`, "belongs to internal/gendocs"},
		{"unknown module", "loadgen/a.go", `package loadgen; import _ "gopkg.in/x"`, "has no owner"},
		{"test module in code", "loadgen/a.go", `package loadgen; import _ "pgregory.net/rapid"`, "for tests only"},
		{"test module in a test", "loadgen/a_test.go", `package loadgen; import _ "pgregory.net/rapid"`, ""},
		{"print in a library", "internal/slo/a.go", `package slo; import "fmt"; func f() { fmt.Println() }`, "fmt.Println is not allowed"},
		{"print to a writer", "internal/slo/a.go", `package slo; import ("fmt"; "io"); func f(w io.Writer) { fmt.Fprintln(w) }`, ""},
		{"renamed import", "internal/slo/a.go", `package slo; import f "fmt"; var _ = f.Println`, "f.Println is not allowed"},
		{"exit in a library", "loadgen/a.go", `package loadgen; import "os"; func f() { os.Exit(1) }`, "os.Exit is not allowed"},
		{"environment in a library", "loadgen/a.go", `package loadgen; import "os"; var _ = os.Getenv("X")`, "os.Getenv is not allowed"},
		{"clock in an analysis", "analyze/headroom/a.go", `package headroom; import "time"; var _ = time.Now()`, "time.Now is not allowed"},
		{"clock in the generator", "loadgen/a.go", `package loadgen; import "time"; var _ = time.Now()`, ""},
		{"global random", "loadgen/a.go", `package loadgen; import "math/rand/v2"; var _ = rand.IntN(3)`, "rand.IntN is not allowed"},
		{"seeded random", "loadgen/a.go", `package loadgen; import "math/rand/v2"; var _ = rand.New(rand.NewPCG(1, 2))`, ""},
		{"global log", "loadgen/a.go", `package loadgen; import "log"; func f() { log.Print() }`, "log.Print is not allowed"},
		{"log of a server", "loadgen/a.go", `package loadgen; import ("io"; "log"); var _ = log.New(io.Discard, "", 0)`, ""},
		{"structured log", "loadgen/a.go", `package loadgen; import _ "log/slog"`, "log/slog is not allowed"},
		{"dot import", "loadgen/a.go", `package loadgen; import . "fmt"; var _ = Sprint()`, "dot import"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, tt.file)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(tt.src), 0o644); err != nil {
				t.Fatal(err)
			}
			src, err := load(dir)
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(src.check(), "\n")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("offences: %q, want %q", got, tt.want)
			}
		})
	}
}
