package cmd

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/report"
)

// answering returns a command called answer with a small result, one more format,
// and an error of its own after writing.
func answering(after error) func(*app) *cobra.Command {
	return func(a *app) *cobra.Command {
		c := &cobra.Command{Use: "answer", RunE: func(*cobra.Command, []string) error {
			return errors.Join(a.out.write(result{
				JSON:   map[string]any{"capacity_per_second": 42, "note": "<&>"},
				Report: &report.Report{Title: "Answer", Verdict: report.Verdict{Text: "it is 42", Level: report.Good}},
				Extra: map[string]func(io.Writer) error{
					"csv": func(w io.Writer) error { _, err := io.WriteString(w, "answer\n42\n"); return err },
				},
			}), after)
		}}
		offerFormats(c, "csv")
		return c
	}
}

func TestStdoutHasTheRightFormat(t *testing.T) {
	dir := t.TempDir()
	file := func(format string) string { return format + "=" + filepath.Join(dir, "out."+format) }
	tests := []struct {
		outputs []string
		begins  string // of stdout
	}{
		{nil, "it is 42\n"},
		{[]string{"text"}, "it is 42\n"},
		{[]string{"json"}, "{\n  \"capacity_per_second\": 42,\n  \"note\": \"<&>\"\n}\n"},
		{[]string{"json=-"}, "{\n"},
		{[]string{"csv"}, "answer\n42\n"},
		{[]string{"html"}, "<!DOCTYPE html>"},
		{[]string{"markdown"}, "**it is 42**"},
		{[]string{file("json")}, "it is 42\n"},
		{[]string{file("json"), file("html"), "csv"}, "answer\n42\n"},
		{[]string{file("text")}, ""},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.outputs, " "), func(t *testing.T) {
			args := []string{"answer"}
			for _, o := range tt.outputs {
				args = append(args, "-o", o)
			}
			got := runIn(t, t.Context(), State{Args: args}, answering(nil))
			if got.code != 0 {
				t.Fatalf("exit code %d: %s", got.code, got.stderr)
			}
			if !strings.HasPrefix(strings.ToLower(got.stdout), strings.ToLower(tt.begins)) || tt.begins == "" && got.stdout != "" {
				t.Errorf("stdout %.80q, want it to begin with %q", got.stdout, tt.begins)
			}
			for _, o := range tt.outputs {
				format, path, ok := strings.Cut(o, "=")
				if !ok || path == "-" {
					continue
				}
				if info, err := os.Stat(path); err != nil || info.Size() == 0 {
					t.Errorf("%s was not written: %v", o, err)
				}
				if want := fmt.Sprintf("kneeline: wrote %s to %s\n", format, path); !strings.Contains(got.stderr, want) {
					t.Errorf("stderr %q does not say %q", got.stderr, want)
				}
			}
		})
	}
}

func TestBadOutputsAreRefusedBeforeAnyWork(t *testing.T) {
	dir := t.TempDir()
	tests := []struct {
		outputs []string
		says    string
	}{
		{[]string{"xml"}, `output format "xml": expected one of text, json, markdown, html, csv`},
		{[]string{""}, `output format "": expected one of text`},
		{[]string{"json="}, "expected a path after '=', found none"},
		{[]string{"json=" + dir}, "expected a file, found the directory"},
		{[]string{"json=" + dir + "/none/x.json"}, "there is no directory " + dir + "/none"},
		{[]string{"json=/dev/null/x"}, "there is no directory /dev/null"},
		{[]string{"json=" + dir + "/" + strings.Repeat("x", 300)}, "cannot write " + dir},
		{[]string{"json", "html"}, "two outputs on stdout, json and html"},
		{[]string{"json", "text=-"}, "two outputs on stdout, json and text"},
		{[]string{"json=" + dir + "/x", "html=" + dir + "/x"}, "two outputs in the file"},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.outputs, " "), func(t *testing.T) {
			worked := false
			command := func(*app) *cobra.Command {
				c := &cobra.Command{Use: "answer", RunE: func(*cobra.Command, []string) error { worked = true; return nil }}
				offerFormats(c, "csv")
				return c
			}
			args := []string{"answer"}
			for _, o := range tt.outputs {
				args = append(args, "--output="+o)
			}
			got := runIn(t, t.Context(), State{Args: args}, command)
			if got.code != exitUsage || worked {
				t.Errorf("exit code %d, worked %v; want %d before any work", got.code, worked, exitUsage)
			}
			if !strings.Contains(got.stderr, tt.says) {
				t.Errorf("stderr %q does not say %q", got.stderr, tt.says)
			}
		})
	}
}

