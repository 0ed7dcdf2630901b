package headroom

import (
	"math"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen"
)

// Config says what to measure and how much load that may cost. The zero value
// of every field but SLO and Timeout has a meaning.
type Config struct {
	// Target names the service in the result; it is not dialled from here.
	Target string
	SLO    slo.SLO
	// Timeout is the clients' deadline, from the planned instant.
	Timeout time.Duration

	// Peak is the highest rate of real traffic, per second; 0 when not known.
	Peak float64
	// Zones is over how many equal zones the service is spread; 0 or 1 when it
	// is not to survive the loss of one.
	Zones int
	// Growth is the share by which the peak grows each month; 0 when not known.
	Growth float64
	// Workers is how many requests the service runs at once; 0 when not known.
	Workers int

	// Overload opts into going past capacity after the search.
	Overload bool
	Budget   Budget
	Caps     Caps

	// Retries and RetryAfter make the client send failed, shed and timed-out
	// requests again; see [loadgen.Offer].
	Retries    int
	RetryAfter time.Duration

	Gate Gate
	// Replay, where it is set, is offered in place of a search.
	Replay *Replay
	// Arrivals is the law of a hold's arrivals. The search for capacity has
	// Poisson arrivals only, by which capacity is defined.
	Arrivals loadgen.Arrivals
	Seed     uint64
	// KeepHistograms keeps the counts behind every trial in the result, as a hold
	// does unasked.
	KeepHistograms bool
	// Observe is told how the measurement goes, from the goroutine that steers
	// the load, about every tenth of a second; nil when nobody looks.
	Observe func(Progress)
}

// Budget bounds the time for which load is offered.
type Budget struct {
	// Search is for the search for capacity with its check.
	Search time.Duration
	// Overload is for the load past capacity, Recovery for the wait after it
	// until the SLO holds again.
	Overload, Recovery time.Duration
}

// DefaultBudget is the budget of a search against a user's service: 120 s.
func DefaultBudget() Budget {
	return Budget{Search: 120 * time.Second, Overload: 10 * time.Second, Recovery: 30 * time.Second}
}

// DemoBudget makes about a minute of load with everything.
func DemoBudget() Budget {
	return Budget{Search: 36 * time.Second, Overload: 8 * time.Second, Recovery: 18 * time.Second}
}

// Caps bound what the service has to bear. Every phase obeys them.
type Caps struct {
	// Rate is the highest planned rate, per second.
	Rate float64
	// Requests is how many requests are planned in all.
	Requests uint64
	// Failed is how many of them may end in anything but an answer by the
	// timeout: shed, failed, timed out.
	Failed uint64
}

// DefaultCaps returns the caps that hold where the user sets none.
func DefaultCaps() Caps {
	return Caps{Rate: 20_000, Requests: 2_000_000, Failed: 100_000}
}

// OrDefault returns the caps with [DefaultCaps] in the place of those that are 0.
func (c Caps) OrDefault() Caps {
	usual := DefaultCaps()
	if c.Rate == 0 {
		c.Rate = usual.Rate
	}
	if c.Requests == 0 {
		c.Requests = usual.Requests
	}
	if c.Failed == 0 {
		c.Failed = usual.Failed
	}
	return c
}

// Gate asks for a verdict beside the measurement. Zero fields ask for nothing.
type Gate struct {
	// MinHeadroom is the least headroom of the low end of capacity over Peak.
	MinHeadroom float64
	// SLOAt is a rate at which the SLO has to hold; it is judged by the low end
	// of capacity.
	SLOAt float64
	// HoldRate offers one rate for HoldFor in place of the search, and asks
	// whether the SLO holds.
	HoldRate float64
	HoldFor  time.Duration
}

// Progress says how a measurement goes.
type Progress struct {
	Phase string
	// Elapsed is the time of load so far, Total the bound on it.
	Elapsed, Total time.Duration
	// Rate is the planned rate now, per second.
	Rate float64
	// InFlight is the number of requests under way.
	InFlight uint32
	// Answered is how many answers came over the last second; Latency their mean
	// time from the planned instant, 0 without any.
	Answered uint32
	Latency  time.Duration
	// Planned and Bad count all requests so far: Bad those shed, failed or timed
	// out.
	Planned, Bad uint64
}

// limits of a Config.
const (
	minSearch  = 5 * time.Second
	maxBudget  = 6 * time.Hour
	maxRate    = 10_000_000
	maxZones   = 1000
	maxTimeout = time.Hour
)

// withDefaults fills in what is zero and has a default.
func (c Config) withDefaults() Config {
	d := DefaultBudget()
	if c.Budget.Search == 0 {
		c.Budget.Search = d.Search
	}
	if c.Budget.Overload == 0 {
		c.Budget.Overload = d.Overload
	}
	if c.Budget.Recovery == 0 {
		c.Budget.Recovery = d.Recovery
	}
	c.Caps = c.Caps.OrDefault()
	if c.Gate.HoldRate > 0 && c.Gate.HoldFor == 0 {
		c.Gate.HoldFor = 60 * time.Second
	}
	return c
}

