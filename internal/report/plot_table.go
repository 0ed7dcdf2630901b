package report

import (
	"math"
	"slices"
	"strconv"
)

// maxPlotRows is how many values of x the table of a plot shows.
const maxPlotRows = 24

// table returns the points of a plot as a table: one row a value of x, one
// column a series. When there are too many rows it keeps evenly chosen ones.
func (p Plot) table() Table {
	tb := Table{Columns: []Column{{Title: p.X.label(), Align: Right}}, Empty: "no data to plot"}
	byX := map[float64][]Cell{}
	for i, s := range p.Series {
		tb.Columns = append(tb.Columns, Column{Title: seriesTitle(p.Y, s.Name, i), Align: Right})
		for _, pt := range p.shown(s) {
			row := byX[pt.X]
			if row == nil {
				row = make([]Cell, len(p.Series)+1)
				row[0] = Txt(p.X.format(pt.X))
			}
			row[i+1] = Txt(p.Y.format(pt.Y))
			byX[pt.X] = row
		}
	}
	xs := make([]float64, 0, len(byX))
	for x := range byX {
		xs = append(xs, x)
	}
	slices.Sort(xs)
	for _, i := range evenly(len(xs), maxPlotRows) {
		tb.Rows = append(tb.Rows, byX[xs[i]])
	}
	return tb
}

// seriesTitle names a column: the series and the unit of y.
func seriesTitle(y Axis, name string, i int) string {
	name = clean(name)
	if name == "" {
		name = "series " + strconv.Itoa(i+1)
	}
	if y.Unit != "" && y.Format == nil {
		name += " (" + clean(y.Unit) + ")"
	}
	return name
}

// evenly returns at most limit of the indices below n, the first and the last
// among them.
func evenly(n, limit int) []int {
	if n <= limit {
		limit = n
	}
	out := make([]int, 0, limit)
	for i := range limit {
		at := 0
		if limit > 1 {
			at = int(math.Round(float64(i) * float64(n-1) / float64(limit-1)))
		}
		out = append(out, at)
	}
	return out
}
