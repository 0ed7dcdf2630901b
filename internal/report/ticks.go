package report

import "math"

// huge bounds what can be drawn: beyond it, differences of values overflow.
const huge = 1e300

// drawable reports whether v has a place on a chart.
func drawable(v float64) bool { return math.Abs(v) <= huge } // false for NaN

// scale maps the values of an axis to the unit interval.
type scale struct {
	lo, hi float64
	log    bool
	// step returns the distance of ticks that is at least raw; niceStep when nil.
	step func(raw float64) float64
}

// newScale returns a scale that holds all of values that can be drawn; ok is
// false when there are none.
func newScale(values []float64, log bool) (s scale, ok bool) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if drawable(v) && (!log || v > 0) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if lo > hi {
		return scale{}, false
	}
	if log {
		return logScale(lo, hi), true
	}
	return linearScale(lo, hi), true
}

// nearZero is how large, against the largest value, the least may be for the
// axis to start at zero all the same.
const nearZero = 0.4

func linearScale(lo, hi float64) scale {
	switch {
	case lo == 0 && hi == 0:
		hi = 1
	case lo >= 0 && lo <= nearZero*hi || lo == hi && lo >= 0:
		lo = 0
	case hi <= 0 && hi >= nearZero*lo || lo == hi:
		hi = 0
	}
	// A span that the axis's own rounding error swamps cannot carry ticks.
	if span := max(math.Abs(lo), math.Abs(hi)); hi-lo <= span*1e-9 || span < 1e-300 {
		pad := max(span*1e-3, 1e-290)
		lo, hi = lo-pad, hi+pad
	}
	return scale{lo: lo, hi: hi}
}

// logScale widens the range to 1, 2 or 5 times a power of ten.
func logScale(lo, hi float64) scale {
	lo, hi = max(lo, 1e-290), max(hi, 1e-290)
	if hi <= lo*1.0001 {
		lo, hi = lo/2, hi*2
	}
	return scale{lo: floorDecade(lo), hi: ceilDecade(hi), log: true}
}

func floorDecade(v float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{5, 2} {
		if p*m <= v {
			return p * m
		}
	}
	return p
}

func ceilDecade(v float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if p*m >= v {
			return p * m
		}
	}
	return p * 10
}

// nice widens a linear scale to round values, about n of them.
func (s scale) nice(n int) scale {
	if s.log {
		return s
	}
	step := niceStep((s.hi - s.lo) / float64(n))
	lo, hi := math.Floor(s.lo/step+1e-9)*step, math.Ceil(s.hi/step-1e-9)*step
	if drawable(lo) && drawable(hi) && hi > lo {
		s.lo, s.hi = lo, hi
	}
	return s
}

// at returns where v stands: 0 at the low end, 1 at the high end.
func (s scale) at(v float64) float64 {
	if s.log {
		return (math.Log(v) - math.Log(s.lo)) / (math.Log(s.hi) - math.Log(s.lo))
	}
	return (v - s.lo) / (s.hi - s.lo)
}

// has reports whether v can be drawn on the scale.
func (s scale) has(v float64) bool {
	return drawable(v) && (!s.log || v > 0)
}

// ticks returns about n round values within the scale, ascending.
func (s scale) ticks(n int) []float64 {
	n = max(n, 1)
	if s.log {
		if t := s.logTicks(n); len(t) >= 2 {
			return t
		}
	}
	return s.linearTicks(n)
}

func (s scale) linearTicks(n int) []float64 {
	round := niceStep
	if s.step != nil {
		round = s.step
	}
	step := round((s.hi - s.lo) / float64(n))
	var out []float64
	first := math.Ceil(s.lo/step - 1e-9)
	for i := 0; i <= 4*n; i++ {
		v := (first + float64(i)) * step
		if v > s.hi+step*1e-9 {
			break
		}
		if s.has(v) {
			out = append(out, v)
		}
	}
	return out
}

// niceStep returns the least of 1, 2, 2.5 and 5 times a power of ten that is
// at least raw.
func niceStep(raw float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if p*m >= raw*(1-1e-9) {
			return p * m
		}
	}
	return p * 10
}

// logTicks takes 1, 2 and 5 of every decade, or less when that is too many.
func (s scale) logTicks(n int) []float64 {
	lo, hi := int(math.Floor(math.Log10(s.lo))), int(math.Ceil(math.Log10(s.hi)))
	var out []float64
	for _, per := range [][]float64{{1, 2, 5}, {1, 3}, {1}} {
		out = out[:0]
		for d := lo; d <= hi; d++ {
			for _, m := range per {
				if v := m * math.Pow(10, float64(d)); v >= s.lo*(1-1e-9) && v <= s.hi*(1+1e-9) {
					out = append(out, v)
				}
			}
		}
		if len(out) <= n+2 {
			return out
		}
	}
	every := (len(out) + n - 1) / n
	kept := out[:0]
	for i := 0; i < len(out); i += every {
		kept = append(kept, out[i])
	}
	return kept
}
