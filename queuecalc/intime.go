package queuecalc

import "math"

// inTime holds three sums over m, the departures that a waiting request must
// see before it starts, in units of π_c e^ln. With N = K − c waiting positions,
// P_m the probability that m departures fall within the deadline and G_m the
// probability that m departures and the request's own service do:
type inTime struct {
	unit    units
	ln      float64
	reached float64 // Σ_{m=1..N+1} ρ^(m−1) P_m
	served  float64 // Σ_{m=1..N} ρ^(m−1) P_m
	good    float64 // Σ_{m=1..N} ρ^(m−1) G_m
}

// units is the power of ρ that was taken out of the sums, as ρ^top e^shift with
// one of the two; nothing where ρ ≤ 1. Kept apart from ln because it is large
// and mostly cancels.
type units struct{ top, shift float64 }

// over returns the logarithm of the unit over ρ^n.
func (u units) over(n, lnRho float64) float64 {
	return (u.top-n)*max(lnRho, 0) + u.shift
}

// sumInTime computes the sums for a station that has been checked.
//
// While every worker is busy departures are Poisson with rate cμ. If j of them
// fall into T, the request starts at the m-th, and each of the j − m later ones
// is its own with probability 1/c. With q = 1 − 1/c and x = cμT therefore
//
//	G_m = Σ_{j≥m} pois(j; x) (1 − q^(j−m)) = P_m − H_m
//	P_m = P_{m+1} + pois(m; x),  H_m = q·H_{m+1} + pois(m; x)
//
// Downwards both recurrences add positive terms, so no digit is lost.
//
// Above ρ = 1 the weights ρ^m outgrow any float64 while the pois(m; x) vanish.
// There the recurrences run on ρ^m P_m and ρ^m H_m, whose new terms are
// e^((ρ−1)x) pois(m; ρx); that factor goes into ln.
func sumInTime(s Station) inTime {
	w := newSweep(s)
	for ; w.m > w.low; w.down() {
		w.add()
		if w.done() {
			return w.sum
		}
	}
	w.addRest()
	return w.sum
}

// sweep is the state of the recurrences at m.
type sweep struct {
	x, rho, q float64
	r         float64 // max(ρ, 1), the factor taken into the recurrences
	n         float64 // N
	muT       float64
	m, low    float64
	pmf, p, h float64 // r^m e^−ln times pois(m; x), P_m, H_m
	sum       inTime
}

func newSweep(s Station) *sweep {
	c := float64(s.Workers)
	w := &sweep{
		x: s.Capacity() * s.Deadline, rho: s.Arrivals / s.Capacity(), q: 1 - 1/c,
		n: float64(s.Bound) - c, muT: s.ServiceRate * s.Deadline,
	}
	w.r = max(w.rho, 1)
	y := w.r * w.x
	w.m = math.Floor(min(w.n+1, y+tailReach(y)))
	w.start(y, c)
	// From low down P_m is 1 and H_m is e^−μT q^−m, or nothing where the own
	// service has 50 mean times left.
	w.low = w.x - tailReach(w.x)
	if w.q > 0 {
		w.low = min(w.low, max(w.q*w.x-tailReach(w.q*w.x), w.low-50*c))
	}
	w.low = max(math.Floor(min(w.low, w.m)), 0)
	return w
}

// start sets the recurrences at the largest m. The scale ln is chosen by where
// that lies, so that neither the start nor the largest term later on leaves the
// range of a float64.
func (w *sweep) start(y, c float64) {
	switch {
	case w.m > y:
		w.sum.unit.shift = (w.r - 1) * w.x
		w.pmf = poissonPMF(w.m, y)
	case w.m > w.x:
		w.sum.unit.top, w.sum.ln = w.m, lnPoissonPMF(w.m, w.x)
		w.pmf = 1
	default:
		w.sum.unit.top = w.m
		w.pmf = poissonPMF(w.m, w.x)
		w.p = gammaP(w.m, w.x)
		w.h = w.pmf
		if w.q > 0 {
			w.h = math.Exp(-w.muT - w.m*math.Log1p(-1/c) + lnGammaP(w.m, w.q*w.x))
		}
		return
	}
	w.p = w.pmf * gammaSeries(w.m, w.x)
	w.h = w.pmf * gammaSeries(w.m, w.q*w.x)
}

// add adds the terms of m to the sums.
func (w *sweep) add() {
	weight := 1 / w.rho // what ρ^m is too much
	if w.rho <= 1 {
		weight = math.Exp((w.m - 1) * math.Log(w.rho))
	}
	w.sum.reached += weight * w.p
	if w.m <= w.n {
		w.sum.served += weight * w.p
		w.sum.good += weight * max(w.p-w.h, 0)
	}
}

// down goes from m to m − 1.
func (w *sweep) down() {
	y := w.r * w.x
	if w.pmf < 1e-290 && w.m > y {
		w.pmf = poissonPMF(w.m-1, y) // it was too small to be multiplied
	} else {
		w.pmf *= w.m / y
	}
	w.m--
	w.p = w.p/w.r + w.pmf
	w.h = w.h*w.q/w.r + w.pmf
}

// done reports whether no later term changes the sums, which happens above
// ρ = 1 alone: the terms fall as 1/ρ once the new ones have died out.
func (w *sweep) done() bool {
	y := w.r * w.x
	return w.r > 1 && w.m < y-tailReach(y) && w.p < 1e-18*w.sum.reached*(1-1/w.r)
}

// addRest adds the terms of 1 to low, where P_m and H_m have closed forms.
func (w *sweep) addRest() {
	lnRho := math.Log(w.rho)
	geometric := func(shift, step, n float64) float64 {
		if n < 1 {
			return 0
		}
		return math.Exp(shift + lnGeometric(step, n) - w.sum.unit.over(0, lnRho) - w.sum.ln)
	}
	w.sum.reached += geometric(0, lnRho, w.low)
	places := min(w.low, w.n)
	served, lost := geometric(0, lnRho, places), 0.0
	if w.q > 0 {
		lnq := math.Log(w.q)
		lost = geometric(-w.muT-lnq, lnRho-lnq, places)
	}
	w.sum.served += served
	w.sum.good += max(served-lost, 0)
}
