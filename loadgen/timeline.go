package loadgen

import (
	"time"

	"example.com/kneeline/internal/outcome"
)

// Window counts what happened in one [WindowWidth] of a run, under two clocks.
type Window struct {
	// Cohort is the account of the requests *planned* in the window. It is
	// final once the window ended more than the run's longest deadline ago;
	// until then requests still under way are counted in Planned alone.
	Cohort outcome.Counts32

	// The rest counts events *in* the window, whenever the request was planned.

	Sent     uint32 // requests written to a connection
	Answered uint32 // complete answers of any status, in time or late
	Expired  uint32 // requests given up at their deadline
	Refused  uint32 // answers of class shed
	Broken   uint32 // requests that ended as failed
	InFlight uint32 // requests sent and not ended, at the window's end

	// RefusedDepthSum and RefusedDepthSq sum, over the answers of class shed in
	// the window, the number of requests in flight when the refused request was
	// sent, and its square: a bounded queue refuses at one depth, a rate limiter
	// at any.
	RefusedDepthSum float64
	RefusedDepthSq  float64

	// LatencySum is the sum over complete answers in the window of the time from
	// the planned instant, in seconds.
	LatencySum float64
}

// Timeline is a run as it has gone so far: consecutive windows from the run's
// start. It grows by about 10 kB a second of run, whatever the rate.
type Timeline struct {
	Windows []Window
	// Now is the time since the run's start; windows that end later are still
	// filling.
	Now time.Duration
	// Final is the time before which cohorts are final.
	Final time.Duration
}

// Sum adds up the windows that lie wholly in [from, to).
func (t *Timeline) Sum(from, to time.Duration) (cohort outcome.Counts, events Window) {
	lo := int((from + WindowWidth - 1) / WindowWidth)
	hi := min(int(to/WindowWidth), len(t.Windows))
	for i := max(lo, 0); i < hi; i++ {
		w := &t.Windows[i]
		cohort.Add(w.Cohort.Wide())
		events.Sent += w.Sent
		events.Answered += w.Answered
		events.Expired += w.Expired
		events.Refused += w.Refused
		events.Broken += w.Broken
		events.InFlight = w.InFlight
		events.RefusedDepthSum += w.RefusedDepthSum
		events.RefusedDepthSq += w.RefusedDepthSq
		events.LatencySum += w.LatencySum
	}
	return cohort, events
}
