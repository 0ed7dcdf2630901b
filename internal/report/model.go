package report

import "example.com/kneeline/internal/finding"

// Level says how a reader should take a figure. It is shown by colour and,
// where it matters, also in words.
type Level uint8

const (
	Neutral Level = iota
	Good
	Warn
	Bad
)

// Report is one answer to one question.
type Report struct {
	// Title names what was examined, such as "Headroom of 127.0.0.1:8080".
	Title string
	// Command is the command line that made the report; it may be empty.
	Command string
	// Verdict is the answer in one sentence.
	Verdict Verdict
	// Blocks are the evidence, then what to change.
	Blocks []Block
	// Notes are footnotes: warnings and how far to trust the figures.
	Notes []string
	// Incomplete says why the report is partial, such as "interrupted after
	// 23 s"; empty when it is complete.
	Incomplete string
}

// Verdict is the answer in one sentence, with its figure.
type Verdict struct {
	Text  string
	Level Level
}

// Add appends blocks to the report; nil ones are left out.
func (r *Report) Add(blocks ...Block) {
	for _, b := range blocks {
		if b != nil {
			r.Blocks = append(r.Blocks, b)
		}
	}
}

// Block is one part of a report: [Heading], [Paragraph], [KeyValues], [List], [Table],
// [Plot], [Bars], [Icicle], [Findings], [Settings] or [Code].
type Block interface {
	// block returns the block itself, also when it is called on a pointer.
	block() Block
}

// Heading begins a section.
type Heading struct{ Text string }

// Paragraph is running text.
type Paragraph struct {
	Text  string
	Level Level
}

// KeyValues are named figures.
type KeyValues struct {
	Caption string
	Items   []KeyValue
}

// KeyValue is a named figure. Note is a short remark after the value.
type KeyValue struct {
	Key, Value, Note string
	Level            Level
}

// List is sentences with their numbers.
type List struct {
	Caption string
	Items   []string
}

// Findings are what rules reported, in the order given; finding.Ordered puts the
// worst first.
type Findings struct {
	Caption  string
	Findings []finding.Finding
	// Empty is said when there are none; "no findings" by default.
	Empty string
}

// Settings are what to change.
type Settings struct {
	Caption string
	Items   []Setting
}

// Setting is one change.
type Setting struct {
	// Name is the setting in the words of the product it belongs to, Value what
	// to set it to; From is its value today, if known. Without a value the name
	// alone is shown.
	Name, Value, From string
	// Why is the reason in a sentence or two.
	Why string
	// Code is the change ready to be copied; Lang names its language for
	// highlighters ("yaml", "nginx", "sh"). Code may be empty.
	Code, Lang string
}

// change is what to change in one line: name = value.
func (s Setting) change() string {
	switch {
	case clean(s.Value) == "":
		return s.Name
	case clean(s.Name) == "":
		return s.Value
	}
	return s.Name + " = " + s.Value
}

// Code is text to be shown or copied as it is, such as an example.
type Code struct {
	Caption string
	Text    string
	// Lang names its language for highlighters; it may be empty.
	Lang string
}

func (b Heading) block() Block   { return b }
func (b Paragraph) block() Block { return b }
func (b KeyValues) block() Block { return b }
func (b List) block() Block      { return b }
func (b Table) block() Block     { return b }
func (b Plot) block() Block      { return b }
func (b Bars) block() Block      { return b }
func (b Findings) block() Block  { return b }
func (b Settings) block() Block  { return b }
func (b Code) block() Block      { return b }
