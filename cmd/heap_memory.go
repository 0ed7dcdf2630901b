package cmd

import (
	"math"
	"runtime/debug"
)

// tightPercent is by how much memory may grow beyond what is in use before it is
// collected. What is kept of a dump is bytes without pointers, which the collector
// does not look into: collecting more often costs next to nothing (not measurable
// for a dump of 1 GB), while with the usual 100 % a dump of 3.9 GB took a quarter
// more memory.
const tightPercent = 30

// usualPercent is what the runtime takes when the user sets no GOGC.
const usualPercent = 100

// tightGC makes the collector frugal until the returned function is called. A
// GOGC of the user is left as it is.
func tightGC() (restore func()) {
	old := debug.SetGCPercent(tightPercent)
	if old != usualPercent {
		debug.SetGCPercent(old)
	}
	return func() { debug.SetGCPercent(old) }
}

// holdMemory makes the collector keep to a bound, in bytes, until the returned
// function is called: what the graph leaves to it. A GOMEMLIMIT of the user is left
// as it is.
func holdMemory(bound int64) (restore func()) {
	old := debug.SetMemoryLimit(-1)
	if old != math.MaxInt64 {
		return func() {}
	}
	debug.SetMemoryLimit(bound)
	return func() { debug.SetMemoryLimit(old) }
}
