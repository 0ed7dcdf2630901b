package report

// timeScale returns a scale of seconds that holds all of values and no more: an
// instant has no zero to begin at.
func timeScale(values []float64) (scale, bool) {
	s, ok := newScale(values, false)
	if !ok {
		return s, false
	}
	first := true
	for _, v := range values {
		switch {
		case !drawable(v):
		case first:
			s.lo, s.hi, first = v, v, false
		default:
			s.lo, s.hi = min(s.lo, v), max(s.hi, v)
		}
	}
	if s.hi-s.lo < 1e-6 {
		s.lo, s.hi = s.lo-0.5, s.hi+0.5
	}
	s.step = timeStep
	return s, true
}

// timeSteps are distances of ticks, in seconds, at which clocks show whole numbers.
var timeSteps = []float64{
	1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800,
	3600, 2 * 3600, 3 * 3600, 6 * 3600, 12 * 3600, 86400, 2 * 86400, 7 * 86400, 14 * 86400, 28 * 86400,
}

// timeStep returns the least distance of ticks that is at least raw.
func timeStep(raw float64) float64 {
	if raw <= 0.5 {
		return niceStep(raw)
	}
	for _, step := range timeSteps {
		if step >= raw*(1-1e-9) {
			return step
		}
	}
	return 86400 * niceStep(raw/86400)
}
