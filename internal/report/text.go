package report

import (
	"fmt"
	"io"
	"strings"

	"example.com/kneeline/internal/term"
)

// TextOptions says for what the text is drawn. The zero value suits a pipe.
type TextOptions struct {
	// Width is the number of columns; 0 means 80. It is held between 20 and 120,
	// beyond which lines are hard to read.
	Width int
	// Color adds ANSI escapes; the text is the same without them.
	Color bool
	// ASCII draws with ASCII alone.
	ASCII bool
	// WrapVerdict wraps the verdict at Width, for a terminal. Without it the
	// verdict is one line however long, so that the first line of a pipe or a
	// file is the whole answer.
	WrapVerdict bool
}

const (
	defaultWidth = 80
	minWidth     = 20
	maxWidth     = 120
	// minText is how narrow running text may get.
	minText = 10
	// bodyIndent sets the body of a report off from its headings, so that the
	// structure shows without colour.
	bodyIndent = 2
)

// Text writes r as text: the verdict, the evidence, what to change.
func Text(w io.Writer, r *Report, o TextOptions) error {
	t := newText(o)
	t.report(r, o.WrapVerdict)
	if t.err != nil {
		return fmt.Errorf("text report: %w", t.err)
	}
	_, err := io.WriteString(w, strings.TrimRight(t.out.String(), "\n")+"\n")
	return err
}

// text draws a report line by line.
type text struct {
	out    strings.Builder
	err    error
	width  int
	indent int
	styles term.Styles
	g      glyphs
	blank  bool // the last line is blank
}

func newText(o TextOptions) *text {
	width := o.Width
	if width <= 0 {
		width = defaultWidth
	}
	t := &text{
		width:  min(max(width, minWidth), maxWidth),
		styles: term.NewStyles(o.Color),
		g:      unicodeGlyphs,
	}
	if o.ASCII {
		t.g = asciiGlyphs
	}
	return t
}

// clean is [clean] for the character set of the rendering.
func (t *text) clean(s string) string {
	s = clean(s)
	if t.g.ascii {
		s = asciify(s)
	}
	return s
}

// room is the number of columns of a line of the body.
func (t *text) room() int { return t.width - t.indent }

// line writes one line, without trailing blanks.
func (t *text) line(s string) {
	s = strings.TrimRight(s, " ")
	if s == "" {
		t.gap()
		return
	}
	t.out.WriteString(strings.Repeat(" ", t.indent))
	t.out.WriteString(s)
	t.out.WriteByte('\n')
	t.blank = false
}

// gap writes a blank line unless there is one already.
func (t *text) gap() {
	if !t.blank && t.out.Len() > 0 {
		t.out.WriteByte('\n')
		t.blank = true
	}
}

// prose writes wrapped text; lines after the first are indented by hang.
func (t *text) prose(first, s string, hang int, style term.Style) {
	room := max(t.room()-hang, minText)
	lines := wrap(t.clean(s), room)
	for i, l := range lines {
		lead := strings.Repeat(" ", hang)
		if i == 0 {
			lead = padRight(first, hang)
		}
		t.line(lead + style.Render(l))
	}
	if len(lines) == 0 && first != "" {
		t.line(first)
	}
}

func (t *text) level(l Level) term.Style {
	switch l {
	case Good:
		return t.styles.Good
	case Warn:
		return t.styles.Warn
	case Bad:
		return t.styles.Bad
	}
	return term.Style{}
}

func (t *text) report(r *Report, wrapVerdict bool) {
	t.verdict(r.Verdict, wrapVerdict)
	t.gap()
	if r.Incomplete != "" {
		t.prose("", "INCOMPLETE: "+r.Incomplete, 0, t.styles.Warn)
		t.gap()
	}
	if r.Title != "" {
		t.prose("", r.Title, 0, t.styles.Strong)
	}
	if r.Command != "" {
		t.prose("$ ", r.Command, 2, t.styles.Faint)
	}
	t.gap()
	for _, b := range r.Blocks {
		if b != nil {
			t.block(b.block())
		}
	}
	t.notes(r.Notes)
}

func (t *text) verdict(v Verdict, wrapped bool) {
	style := t.level(v.Level)
	if v.Level == Neutral {
		style = t.styles.Strong
	}
	if wrapped {
		t.prose("", v.Text, 0, style)
		return
	}
	t.line(style.Render(t.clean(v.Text)))
}

