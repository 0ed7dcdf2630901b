package target

import "time"

// clock reads the monotonic clock. Nothing else in this package knows the time.
type clock struct {
	start time.Time
}

func newClock() clock { return clock{start: time.Now()} }

// now returns the ns since the clock was made.
func (c clock) now() int64 { return int64(time.Since(c.start)) }
