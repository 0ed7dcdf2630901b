package cmd

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// The documentation is tested in two ways; CONTRIBUTING.md has the convention.
//
//   - Blocks fenced as "console" are run, and what they print is compared.
//   - Every other line of a fenced block that begins with the program's name, with
//     or without "$ ", and every example in help, must name commands and flags
//     that exist.

// block is a fenced block of a Markdown file.
type block struct {
	file  string
	line  int // of its first line
	kind  string
	lines []string
}

// documents returns all Markdown files that users read.
func documents(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../*.md")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir("../docs", func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var fence = regexp.MustCompile("^ {0,3}(```+|~~~+) *([A-Za-z]*)")

// blocks returns the fenced blocks of a Markdown text.
func blocks(file, text string) []block {
	var out []block
	var open string
	for i, line := range strings.Split(text, "\n") {
		m := fence.FindStringSubmatch(line)
		switch {
		case open == "" && m != nil:
			open = m[1]
			out = append(out, block{file: file, line: i + 2, kind: m[2]})
		case open != "" && m != nil && strings.HasPrefix(m[1], open) && m[2] == "":
			open = ""
		case open != "":
			b := &out[len(out)-1]
			b.lines = append(b.lines, line)
		}
	}
	return out
}

func documentBlocks(t *testing.T) []block {
	t.Helper()
	var all []block
	for _, file := range documents(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, blocks(strings.TrimPrefix(filepath.ToSlash(file), "../"), string(text))...)
	}
	return all
}

func TestConsoleBlocks(t *testing.T) {
	ran := 0
	for _, b := range documentBlocks(t) {
		if b.kind != "console" {
			continue
		}
		ran++
		t.Run(fmt.Sprintf("%s:%d", b.file, b.line), func(t *testing.T) {
			t.Chdir(t.TempDir())
			files := filepath.Join(docsDir(t), strings.TrimSuffix(filepath.Base(b.file), ".md"))
			if info, err := os.Stat(files); strings.HasPrefix(filepath.Base(b.file), "tutorial-") && err == nil && info.IsDir() {
				if err := os.CopyFS(".", os.DirFS(files)); err != nil {
					t.Fatal(err)
				}
			}
			runConsole(t, b)
		})
	}
	if ran == 0 {
		t.Error("no document has a console block")
	}
}

// docsDir is the directory of the documentation. A tutorial has its files beside it, in a
// directory of its name; its blocks are run in a copy of that.
func docsDir(t *testing.T) string {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "docs")
}

// runConsole runs the commands of a block one after the other and compares what
// stands below each with stdout and stderr as a terminal would mix them.
func runConsole(t *testing.T, b block) {
	t.Helper()
	code := 0
	for i := 0; i < len(b.lines); {
		at := b.line + i
		command, ok := strings.CutPrefix(b.lines[i], "$ ")
		if !ok {
			t.Fatalf("line %d: expected a command, found %q", at, b.lines[i])
		}
		i++
		from := i
		for i < len(b.lines) && !strings.HasPrefix(b.lines[i], "$ ") {
			i++
		}
		var got string
		if command == "echo $?" {
			got = fmt.Sprintln(code)
		} else {
			code, got = runLine(t, command)
		}
		want := b.lines[from:i]
		lines := strings.Split(strings.TrimRight(got, "\n"), "\n")
		if got == "" {
			lines = nil
		}
		if !matchLines(want, lines) {
			t.Errorf("line %d: $ %s prints\n%s\nbut the document says\n%s", at, command, got, strings.Join(want, "\n"))
		}
	}
}

func runLine(t *testing.T, command string) (int, string) {
	t.Helper()
	args, err := splitLine(command)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	code := Run(t.Context(), State{Args: args, Stdout: &out, Stderr: &out})
	return code, out.String()
}

// Command lines that are not run must at least name what exists.
func TestDocumentedCommandLinesExist(t *testing.T) {
	checked := 0
	for _, b := range documentBlocks(t) {
		for i := 0; i < len(b.lines); i++ {
			line, at := strings.TrimPrefix(b.lines[i], "$ "), b.line+i
			for strings.HasSuffix(line, `\`) && i+1 < len(b.lines) {
				i++
				line = strings.TrimSuffix(line, `\`) + " " + strings.TrimSpace(b.lines[i])
			}
			line = strings.Replace(line, "go run . ", "kneeline ", 1)
			if !strings.HasPrefix(line, "kneeline ") || b.kind == "console" || b.kind == "text" || b.kind == "markdown" {
				continue
			}
			checked++
			if err := existing(line); err != nil {
				t.Errorf("%s:%d: %v", b.file, at, err)
			}
		}
	}
	t.Logf("%d command lines", checked)
}

// quick are the commands whose examples in help are run, since they need no
// service and little time. Those of other commands must at least exist.
var quick = map[string]bool{"explain": true, "rules": true, "config": true, "version": true}

func TestHelpExamples(t *testing.T) {
	t.Chdir(t.TempDir())
	ran := 0
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, line := range strings.Split(c.Example, "\n") {
			line = strings.TrimSpace(line)
			if !strings.HasPrefix(line, "kneeline ") {
				continue
			}
			if err := existing(line); err != nil {
				t.Errorf("help of %s: %v", c.CommandPath(), err)
			} else if quick[c.Name()] {
				ran++
				if code, out := runLine(t, line); code != 0 {
					t.Errorf("help of %s: %s: exit code %d:\n%s", c.CommandPath(), line, code, out)
				}
			}
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(NewRoot())
	if ran < 2*len(quick) {
		t.Errorf("ran only %d examples", ran)
	}
}

// existing checks that the command and the flags of a command line exist and
// that the flags take their values. What follows a pipe, a redirection or "&" is
// not ours.
func existing(line string) error {
	args, err := splitLine(strings.TrimSpace(beforeShell(line)))
	if err != nil {
		return err
	}
	root := NewRoot()
	c, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	if c == root && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		return fmt.Errorf("%s: unknown command %q", line, rest[0])
	}
	c.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	if err := c.ParseFlags(rest); err != nil {
		return fmt.Errorf("%s: %w", line, err)
	}
	if err := c.ValidateArgs(c.Flags().Args()); err != nil {
		return fmt.Errorf("%s: %w", line, err)
	}
	return nil
}
