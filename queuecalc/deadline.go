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

// maxDepartures bounds capacity × deadline, which decides what a sum costs: some
// twenty times its square root.
const maxDepartures = 1e13

// check returns what is wrong with s, nil if nothing is.
func (s Station) check() error {
	err := first(positive("arrival rate", s.Arrivals), positive("service rate", s.ServiceRate),
		positive("deadline", s.Deadline), workerCount(s.Workers), bound(s.Bound, s.Workers))
	if x := s.Capacity() * s.Deadline; err == nil && x > maxDepartures {
		err = &ArgError{"capacity × deadline", x, fmt.Sprintf("at most %v requests", maxDepartures)}
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
// time. It is exact. For one worker it is λ Σ_{n<K} π_n P(n+1, μT) with the
// regularised lower incomplete gamma function P.
//
// The sums are cut to the terms that matter, so that the cost grows with
// √(cμT) + μT and not with K.
func GoodputFIFO(s Station) (Fates, error) {
	if err := s.check(); err != nil {
		return Fates{}, err
	}
	st := newStates(s)
	idle := -math.Expm1(-s.ServiceRate * s.Deadline)
	good := s.Arrivals * (st.below*idle + waitersInTime(s, st))
	return st.fates(s.Arrivals, good), nil
}

// fates splits the arrivals when good of them are answered in time and every
// request accepted is served.
func (st states) fates(arrivals, good float64) Fates {
	refused := arrivals * st.full
	good = min(good, arrivals-refused)
	return Fates{Good: good, Late: arrivals - refused - good, Refused: refused}
}

// waitersInTime returns Σ_{m=1..K−c} π_{c+m−1} G_m, where G_m = P(E_m + S ≤ T) is
// the probability that a request that must wait for m departures is in time.
//
// While every worker is busy departures are Poisson with rate cμ. If j of them
// fall into T, the request starts at the m-th and each of the j − m later ones is
// its own with probability 1/c. With q = 1 − 1/c and x = cμT therefore
//
//	G_m = Σ_{j≥m} pois(j; x) (1 − q^(j−m)) = P_m − H_m
//	P_m = P_{m+1} + pois(m; x),  H_m = q·H_{m+1} + pois(m; x)
//
// Downwards both recurrences add positive terms, so no digit is lost. Below the
// m at which P_m is 1, H_m = e^−μT q^−m and the rest is a geometric sum.
func waitersInTime(s Station, st states) float64 {
	q := 1 - 1/float64(s.Workers)
	x := s.Capacity() * s.Deadline
	low, high := window(x, q, float64(s.Bound)-float64(s.Workers))
	if high < 1 {
		return 0
	}
	low = max(low, 0)
	sum := 0.0
	if low >= 1 {
		// Σ_{m=1..low} π_{c+m−1} (1 − e^−μT q^−m)
		lost := 0.0
		if s.Workers > 1 {
			lnq := math.Log1p(-1 / float64(s.Workers))
			lost = st.waitingTilted(low, -lnq, -s.ServiceRate*s.Deadline-lnq)
		}
		sum = st.waitingTilted(low, 0, 0) - lost
	}
	p, h := gammaP(high+1, x), tailH(high+1, x, s.ServiceRate*s.Deadline, s.Workers)
	pmf := poissonPMF(high, x)
	for m := high; m > low; m-- {
		p += pmf
		h = q*h + pmf
		sum += st.waiting(m) * max(p-h, 0)
		if pmf *= m / x; pmf < 1e-290 && m > x {
			pmf = poissonPMF(m-1, x) // it was too small to be multiplied
		}
	}
	return sum
}

// window returns the range (low, high] of m outside which G_m is 0 above and has
// its simple form below, high ≤ n. Beyond ten standard deviations a Poisson sum
// is 0 or 1 to double precision; the 40 covers small means, whose tails are
// longer. Where the own service has 50 mean times left, H_m is nothing at all.
func window(x, q, n float64) (low, high float64) {
	reach := func(y float64) float64 { return 10*math.Sqrt(y) + 40 }
	high = math.Floor(min(n, x+reach(x)))
	low = x - reach(x)
	if q > 0 { // with one worker H_m is pois(m; x) alone
		low = min(low, max(q*x-reach(q*x), low-50/(1-q)))
	}
	return math.Floor(min(low, high)), high
}

// tailH returns H_m = e^−μT q^−m P(m, qx), the closed form of its recurrence.
func tailH(m, x, muT float64, workers int) float64 {
	if workers == 1 {
		return poissonPMF(m, x)
	}
	lnq := math.Log1p(-1 / float64(workers))
	p := gammaP(m, x-muT)
	if p == 0 {
		return 0
	}
	return math.Exp(-muT - m*lnq + math.Log(p))
}
