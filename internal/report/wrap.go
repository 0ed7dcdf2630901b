package report

import (
	"strings"

	"example.com/kneeline/internal/term"
)

// wrap breaks s at blanks into lines of at most width columns. A word that is
// wider than that stays whole, so that it can be copied.
func wrap(s string, width int) []string {
	var lines []string
	line, used := "", 0
	for _, word := range strings.Fields(s) {
		w := term.Width(word)
		switch {
		case line == "":
			line, used = word, w
		case used+1+w <= width:
			line, used = line+" "+word, used+1+w
		default:
			lines = append(lines, line)
			line, used = word, w
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// wrapHard is [wrap] for a column of a table: words too wide for it are cut.
func wrapHard(s string, width int) []string {
	var lines []string
	for _, line := range wrap(s, width) {
		for term.Width(line) > width {
			head := term.Truncate(line, width)
			if head == "" { // a wide character in a column of one
				break
			}
			lines = append(lines, head)
			line = line[len(head):]
		}
		lines = append(lines, line)
	}
	return lines
}

// widestWord returns the width of the widest word of s.
func widestWord(s string) int {
	widest := 0
	for _, word := range strings.Fields(s) {
		widest = max(widest, term.Width(word))
	}
	return widest
}

// padRight fills s with blanks up to width.
func padRight(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-term.Width(s)))
}

// padLeft puts blanks before s up to width.
func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-term.Width(s))) + s
}
