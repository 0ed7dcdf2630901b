package queuecalc

import (
	"math"
	"time"
)

// Interval is an estimate with the ends of its confidence interval. Low and
// High are both 0 where there is no interval.
type Interval struct {
	Estimate, Low, High float64
}

// UsefulInput is what is known about a server and its clients. Zero means not
// known for every field but Capacity and ClientTimeout.
type UsefulInput struct {
	// Capacity is the rate that the server sustains, requests per second.
	Capacity Interval
	// ClientTimeout is how long a client waits for its answer.
	ClientTimeout time.Duration
	// Workers is how many requests the server lets run at once.
	Workers int
	// ServiceTime is the mean time a request takes without queueing. Workers beyond
	// μ × ServiceTime hold requests that wait for what limits the server, and do
	// not make it slower.
	ServiceTime time.Duration
	// ServiceP99 is the 99th percentile of the service time, without queueing.
	ServiceP99 time.Duration
	// HedgeDelay is after how long a client sends a second attempt elsewhere.
	HedgeDelay time.Duration
	// Z is how many standard deviations of the number of departures the safe
	// value stays below the break point; 0 means DefaultZ.
	Z float64
}

// DefaultZ leaves about one request in a thousand late of those that wait out a
// full queue in front of one worker.
const DefaultZ = 3

// Loads are the offered loads, as multiples of the capacity, at which goodput
// is tabled throughout the product.
func Loads() []float64 { return []float64{1.0, 1.1, 1.3, 1.5} }

// Sizes are the three queue sizes of a timeout.
type Sizes struct {
	// InSystem is the break point μT: the requests that the server finishes
	// within one timeout. A request that waits out a full queue of this size is
	// late about every second time, so it is a limit and not a setting.
	InSystem InSystem
	// Safe is μT − z√(μT): the number of departures within a timeout varies by
	// √(μT), and z of those deviations are left as a margin. Where that loses
	// more than [SafeLoss] at [SafeLoad] against the best length, it is the next
	// length that does not, by the exact sums. That is longer where few requests
	// fit into a timeout, of which the margin would take nearly all, and shorter
	// where the requests' own service takes much of it. It is 0 where the requests
	// that run are more than the break point.
	Safe InSystem
	// Positions is the queue setting: Safe without the requests that run, which
	// are Workers, or μ × ServiceP99 where that is more: a request that waited
	// must still be served, and Workers/μ is only the mean time of that. Where
	// neither is known it equals Safe, and the workers are still to be
	// subtracted; it is 0 where Safe leaves nobody to wait.
	Positions Positions
	// ByGoodput says that Safe comes from the exact sums and not from the margin.
	ByGoodput bool
}

// UsefulQueue says how long a queue is of use to clients that time out.
type UsefulQueue struct {
	// Sizes hold at the estimate of the capacity and for the client timeout.
	Sizes
	// Low and High hold at the ends of the capacity's interval; both equal
	// Sizes where it has none. Low is the one to set.
	Low, High Sizes
	// Hedge holds for the hedge delay in place of the timeout, at the estimate:
	// beyond it a full queue makes clients send every request twice. It is nil
	// without a hedge.
	Hedge *Sizes
	// Input is what the answer was computed from, with defaults filled in.
	Input UsefulInput
}

// Useful returns how long a queue is of use in front of a server of capacity μ
// whose clients wait for T.
//
// Requests beyond μT are dead on arrival: Little's law. The safe value adds the
// normal approximation of a Poisson count, good to a few requests for
// μT ≥ 50, and is held against the exact sums; the goodput of any size comes from the exact sums of [GoodputFIFO]
// through [UsefulQueue.GoodputAt]. Source of the rule: J. D. C. Little (1961);
// LinkedIn Engineering on FollowFeed (2018) for 1,200/s × 400 ms = 480.
func Useful(in UsefulInput) (UsefulQueue, error) {
	if in.Z == 0 {
		in.Z = DefaultZ
	}
	if err := in.check(); err != nil {
		return UsefulQueue{}, err
	}
	u := UsefulQueue{Input: in}
	u.Sizes = in.sizes(in.Capacity.Estimate, in.ClientTimeout.Seconds())
	u.Low, u.High = u.Sizes, u.Sizes
	if in.Capacity.High > 0 {
		u.Low = in.sizes(in.Capacity.Low, in.ClientTimeout.Seconds())
		u.High = in.sizes(in.Capacity.High, in.ClientTimeout.Seconds())
	}
	if in.HedgeDelay > 0 {
		h := in.sizes(in.Capacity.Estimate, in.HedgeDelay.Seconds())
		u.Hedge = &h
	}
	return u, nil
}

