package report

import (
	"html/template"
	"strings"
)

// barsSVG draws a bar chart twice, for wide and for narrow screens.
func barsSVG(b Bars) template.HTML {
	if len(b.Items) == 0 {
		return `<p class="note">no data to plot</p>`
	}
	var out []string
	for _, z := range sizes {
		out = append(out, string(drawBars(b, z)))
	}
	return template.HTML(strings.Join(out, "\n"))
}

// drawBars puts labels left of the bars, or above them on a narrow screen.
func drawBars(b Bars, z size) template.HTML {
	narrow := z.class == "narrow"
	left, right := 0.0, 0.0
	for _, it := range b.Items {
		left = max(left, textWidth(it.Label))
		right = max(right, textWidth(barValue(b, it)))
	}
	step, barTop := 28.0, 4.0
	if narrow {
		left, step, barTop = 0, 44, 20
	} else {
		left = min(left, z.width/3) + 12
	}
	right = min(right, z.width/2) + 12
	width := max(z.width-left-right, 40)
	top := 0.0
	if b.Mark != nil && clean(b.Mark.Label) != "" {
		top = 22
	}
	bottom := top + step*float64(len(b.Items))
	height := bottom + 8
	if b.Value.label() != "" {
		height += 20
	}

	var s svg
	s.open(z, height, strings.TrimSpace(clean(b.Title)+": bar chart"))
	full := b.top()
	for i, it := range b.Items {
		y := top + step*float64(i)
		if narrow {
			s.text("strong", 0, y+14, shorten(it.Label, z.width))
		} else {
			s.text("strong end", left-10, y+18, shorten(it.Label, left-10))
		}
		share := it.Value / full
		if !(share > 0 && share <= 1) {
			share = 0
		}
		s.rect("track", left, y+barTop, width, 20, "")
		if share > 0 {
			s.rect("bar "+levelClass(it.Level), left, y+barTop, max(share*width, 1.5), 20, it.Label+": "+barValue(b, it))
		}
		s.value(left+width+8, y+barTop+14, b.Value.format(it.Value), it.Note, right)
	}
	if b.Mark != nil && drawable(b.Mark.At) && b.Mark.At >= 0 {
		x := left + b.Mark.At/full*width
		s.line("mark "+levelClass(b.Mark.Level), x, max(top-4, 0), x, bottom)
		label := shorten(b.Mark.Label, z.width*0.85)
		half := labelWidth(label) / 2
		s.text("mid label "+levelClass(b.Mark.Level), min(max(x, half), z.width-half), 12, label)
	}
	s.text("", left, bottom+18, b.Value.label())
	return s.close()
}

// value writes a figure and, less strongly, its note.
func (s *svg) value(x, y float64, figure, note string, width float64) {
	figure = shorten(figure, width)
	note = clean(note)
	if note != "" {
		note = shorten(note, width-textWidth(figure)-8)
	}
	s.printf(`<text x="%s" y="%s"><tspan class="strong">%s</tspan>`, num(x), num(y), esc(figure))
	if note != "" {
		s.printf(`<tspan dx="8">%s</tspan>`, esc(note))
	}
	s.b.WriteString("</text>\n")
}

// barValue is a bar's value with its note.
func barValue(b Bars, it Bar) string {
	return strings.TrimSpace(b.Value.format(it.Value) + "  " + clean(it.Note))
}
