package report

import (
	"fmt"
	"html/template"
	"math"
	"strings"
)

// numStyles is how many series styles the style sheet has.
const numStyles = 5

// plotSVG draws a plot twice, for wide and for narrow screens.
func plotSVG(p Plot) template.HTML {
	f, ok := p.frame()
	if !ok {
		return `<p class="note">no data to plot</p>`
	}
	f.y = f.y.nice(8)
	var out []string
	for _, z := range sizes {
		out = append(out, string(drawPlot(p, f, z)))
	}
	return template.HTML(strings.Join(out, "\n"))
}

// area is the drawing area of a plot within its picture.
type area struct {
	frame
	left, top, width, height float64
}

func (a area) x(v float64) float64 { return a.left + a.frame.x.at(v)*a.width }
func (a area) y(v float64) float64 { return a.top + (1-a.frame.y.at(v))*a.height }
func (a area) right() float64      { return a.left + a.width }
func (a area) bottom() float64     { return a.top + a.height }

// placed is a label with its place.
type placed struct {
	text, class string
	x           float64 // of its middle
	row         int
}

func drawPlot(p Plot, f frame, z size) template.HTML {
	yTicks := f.y.ticks(5)
	left := 0.0
	for _, v := range yTicks {
		left = max(left, textWidth(p.Y.format(v)))
	}
	left = min(left, z.width/4) + 10
	a := area{frame: f, left: left, width: z.width - left - 14}
	labels, rows := topPlaces(p, a, z)
	a.top = 22 + float64(rows)*17
	legend := legendRows(p, a)
	a.height = z.height - 80
	height := a.bottom() + 46 + 20*float64(len(legend))

	var s svg
	s.open(z, height, plotName(p))
	s.text("", 0, 12, p.Y.label()+logNote(p.Y))
	s.bands(p, a)
	s.grid(p, a, yTicks, z)
	s.marks(p, a)
	// The first series is the one that matters most: it comes last, on top.
	for i := len(p.Series) - 1; i >= 0; i-- {
		s.series(p, a, i, p.Series[i])
	}
	s.markLabels(p, a)
	for _, l := range labels {
		s.text("mid label "+l.class, l.x, a.top-8-17*float64(l.row), l.text)
	}
	s.text("mid", a.left+a.width/2, a.bottom()+36, p.X.label()+logNote(p.X))
	s.legend(p, a, legend)
	return s.close()
}

func plotName(p Plot) string {
	names := make([]string, len(p.Series))
	for i, s := range p.Series {
		names[i] = seriesTitle(Axis{}, s.Name, i)
	}
	return strings.TrimSpace(clean(p.Title) + ": chart of " + strings.Join(names, ", "))
}

func (s *svg) bands(p Plot, a area) {
	for _, b := range p.Bands {
		if !a.frame.x.has(b.From) || !a.frame.x.has(b.To) {
			continue
		}
		from, to := min(a.x(b.From), a.x(b.To)), max(a.x(b.From), a.x(b.To))
		s.rect("band", from, a.top, max(to-from, 1), a.height, b.Label)
	}
}

func (s *svg) grid(p Plot, a area, yTicks []float64, z size) {
	for _, v := range yTicks {
		s.line("grid", a.left, a.y(v), a.right(), a.y(v))
		s.text("end", a.left-7, a.y(v)+4, shorten(p.Y.format(v), z.width/4))
	}
	used := math.Inf(-1)
	for _, v := range a.frame.x.ticks(z.ticksX) {
		x, label := a.x(v), shorten(p.X.format(v), a.width)
		half := textWidth(label) / 2
		if x-half < used+6 || x+half > z.width+4 {
			continue
		}
		used = x + half
		s.line("grid", x, a.top, x, a.bottom())
		s.line("axis", x, a.bottom(), x, a.bottom()+4)
		s.text("mid", x, a.bottom()+18, label)
	}
	s.line("axis", a.left, a.bottom(), a.right(), a.bottom())
}

func (s *svg) marks(p Plot, a area) {
	for _, m := range p.Marks {
		class := "mark " + levelClass(m.Level)
		switch {
		case m.Dir == Vertical && a.frame.x.has(m.At):
			s.line(class, a.x(m.At), a.top-4, a.x(m.At), a.bottom())
		case m.Dir == Horizontal && a.frame.y.has(m.At):
			s.line(class, a.left, a.y(m.At), a.right(), a.y(m.At))
		}
	}
}

