package queuecalc

import "math"

// states holds the stationary distribution of M/M/c/K in the form in which it
// can be summed for any c and K: what lies below c as one number (through
// Erlang B), what lies from c on as a geometric sequence that is measured from
// its largest end, so that neither ρ^K nor ρ^−K is ever formed.
type states struct {
	lnRho float64 // ln ρ, ρ = λ/cμ
	span  float64 // K − c, the number of waiting positions
	ln0   float64 // ln π_c
	below float64 // Σ_{n<c} π_n
	full  float64 // π_K
}

func newStates(s Station) states {
	st := states{
		lnRho: math.Log(s.Arrivals / s.Capacity()),
		span:  float64(s.Bound) - float64(s.Workers),
	}
	// Relative to π_c the states below c weigh 1/B − 1 and the others
	// Σ_{i=0..span} ρ^i; lnSum is the logarithm of both together.
	lnB := lnInverseB(s.Arrivals/s.ServiceRate, s.Workers)
	lnBelow := lnB + math.Log(-math.Expm1(-lnB))
	lnSum := lnAdd(lnBelow, lnGeometric(st.lnRho, st.span+1))
	st.ln0 = -lnSum
	st.below = math.Exp(lnBelow - lnSum)
	st.full = math.Exp(st.span*st.lnRho - lnSum)
	return st
}

// waiting returns π_{c+m−1}, the probability to find m departures ahead.
func (st states) waiting(m float64) float64 {
	return math.Exp((m-1)*st.lnRho + st.ln0)
}

// waitingTilted returns Σ_{m=1..n} π_{c+m−1} e^(shift + (m−1)·tilt).
func (st states) waitingTilted(n, tilt, shift float64) float64 {
	return math.Exp(st.ln0 + shift + lnGeometric(st.lnRho+tilt, n))
}

// lnGeometric returns ln Σ_{i=0..n−1} e^(i·step) for n ≥ 1.
func lnGeometric(step, n float64) float64 {
	switch {
	case step == 0:
		return math.Log(n)
	case step > 0: // measured from the last term
		return (n-1)*step + math.Log(math.Expm1(-n*step)/math.Expm1(-step))
	default:
		return math.Log(math.Expm1(n*step) / math.Expm1(step))
	}
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
