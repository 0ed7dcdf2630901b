package queue

import (
	"math"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/queuecalc"
)

// Config is what is known of a server and its clients. Only Capacity and Timeout
// are needed; a zero or nil field is not known, and what it would be used for is
// listed in [Result.Missing].
type Config struct {
	// Capacity is the rate that the server sustains, requests per second.
	Capacity queuecalc.Interval
	// Timeout is how long a client waits for its answer.
	Timeout time.Duration
	// Sustained is the highest rate at which the objective of the service still
	// holds, where it was measured apart from Capacity: a little lower, since the
	// last percent of capacity costs the most wait. Rate limit and retries are
	// held to it. Zero takes Capacity.
	Sustained queuecalc.Interval

	// ServiceTime and ServiceP99 are mean and 99th percentile of the time a
	// request takes without queueing.
	ServiceTime, ServiceP99 time.Duration
	// Workers is how many requests run at once.
	Workers int

	// HedgeAfter is after how long without an answer a client sends a second
	// attempt while it still waits for the first.
	HedgeAfter time.Duration
	// Retries is how often a client sends a failed request again, RetryAfter how
	// long after the failure.
	Retries    *int
	RetryAfter time.Duration
	// RetryBudget is the share of its requests that a client may send again.
	RetryBudget *float64
	// BudgetOver is how many destinations share one budget; 0 or 1 when each has
	// its own.
	BudgetOver int64

	// Peak is the highest rate of real traffic, per second.
	Peak float64
	// BytesPerRequest is the memory that a waiting request pins.
	BytesPerRequest int64
	// Clients is how many processes call the server, Pool how many connections
	// each of them may open to it.
	Clients, Pool int64

	// Queue is today's request queue.
	Queue *Length
	// AcceptQueue is the listen backlog asked for today, Somaxconn the kernel's
	// limit on it.
	AcceptQueue, Somaxconn *int64
	// AcceptPause is the longest time in which the server accepts no connection,
	// such as a pause of the garbage collector.
	AcceptPause time.Duration

	// Server names the server whose settings to write; empty for none.
	Server string
	// WhatIf varies one input; nil for none.
	WhatIf *WhatIf
	// Explain adds the formulas with the numbers put in.
	Explain bool
}

// Length is the length of a queue in waiting positions.
type Length struct {
	Positions int64
	// Unbounded says that the queue has no limit; Positions is then 0.
	Unbounded bool
}

// Bounds of the inputs: beyond them a value is a mistake of unit or of a key.
const (
	// MaxRate is the highest rate of requests, per second.
	MaxRate = 1e9
	// MinTimeout and MaxTimeout bound every time that clients wait.
	MinTimeout = time.Microsecond
	MaxTimeout = 24 * time.Hour
	// MaxPlaces is the longest queue with a limit.
	MaxPlaces = 1_000_000_000_000
)

const (
	maxWorkers  = 10_000_000
	maxRetries  = 1000
	maxBytes    = 1 << 40
	maxClients  = 1_000_000_000
	maxUtilGap  = 0.01 // by how much capacity may exceed workers / service time
	maxBudget   = 100
	maxInFlight = 1e8 // capacity × timeout, which no server has under way; the sums cost its root
)