func TestFormatNeverChangesTheExitCode(t *testing.T) {
	for _, err := range []error{nil, fault.Gatef("below"), fault.NoAnswerf("lost")} {
		want := worst(err)
		for _, format := range []string{"text", "json", "markdown", "html", "csv"} {
			got := runIn(t, t.Context(), State{Args: []string{"answer", "-o", format}}, answering(err))
			if got.code != want {
				t.Errorf("%s after %v: exit code %d, want %d", format, err, got.code, want)
			}
		}
	}
}

// brokenWriter is a stdout whose disk is full.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestUnwritableOutputIsNoAnswer(t *testing.T) {
	st := State{Args: []string{"answer"}, Stdout: brokenWriter{}}
	a := newApp(st.withDefaults())
	root := newRoot(a)
	root.AddCommand(answering(fault.Gatef("below"))(a))
	if code := a.run(t.Context(), root); code != exitNoAnswer {
		t.Errorf("exit code %d, want %d: worse than the failed gate", code, exitNoAnswer)
	}
}

func TestOneFailedFileDoesNotStopTheOthers(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good.html")
	command := func(a *app) *cobra.Command {
		return &cobra.Command{Use: "answer", RunE: func(*cobra.Command, []string) error {
			return a.out.write(result{
				JSON:   math.NaN(), // JSON has no NaN
				Report: &report.Report{Title: "Answer", Verdict: report.Verdict{Text: "it is 42"}},
			})
		}}
	}
	bad := filepath.Join(dir, "bad.json")
	got := runIn(t, t.Context(), State{Args: []string{"answer", "-o", "json=" + bad, "-o", "html=" + good}}, command)
	if got.code != exitNoAnswer || !strings.Contains(got.stderr, "cannot write "+bad) {
		t.Errorf("exit code %d, stderr %q", got.code, got.stderr)
	}
	if _, err := os.Stat(bad); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("half a file is left: %v", err)
	}
	if _, err := os.Stat(good); err != nil {
		t.Errorf("the other file is missing: %v", err)
	}
	if !strings.HasPrefix(got.stdout, "it is 42") {
		t.Errorf("stdout %q", got.stdout)
	}
}

// Text has the same words with and without colour; files never have escapes.
func TestColour(t *testing.T) {
	const escape = "\x1b["
	tests := []struct {
		name string
		st   State
		args []string
		want bool
	}{
		{"pipe", State{}, nil, false},
		{"terminal", State{StdoutTTY: true}, nil, true},
		{"NO_COLOR", State{StdoutTTY: true, Environ: []string{"NO_COLOR=1"}}, nil, false},
		{"CLICOLOR_FORCE", State{Environ: []string{"CLICOLOR_FORCE=1"}}, nil, true},
		{"NO_COLOR wins over CLICOLOR_FORCE", State{Environ: []string{"NO_COLOR=1", "CLICOLOR_FORCE=1"}}, nil, false},
		{"dumb terminal", State{StdoutTTY: true, Environ: []string{"TERM=dumb"}}, nil, false},
		{"always", State{Environ: []string{"NO_COLOR=1"}}, []string{"--color=always"}, true},
		{"never", State{StdoutTTY: true, Environ: []string{"CLICOLOR_FORCE=1"}}, []string{"--color=never"}, false},
		{"KNEELINE_COLOR", State{StdoutTTY: true, Environ: []string{"KNEELINE_COLOR=never"}}, nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.st.Args = append([]string{"answer"}, tt.args...)
			got := runIn(t, t.Context(), tt.st, answering(nil))
			if strings.Contains(got.stdout, escape) != tt.want {
				t.Errorf("stdout %q, want colour %v", got.stdout, tt.want)
			}
		})
	}
	path := filepath.Join(t.TempDir(), "out.txt")
	runIn(t, t.Context(), State{Args: []string{"answer", "--color=always", "-o", "text=" + path}}, answering(nil))
	if data, err := os.ReadFile(path); err != nil || strings.Contains(string(data), escape) {
		t.Errorf("text in a file: %q, %v", data, err)
	}
}

// The keys of the JSON results are an interface: adding one changes this list,
// removing or renaming one needs a new schema version.
func TestJSONKeys(t *testing.T) {
	tests := []struct {
		args []string
		keys string
	}{
		{[]string{"version"}, "go platform schema version"},
		{[]string{"rules"}, "rules schema"},
		{[]string{"config"}, "schema settings"},
	}
	for _, tt := range tests {
		got := runArgs(t, append(tt.args, "-o", "json")...)
		var m map[string]json.RawMessage
		if err := json.Unmarshal([]byte(got.stdout), &m); err != nil {
			t.Errorf("%v: %v", tt.args, err)
			continue
		}
		if keys := strings.Join(sortedKeys(m), " "); keys != tt.keys {
			t.Errorf("%v: keys %q, want %q", tt.args, keys, tt.keys)
		}
		if want := `"kneeline.` + tt.args[0] + `/v1"`; string(m["schema"]) != want {
			t.Errorf("%v: schema %s, want %s", tt.args, m["schema"], want)
		}
	}
}
