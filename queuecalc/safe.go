package queuecalc

import "math"

// SafeLoad is the load past capacity, as a multiple of it, at which the safe
// value is held against the exact sums, and SafeLoss the goodput, as a share of
// the capacity, that it may lose there against the best length.
const (
	SafeLoad = 1.1
	SafeLoss = 0.02
)

// waiting is a queue whose length is to be found.
type waiting struct {
	station Station
	// least and most are the bounds in question: from no place to wait, or one,
	// to the break point.
	least, most InSystem
}

// waitingAt returns the queue for capacity mu and clients that wait for t
// seconds, and how many requests its bounds leave out because they run.
//
// Where the 99th percentile of the service time takes more than the
// workers, what is left of the timeout is the deadline for the start of service,
// as if the places were those of one worker: it waits as long for j departures.
func (in UsefulInput) waitingAt(mu, t float64) (w waiting, running float64) {
	w = waiting{station: in.station(mu, t, 0, SafeLoad), least: InSystem(max(in.Workers, 1))}
	if tail := mu * in.ServiceP99.Seconds(); tail > float64(in.Workers) {
		left := t - in.ServiceP99.Seconds()
		w = waiting{station: Station{Arrivals: SafeLoad * mu, ServiceRate: mu, Workers: 1, Deadline: left}, least: 1}
		running = tail
	}
	w.most = InSystem(max(whole(mu*w.station.Deadline), 0))
	return w, running
}

// keeps returns the goodput with bound k as a share of the capacity.
func (w waiting) keeps(k InSystem) float64 {
	s := w.station
	s.Bound = k
	f, err := GoodputFIFO(s)
	if err != nil {
		return 0 // nothing that [UsefulInput.check] lets through
	}
	return f.Good / s.Capacity()
}

// clamp returns the bound next to k that keeps within SafeLoss of the most.
//
// A further place adds goodput exactly as long as the request that takes it is
// answered in time with a higher probability than the share of the capacity
// that is good without it: the goodput with K + 1 is a weighted mean of the two.
// That probability falls with the place, so the goodput rises up to one best
// length and falls from there on, and bisection finds all three lengths.
func (w waiting) clamp(k InSystem) InSystem {
	if w.most < w.least {
		return k
	}
	k = min(max(k, w.least), w.most)
	good := w.keeps(k)
	if good >= 1-SafeLoss {
		return k // none keeps more than all
	}
	best := lastThat(w.least, w.most, func(k InSystem) bool { return w.keeps(k) > w.keeps(k-1) })
	enough := w.keeps(best) - SafeLoss
	switch {
	case good >= enough:
		return k
	case k < best:
		return lastThat(k, best, func(k InSystem) bool { return w.keeps(k-1) < enough })
	default:
		return lastThat(best, k, func(k InSystem) bool { return w.keeps(k) >= enough })
	}
}

// lastThat returns the last of low..high for which hold is true, taking it for
// true at low; it is false from some value on.
func lastThat(low, high InSystem, hold func(InSystem) bool) InSystem {
	for low < high {
		middle := low + (high-low+1)/2
		if hold(middle) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// sizes returns the sizes for capacity mu and clients that wait for t seconds.
func (in UsefulInput) sizes(mu, t float64) Sizes {
	x := mu * t
	rule := x - in.Z*math.Sqrt(x)
	w, running := in.waitingAt(mu, t)
	k := InSystem(max(whole(rule-running), 0))
	s := Sizes{InSystem: InSystem(whole(x)), Safe: InSystem(max(whole(rule), 0))}
	if got := w.clamp(k); got != k {
		k, s.ByGoodput = got, true
		s.Safe = InSystem(whole(float64(k) + running))
	}
	switch {
	case running > 0:
		s.Positions = Positions(k)
	case in.Workers == 0 && k <= 1:
		// One request runs, whatever the number of workers.
	default:
		s.Positions = k.Positions(in.Workers)
	}
	return s
}
