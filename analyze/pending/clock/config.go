package clock

import "time"

// Config is by what stamps are judged. Its zero value uses the defaults.
type Config struct {
	// Now is when the dump was taken, by the clock of the machine whose stamps are
	// judged. Without it no wall-clock stamp can be told.
	Now time.Time
	// Calibration turns counter values into wall-clock time; nil if there is none.
	Calibration *Calibration
	// MaxAge is how old a plausible stamp is at most, 30 days by default.
	MaxAge time.Duration
	// MinKnown is the share of entries that must have a plausible stamp, and the
	// share that must stand in the order of their stamps; 0.9 by default.
	MinKnown float64
}

// Slack is how far a stamp may lie past the dump's own time: clocks that are
// read coarsely, and counters as well as they could be calibrated.
const (
	epochSlack = time.Second
	nanoSlack  = 3 * time.Second
)

func (c Config) withDefaults() Config {
	if c.MaxAge <= 0 {
		c.MaxAge = 30 * 24 * time.Hour
	}
	if c.MinKnown <= 0 {
		c.MinKnown = 0.9
	}
	return c
}

// window returns the plausible wall-clock stamps in nanoseconds. It is empty when
// the time of the dump is not known.
func (c Config) window() (lo, hi int64) {
	if c.Now.Unix() <= 0 {
		return 1, 0
	}
	return c.Now.Add(-c.MaxAge).UnixNano(), c.Now.Add(epochSlack).UnixNano()
}

// IsEpoch reports whether a column holds wall-clock stamps by its values alone.
func (c Config) IsEpoch(col *Column) bool {
	c = c.withDefaults()
	_, known := c.epochUnit(col)
	return known >= c.MinKnown
}

// epochUnit returns the unit by which most values are plausible wall-clock
// stamps, and the share of all entries that are.
func (c Config) epochUnit(col *Column) (Unit, float64) {
	lo, hi := c.window()
	units := []Unit{EpochMillis, EpochMicros, EpochNanos}
	if col.Unit != UnitUnknown {
		units = []Unit{col.Unit}
	}
	best, most := UnitUnknown, 0
	for _, u := range units {
		if u == Nano {
			continue
		}
		n := 0
		for i, v := range col.Values {
			if at, ok := toNanos(v, u); ok && at >= lo && at <= hi && col.valid(i) {
				n++
			}
		}
		if n > most {
			best, most = u, n
		}
	}
	return best, float64(most) / float64(max(len(col.Values), 1))
}

// MayBeStamp reports whether a column is worth reading in full: half of its
// values are stamps of the wall clock, or of the counter where that is
// calibrated.
func (c Config) MayBeStamp(col *Column) bool {
	c = c.withDefaults()
	if meaningOf(col.Source) == noStamp && !col.Preferred {
		return false
	}
	if _, known := c.epochUnit(col); known >= 0.5 {
		return true
	}
	return c.Calibration != nil && c.mayBeNanoByValue(col)
}
