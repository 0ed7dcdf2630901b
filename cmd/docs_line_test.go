package cmd

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// splitLine splits the command line of a document into arguments as a shell
// does, as far as documents go: quotes, a comment at the end, no variables.
func splitLine(command string) ([]string, error) {
	var args []string
	var arg strings.Builder
	var quote rune
	inside := false
	for _, r := range command {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			arg.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inside = r, true
		case r == ' ':
			if inside {
				args = append(args, arg.String())
			}
			arg.Reset()
			inside = false
		case r == '#' && !inside:
			return program(args)
		case strings.ContainsRune("|<>;&$`\\", r):
			return nil, fmt.Errorf("%q: the shell's %q is not for documents that are run", command, r)
		default:
			arg.WriteRune(r)
			inside = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("%q: a quote is left open", command)
	}
	if inside {
		args = append(args, arg.String())
	}
	return program(args)
}

// program takes the program's name off a command line.
func program(args []string) ([]string, error) {
	if len(args) == 0 || args[0] != "kneeline" {
		return nil, fmt.Errorf("expected a command line of kneeline, found %q", args)
	}
	return args[1:], nil
}

// matchLines compares lines; "..." alone in a line of want stands for any lines,
// and within a line for any text.
func matchLines(want, got []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if want[0] == "..." {
		return matchLines(want[1:], got) || len(got) > 0 && matchLines(want, got[1:])
	}
	if len(got) == 0 {
		return false
	}
	pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimRight(want[0], " ")), `\.\.\.`, ".*")
	return regexp.MustCompile("^"+pattern+"$").MatchString(strings.TrimRight(got[0], " ")) && matchLines(want[1:], got[1:])
}

// beforeShell returns what stands before the first character that means
// something to a shell, outside quotes.
func beforeShell(line string) string {
	var quote rune
	for i, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
		case quote == 0 && strings.ContainsRune("|<>&;", r):
			return strings.TrimRight(line[:i], "0123456789") // 2> is a redirection
		}
	}
	return line
}

func TestMatchLines(t *testing.T) {
	tests := []struct {
		want, got string
		match     bool
	}{
		{"", "", true},
		{"a", "a", true},
		{"a", "b", false},
		{"a", "a b", false},
		{"a\n...", "a", true},
		{"a\n...\nd", "a\nb\nc\nd", true},
		{"...\nb", "a\nc", false},
		{"took ... ms", "took 12 ms", true},
		{"took ... ms", "took 12 s", false},
		{"a.c", "abc", false},
	}
	lines := func(s string) []string {
		if s == "" {
			return nil
		}
		return strings.Split(s, "\n")
	}
	for _, tt := range tests {
		if got := matchLines(lines(tt.want), lines(tt.got)); got != tt.match {
			t.Errorf("matchLines(%q, %q) = %v", tt.want, tt.got, got)
		}
	}
}

func TestSplitLine(t *testing.T) {
	tests := []struct {
		line, want string // arguments joined by |
		bad        bool
	}{
		{"kneeline rules", "rules", false},
		{"kneeline headroom --slo 'p99<400ms, errors<1%'  -q # remark", "headroom|--slo|p99<400ms, errors<1%|-q", false},
		{`kneeline x ""`, "x|", false},
		{"kneeline x > file", "", true},
		{"kneeline 'x", "", true},
		{"other x", "", true},
		{"", "", true},
		{"# remark", "", true},
	}
	for _, tt := range tests {
		got, err := splitLine(tt.line)
		if (err != nil) != tt.bad || strings.Join(got, "|") != tt.want {
			t.Errorf("splitLine(%q) = %q, %v", tt.line, got, err)
		}
	}
}
