package tier

import (
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/units"
)

// Config says how a [Meter] judges. Zero fields take their defaults.
type Config struct {
	// Window is over how long the share is taken: 30 s.
	Window time.Duration
	// Tiers are as [Default].
	Tiers List
	// Exit is the part of its threshold below which a tier is left, in millionths:
	// 0.8. It keeps a share that flickers around the threshold in one stay.
	Exit int64
	// Warm is how long a run is not judged at its start: a third of the window.
	Warm time.Duration
	// OnEvents judges at the end of each part only, and holds the state until the
	// next or until the window is silent. This is how Hodor does it, which is
	// told of collections by the virtual machine.
	OnEvents bool
	// Lag is how much later than its own end a part may be added and still count
	// in full: ten minutes, or two windows if they are longer. Memory grows with
	// what is added within it, up to MaxPending parts.
	Lag time.Duration
	// MaxPending bounds the parts that wait for the end of the lag: 8,192. With
	// more, the oldest are taken as complete.
	MaxPending int
}

// limits of a Config. With windows of up to an hour the mass of a window stays
// within 63 bits.
const (
	minWindow = time.Millisecond
	maxWindow = time.Hour
)

// withDefaults fills in what is zero.
func (c Config) withDefaults() Config {
	if c.Window == 0 {
		c.Window = DefaultWindow
	}
	if c.Tiers == nil {
		c.Tiers = Default()
	}
	if c.Exit == 0 {
		c.Exit = 800_000
	}
	if c.Warm == 0 {
		c.Warm = c.Window / 3
	}
	if c.Lag == 0 {
		c.Lag = max(10*time.Minute, 2*c.Window)
	}
	if c.MaxPending == 0 {
		c.MaxPending = 8192
	}
	return c
}

// Validate returns a usage error that names the first field out of range.
func (c Config) Validate() error {
	c = c.withDefaults()
	switch {
	case c.Window < minWindow || c.Window > maxWindow:
		return fault.Usagef("window: expected %s to %s, found %s", units.ExactDuration(minWindow), units.ExactDuration(maxWindow), units.ExactDuration(c.Window))
	case c.Exit < 0 || c.Exit > Whole:
		return fault.Usagef("exit factor: expected 0 to 1, found %g", float64(c.Exit)/Whole)
	case c.Warm < 0 || c.Warm > c.Window:
		return fault.Usagef("warm-up: expected 0 to the window of %s, found %s", units.ExactDuration(c.Window), units.ExactDuration(c.Warm))
	case c.Lag < 0 || c.MaxPending < 0:
		return fault.Usagef("lag: expected 0 or more")
	}
	return c.Tiers.Validate()
}
