package queuecalc

import "math"

// states holds the stationary distribution of M/M/c/K in the form in which it
// can be summed for any c and K: what lies below c as one number (through
// Erlang B), what lies from c on as a geometric sequence that is measured from
// its larger end, so that neither ρ^K nor ρ^−K nor a difference of their
// logarithms is ever formed.
type states struct {
	lnRho  float64 // ln ρ, ρ = λ/cμ
	span   float64 // K − c, the number of waiting positions
	lnIdle float64 // ln Σ_{n<c} π_n/π_c, which does not depend on K
	lnMax  float64 // ln of the larger of π_c and π_K

	below   float64 // Σ_{n<c} π_n
	delayed float64 // Σ_{n≥c} π_n
	full    float64 // π_K
	taken   float64 // 1 − π_K, exact where that is small
}

func newStates(s Station) states {
	st := states{
		lnRho:  math.Log(s.Arrivals / s.Capacity()),
		span:   float64(s.Bound) - float64(s.Workers),
		lnIdle: lnIdle(s.Arrivals/s.ServiceRate, s.Workers),
	}
	// In units of the largest of the states from c on.
	lnBelow := st.lnIdle - st.span*max(st.lnRho, 0)
	lnAbove := lnFalling(st.lnRho, st.span+1)
	st.lnMax = -lnAdd(lnBelow, lnAbove)
	st.below = math.Exp(lnBelow + st.lnMax)
	st.delayed = min(math.Exp(lnAbove+st.lnMax), 1)
	st.full = min(math.Exp(st.lnFromTop(0)), 1)
	st.taken = st.below
	if st.span > 0 {
		st.taken += math.Exp(st.lnRest(1))
	}
	return st
}

// lnFromTop returns ln π_{K−j} for 0 ≤ j ≤ K − c.
func (st states) lnFromTop(j float64) float64 {
	if st.lnRho > 0 {
		return st.lnMax - j*st.lnRho
	}
	return st.lnMax + (st.span-j)*st.lnRho
}

// lnRest returns ln Σ_{n=c..K−j} π_n for 0 ≤ j ≤ K − c.
func (st states) lnRest(j float64) float64 {
	return st.lnMax - j*max(st.lnRho, 0) + lnFalling(st.lnRho, st.span-j+1)
}

// lnFalling returns ln Σ_{i=0..n−1} e^(−i|step|) for n ≥ 1.
func lnFalling(step, n float64) float64 {
	if step == 0 {
		return math.Log(n)
	}
	step = -math.Abs(step)
	return math.Log(math.Expm1(n*step) / math.Expm1(step))
}

// lnGeometric returns ln Σ_{i=0..n−1} e^(i·step) for n ≥ 1.
func lnGeometric(step, n float64) float64 {
	return (n-1)*max(step, 0) + lnFalling(step, n)
}

// meanGeometric returns the mean of i = 0..n with weights e^(i·step).
func meanGeometric(step, n float64) float64 {
	if width := (n + 1) * step; math.Abs(width) < 0.01 {
		// The two terms below cancel; this is their Taylor series.
		return n/2 + step*(n*(n+2))/12*(1-(step*step+width*width)/60)
	}
	return 1/math.Expm1(-step) - (n+1)/math.Expm1(-(n+1)*step)
}

// lnAdd returns ln(e^a + e^b).
func lnAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(a, 0) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}
