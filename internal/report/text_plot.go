package report

import (
	"strings"

	"example.com/kneeline/internal/term"
)

const (
	plotRows     = 13
	minPlotCols  = 24  // below, a plot is written as a table
	maxPlotCols  = 100 // beyond, a plot is stretched for nothing
	maxTickLabel = 16
)

// rhythms tell lines apart where there is no colour.
var rhythms = []dash{{1, 1}, {2, 4}, {1, 2}, {6, 8}}

// plot draws a chart: title, labels of vertical marks, the plot with its axes,
// the legend.
func (t *text) plot(p Plot) {
	t.caption(p.Title)
	f, ok := p.frame()
	if !ok {
		t.prose("", "no data to plot", 0, t.styles.Faint)
		return
	}
	f.y = f.y.nice(8)
	yTicks := f.y.ticks(5)
	labels := t.tickLabels(p.Y, yTicks)
	left := widest(labels) + 1
	cols := min(t.room()-left-1, maxPlotCols)
	if left > maxTickLabel+1 || cols < minPlotCols {
		t.table(p.table())
		return
	}
	c := newCanvas(cols, plotRows)
	t.drawBands(c, f, p)
	t.drawMarks(c, f, p)
	// The first series is the one that matters most: it comes last, on top.
	for i := len(p.Series) - 1; i >= 0; i-- {
		t.drawSeries(c, f, p, i, p.Series[i])
	}
	t.drawMarkLabels(c, f, p)
	if y := t.clean(p.Y.label()); y != "" {
		t.prose("", y+logNote(p.Y), 0, t.styles.Faint)
	}
	t.topLabels(c, f, p, left)
	t.plotRows(c, f, yTicks, labels, left)
	t.plotFoot(c, f, p, left)
	t.legend(p, left)
}

func logNote(a Axis) string {
	if a.Log {
		return ", log scale"
	}
	return ""
}

func widest(labels []string) int {
	w := 0
	for _, l := range labels {
		w = max(w, term.Width(l))
	}
	return w
}

func (t *text) tickLabels(a Axis, ticks []float64) []string {
	labels := make([]string, len(ticks))
	for i, v := range ticks {
		labels[i] = t.clean(a.format(v))
	}
	return labels
}

func (t *text) seriesStyle(i int) term.Style {
	return t.styles.Series[i%len(t.styles.Series)]
}

func (t *text) seriesPoint(i int) string { return t.g.points[i%len(t.g.points)] }

// drawSeries joins the points and, where they are not too close together, puts
// the series' sign on each.
func (t *text) drawSeries(c *canvas, f frame, p Plot, i int, s Series) {
	style, rhythm := t.seriesStyle(i), rhythms[i%len(rhythms)]
	if t.g.ascii {
		rhythm = dash{1, 1}
	}
	if s.Kind != Dots {
		for _, run := range p.runs(f, s) {
			for k := 1; k < len(run); k++ {
				c.segment(run[k-1], run[k], rhythm, t.g.dot, style)
			}
		}
	}
	points := p.shown(s)
	every := 1
	if s.Kind != Dots && len(points) > c.cols/3 {
		every = max(1, len(points)/8)
	}
	for k, pt := range points {
		if k%every == 0 || k == len(points)-1 {
			c.put(c.column(f.x.at(pt.X)), c.row(f.y.at(pt.Y)), t.seriesPoint(i), style)
		}
	}
}

// plotRows writes the plot with the axis at its left.
func (t *text) plotRows(c *canvas, f frame, ticks []float64, labels []string, left int) {
	at := map[int]string{}
	for i, v := range ticks {
		at[c.row(f.y.at(v))] = labels[i]
	}
	for row := range c.rows {
		label, ok := at[row]
		axis := t.g.axisY
		if ok {
			axis = t.g.tickY
		}
		t.line(t.styles.Faint.Render(padLeft(label, left-1)+" "+axis) + c.line(row))
	}
}

// plotFoot writes the axis under the plot, its labels and its title.
func (t *text) plotFoot(c *canvas, f frame, p Plot, left int) {
	n := min(max(c.cols/9, 2), 8)
	ticks := f.x.ticks(n)
	labels := t.tickLabels(p.X, ticks)
	axis := make([]string, c.cols)
	for i := range axis {
		axis[i] = t.g.axisX
	}
	row := strings.Repeat(" ", left+1)
	for i, v := range ticks {
		col := c.column(f.x.at(v))
		width := term.Width(labels[i])
		start := left + 1 + min(max(col-width/2, 0), max(c.cols-width, 0))
		used := term.Width(row)
		if i > 0 && start < used+2 || start < used && i == 0 || width > c.cols {
			continue
		}
		axis[col] = t.g.tickX
		row = padRight(row, start) + labels[i]
	}
	t.line(t.styles.Faint.Render(padRight("", left) + t.g.corner + strings.Join(axis, "")))
	t.line(t.styles.Faint.Render(row))
	if title := p.X.label() + logNote(p.X); title != "" {
		t.indent += left + 1
		t.prose("", title, 0, t.styles.Faint)
		t.indent -= left + 1
	}
}

// legend names the series by sign and colour.
func (t *text) legend(p Plot, left int) {
	line, used := "", 0
	room := t.room() - left - 1
	for i, s := range p.Series {
		name := t.clean(s.Name)
		if name == "" {
			name = seriesTitle(Axis{}, "", i)
		}
		name = term.Truncate(name, room-2)
		width := term.Width(name) + 2
		if used > 0 && used+3+width > room {
			t.line(strings.Repeat(" ", left+1) + line)
			line, used = "", 0
		}
		if used > 0 {
			line, used = line+"   ", used+3
		}
		line += t.seriesStyle(i).Render(t.seriesPoint(i)) + " " + name
		used += width
	}
	if used > 0 {
		t.line(strings.Repeat(" ", left+1) + line)
	}
}
