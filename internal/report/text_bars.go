package report

import (
	"math"
	"strings"

	"example.com/kneeline/internal/term"
)

// maxBarLabel is how wide the labels of bars may get before they are cut.
const maxBarLabel = 30

// minBarCols is how short the longest bar may get; below, a table says more.
// Longer than maxBarCols it says no more either.
const minBarCols, maxBarCols = 12, 60

// bars draws a horizontal bar chart: label, bar, value.
func (t *text) bars(b Bars) {
	t.caption(b.Title)
	if len(b.Items) == 0 {
		t.prose("", "no data to plot", 0, t.styles.Faint)
		return
	}
	labels, values := make([]string, len(b.Items)), make([]string, len(b.Items))
	top := b.top()
	for i, it := range b.Items {
		labels[i], values[i] = t.clean(it.Label), t.clean(b.Value.format(it.Value))
	}
	figures := widest(values)
	for i, it := range b.Items {
		values[i] = strings.TrimRight(padLeft(values[i], figures)+"  "+t.clean(it.Note), " ")
	}
	left := min(widest(labels), maxBarLabel, t.room()/2)
	right := min(widest(values), t.room()/2)
	cols := min(t.room()-left-right-5, maxBarCols) // gaps of two, and the mark past the longest bar
	if cols < minBarCols {
		t.table(b.table())
		return
	}
	mark := -1
	if b.Mark != nil && drawable(b.Mark.At) && b.Mark.At >= 0 {
		mark = min(int(math.Round(b.Mark.At/top*float64(cols))), cols)
	}
	for i, it := range b.Items {
		label := padRight(t.cut(labels[i], left), left)
		bar := t.bar(it.Value/top, cols, mark, t.level(it.Level))
		t.line(label + "  " + bar + "  " + t.cut(values[i], right))
	}
	if mark >= 0 && b.Mark.Label != "" {
		at := left + 2 + mark
		label := t.cut(t.g.barMark+" "+t.clean(b.Mark.Label), t.room())
		at = max(0, min(at, t.room()-term.Width(label)))
		t.line(strings.Repeat(" ", at) + t.markStyle(*b.Mark).Render(label))
	}
	if title := b.Value.label(); title != "" {
		t.indent += left + 2
		t.prose("", title, 0, t.styles.Faint)
		t.indent -= left + 2
	}
}

// top returns the value of a bar of full length.
func (b Bars) top() float64 {
	top := 0.0
	for _, it := range b.Items {
		if drawable(it.Value) {
			top = max(top, it.Value)
		}
	}
	if b.Mark != nil && drawable(b.Mark.At) {
		top = max(top, b.Mark.At)
	}
	if top == 0 {
		return 1
	}
	return top
}

// bar draws share of cols cells, and the mark where the bar leaves it free.
func (t *text) bar(share float64, cols, mark int, style term.Style) string {
	cells := 0.0
	if share > 0 && share <= 1 {
		cells = share * float64(cols)
	}
	parts := len(t.g.bar)
	eighths := int(math.Round(cells * float64(parts)))
	if eighths == 0 && cells > 0 {
		eighths = 1 // what is not nothing must not look like it
	}
	full, rest := eighths/parts, eighths%parts
	drawn := strings.Repeat(t.g.bar[parts-1], full)
	if rest > 0 {
		drawn += t.g.bar[rest-1]
		full++
	}
	free := []string{}
	for col := full; col <= cols; col++ {
		ch := " "
		if col == mark {
			ch = t.g.barMark
		}
		free = append(free, ch)
	}
	return style.Render(drawn) + strings.Join(free, "")
}

// cut shortens s to width columns and shows that it did.
func (t *text) cut(s string, width int) string {
	if term.Width(s) <= width {
		return s
	}
	dots := term.Width(t.g.ellipsis)
	if width <= dots {
		return term.Truncate(s, width)
	}
	return term.Truncate(s, width-dots) + t.g.ellipsis
}

// table returns the bars as a table.
func (b Bars) table() Table {
	tb := Table{Columns: []Column{{Title: b.Label}, {Title: b.Value.label(), Align: Right}, {}}, Empty: "no data to plot"}
	for _, it := range b.Items {
		tb.Rows = append(tb.Rows, []Cell{Txt(it.Label), {Text: b.Value.format(it.Value), Level: it.Level}, Txt(it.Note)})
	}
	return tb
}
