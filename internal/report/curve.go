package report

// frame is what the drawings of a plot share: its scales.
type frame struct{ x, y scale }

// frame returns the scales that hold the series, marks and bands of p; ok is
// false when no point can be drawn.
func (p Plot) frame() (f frame, ok bool) {
	var xs, ys []float64
	points := 0
	for _, s := range p.Series {
		for _, pt := range s.Points {
			if p.shows(pt) {
				xs, ys = append(xs, pt.X), append(ys, pt.Y)
				points++
			}
		}
	}
	if points == 0 {
		return frame{}, false
	}
	for _, m := range p.Marks {
		if m.Dir == Vertical {
			xs = append(xs, m.At)
		} else {
			ys = append(ys, m.At)
		}
	}
	for _, b := range p.Bands {
		xs = append(xs, b.From, b.To)
	}
	x, okX := newScale(xs, p.X.Log)
	if p.X.Time {
		x, okX = timeScale(xs)
	}
	y, okY := newScale(ys, p.Y.Log)
	return frame{x, y}, okX && okY
}

// shows reports whether a point has a place on the plot.
func (p Plot) shows(pt Point) bool {
	return scale{log: p.X.Log}.has(pt.X) && scale{log: p.Y.Log}.has(pt.Y)
}

// runs returns the stretches of a series between its gaps, as fractions of the
// frame from its lower left corner. A step series gets its corners.
func (p Plot) runs(f frame, s Series) [][]Point {
	var out [][]Point
	var run []Point
	flush := func() {
		if len(run) > 0 {
			out = append(out, run)
			run = nil
		}
	}
	for _, pt := range s.Points {
		if !p.shows(pt) {
			flush()
			continue
		}
		at := Point{X: f.x.at(pt.X), Y: f.y.at(pt.Y)}
		if s.Kind == Step && len(run) > 0 {
			run = append(run, Point{X: at.X, Y: run[len(run)-1].Y})
		}
		run = append(run, at)
		if s.Kind == Dots {
			flush()
		}
	}
	flush()
	return out
}

// shown returns the points of a series that have a place on the plot.
func (p Plot) shown(s Series) []Point {
	var out []Point
	for _, pt := range s.Points {
		if p.shows(pt) {
			out = append(out, pt)
		}
	}
	return out
}
