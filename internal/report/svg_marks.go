package report

import "math"

// placed is a label with its place.
type placed struct {
	text, class string
	x           float64 // of its middle
	row         int
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
		l := placed{text: shorten(m.Label, z.width*0.85), class: levelClass(m.Level)}
		half := labelWidth(l.text) / 2
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
		if o.row == l.row && math.Abs(o.x-l.x) < (labelWidth(o.text)+labelWidth(l.text))/2+10 {
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
