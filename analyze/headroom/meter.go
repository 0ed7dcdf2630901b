package headroom

import (
	"time"

	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/loadgen"
)

// meter reads a growing timeline, each window once.
type meter struct {
	tl    *loadgen.Timeline
	ended int // windows read for their events
	final int // windows read for their cohorts

	planned, answered, refused, broken, expired uint64
	depthSum, depthSq                           float64
	cohorts                                     outcome.Counts
}

// read takes in what is new.
func (m *meter) read(tl *loadgen.Timeline) {
	m.tl = tl
	for to := min(int(tl.Now/loadgen.WindowWidth), len(tl.Windows)); m.ended < to; m.ended++ {
		w := &tl.Windows[m.ended]
		m.planned += uint64(w.Cohort.Planned)
		m.answered += uint64(w.Answered)
		m.refused += uint64(w.Refused)
		m.broken += uint64(w.Broken)
		m.expired += uint64(w.Expired)
		m.depthSum += w.RefusedDepthSum
		m.depthSq += w.RefusedDepthSq
	}
	for to := min(int(tl.Final/loadgen.WindowWidth), len(tl.Windows)); m.final < to; m.final++ {
		m.cohorts.Add(tl.Windows[m.final].Cohort.Wide())
	}
}

// bad is how many requests have ended in anything but an answer in time, as far
// as events tell.
func (m *meter) bad() uint64 { return m.refused + m.broken + m.expired }

// now is the time since the run's start.
func (m *meter) now() time.Duration { return m.tl.Now }

// inFlight is the number of requests under way at the end of the last window.
func (m *meter) inFlight() float64 {
	if m.ended == 0 {
		return 0
	}
	return float64(m.tl.Windows[m.ended-1].InFlight)
}

// last sums the events of the last d.
func (m *meter) last(d time.Duration) loadgen.Window {
	_, e := m.tl.Sum(max(m.tl.Now-d, 0), m.tl.Now)
	return e
}

// served is the number of requests of a window sum that took the service's work:
// the answers that were no refusals, and those whose client left, since most
// services serve them all the same. A service that drops them is taken for faster
// by the share of requests that expire, which a search keeps below 2 %.
func served(w loadgen.Window) float64 {
	return answers(w) + float64(w.Expired)
}

// answers is the number of answers of a window sum that were no refusals.
func answers(w loadgen.Window) float64 { return float64(w.Answered - min(w.Refused, w.Answered)) }

// badEvents is the number of requests of a window sum that ended badly.
func badEvents(w loadgen.Window) float64 {
	return float64(w.Refused) + float64(w.Broken) + float64(w.Expired)
}

// endedEvents is the number of requests of a window sum that ended. A failure
// may be an answer or none, so it is counted as the greater of both readings.
func endedEvents(w loadgen.Window) float64 {
	return max(float64(w.Answered), float64(w.Refused)+float64(w.Broken)) + float64(w.Expired)
}

// breach is the stop on a gross breach: most requests have ended badly over the
// last second, at each look for a second. Two seconds after a breach begins to
// show the load has stopped.
type breach struct {
	since time.Duration
	seen  bool
}

// Bounds of a gross breach: at least so many bad requests and so large a share
// of those that ended, over a second.
const (
	breachCount = 20
	breachShare = 0.5
	breachFor   = 800 * time.Millisecond
)

func (b *breach) gross(m *meter) bool {
	w := m.last(time.Second)
	if bad := badEvents(w); bad < breachCount || bad < breachShare*endedEvents(w) {
		b.seen = false
		return false
	}
	if !b.seen {
		b.seen, b.since = true, m.now()
	}
	return m.now()-b.since >= breachFor
}
