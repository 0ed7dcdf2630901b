// Package gc judges the events of a garbage collector's log: was the collector
// the overload, when, why, and what is to be changed.
//
// The measure is that of LinkedIn's Hodor: the share of time in garbage
// collection over a sliding window (the GC overhead), its range cut into tiers,
// and a violation where the share stays in a tier for longer than the tier's
// period. Package tier does the arithmetic, exactly; this package says what counts
// as time in garbage collection for each collector, gathers the evidence, and
// draws the conclusions. See docs/methods/gc-overhead.md.
//
// # Series
//
// Several shares of time are watched at once, each by its own meter: pauses, CPU
// time of the collector, allocation stalls, assists, stopped time, time to
// safepoint. They are never added up. A pause is no cycle, and a stall is no
// pause.
//
// # Runs
//
// Nothing is carried over from one run of a process to the next, nor over a hole
// in the log: a window ends where the record does.
//
// # Memory
//
// An [Analyzer] holds what the windows cover (ten minutes of events, at most 8,192
// a series), and what the result reports, which is bounded: 360 points a curve,
// 1,000 violations, 256 names of causes and titles, 256 samples of the live set a
// run, 64 runs at once. It does not grow with the log.
//
// The package does not read logs (gcparse does), does not print, and knows no
// clock.
package gc
