package target

import (
	"math"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/queuecalc"
)

// Goal is what a rate must meet in steady state: at most Budget of the requests
// are not full answers within Threshold of their arrival.
type Goal struct {
	Threshold time.Duration
	Budget    float64
	// AllowDegraded counts degraded answers in time as full ones.
	AllowDegraded bool
}

// Method says how a [Capacity] was found.
type Method uint8

const (
	// ClosedForm is exact.
	ClosedForm Method = iota
	// Simulated has a sampling error.
	Simulated
)

// String returns the method's name as reports print it.
func (m Method) String() string {
	if m == Simulated {
		return "simulated"
	}
	return "closed form"
}

// Capacity is the highest rate of Poisson arrivals that meets a goal.
type Capacity struct {
	// PerSecond is the rate, 0 when not even a nearly idle service meets the goal.
	PerSecond float64
	// StdErr is the standard error of PerSecond by the simulation's own spread;
	// 0 for a closed form.
	StdErr float64
	Method Method
	// Seconds is the virtual time simulated at each of the deciding rates.
	Seconds float64
}

// Effort bounds the simulation of [Truth]. The zero Effort is the default.
type Effort struct {
	// Horizon is the virtual time of a deciding run. The default is 8,000 s, more
	// for a slow service, until four million requests are served, and less for a
	// fast one, once twenty million are and two hundred stalls were seen. Near
	// capacity a queue remembers its last ten thousands of requests, so fewer
	// would leave few independent samples.
	Horizon time.Duration
	// Seed fixes the draws, which are common to all rates compared; 1 by default.
	Seed uint64
	// Simulate keeps Truth from using a closed form where there is one.
	Simulate bool
	// Done ends the simulation early when it is closed, with an error; nil never
	// does.
	Done <-chan struct{}
}

// stopped reports whether the simulation is to be given up.
func (e Effort) stopped() bool {
	select {
	case <-e.Done:
		return true
	default:
		return false
	}
}

// horizonOf is the default of [Effort.Horizon].
func horizonOf(cfg Config) time.Duration {
	const (
		usual    = 8000.0 // seconds
		fewest   = 4e6    // requests
		enough   = 2e7    // requests
		stalls   = 200
		longest  = 1e8 // seconds
		shortest = 1.0 // seconds
	)
	rate := cfg.RawRate()
	seconds := max(min(usual, enough/rate), fewest/rate, stalls*cfg.Stall.Every.Seconds(), shortest)
	return time.Duration(min(seconds, longest) * float64(time.Second))
}

// Truth returns the capacity of the service under a goal. Requests whose client
// has left are served all the same, as the config's ServeDead says by default;
// Truth does not model clients that leave where it is off.
//
// Where the service is M/M/c/K in order of arrival the answer is exact, from
// queuecalc. Elsewhere the model of [Sim] runs in long virtual time at rates
// chosen by bisection, with the same draws at every rate, so that the rates'
// difference and not their luck decides.
func Truth(cfg Config, g Goal, e Effort) (Capacity, error) {
	if err := cfg.Validate(); err != nil {
		return Capacity{}, err
	}
	if g.Threshold <= 0 || !(g.Budget > 0 && g.Budget < 1) {
		return Capacity{}, fault.Usagef("goal: want a threshold over 0 and a budget between 0 and 100%%, found %s and %g%%", g.Threshold, 100*g.Budget)
	}
	if !cfg.ServeDead {
		return Capacity{}, fault.Usagef("truth: a service that drops requests of clients that left has none of its own, since it depends on the clients")
	}
	// Of what arrives all but the budget must be served: no rate over this one
	// can meet the goal.
	ceiling := cfg.RawRate() / (1 - g.Budget)
	if !e.Simulate && exactModel(cfg) {
		return exactTruth(cfg, g, ceiling)
	}
	if e.Horizon <= 0 {
		e.Horizon = horizonOf(cfg)
	}
	if e.Seed == 0 {
		e.Seed = 1
	}
	c := simulatedTruth(cfg, g, e, ceiling)
	if e.stopped() {
		return Capacity{}, fault.NoAnswerf("truth: the simulation was ended before it knew the capacity")
	}
	return c, nil
}

// exactModel reports whether the service is M/M/c/K served in order of arrival.
func exactModel(cfg Config) bool {
	return cfg.Service.Kind == Exponential && cfg.Discipline == FIFO && cfg.DropExpired == 0 &&
		cfg.Stall == Stall{} && cfg.RateLimit == RateLimit{}
}

// ExactMissed returns the steady-state share of requests that miss a goal's
// threshold or are no full answers, at a rate of Poisson arrivals. It is false
// for a service that has no closed form.
func ExactMissed(cfg Config, rate float64, g Goal) (float64, bool) {
	if !exactModel(cfg) {
		return 0, false
	}
	bound := queuecalc.Unbounded
	if cfg.Queue >= 0 {
		bound = queuecalc.Positions(cfg.Queue).InSystem(cfg.Workers)
	}
	f, err := queuecalc.GoodputFIFO(queuecalc.Station{
		Arrivals:    rate,
		ServiceRate: 1 / cfg.Service.Mean.Seconds(),
		Workers:     cfg.Workers,
		Bound:       bound,
		Deadline:    g.Threshold.Seconds(),
	})
	if err != nil {
		return 0, false
	}
	full := 1 - cfg.Degraded
	if g.AllowDegraded {
		full = 1
	}
	return 1 - full*f.Good/rate, true
}

// exactTruth bisects the closed form, in which the share missed grows with the
// rate.
func exactTruth(cfg Config, g Goal, ceiling float64) (Capacity, error) {
	if cfg.Queue < 0 {
		ceiling = math.Min(ceiling, cfg.RawRate())
	}
	lo, hi := 0.0, ceiling
	for range 60 {
		mid := (lo + hi) / 2
		missed, ok := ExactMissed(cfg, mid, g)
		if !ok {
			return Capacity{}, fault.NoAnswerf("truth: no closed form at %g/s", mid)
		}
		if missed > g.Budget {
			hi = mid
		} else {
			lo = mid
		}
	}
	if lo < ceiling/1e6 {
		lo = 0
	}
	return Capacity{PerSecond: lo, Method: ClosedForm}, nil
}
