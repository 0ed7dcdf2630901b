package queuecalc

import (
	"fmt"
	"math"
)

// Station is one server: workers that each serve one request at a time with
// exponential service times, one queue in front of them, and clients that give
// up after a deadline. Arrivals are Poisson. A request that finds Bound
// requests in the system is refused at once.
//
// The model is the steady state. A long queue needs long to reach it: about
// Bound/|λ − cμ| seconds.
type Station struct {
	Arrivals    float64  // λ, requests per second, > 0
	ServiceRate float64  // μ of one worker, requests per second, > 0
	Workers     int      // c ≥ 1
	Bound       InSystem // K, at least Workers; Unbounded refuses nothing
	Deadline    float64  // T, from arrival to the end of service, seconds, > 0
}

// Capacity returns cμ, the most requests per second that the workers can serve.
func (s Station) Capacity() float64 { return float64(s.Workers) * s.ServiceRate }

// maxDepartures bounds capacity × deadline and arrival rate × deadline, which
// decide what a sum costs, some twenty times their square root, and how many
// digits it has.
const maxDepartures = 1e13

// check returns what is wrong with s, nil if nothing is.
func (s Station) check() error {
	if err := first(s.checkQueue(), positive("deadline", s.Deadline)); err != nil {
		return err
	}
	if x := s.Capacity() * s.Deadline; !(x <= maxDepartures) {
		return &ArgError{"capacity × deadline", x, fmt.Sprintf("at most %v requests", maxDepartures)}
	}
	if y := s.Arrivals * s.Deadline; !(y <= maxDepartures) {
		return &ArgError{"arrival rate × deadline", y, fmt.Sprintf("at most %v requests", maxDepartures)}
	}
	return nil
}

// checkQueue is check for a queue without a deadline.
func (s Station) checkQueue() error {
	err := first(positive("arrival rate", s.Arrivals), positive("service rate", s.ServiceRate),
		workerCount(s.Workers), bound(s.Bound, s.Workers))
	if err == nil {
		err = offered(s.Arrivals, s.ServiceRate)
	}
	return err
}

// Fates says what becomes of the requests, in requests per second. The four
// rates add up to the arrival rate.
type Fates struct {
	Good    float64 // served by the deadline: the goodput
	Late    float64 // served, but the client had left
	Expired float64 // accepted and thrown away unserved, the deadline having passed
	Refused float64 // refused on arrival
}

// GoodputFIFO returns the fates of the requests when the queue is served in
// the order of arrival and the server does not notice that a client has left:
//
//	goodput = λ [ Σ_{n<c} π_n (1 − e^−μT) + Σ_{n=c..K−1} π_n P(E_{n−c+1} + S ≤ T) ]
//
// where π_n is the probability of n requests in M/M/c/K, E_m an Erlang(m, cμ)
// time (m departures while every worker is busy) and S the request's own service
// time. It is exact, in the steady state and for exponential service. For one
// worker it is λ Σ_{n<K} π_n P(n+1, μT) with the regularised lower incomplete
// gamma function P.
//
// The sums are cut to the terms that matter, so that the cost grows with
// √(cμT) and not with K.
func GoodputFIFO(s Station) (Fates, error) {
	if err := s.check(); err != nil {
		return Fates{}, err
	}
	st := newStates(s)
	sum := sumInTime(s)
	good := st.below*s.idleInTime() + sum.good*math.Exp(st.lnMax+sum.ln+sum.unit.over(st.span, st.lnRho))
	return st.fates(s.Arrivals, s.Arrivals*good), nil
}

// GoodputDropExpired returns the fates of the requests when the queue is served
// in the order of arrival and a worker that becomes free throws away, at no
// cost, every request that has waited for T or longer. Until then it keeps its
// place in the queue.
//
// With V the wait that an arrival is facing and N = K − c, the density of V is
//
//	v(x) ∝ e^((λ−cμ)x) Q(N+1, λx) for x < T,  v(T) e^(−cμ(x−T)) from there on
//
// and goodput = λ [ Σ_{n<c} π_n (1 − e^−μT) + ∫₀ᵀ v(x) P(N waiting are not reached | x) (1 − e^−μ(T−x)) dx ].
// The integrals are the sums of [GoodputFIFO]; only the normalisation differs.
//
// The result is exact where nothing is refused (F. Baccelli and G. Hebuterne,
// "On queues with impatient customers", 1981) and where nothing expires.
// Between the two it is an approximation, for it takes the chance to find the
// queue full, given x, from a queue in which nothing expires. Against
// simulation the goodput is up to 0.015 of the arrival rate low for cμT ≥ 50 and
// loads up to 3, and up to 0.03 low for a handful of positions.
func GoodputDropExpired(s Station) (Fates, error) {
	if err := s.check(); err != nil {
		return Fates{}, err
	}
	st := newStates(s)
	sum := sumInTime(s)
	lnPast, lnEnter := s.lnPastDeadline(st, sum.unit)
	lnIdle := st.lnIdle - sum.unit.over(0, st.lnRho)
	lnAll := lnAdd(lnIdle, lnAdd(sum.ln+math.Log(sum.reached), lnPast))
	share := func(ln float64) float64 { return math.Exp(ln - lnAll) }

	below := share(lnIdle)
	f := Fates{
		Good:    s.Arrivals * (below*s.idleInTime() + sum.good*share(sum.ln)),
		Expired: s.Arrivals * share(lnEnter),
	}
	served := s.Arrivals * (below + sum.served*share(sum.ln))
	f.Late = max(served-f.Good, 0)
	f.Refused = max(s.Arrivals-served-f.Expired, 0)
	return f, nil
}

// lnPastDeadline returns ln v(T)/cμ, the weight of waits beyond the deadline, in
// units of π_c times those of the sums; without and with the factor for a
// queue that is not full.
func (s Station) lnPastDeadline(st states, unit units) (all, enter float64) {
	x, y, n := s.Capacity()*s.Deadline, s.Arrivals*s.Deadline, st.span
	if st.lnRho > 0 && unit.top > 0 {
		// e^((λ−cμ)T) Q(k, λT) = k ρ^k pois(k; x) · fraction, and top is n + 1.
		tail := func(k float64) float64 {
			return math.Log(k) + lnPoissonPMF(k, x) + math.Log(gammaFraction(k, y)) + (k-unit.top)*st.lnRho
		}
		if n == 0 {
			return tail(1), math.Inf(-1)
		}
		return tail(n + 1), tail(n)
	}
	shift := min(y-x, 0) // above ρ = 1 it is the shift of the unit
	if n == 0 {
		return shift + lnGammaQ(1, y), math.Inf(-1)
	}
	return shift + lnGammaQ(n+1, y), shift + lnGammaQ(n, y)
}

// idleInTime returns the chance that a request which does not wait is in time.
func (s Station) idleInTime() float64 { return -math.Expm1(-s.ServiceRate * s.Deadline) }

// fates splits the arrivals when good of them are answered in time and every
// request accepted is served.
func (st states) fates(arrivals, good float64) Fates {
	served := arrivals * st.taken
	good = min(good, served)
	return Fates{Good: good, Late: served - good, Refused: arrivals * st.full}
}
