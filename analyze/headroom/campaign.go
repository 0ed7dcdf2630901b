package headroom

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/loadgen"
)

// pilot is a phase of the measurement: it is asked for the next move every
// [loadgen.ControlPeriod].
type pilot interface {
	steer(m *meter) move
}

// move is what a pilot wants from now on.
type move struct {
	phase string
	rate  float64
	// fresh begins a new segment even though the phase is the same.
	fresh bool
	stop  bool
	// daring says that the phase goes past capacity on purpose, so that a gross
	// breach does not stop it.
	daring bool
}

// campaign runs the phases against one service and keeps what is common to all:
// the caps, the account, the progress.
type campaign struct {
	cfg     Config
	offerer loadgen.Offerer
	total   time.Duration // bound on load, for progress

	load    time.Duration // load of the runs that have ended
	planned uint64
	bad     uint64
	runs    uint64
	trials  []Trial
	points  []Point
	gen     generator
	all     outcome.Counts
	retries outcome.Counts
	causes  map[string]uint64
	routes  routes
	kinds   []kind

	troubles troubles
	hints    loadgen.Hints
}

// Reasons for which load is cut short.
const (
	stoppedRequests = "the cap on requests was reached"
	stoppedFailed   = "the cap on failed requests was reached"
	stoppedBreach   = "gross breach of the SLO"
)

// run is what one Offer left.
type run struct {
	*loadgen.Result
	stretches []stretch
	// stopped is why the load was cut short; empty when the pilot stopped it.
	stopped string
}

// phase is the phase that a segment was for; empty for one that no pilot began.
func (r *run) phase(i int) string {
	if i < 0 || i >= len(r.stretches) {
		return ""
	}
	return r.stretches[i].phase
}

// stretch says what a segment was for.
type stretch struct {
	phase string
	asked float64 // requests asked for: rate × time
}

// offer runs a pilot under the caps. peak bounds its rate.
func (c *campaign) offer(ctx context.Context, o loadgen.Offer, peak float64, p pilot) (*run, error) {
	c.runs++
	o.Timeout = c.cfg.Timeout
	o.Thresholds = c.cfg.SLO.Thresholds()
	o.PeakRate = min(peak, c.cfg.Caps.Rate)
	o.Retries, o.RetryAfter = c.cfg.Retries, c.cfg.RetryAfter
	o.Seed = c.cfg.Seed*1000 + c.runs
	h := &helm{c: c, p: p, peak: o.PeakRate}
	res, err := c.offerer.Offer(ctx, o, h)
	if res == nil {
		if err == nil {
			err = errors.New("the load generator returned no result")
		}
		return nil, fmt.Errorf("offering load: %w", err)
	}
	r := &run{Result: res, stretches: h.stretches, stopped: h.stopped}
	c.load += res.Timeline.Now
	c.planned += h.m.planned
	c.bad += h.m.bad()
	c.record(r)
	return r, err
}

// helm stands between the load generator and a pilot.
type helm struct {
	c         *campaign
	p         pilot
	peak      float64
	m         meter
	breach    breach
	stretches []stretch
	rate      float64
	at        time.Duration
	phase     string
	stopped   string
}

// Steer asks the pilot and holds its answer to the caps.
func (h *helm) Steer(tl *loadgen.Timeline) loadgen.Step {
	h.m.read(tl)
	if n := len(h.stretches); n > 0 {
		h.stretches[n-1].asked += h.rate * (tl.Now - h.at).Seconds()
	}
	h.at = tl.Now
	v := h.p.steer(&h.m)
	rate := max(0, min(v.rate, h.peak))
	if !v.stop {
		h.stopped = h.over(rate, v.daring)
	}
	h.c.tell(&h.m, v.phase, rate)
	if v.stop || h.stopped != "" {
		h.rate = 0
		return loadgen.Step{Stop: true, Segment: max(len(h.stretches)-1, 0)}
	}
	if v.fresh || v.phase != h.phase || len(h.stretches) == 0 {
		h.stretches = append(h.stretches, stretch{phase: v.phase})
		h.phase = v.phase
	}
	h.rate = rate
	return loadgen.Step{Rate: rate, Segment: len(h.stretches) - 1}
}

// over says which cap the next period could break, or that the SLO is grossly
// breached.
func (h *helm) over(rate float64, daring bool) string {
	c := h.c
	next := uint64(1.5*rate*loadgen.ControlPeriod.Seconds()) + 1
	switch {
	case c.planned+h.m.planned+next > c.cfg.Caps.Requests:
		return stoppedRequests
	case c.bad+h.m.bad() >= c.cfg.Caps.Failed:
		return stoppedFailed
	case !daring && h.breach.gross(&h.m):
		return stoppedBreach
	}
	return ""
}

// tell reports progress.
func (c *campaign) tell(m *meter, phase string, rate float64) {
	if c.cfg.Observe == nil {
		return
	}
	w := m.last(time.Second)
	p := Progress{
		Phase: phase, Elapsed: c.load + m.now(), Total: c.total, Rate: rate,
		InFlight: uint32(m.inFlight()), Answered: w.Answered,
		Planned: c.planned + m.planned, Bad: c.bad + m.bad(),
	}
	if w.Answered > 0 {
		p.Latency = time.Duration(w.LatencySum / float64(w.Answered) * 1e9)
	}
	c.cfg.Observe(p)
}