// check returns what is wrong with c: values that no server has, and values that
// contradict each other.
func (c Config) check() error {
	for _, check := range []func() error{c.checkNeeded, c.checkRanges, c.checkToday, c.checkTogether} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (c Config) checkNeeded() error {
	if c.Capacity.Estimate == 0 {
		return fault.WithHint(
			fault.Usagef("the capacity is missing: the useful queue is capacity × timeout"),
			"give --capacity 1200/s, or --from with a result of headroom, which measures it")
	}
	if c.Timeout == 0 {
		return fault.WithHint(
			fault.Usagef("the timeout is missing: a queue is useful for as long as clients wait for their answers"),
			"give --timeout 400ms, the limit that the clients set; it stands in their configuration")
	}
	return nil
}

func (c Config) checkRanges() error {
	for _, r := range []struct {
		what  string
		value float64
	}{
		{"capacity", c.Capacity.Estimate}, {"capacity", max(c.Capacity.High, c.Capacity.Estimate)},
		{"sustained rate", max(c.Sustained.High, c.Sustained.Estimate)}, {"peak", c.Peak},
	} {
		if r.value < 0 || math.IsNaN(r.value) || r.value > MaxRate {
			return fault.Usagef("%s of %v/s: expected a rate over 0 and at most %s, the most that one server could see", r.what, r.value, units.Rate(MaxRate))
		}
	}
	if in := c.Capacity; in.Low != 0 && !(in.Low > 0 && in.Low <= in.Estimate && in.Estimate <= in.High) {
		return fault.Usagef("capacity from %v to %v/s around %v/s: expected low end, estimate and high end in ascending order", in.Low, in.High, in.Estimate)
	}
	for _, d := range []struct {
		what  string
		value time.Duration
		least time.Duration
	}{
		{"timeout", c.Timeout, MinTimeout}, {"service time", c.ServiceTime, 0}, {"99th percentile of the service time", c.ServiceP99, 0},
		{"hedge delay", c.HedgeAfter, 0}, {"wait before a retry", c.RetryAfter, 0}, {"accept pause", c.AcceptPause, 0},
	} {
		if d.value < d.least || d.value > MaxTimeout {
			return fault.Usagef("%s of %s: expected at least %s and at most %s", d.what, units.Duration(d.value), units.Duration(d.least), units.Duration(MaxTimeout))
		}
	}
	if x := max(c.Capacity.High, c.Capacity.Estimate) * c.Timeout.Seconds(); x > maxInFlight {
		return fault.Usagef("capacity × timeout is %s requests under way in one server: expected at most %s; check the unit of the timeout",
			units.Number(x), units.Number(maxInFlight))
	}
	if b := c.RetryBudget; b != nil && !(*b >= 0 && *b <= maxBudget) {
		return fault.Usagef("retry budget of %v: expected a share from 0%% to %d%%", *b, maxBudget*100)
	}
	return nil
}

func (c Config) checkToday() error {
	counts := []struct {
		what        string
		value, most int64
	}{
		{"workers", int64(c.Workers), maxWorkers}, {"bytes per request", c.BytesPerRequest, maxBytes},
		{"clients", c.Clients, maxClients}, {"pool", c.Pool, maxClients},
		{"destinations that share a budget", c.BudgetOver, maxClients},
	}
	for _, p := range []struct {
		what  string
		value *int64
	}{{"accept queue", c.AcceptQueue}, {"somaxconn", c.Somaxconn}} {
		if p.value != nil {
			counts = append(counts, struct {
				what        string
				value, most int64
			}{p.what, *p.value, math.MaxUint32})
		}
	}
	if c.Queue != nil {
		counts = append(counts, struct {
			what        string
			value, most int64
		}{"queue", c.Queue.Positions, MaxPlaces})
	}
	for _, n := range counts {
		if n.value < 0 || n.value > n.most {
			return fault.Usagef("%s of %s: expected at least 0 and at most %s", n.what, units.Count(n.value), units.Count(n.most))
		}
	}
	if r := c.Retries; r != nil && (*r < 0 || *r > maxRetries) {
		return fault.Usagef("%d retries: expected at least 0 and at most %d", *r, maxRetries)
	}
	return nil
}

// checkTogether refuses inputs that cannot all be true.
func (c Config) checkTogether() error {
	switch {
	case c.ServiceTime >= c.Timeout:
		return fault.Usagef("a service time of %s does not fit the timeout of %s: an idle server answers too late, and no queue helps",
			units.Duration(c.ServiceTime), units.Duration(c.Timeout))
	case c.ServiceP99 > 0 && c.ServiceP99 < c.ServiceTime:
		return fault.Usagef("the 99th percentile of the service time, %s, is below its mean, %s: is one of them swapped?",
			units.Duration(c.ServiceP99), units.Duration(c.ServiceTime))
	case c.Pool > 0 && c.Clients == 0:
		return fault.Usagef("a pool of %s connections without the number of clients: both are needed to tell what the server sees; give --clients", units.Count(c.Pool))
	case c.BudgetOver > 0 && c.RetryBudget == nil:
		return fault.Usagef("%s destinations that share a retry budget, without the budget: give --budget", units.Count(c.BudgetOver))
	case c.RetryAfter > 0 && c.Retries == nil:
		return fault.Usagef("a wait of %s before retries without their number: give --retries", units.Duration(c.RetryAfter))
	}
	if c.Workers > 0 && c.ServiceTime > 0 {
		most := float64(c.Workers) / c.ServiceTime.Seconds()
		least := c.Capacity.Estimate
		if c.Capacity.Low > 0 {
			least = c.Capacity.Low
		}
		if most < least*(1-maxUtilGap) {
			return fault.WithHint(
				fault.Usagef("%s workers of %s each serve at most %s, less than the capacity of %s: one of the three is wrong",
					units.Count(c.Workers), units.Duration(c.ServiceTime), units.Rate(most), units.Rate(c.Capacity.Estimate)),
				"workers = capacity × service time at least (Little's law); leave out the one you trust least")
		}
	}
	return nil
}
