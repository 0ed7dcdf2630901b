package loadgen

import "time"

// clock reads the time since a run's start in ns. It is the one place where
// the engines touch the machine's monotonic clock.
type clock struct{ base time.Time }

func startClock() clock { return clock{time.Now()} }

func (c clock) now() int64 { return int64(time.Since(c.base)) }
