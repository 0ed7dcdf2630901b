package report

import (
	"strings"
	"unicode"

	"example.com/kneeline/internal/term"
)

// clean makes s one line without control characters; runs of blanks become one
// space. All renderings pass the report's strings through it.
func clean(s string) string { return strings.Join(strings.Fields(term.Clean(s)), " ") }

// cleanCode makes s safe to print and keeps its lines and indentation; trailing
// blank lines go.
func cleanCode(s string) []string {
	s = strings.TrimRight(term.CleanLines(strings.ReplaceAll(s, "\r\n", "\n")), "\n ")
	s = strings.TrimLeft(s, "\n")
	if s == "" {
		return nil
	}
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// cleanPath makes a path safe to print for programs that look the file up: it keeps
// blanks and line breaks, which the formats escape.
func cleanPath(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