// check returns what is wrong with the input, nil if nothing is.
func (in UsefulInput) check() error {
	c := in.Capacity
	err := first(
		positive("capacity", c.Estimate),
		positive("client timeout", in.ClientTimeout.Seconds()),
		notNegative("workers", float64(in.Workers)),
		notNegative("service time", in.ServiceTime.Seconds()),
		notNegative("99th percentile of the service time", in.ServiceP99.Seconds()),
		notNegative("hedge delay", in.HedgeDelay.Seconds()),
		positive("standard deviations of margin", in.Z))
	switch {
	case err != nil:
		return err
	case in.Workers > MaxWorkers:
		return workerCount(in.Workers)
	case c.Low == 0 && c.High == 0:
	case !(c.Low > 0 && c.Low <= c.Estimate):
		return &ArgError{"low end of the capacity", c.Low, "above 0 and not above the estimate"}
	case !(c.High >= c.Estimate && !math.IsInf(c.High, 1)):
		return &ArgError{"high end of the capacity", c.High, "finite and not below the estimate"}
	}
	if x := max(c.Estimate, c.High) * in.ClientTimeout.Seconds(); x > maxDepartures {
		return &ArgError{"capacity × client timeout", x, "at most 1e+13 requests"}
	}
	return nil
}

// whole rounds down, but takes a product that rounding left a hair below a
// whole number for that number.
func whole(x float64) float64 {
	return math.Floor(x * (1 + 1e-12))
}

// GoodputAt returns the goodput of a FIFO queue with p waiting positions, as a
// share of the capacity, while load × capacity arrives. Where the workers are
// not known it takes one fast worker, which leaves out that the request's own
// service takes longer with many.
func (u UsefulQueue) GoodputAt(p Positions, load float64) (float64, error) {
	if p < 0 {
		return 0, &ArgError{"waiting positions", float64(p), "at least 0"}
	}
	return u.GoodputInSystem(p.InSystem(max(u.Input.Workers, 1)), load)
}

// GoodputInSystem is GoodputAt for a bound on the requests in the system.
func (u UsefulQueue) GoodputInSystem(k InSystem, load float64) (float64, error) {
	if err := positive("load", load); err != nil {
		return 0, err
	}
	s := u.Station(k, load)
	f, err := GoodputFIFO(s)
	return f.Good / s.Capacity(), err
}

// Station returns the server at the estimate of its capacity, with room for k
// requests, while load × capacity arrives.
func (u UsefulQueue) Station(k InSystem, load float64) Station {
	return u.Input.station(u.Input.Capacity.Estimate, u.Input.ClientTimeout.Seconds(), k, load)
}

// station returns the server with capacity mu and clients that wait for t
// seconds.
func (in UsefulInput) station(mu, t float64, k InSystem, load float64) Station {
	c := in.serving(mu)
	return Station{Arrivals: load * mu, ServiceRate: mu / float64(c), Workers: c, Bound: k, Deadline: t}
}

// serving returns how many workers are busy at capacity mu: all of them, as far
// as is known, and one fast one where nothing is.
func (in UsefulInput) serving(mu float64) int {
	busy := math.Ceil(mu * in.ServiceTime.Seconds() * (1 - 1e-9))
	switch {
	case in.Workers == 0:
		return 1
	case busy > 0 && busy < float64(in.Workers):
		return int(busy)
	}
	return in.Workers
}

// GoodputRow is the goodput of one queue setting at each of [Loads].
type GoodputRow struct {
	Positions Positions
	Goodput   []float64 // shares of the capacity
}

// Table returns the goodput of each queue setting at each of [Loads].
func (u UsefulQueue) Table(settings ...Positions) ([]GoodputRow, error) {
	rows := make([]GoodputRow, 0, len(settings))
	for _, p := range settings {
		row := GoodputRow{Positions: p}
		for _, load := range Loads() {
			g, err := u.GoodputAt(p, load)
			if err != nil {
				return nil, err
			}
			row.Goodput = append(row.Goodput, g)
		}
		rows = append(rows, row)
	}
	return rows, nil
}
