package report

import (
	"fmt"
	"html"
	"html/template"
	"strings"

	"example.com/kneeline/internal/units"
)

// svg builds one inline picture. Every string that is not ours goes through
// esc; everything else is numbers and class names of this package.
type svg struct{ b strings.Builder }

// size is the geometry of a chart. The narrow one is for phones: the same
// letters on a smaller picture, since a scaled-down wide one cannot be read.
type size struct {
	class         string
	width, height float64
	ticksX        int
}

var sizes = []size{
	{class: "wide", width: 760, height: 340, ticksX: 8},
	{class: "narrow", width: 368, height: 290, ticksX: 4},
}

// charWidth is the mean advance of a 12 px letter, boldWidth that of a bold one,
// rather too wide: they keep labels apart and within the picture.
const charWidth, boldWidth = 6.6, 7.6

func esc(s string) string { return html.EscapeString(clean(s)) }

func (s *svg) printf(format string, args ...any) { fmt.Fprintf(&s.b, format, args...) }

// open begins the picture with a name for readers that cannot see it.
func (s *svg) open(z size, height float64, name string) {
	s.printf(`<svg class="chart %s" viewBox="0 0 %s %s" role="img" aria-label="%s">`+"\n",
		z.class, num(z.width), num(height), esc(name))
}

func (s *svg) close() template.HTML {
	s.b.WriteString("</svg>")
	return template.HTML(s.b.String())
}

func (s *svg) line(class string, x1, y1, x2, y2 float64) {
	s.printf(`<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`+"\n", class, num(x1), num(y1), num(x2), num(y2))
}

func (s *svg) rect(class string, x, y, w, h float64, title string) {
	s.printf(`<rect class="%s" x="%s" y="%s" width="%s" height="%s">`, class, num(x), num(y), num(max(w, 0)), num(max(h, 0)))
	if title != "" {
		s.printf("<title>%s</title>", esc(title))
	}
	s.b.WriteString("</rect>\n")
}

func (s *svg) text(class string, x, y float64, text string) {
	s.printf(`<text class="%s" x="%s" y="%s">%s</text>`+"\n", class, num(x), num(y), esc(text))
}

// num writes a coordinate with a tenth of a unit, which no eye can tell apart.
func num(v float64) string {
	s := fmt.Sprintf("%.1f", v)
	s = strings.TrimSuffix(s, ".0")
	if s == "-0" {
		return "0"
	}
	return s
}

// shorten cuts a label to about width pixels.
func shorten(s string, width float64) string {
	s = clean(s)
	n := max(int(width/charWidth), 1)
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// textWidth and labelWidth estimate the width in pixels of a text and of a bold
// label.
func textWidth(s string) float64  { return float64(len([]rune(clean(s)))) * charWidth }
func labelWidth(s string) float64 { return float64(len([]rune(clean(s)))) * boldWidth }

// sparkSVG draws values as a small line.
func sparkSVG(values []float64) template.HTML {
	values = condense(values, 60)
	lo, hi := 0.0, 0.0
	for _, v := range values {
		if drawable(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if hi == lo {
		hi = lo + 1
	}
	var path strings.Builder
	move := true
	for i, v := range values {
		if !drawable(v) {
			move = true
			continue
		}
		x := 100 * float64(i) / float64(max(len(values)-1, 1))
		y := 19 - 18*((v/2-lo/2)/(hi/2-lo/2))
		op := "L"
		if move {
			op = "M"
		}
		move = false
		fmt.Fprintf(&path, "%s%s %s", op, num(x), num(y))
		if len(values) == 1 {
			fmt.Fprintf(&path, "L100 %s", num(y))
		}
	}
	s := svg{}
	name := "from " + units.Number(lo) + " to " + units.Number(hi)
	s.printf(`<svg class="spark" viewBox="0 0 100 20" preserveAspectRatio="none" role="img" aria-label="%s"><path d="%s"/></svg>`, esc(name), path.String())
	return template.HTML(s.b.String())
}
