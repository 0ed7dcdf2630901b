package term

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
)

// Width returns how many terminal columns the widest line of s takes. Escape
// sequences take none, wide characters two.
func Width(s string) int { return lipgloss.Width(s) }

// Truncate cuts s to at most width columns without tearing a character.
func Truncate(s string, width int) string {
	if width <= 0 {
		return ""
	}
	return ansi.Truncate(s, width, "")
}

// Clean makes s safe to print on one line of a terminal: escape sequences and
// control characters are removed, line breaks and tabs become spaces, invalid
// UTF-8 becomes U+FFFD, and the invisible characters that reorder text
// (https://trojansource.codes) are dropped.
func Clean(s string) string { return clean(s, false) }

// CleanLines is [Clean] for text of several lines: line breaks stay, a tab
// becomes four spaces.
func CleanLines(s string) string { return clean(s, true) }

func clean(s string, lines bool) string {
	if plain(s) {
		return s
	}
	s = ansi.Strip(strings.ToValidUTF8(s, string(utf8.RuneError)))
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		switch {
		case r == '\n' && lines:
			b.WriteByte('\n')
		case r == '\t' && lines:
			b.WriteString("    ")
		case r == '\n' || r == '\t' || r == '\u2028' || r == '\u2029':
			b.WriteByte(' ')
		case invisible(r):
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plain reports whether s is printable ASCII, which is what nearly all is.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// invisible reports whether r must not reach a terminal: controls of both
// sets, and format characters other than the joiners that scripts need.
func invisible(r rune) bool {
	if r == '\u200c' || r == '\u200d' {
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}
