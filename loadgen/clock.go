package loadgen

import "time"

// clock reads the time since a run's start in ns. startClock is the one place
// where the engines touch the machine's monotonic clock; tests have clocks of
// their own.
type clock func() int64

func startClock() clock {
	base := time.Now()
	return func() int64 { return int64(time.Since(base)) }
}
