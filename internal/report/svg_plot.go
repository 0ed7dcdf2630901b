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

func drawPlot(p Plot, f frame, z size) template.HTML {
	yTicks := f.y.ticks(5)
	left := 0.0
	for _, v := range yTicks {
		left = max(left, textWidth(p.Y.format(v)))
	}
	left = min(left, z.width/4) + 14
	a := area{frame: f, left: left, width: z.width - left - 20}
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

func (s *svg) grid(p Plot, a area, yTicks []float64, z size) {
	for _, v := range yTicks {
		s.line("grid", a.left, a.y(v), a.right(), a.y(v))
		s.text("end", a.left-7, a.y(v)+4, shorten(p.Y.format(v), z.width/4))
	}
	used := math.Inf(-1)
	for _, v := range a.frame.x.ticks(z.ticksX) {
		x, label := a.x(v), shorten(p.X.format(v), a.width)
		half := textWidth(label) / 2
		if x-half < used+6 || x+half > z.width+half/4 {
			continue
		}
		used = x + half
		s.line("grid", x, a.top, x, a.bottom())
		s.line("axis", x, a.bottom(), x, a.bottom()+4)
		s.text("mid", x, a.bottom()+18, label)
	}
	s.line("axis", a.left, a.bottom(), a.right(), a.bottom())
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
