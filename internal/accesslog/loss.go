package accesslog

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

const (
	// maxExamples is how many lines are shown, and maxShown how much of each.
	maxExamples = 3
	maxShown    = 120
)

// Loss counts what could not be read.
type Loss struct {
	// Lines counts all lines but blank ones and comments, Unread those that are no
	// records.
	Lines, Unread uint64
	// ByReason counts the lines that could not be read by why.
	ByReason map[string]uint64
	// Examples are the first lines that could not be read.
	Examples []Example
}

// Example is a line that could not be read.
type Example struct {
	File   string
	Line   int
	Reason string
	// Text is the beginning of the line.
	Text string
}

func (e Example) String() string {
	return fmt.Sprintf("%s:%d: %s: %q", e.File, e.Line, e.Reason, e.Text)
}

func (l *Loss) add(file string, line int, reason string, text []byte) {
	l.Unread++
	if l.ByReason == nil {
		l.ByReason = map[string]uint64{}
	}
	l.ByReason[reason]++
	if len(l.Examples) < maxExamples {
		l.Examples = append(l.Examples, Example{file, line, reason, shown(text)})
	}
}

// Reasons lists the reasons, the most frequent first.
func (l *Loss) Reasons() []string {
	names := slices.Sorted(maps.Keys(l.ByReason))
	slices.SortStableFunc(names, func(a, b string) int {
		switch x, y := l.ByReason[a], l.ByReason[b]; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return names
}

// shown is the beginning of a line.
func shown(b []byte) string {
	if len(b) <= maxShown {
		return string(b)
	}
	b = b[:maxShown]
	for len(b) > 0 && !utf8.Valid(b) && maxShown-len(b) < utf8.UTFMax {
		b = b[:len(b)-1]
	}
	return string(b) + "…"
}
