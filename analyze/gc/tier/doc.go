// Package tier watches a share of time over a sliding window and says when it
// stays too high for too long.
//
// The share is of any kind that a piecewise constant function of time gives: the
// time in stop-the-world pauses, the CPU time of a concurrent collector, the time
// in which threads waited for memory. Its range is cut into tiers. A tier has a
// threshold and a violation period, which is shorter the higher the tier; the
// share in a tier for longer than its period is a violation. This is how the GC
// detector of LinkedIn's Hodor judges GC overhead.
//
// # Definition
//
// With r(t) in [0, 1] the share at the instant t, W the window and t0 the start of
// the run,
//
//	O(t) = ∫ r over [max(t0, t−W), t] / min(W, t−t0)
//
// A tier of threshold θ is entered at the first instant with O ≥ θ and left at
// the first with O < exit·θ; exit is 0.8, so that a share that flickers around a
// threshold is one stay. Nothing is judged before t0 + W/3: the mean of an instant
// is no mean. At the end of a run the window ends: no stay crosses it.
//
// O is linear between the instants at which r changes and those instants plus W
// (during the first window f(t) = ∫r − θ(t−t0) is), so that every crossing is
// solved for in closed form. Times are integers of nanoseconds and shares
// integers of millionths: the arithmetic is exact, and no error builds up over a
// log of any length.
//
// # Memory
//
// A [Meter] holds what began within the window, and what was added within
// [Config.Lag], so that parts may be added out of order: a log prints a nested
// collection before the one around it. It does not grow with the log.
//
// The package knows no logs, no collectors and no clock.
package tier
