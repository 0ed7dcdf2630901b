package report

import (
	"strings"

	"example.com/kneeline/internal/term"
)

func (t *text) drawBands(c *canvas, f frame, p Plot) {
	for _, b := range p.Bands {
		if !f.x.has(b.From) || !f.x.has(b.To) {
			continue
		}
		from, to := c.column(f.x.at(b.From)), c.column(f.x.at(b.To))
		for col := min(from, to); col <= max(from, to); col++ {
			for row := range c.rows {
				c.put(col, row, t.g.shade, t.styles.Faint)
			}
		}
	}
}

func (t *text) drawMarks(c *canvas, f frame, p Plot) {
	for _, m := range p.Marks {
		style := t.markStyle(m)
		switch {
		case m.Dir == Vertical && f.x.has(m.At):
			for row := range c.rows {
				c.put(c.column(f.x.at(m.At)), row, t.g.markV, style)
			}
		case m.Dir == Horizontal && f.y.has(m.At):
			for col := range c.cols {
				c.put(col, c.row(f.y.at(m.At)), t.g.markH, style)
			}
		}
	}
}

func (t *text) markStyle(m Mark) term.Style {
	if m.Level == Neutral {
		return t.styles.Faint
	}
	return t.level(m.Level)
}

// drawMarkLabels writes the labels of horizontal marks into the plot, where
// the mark runs free of curves, and above the line if it nowhere does.
func (t *text) drawMarkLabels(c *canvas, f frame, p Plot) {
	for _, m := range p.Marks {
		label := t.clean(m.Label)
		if m.Dir != Horizontal || !f.y.has(m.At) || label == "" {
			continue
		}
		label = term.Truncate(" "+label+" ", c.cols)
		at := c.row(f.y.at(m.At))
		row, col := t.freeRun(c, at, term.Width(label))
		c.write(col, row, label, t.markStyle(m))
	}
}

// freeRun finds width cells beside one another that no curve crosses, in the
// given row or the one above it, from the left.
func (t *text) freeRun(c *canvas, row, width int) (atRow, atCol int) {
	for _, r := range []int{row, row - 1, row + 1} {
		if r < 0 || r >= c.rows {
			continue
		}
		free := 0
		for col := range c.cols {
			cl := c.cells[r*c.cols+col]
			if cl.dots == 0 && (cl.char == "" || cl.char == t.g.markH) {
				free++
			} else {
				free = 0
			}
			if free == width+2 {
				return r, col - width
			}
		}
	}
	return row, max(0, c.cols-width)
}

// topLabels writes the labels of vertical marks and bands above the plot, each
// over its place, on as many lines as they need.
func (t *text) topLabels(c *canvas, f frame, p Plot, left int) {
	var rows [][]string
	put := func(x float64, label string, style term.Style) {
		label = term.Truncate(label, c.cols)
		width := term.Width(label)
		col := min(max(c.column(x)-width/2, 0), c.cols-width)
		for i := 0; ; i++ {
			if i == len(rows) {
				rows = append(rows, make([]string, c.cols))
			}
			if taken(rows[i], col-2, col+width+2) {
				continue
			}
			rows[i][col] = style.Render(label)
			for k := 1; k < width; k++ {
				rows[i][col+k] = "\x00"
			}
			return
		}
	}
	for _, m := range p.Marks {
		if label := t.clean(m.Label); m.Dir == Vertical && f.x.has(m.At) && label != "" {
			put(f.x.at(m.At), label, t.markStyle(m))
		}
	}
	for _, b := range p.Bands {
		if label := t.clean(b.Label); f.x.has(b.From) && f.x.has(b.To) && label != "" {
			put((f.x.at(b.From)+f.x.at(b.To))/2, t.g.shade+" "+label, t.styles.Faint)
		}
	}
	for i := len(rows) - 1; i >= 0; i-- {
		var b strings.Builder
		for _, s := range rows[i] {
			switch s {
			case "":
				b.WriteByte(' ')
			case "\x00":
			default:
				b.WriteString(s)
			}
		}
		t.line(strings.Repeat(" ", left+1) + b.String())
	}
}

func taken(row []string, from, to int) bool {
	for i := max(from, 0); i < min(to, len(row)); i++ {
		if row[i] != "" {
			return true
		}
	}
	return false
}
