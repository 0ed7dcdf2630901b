package target

import (
	"time"

	"example.com/kneeline/internal/fault"
)

// Discipline is the order in which waiting requests are taken up.
type Discipline uint8

const (
	// FIFO takes the request that has waited longest.
	FIFO Discipline = iota
	// LIFO takes the youngest request: under overload some requests are served
	// at once and the others not in time, instead of all of them too late.
	LIFO
)

// String returns the name that the setting accepts.
func (d Discipline) String() string {
	if d == LIFO {
		return "lifo"
	}
	return "fifo"
}

// Unbounded is the value of [Config.Queue] for a queue without a bound.
const Unbounded = -1

// Stall freezes every worker for Length, once in every period Every: nothing
// begins and nothing completes, and work in progress is shifted by Length. The
// first stall begins when the first period ends. The zero Stall never freezes.
type Stall struct {
	Length, Every time.Duration
}

// RateLimit is a token bucket in front of the queue; a request that finds no
// token is refused with status 429. The zero RateLimit limits nothing.
type RateLimit struct {
	// PerSecond is the rate at which tokens come back.
	PerSecond float64
	// Burst is the size of the bucket, full at the start.
	Burst float64
}

// Config describes a service. Start from [Default]: the zero Config is not
// valid.
type Config struct {
	// Workers is how many requests are served at once, each by one worker.
	Workers int
	// Service is the law of the service time of one request.
	Service Law
	// Queue is the number of waiting positions beside the workers; a request
	// that finds all of them taken is refused. [Unbounded] sets no bound.
	Queue int
	// Discipline is the order in which waiting requests are taken up.
	Discipline Discipline
	// DropExpired drops a request whose age is over it when its turn comes; 0
	// drops nothing. A dropped request costs a worker no time.
	DropExpired time.Duration
	// ServeDead serves requests whose client has left, as most servers do since
	// they do not look; without it such a request is dropped when its turn comes.
	ServeDead bool
	// Stall freezes all workers from time to time.
	Stall Stall
	// ShedStatus is the status of a request refused for want of a queue
	// position: 503 or 429.
	ShedStatus int
	// RetryAfter is the hint sent with it; 0 sends none.
	RetryAfter time.Duration
	// RateLimit refuses what comes faster than a fixed rate.
	RateLimit RateLimit
	// Degraded is the share of served requests that get a partial answer: status
	// 200, header X-Partial: 1 and the body {"partial":true}.
	Degraded float64
	// BytesPerRequest is memory held for each request from its arrival until it
	// is served, refused or dropped, whether its client waits or not.
	BytesPerRequest int64
	// Listen is the address of [Server]; [Sim] has no use for it.
	Listen string
	// Seed fixes the random draws of [Server].
	Seed uint64
}

// Default returns the storage host of LinkedIn's FollowFeed as its engineers
// described it in 2018: about 1,200 requests a second, and a queue of 5,000 in
// front of callers that leave after 400 ms. That the rate comes from 12 workers
// with exponential service of 10 ms is our choice; the rest of it is the source's.
func Default() Config {
	return Config{
		Workers:    12,
		Service:    Law{Kind: Exponential, Mean: 10 * time.Millisecond},
		Queue:      5000,
		ServeDead:  true,
		ShedStatus: 503,
		RetryAfter: time.Second,
		Listen:     "127.0.0.1:0",
		Seed:       1,
	}
}

// Limits of a Config, generous for a service that runs in one process.
const (
	maxWorkers    = 100_000
	maxQueue      = 10_000_000
	maxBytes      = 64 << 20
	maxRetryAfter = time.Hour
)

// Validate returns a usage error that names the first setting out of range.
func (c Config) Validate() error {
	if c.Workers < 1 || c.Workers > maxWorkers {
		return fault.Usagef("workers: want 1 to %d, found %d", maxWorkers, c.Workers)
	}
	if err := c.Service.validate(); err != nil {
		return fault.Usagef("service: %w", err)
	}
	if c.Queue < Unbounded || c.Queue > maxQueue {
		return fault.Usagef("queue: want 0 to %d, or -1 for no bound, found %d", maxQueue, c.Queue)
	}
	if c.Discipline > LIFO {
		return fault.Usagef("discipline: want fifo or lifo, found value %d", c.Discipline)
	}
	if c.DropExpired < 0 {
		return fault.Usagef("drop-expired: want a duration of 0 or more, found %s", c.DropExpired)
	}
	if s := c.Stall; s != (Stall{}) && (s.Length <= 0 || s.Length >= s.Every) {
		return fault.Usagef("stall: want a length over 0 and under its period, found %s in every %s", s.Length, s.Every)
	}
	return c.validateAnswers()
}

// validateAnswers checks the settings that shape answers rather than queueing.
func (c Config) validateAnswers() error {
	if c.ShedStatus != 503 && c.ShedStatus != 429 {
		return fault.Usagef("shed: want status 503 or 429, found %d", c.ShedStatus)
	}
	if c.RetryAfter < 0 || c.RetryAfter > maxRetryAfter {
		return fault.Usagef("retry-after: want 0 to %s, found %s", maxRetryAfter, c.RetryAfter)
	}
	if l := c.RateLimit; l != (RateLimit{}) && !(l.PerSecond > 0 && l.PerSecond <= 1e9 && l.Burst >= 1 && l.Burst <= 1e9) {
		return fault.Usagef("rate-limit: want a rate over 0 and a burst of 1 or more, found rate %g and burst %g", l.PerSecond, l.Burst)
	}
	if !(c.Degraded >= 0 && c.Degraded <= 1) {
		return fault.Usagef("degraded: want a share from 0 to 100%%, found %g%%", 100*c.Degraded)
	}
	if c.BytesPerRequest < 0 || c.BytesPerRequest > maxBytes {
		return fault.Usagef("bytes-per-request: want 0 to %d, found %d", maxBytes, c.BytesPerRequest)
	}
	return nil
}

// RawRate returns the service rate of all workers together in requests per
// second: workers / mean service time, less the share of time lost to stalls.
// The rate at which an SLO holds is lower; see [Truth].
func (c Config) RawRate() float64 {
	rate := float64(c.Workers) / c.Service.Mean.Seconds()
	if c.Stall.Every > 0 {
		rate *= 1 - c.Stall.Length.Seconds()/c.Stall.Every.Seconds()
	}
	return rate
}
