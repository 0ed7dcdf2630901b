package gc

import (
	"time"

	"example.com/kneeline/analyze/gc/tier"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/units"
)

// Config says how to judge. Zero fields take their defaults.
type Config struct {
	// Window and Tiers are those of the overhead; see package tier.
	Window time.Duration
	Tiers  tier.List
	// OnEvents judges at the end of each collection only, as Hodor does.
	OnEvents bool
	// CountConcurrent watches the CPU share of concurrent work for every collector
	// and counts it as overload. For Go it always counts, and for ZGC and Shenandoah
	// it is watched.
	CountConcurrent bool
	// Timeout is that of the clients; with it the share of time is computed in
	// which a request that arrives cannot be answered in time. Zero asks for
	// nothing.
	Timeout time.Duration
	// Service is how long a request runs by itself, of the timeout.
	Service time.Duration
}

// maxTimeout is the longest timeout of clients.
const maxTimeout = time.Hour

// Validate returns a usage error that names the first field out of range.
func (c Config) Validate() error {
	if err := c.overhead().Validate(); err != nil {
		return err
	}
	switch {
	case c.Timeout < 0 || c.Timeout > maxTimeout || c.Timeout != 0 && c.Timeout < time.Millisecond:
		return fault.Usagef("timeout: expected 1ms to %s, found %s", units.ExactDuration(maxTimeout), units.ExactDuration(c.Timeout))
	case c.Service < 0 || c.Service > 0 && c.Service >= c.Timeout:
		return fault.Usagef("service time: expected less than the timeout of %s, found %s", units.ExactDuration(c.Timeout), units.ExactDuration(c.Service))
	}
	return nil
}

func (c Config) withDefaults() Config {
	if c.Window == 0 {
		c.Window = tier.DefaultWindow
	}
	if c.Tiers == nil {
		c.Tiers = tier.Default()
	}
	return c
}

func (c Config) overhead() tier.Config {
	c = c.withDefaults()
	return tier.Config{Window: c.Window, Tiers: c.Tiers, OnEvents: c.OnEvents}
}

// deadline is the meter that finds when a request could not be answered in time:
// one that arrives at t is late if, of the timeout that follows, so much is spent
// in pauses that less than its own time is left.
func (c Config) deadline() tier.Config {
	share := tier.Whole - int64(float64(tier.Whole)*c.Service.Seconds()/c.Timeout.Seconds())
	return tier.Config{Window: c.Timeout, Warm: c.Timeout, Tiers: tier.List{{Threshold: share, Period: time.Hour}}}
}