// topPlaces places the labels of vertical marks above the plot, in as many
// rows as keep them apart; row 0 is the lowest.
func topPlaces(p Plot, a area, z size) (labels []placed, rows int) {
	for _, m := range p.Marks {
		if m.Dir != Vertical || !a.frame.x.has(m.At) || clean(m.Label) == "" {
			continue
		}
		l := placed{text: shorten(m.Label, z.width-8), class: levelClass(m.Level)}
		half := textWidth(l.text) / 2
		l.x = min(max(a.x(m.At), half), z.width-half)
		for overlaps(labels, l) {
			l.row++
		}
		labels = append(labels, l)
		rows = max(rows, l.row+1)
	}
	return labels, rows
}

func overlaps(labels []placed, l placed) bool {
	for _, o := range labels {
		if o.row == l.row && math.Abs(o.x-l.x) < (textWidth(o.text)+textWidth(l.text))/2+10 {
			return true
		}
	}
	return false
}

// markLabels writes the labels of horizontal marks just above them, at the end
// that the curves leave free.
func (s *svg) markLabels(p Plot, a area) {
	for _, m := range p.Marks {
		if m.Dir != Horizontal || !a.frame.y.has(m.At) || clean(m.Label) == "" {
			continue
		}
		label, y := shorten(m.Label, a.width), a.y(m.At)-6
		if y < a.top+10 {
			y += 20
		}
		if p.room(a, m.At, 0) >= p.room(a, m.At, 1) {
			s.text("label "+levelClass(m.Level), a.left+6, y, label)
		} else {
			s.text("end label "+levelClass(m.Level), a.right()-4, y, label)
		}
	}
}

// room is how far, in pixels, the points of the left or right third of the
// plot stay away from a value of y.
func (p Plot) room(a area, y float64, side int) float64 {
	room := a.height
	for _, s := range p.Series {
		for _, pt := range p.shown(s) {
			if x := a.frame.x.at(pt.X); side == 0 && x < 0.34 || side == 1 && x > 0.66 {
				room = min(room, math.Abs(a.y(pt.Y)-a.y(y)))
			}
		}
	}
	return room
}

// maxHover is how many points of a series can be hovered over.
const maxHover = 300

func (s *svg) series(p Plot, a area, i int, series Series) {
	style := i % numStyles
	if series.Kind != Dots {
		var d strings.Builder
		for _, run := range p.runs(a.frame, series) {
			for k, pt := range run {
				op := "L"
				if k == 0 {
					op = "M"
				}
				fmt.Fprintf(&d, "%s%s %s", op, num(a.left+pt.X*a.width), num(a.top+(1-pt.Y)*a.height))
			}
		}
		s.printf(`<path class="curve l%d" d="%s"/>`+"\n", style, d.String())
	}
	points := p.shown(series)
	crowded := len(points) > 60 && series.Kind != Dots
	for _, k := range evenly(len(points), maxHover) {
		pt := points[k]
		x, y := a.x(pt.X), a.y(pt.Y)
		s.printf("<g><title>%s</title>", esc(seriesTitle(Axis{}, series.Name, i)+" at "+p.X.format(pt.X)+": "+p.Y.format(pt.Y)))
		if !crowded {
			s.sign(style, x, y)
		}
		s.printf(`<circle class="hit" cx="%s" cy="%s" r="9"/></g>`+"\n", num(x), num(y))
	}
}

// sign draws the sign of a series, a shape of its own for each.
func (s *svg) sign(style int, x, y float64) {
	switch style {
	case 0:
		s.printf(`<circle class="dot f%d" cx="%s" cy="%s" r="4"/>`, style, num(x), num(y))
	case 1:
		s.printf(`<rect class="dot f%d" x="%s" y="%s" width="8" height="8"/>`, style, num(x-4), num(y-4))
	case 2:
		s.printf(`<path class="dot f%d" d="M%s %sl5 5l-5 5l-5 -5z"/>`, style, num(x), num(y-5))
	case 3:
		s.printf(`<path class="dot f%d" d="M%s %sl5 9h-10z"/>`, style, num(x), num(y-5))
	default:
		s.printf(`<path class="dot f%d" d="M%s %sl-5 -9h10z"/>`, style, num(x), num(y+5))
	}
}

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
