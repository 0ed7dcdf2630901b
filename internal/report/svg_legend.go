package report

import "math"

// entry is one entry of the legend: a series, or a labelled band.
type entry struct {
	text  string
	style int // of the series, -1 for a band
	width float64
}

// legendRows breaks the legend into rows that fit the plot.
func legendRows(p Plot, a area) [][]entry {
	var all []entry
	for i, s := range p.Series {
		all = append(all, entry{text: seriesTitle(Axis{}, s.Name, i), style: i % numStyles})
	}
	for _, b := range p.Bands {
		if clean(b.Label) != "" {
			all = append(all, entry{text: b.Label, style: -1})
		}
	}
	var rows [][]entry
	used := math.Inf(1)
	for _, e := range all {
		e.text = shorten(e.text, a.width-40)
		e.width = 36 + textWidth(e.text) + 16
		if used+e.width > a.width+16 {
			rows = append(rows, nil)
			used = 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		used += e.width
	}
	return rows
}

func (s *svg) legend(p Plot, a area, rows [][]entry) {
	for r, row := range rows {
		x, y := a.left, a.bottom()+58+20*float64(r)
		for _, e := range row {
			if e.style < 0 {
				s.rect("band", x, y-7, 28, 12, "")
			} else {
				s.printf(`<path class="curve l%d" d="M%s %sh28"/>`, e.style, num(x), num(y-1))
				s.sign(e.style, x+14, y-1)
			}
			s.text("strong", x+36, y+3, e.text)
			x += e.width
		}
	}
}