func (t *text) block(b Block) {
	if h, ok := b.(Heading); ok {
		t.indent = 0
		t.gap()
		t.prose("", h.Text, 0, t.styles.Heading)
		return
	}
	t.indent = bodyIndent
	switch b := b.(type) {
	case Paragraph:
		t.prose("", b.Text, 0, t.level(b.Level))
	case KeyValues:
		t.keyValues(b)
	case List:
		t.list(b)
	case Table:
		t.table(b)
	case Plot:
		t.plot(b)
	case Bars:
		t.bars(b)
	case Icicle:
		t.icicle(b)
	case Findings:
		t.findings(b)
	case Settings:
		t.settings(b)
	case Code:
		t.caption(b.Caption)
		if b.Lang == "diff" {
			t.diff(b.Text)
		} else {
			t.code(b.Text)
		}
	}
	t.indent = 0
	t.gap()
}

func (t *text) caption(s string) {
	if s != "" {
		t.prose("", s, 0, t.styles.Strong)
	}
}

// maxKey is how wide the column of keys may get.
const maxKey = 32

func (t *text) keyValues(kv KeyValues) {
	t.caption(kv.Caption)
	keys := 0
	for _, it := range kv.Items {
		keys = max(keys, term.Width(t.clean(it.Key)))
	}
	hang := t.hang(keys)
	for _, it := range kv.Items {
		t.keyValue(it, hang)
	}
}

func (t *text) list(l List) {
	kv := KeyValues{Caption: l.Caption}
	for i, item := range l.Items {
		kv.Items = append(kv.Items, KeyValue{Key: fmt.Sprintf("%d.", i+1), Value: item})
	}
	t.keyValues(kv)
}

// hang returns where values stand after keys of a width.
func (t *text) hang(keys int) int {
	return max(min(keys, maxKey, t.room()/2-2, t.room()-minText-2), 0) + 2
}

func (t *text) keyValue(it KeyValue, hang int) {
	key, value, note := t.clean(it.Key), t.clean(it.Value), t.clean(it.Note)
	if term.Width(key)+2 > hang {
		t.prose("", key, 0, t.styles.Faint)
		key = ""
	}
	lead := t.styles.Faint.Render(padRight(key, hang))
	style := t.level(it.Level)
	room := max(t.room()-hang, minText)
	if note != "" && term.Width(value)+2+term.Width(note) <= room {
		t.line(lead + style.Render(value) + "  " + t.styles.Faint.Render(note))
		return
	}
	t.prose(lead, value, hang, style)
	t.prose("", note, hang, t.styles.Faint)
}

func (t *text) settings(s Settings) {
	t.caption(s.Caption)
	for i, it := range s.Items {
		if i > 0 {
			t.gap()
		}
		change, indent := it.change(), t.indent
		if it.From != "" {
			change += " (now " + it.From + ")"
		}
		if change != "" {
			t.prose("", change, 0, t.styles.Strong)
			t.indent += bodyIndent
		}
		t.prose("", it.Why, 0, term.Style{})
		if change+it.Why != "" {
			t.gap()
		}
		t.code(it.Code)
		t.indent = indent
	}
}

// code writes lines as they are: cutting, wrapping or spelling them otherwise
// would spoil them.
func (t *text) code(code string) {
	lines := cleanCode(code)
	if len(lines) == 0 {
		return
	}
	for _, l := range lines {
		t.line("  " + t.styles.Code.Render(l))
	}
}

// diff writes a diff as programs take it: from the first column, with blanks at the ends
// of lines and every empty one.
func (t *text) diff(text string) {
	for _, l := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		parts := strings.Split(l, "\t") // a tab that is made blanks fits nowhere
		for i := range parts {
			parts[i] = term.CleanLines(parts[i])
		}
		t.out.WriteString(strings.Join(parts, "\t") + "\n")
	}
	t.blank = false
}

func (t *text) notes(notes []string) {
	if len(notes) == 0 {
		return
	}
	t.gap()
	t.prose("", "Notes", 0, t.styles.Heading)
	t.indent = bodyIndent
	for i, n := range notes {
		mark := fmt.Sprintf("%d. ", i+1)
		t.prose(mark, n, len(mark), term.Style{})
	}
	t.indent = 0
}
