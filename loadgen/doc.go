// Package loadgen offers load to an HTTP service in an open loop and keeps an
// exact account of what became of every planned request.
//
// A run follows an absolute schedule of planned instants; latency counts from
// the planned instant, so a late send or a full connection pool is never
// hidden (no coordinated omission). A [Pilot] steers the rate while the run
// goes on; the [Timeline] it sees and the [Result] it leaves are plain data.
//
// What the numbers mean (capacity, headroom, verdicts) is not this package's
// business: see analyze/headroom.
package loadgen
