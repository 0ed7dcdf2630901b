package loadgen

import (
	"time"

	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/outcome"
)

// TickPeriod is how often a run shows itself to Options.OnTick.
const TickPeriod = 250 * time.Millisecond

// tickSlots is how many ticks make up the second over which a snapshot looks.
const tickSlots = int(time.Second / TickPeriod)

// Snapshot is a run as it stands, for a live view.
type Snapshot struct {
	// Now is the time since the run's start.
	Now time.Duration
	// Rate is the planned rate now in force, in requests per second, Segment its
	// account.
	Rate    float64
	Segment int
	// P50 and P99 are the latencies of the last second's answers and timeouts;
	// 0 when there were none.
	P50, P99 time.Duration
	// Counts is the account of all planned requests so far. It lacks the
	// outcome of those under way.
	Counts outcome.Counts
	// Backlog is how far the schedule lags behind.
	Backlog time.Duration
	// Conns is the number of connections that stand.
	Conns int
}

// recentSecond keeps the latencies of the last second in slots of one tick.
type recentSecond struct {
	slots [tickSlots]hist.Hist
	next  int
	sum   hist.Hist
}

// turn begins a new slot in place of the oldest one and returns it.
func (r *recentSecond) turn() *hist.Hist {
	h := &r.slots[r.next]
	h.Reset()
	r.next = (r.next + 1) % tickSlots
	return h
}

// total returns the latencies of all slots.
func (r *recentSecond) total() *hist.Hist {
	r.sum.Reset()
	for i := range r.slots {
		r.sum.Merge(&r.slots[i])
	}
	return &r.sum
}
