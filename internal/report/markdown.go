package report

import (
	"fmt"
	"io"
	"strings"
)

// Markdown writes r as GitHub-flavoured Markdown, to be pasted into a review.
// Plots become a sparkline and a compact table.
func Markdown(w io.Writer, r *Report) error {
	var m markdown
	m.report(r)
	_, err := io.WriteString(w, strings.TrimRight(m.String(), "\n")+"\n")
	return err
}

type markdown struct{ strings.Builder }

// para writes a block of its own, nothing for an empty one.
func (m *markdown) para(format string, args ...any) {
	s := strings.TrimRight(fmt.Sprintf(format, args...), "\n")
	if s != "" {
		m.WriteString(s + "\n\n")
	}
}

func (m *markdown) bold(s string) {
	if s = md(s); s != "" {
		m.para("**%s**", s)
	}
}

func (m *markdown) report(r *Report) {
	m.bold(r.Verdict.Text)
	if r.Incomplete != "" {
		m.para("> **Incomplete:** %s", md(r.Incomplete))
	}
	if r.Title != "" {
		m.para("## %s", md(r.Title))
	}
	m.para("%s", mdSpan(r.Command))
	for _, b := range r.Blocks {
		if b != nil {
			m.block(b.block())
		}
	}
	if len(r.Notes) > 0 {
		m.para("### Notes")
		for i, n := range r.Notes {
			fmt.Fprintf(m, "%d. %s\n", i+1, md(n))
		}
	}
}

func (m *markdown) block(b Block) {
	switch b := b.(type) {
	case Heading:
		if text := md(b.Text); text != "" {
			m.para("### %s", text)
		}
	case Paragraph:
		m.para("%s", md(b.Text))
	case KeyValues:
		m.keyValues(b)
	case List:
		m.list(b)
	case Table:
		m.table(b)
	case Plot:
		m.plot(b)
	case Bars:
		m.bars(b)
	case Icicle:
		m.table(b.table())
	case Findings:
		m.findings(b)
	case Settings:
		m.settings(b)
	case Code:
		m.bold(b.Caption)
		m.para("%s", mdFence(b.Text, b.Lang))
	}
}

func (m *markdown) keyValues(kv KeyValues) {
	m.bold(kv.Caption)
	for _, it := range kv.Items {
		line := md(it.Key) + ": **" + mdCell(it.Value) + "**"
		if it.Value == "" {
			line = md(it.Key) + ":"
		}
		if it.Note != "" {
			line += " (" + md(it.Note) + ")"
		}
		m.WriteString("- " + line + "\n")
	}
	m.WriteString("\n")
}

func (m *markdown) list(l List) {
	m.bold(l.Caption)
	for i, item := range l.Items {
		fmt.Fprintf(m, "%d. %s\n", i+1, md(item))
	}
	m.WriteString("\n")
}

func (m *markdown) table(tb Table) {
	m.bold(tb.Caption)
	if len(tb.Rows) == 0 || len(tb.Columns) == 0 {
		empty := md(tb.Empty)
		if empty == "" {
			empty = "none"
		}
		m.para("%s", empty)
		return
	}
	head, rule := "|", "|"
	for _, c := range tb.Columns {
		head += " " + mdCell(c.Title) + " |"
		if c.Align == Right {
			rule += " ---: |"
		} else {
			rule += " --- |"
		}
	}
	m.WriteString(head + "\n" + rule + "\n")
	for _, row := range tb.Rows {
		line := "|"
		for i := range tb.Columns {
			var c Cell
			if i < len(row) {
				c = row[i]
			}
			line += " " + mdTableCell(c) + " |"
		}
		m.WriteString(line + "\n")
	}
	m.WriteString("\n")
}

func mdTableCell(c Cell) string {
	s := mdCell(c.Text)
	if c.Level == Bad && strings.TrimSpace(s) != "" {
		s = "**" + s + "**"
	}
	if len(c.Spark) > 0 {
		s = strings.TrimSpace(s + " " + mdSpan(unicodeGlyphs.spark(c.Spark)))
	}
	return s
}

func (m *markdown) plot(p Plot) {
	m.bold(p.Title)
	if _, ok := p.frame(); !ok {
		m.para("no data to plot")
		return
	}
	for i, s := range p.Series {
		points := p.shown(s)
		if len(points) == 0 {
			continue
		}
		ys := make([]float64, len(points))
		for k, pt := range points {
			ys[k] = pt.Y
		}
		fmt.Fprintf(m, "- %s: `%s` %s to %s\n", md(seriesTitle(p.Y, s.Name, i)), unicodeGlyphs.spark(ys),
			md(p.Y.format(ys[0])), md(p.Y.format(ys[len(ys)-1])))
	}
	for _, k := range p.Marks {
		if k.Label != "" {
			fmt.Fprintf(m, "- marked: %s\n", md(k.Label))
		}
	}
	for _, b := range p.Bands {
		if b.Label != "" {
			fmt.Fprintf(m, "- shaded: %s\n", md(b.Label))
		}
	}
	m.WriteString("\n")
	m.table(p.table())
}

// barCells is how long the longest bar of a Markdown table is.
const barCells = 20

func (m *markdown) bars(b Bars) {
	tb := b.table()
	tb.Caption = b.Title
	if len(tb.Rows) > 0 {
		tb.Columns = append(tb.Columns, Column{})
	}
	t := newText(TextOptions{})
	for i, it := range b.Items {
		bar := strings.TrimRight(t.bar(it.Value/b.top(), barCells, -1, t.level(Neutral)), " ")
		tb.Rows[i] = append(tb.Rows[i], Txt(bar))
	}
	m.table(tb)
	if b.Mark != nil && b.Mark.Label != "" {
		m.para("marked: %s", md(b.Mark.Label))
	}
}

func (m *markdown) settings(s Settings) {
	m.bold(s.Caption)
	for _, it := range s.Items {
		line := mdSpan(it.change())
		if it.From != "" {
			line += " (now " + mdSpan(it.From) + ")"
		}
		if it.Why != "" {
			line += ": " + md(it.Why)
		}
		m.para("%s", line)
		m.para("%s", mdFence(it.Code, it.Lang))
	}
}
