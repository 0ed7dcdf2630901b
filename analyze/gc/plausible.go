package gc

import (
	"time"

	"example.com/kneeline/gcparse"
)

const (
	// maxDuration is the longest event that is believed, a week: a longer one is a
	// damaged line, and would outweigh the whole log.
	maxDuration = int64(7 * 24 * time.Hour)
	// maxUptime is the longest life of a process that is believed, and the longest
	// gap in a log: ten years. Wall-clock times are believed from 1990 to 2100.
	// Within these bounds nothing overflows.
	maxUptime = int64(10 * 365 * 24 * time.Hour)
	minWall   = int64(20 * 365 * 24 * time.Hour)
	maxWall   = int64(130 * 365 * 24 * time.Hour)
)

// implausible tells events whose times cannot be.
func implausible(e *gcparse.Event) bool {
	return e.HasDuration && (e.Duration < 0 || e.Duration > maxDuration) || e.Incremental < 0 || e.Incremental > maxDuration ||
		e.HasTimeToSafepoint && (e.TimeToSafepoint < 0 || e.TimeToSafepoint > maxDuration) ||
		beyond(e.Start)
}

// beyond tells times that no process has.
func beyond(s gcparse.Stamp) bool {
	return s.HasUptime && (s.Uptime < -maxDuration || s.Uptime > maxUptime) || s.HasWall && (s.Wall < minWall || s.Wall > maxWall)
}
