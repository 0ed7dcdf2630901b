package gcparse

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Class is what a line was to the reader. Every line has exactly one.
type Class uint8

const (
	// EventLine closed an event, or is part of the text of one.
	EventLine Class = iota
	// DetailLine was understood and adds to an event or to the run.
	DetailLine
	// NoiseLine belongs to the log and says nothing that an event holds: phase
	// times, tenuring tables, heap dumps.
	NoiseLine
	// ForeignLine is no GC log: the program's own output.
	ForeignLine
	// UnknownLine looks like a line of a GC log and was not understood.
	UnknownLine
	// CutLine is part of what the end of the log cut off: of a last line without
	// an end, or of an event that had begun.
	CutLine

	classes = iota
)

var classNames = [classes]string{"event", "detail", "noise", "foreign", "unknown", "cut"}

// String is the name of the class.
func (c Class) String() string {
	if c < classes {
		return classNames[c]
	}
	return ""
}

const (
	// MaxExamples is how many unknown lines of each shape are quoted.
	MaxExamples = 3
	// MaxShapes is how many shapes of unknown lines are told apart; what comes
	// after is counted together.
	MaxShapes = 64
	// maxQuote is how many bytes of a line are quoted.
	maxQuote = 240
	// maxShape is how many bytes of a line make its shape.
	maxShape = 60
)

// Ledger accounts for every line of a stream.
type Ledger struct {
	// Lines counts the lines of each class.
	Lines [classes]int64
	// Shapes are the kinds of unknown lines in the order of their first
	// appearance.
	Shapes []Shape
	// Unshaped counts unknown lines of shapes over MaxShapes.
	Unshaped int64
}

// Shape is one kind of line that was not understood: lines that are alike but
// for their numbers.
type Shape struct {
	// Pattern is the beginning of the line with # for numbers.
	Pattern string
	Count   int64
	// Examples are the first such lines.
	Examples []Quote
}

// Quote is a line of the input.
type Quote struct {
	Source int32 // index in [Stream.Sources]
	Line   int64
	Text   string // at most 240 bytes of it, valid UTF-8
}

// Total is the number of lines.
func (l *Ledger) Total() int64 {
	var n int64
	for _, c := range l.Lines {
		n += c
	}
	return n
}

// Unknown is the number of lines that look like GC and were not understood.
func (l *Ledger) Unknown() int64 { return l.Lines[UnknownLine] }

// count accounts for a line.
func (l *Ledger) count(c Class, in *line) {
	l.Lines[c]++
	if c == UnknownLine {
		l.quote(in.source, in.no, in.text)
	}
}

// unread accounts for n lines up to now that turned out not to be understood, and
// were counted as was.
func (l *Ledger) unread(was, is Class, n int64, source int32, no int64, text []byte) {
	l.Lines[was] -= n
	l.Lines[is] += n
	if is == UnknownLine {
		l.quote(source, no, text)
	}
}

// quote keeps an unknown line as an example of its shape.
func (l *Ledger) quote(source int32, no int64, text []byte) {
	pattern := shapeOf(text)
	i := slices.IndexFunc(l.Shapes, func(s Shape) bool { return s.Pattern == string(pattern) })
	if i < 0 {
		if len(l.Shapes) == MaxShapes {
			l.Unshaped++
			return
		}
		i = len(l.Shapes)
		l.Shapes = append(l.Shapes, Shape{Pattern: string(pattern)})
	}
	s := &l.Shapes[i]
	s.Count++
	if len(s.Examples) < MaxExamples {
		s.Examples = append(s.Examples, Quote{source, no, clip(text)})
	}
}

// shapeOf replaces runs of digits and what joins them, so that lines which differ
// only in numbers and times have one shape.
func shapeOf(text []byte) []byte {
	shape := make([]byte, 0, maxShape)
	number := false
	for _, c := range text {
		if len(shape) == maxShape {
			break
		}
		switch digit := c >= '0' && c <= '9'; {
		case digit && !number:
			shape = append(shape, '#')
			number = true
		case digit || number && (c == '.' || c == ',' || c == ':' || c == '-'):
		case c < ' ' || c >= utf8.RuneSelf:
			shape, number = append(shape, '?'), false
		default:
			shape, number = append(shape, c), false
		}
	}
	return shape
}

// clip is the beginning of a line as printable text.
func clip(text []byte) string {
	cut := len(text) > maxQuote
	if cut {
		text = text[:maxQuote]
	}
	s := strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(string(text), "?"))
	if cut {
		return s + "…"
	}
	return s
}