// Validate returns a usage error that names the first field out of range.
func (c Config) Validate() error {
	if c.SLO.IsZero() {
		return fault.Usagef("slo: expected at least one clause, found none")
	}
	if c.Timeout <= 0 || c.Timeout > maxTimeout {
		return fault.Usagef("timeout: expected more than 0 and at most %s, found %s", units.ExactDuration(maxTimeout), units.ExactDuration(c.Timeout))
	}
	if err := c.SLO.Check(c.Timeout); err != nil {
		return err
	}
	c = c.withDefaults()
	switch b := c.Budget; {
	case b.Search < minSearch || b.Search > maxBudget:
		return fault.Usagef("search budget: expected %s to %s, found %s", units.ExactDuration(minSearch), units.ExactDuration(maxBudget), units.ExactDuration(b.Search))
	case b.Overload < time.Second || b.Overload > maxBudget:
		return fault.Usagef("overload budget: expected 1s to %s, found %s", units.ExactDuration(maxBudget), units.ExactDuration(b.Overload))
	case b.Recovery < time.Second || b.Recovery > maxBudget:
		return fault.Usagef("recovery budget: expected 1s to %s, found %s", units.ExactDuration(maxBudget), units.ExactDuration(b.Recovery))
	}
	if !(c.Caps.Rate >= 1 && c.Caps.Rate <= maxRate) {
		return fault.Usagef("rate cap (--max-rate): expected 1/s to %s, found %s", units.Rate(maxRate), units.Rate(c.Caps.Rate))
	}
	if err := c.validateReplay(); err != nil {
		return err
	}
	return c.validateUse()
}

// validateUse checks the fields that only the use of the capacity needs.
func (c Config) validateUse() error {
	switch {
	case !(c.Peak >= 0) || math.IsInf(c.Peak, 0):
		return fault.Usagef("peak: expected a rate of 0 or more, found %g", c.Peak)
	case c.Zones < 0 || c.Zones > maxZones:
		return fault.Usagef("zones: expected 0 to %d, found %d", maxZones, c.Zones)
	case !(c.Growth >= 0 && c.Growth <= 10):
		return fault.Usagef("growth: expected 0 to 1000%% a month, found %g%%", 100*c.Growth)
	case c.Workers < 0:
		return fault.Usagef("workers: expected 0 or more, found %d", c.Workers)
	case c.Retries < 0 || c.Retries > 100:
		return fault.Usagef("client retries: expected 0 to 100, found %d", c.Retries)
	case c.RetryAfter < 0:
		return fault.Usagef("retry delay: expected 0 or more, found %s", c.RetryAfter)
	case c.Gate.MinHeadroom != 0 && c.Peak == 0:
		return fault.Usagef("min-headroom: expected a peak rate to compare with, found none")
	case !(c.Gate.SLOAt >= 0) || !(c.Gate.HoldRate >= 0) || c.Gate.HoldFor < 0:
		return fault.Usagef("gate: expected rates and a duration of 0 or more")
	case c.Gate.HoldRate > c.Caps.Rate:
		return fault.Usagef("hold: expected at most the rate cap (--max-rate) of %s, found %s", units.Rate(c.Caps.Rate), units.Rate(c.Gate.HoldRate))
	}
	// The cap would cut it short whatever the service does.
	if most := c.Gate.HoldRate * c.Gate.HoldFor.Seconds(); most > float64(c.Caps.Requests) {
		return fault.WithHint(fault.Usagef("hold: expected at most the cap of %s requests, found %s", units.Count(c.Caps.Requests), units.Count(uint64(math.Ceil(most)))),
			"shorten it with --for, or raise --max-requests")
	}
	if c.Arrivals != loadgen.Poisson && c.Gate.HoldRate == 0 {
		return fault.Usagef("arrivals: capacity is defined by Poisson arrivals; expected even spacing with a hold only")
	}
	if c.Gate.HoldRate > 0 && (c.Gate.HoldFor < 5*c.Timeout || c.Gate.HoldFor < minSearch || c.Gate.HoldFor > maxBudget) {
		return fault.Usagef("length of the hold (--for): expected %s to %s, found %s", units.ExactDuration(max(minSearch, 5*c.Timeout)), units.ExactDuration(maxBudget), units.ExactDuration(c.Gate.HoldFor))
	}
	return nil
}

// limit returns the tightest latency that matters: the least threshold of the
// SLO, and never more than the clients' timeout.
func (c Config) limit() time.Duration {
	t := c.Timeout
	for _, x := range c.SLO.Thresholds() {
		t = min(t, x)
	}
	return t
}

// budget returns the least budget of the SLO's clauses.
func (c Config) budget() float64 {
	b := 1.0
	for _, cl := range c.SLO.Clauses {
		b = min(b, cl.Budget)
	}
	return b
}

// bad returns how many requests of n are bad under the clause of which they use
// up most of the budget, and that share over the budget.
func (c Config) bad(n outcome.Counts) (bad uint64, used float64) {
	used, worst := c.SLO.Worst(n)
	return worst.Bad(n), used
}

// relaxed reports whether degraded answers have a budget of their own.
func (c Config) relaxed() bool {
	for _, cl := range c.SLO.Clauses {
		if cl.Kind == slo.Degraded {
			return true
		}
	}
	return false
}
