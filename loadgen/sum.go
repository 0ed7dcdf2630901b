package loadgen

import (
	"fmt"
	"runtime"
	"time"

	"example.com/kneeline/internal/outcome"
)

const (
	// maxLagShare of the timeout is the most that the 99th percentile of the
	// send lag may be before the generator's lateness colours the result.
	maxLagShare = 0.1
	// maxLoopCPU is the share of a processor beyond which an event loop can no
	// longer be trusted to act in time.
	maxLoopCPU = 0.85
	// maxLateShakes is the share of requests that may wait longer than maxLagShare for
	// the generator's own part of a handshake.
	maxLateShakes = 0.01
	// minCPUSpan is the shortest segment whose CPU share is judged.
	minCPUSpan = 500 * time.Millisecond
)

// result sums the loops up. They must be over.
func (r *run) result() *Result {
	r.collect()
	r.timeline.Final = r.timeline.Now
	res := &Result{
		Segments: make([]Segment, len(r.spans)),
		Timeline: r.timeline,
		Limits:   map[string]uint64{},
	}
	if t := r.client.tally.fresh(); t != nil {
		res.Targets = t.targets
	}
	facts := make([]voidFacts, len(r.spans))
	for i := range res.Segments {
		s := &r.spans[i]
		res.Segments[i] = Segment{Start: time.Duration(s.start), Duration: time.Duration(s.length), Causes: map[string]uint64{}}
		facts[i].bound = r.offered.ConnBound()
	}
	for _, l := range r.loops {
		l.mu.Lock()
		for i := range l.acc.segments {
			res.Segments[i].merge(&l.acc.segments[i])
			facts[i].limits += l.acc.limitsIn[i]
			facts[i].waited += l.acc.inTimeHits[i]
			facts[i].lateShakes += l.acc.lateShakes[i]
		}
		res.Retries.Add(l.acc.retries)
		res.Conns += l.opened
		res.ConnsPeak += uint64(l.peak)
		l.acc.places.addTo(res)
		res.Session.merge(&l.session)
		res.Strays += l.acc.strays
		res.Resent += l.acc.resent
		res.Hints.Add(l.acc.hints.Hints)
		if l.acc.tally != nil {
			mergeTargets(res.Targets, l.acc.tally.targets)
		}
		for name, n := range l.acc.limits {
			res.Limits[name] += n
		}
		l.mu.Unlock()
	}
	loops := float64(len(r.loops))
	if wall := float64(r.timeline.Now); wall > 0 {
		res.CPUShare = float64(r.cpu()+r.shakeCPU()) / wall / loops
	}
	for i := range res.Segments {
		s := &r.spans[i]
		if time.Duration(s.length) >= minCPUSpan && r.offered.Arrivals != Closed {
			facts[i].cpu = float64(s.cpu) / float64(s.length) / loops
			facts[i].shakeCPU = float64(s.shakeCPU) / float64(s.length) / float64(max(1, runtime.NumCPU()-len(r.loops)))
		}
		res.Segments[i].Void = res.Segments[i].voidFor(facts[i], r.offered.Timeout)
	}
	return res
}

// merge adds what another loop knows of the same segment.
func (s *Segment) merge(o *Segment) {
	s.Counts.Add(o.Counts)
	for cause, n := range o.Causes {
		s.Causes[cause] += n
	}
	s.RetryAfterSum += o.RetryAfterSum
	s.RetryAfterN += o.RetryAfterN
	s.mergeTrouble(o)
	for i := range s.Latency {
		s.Latency[i].Merge(&o.Latency[i])
	}
	s.Service.Merge(&o.Service)
	s.SendLag.Merge(&o.SendLag)
	s.Probes.Merge(&o.Probes)
	s.ProbesLost += o.ProbesLost
}

// voidFacts is what speaks against a segment apart from its own account.
type voidFacts struct {
	limits, waited uint64
	bound          int
	cpu            float64
	// lateShakes are requests that waited for this machine's part of a handshake.
	lateShakes uint64
	// shakeCPU is the share that handshakes used of the processors which the event
	// loops leave.
	shakeCPU float64
}

// voidFor says why the generator makes a segment worthless, or nothing.
func (s *Segment) voidFor(f voidFacts, timeout time.Duration) string {
	lag := time.Duration(s.SendLag.Quantile(0.99))
	switch {
	case f.limits > 0:
		return fmt.Sprintf("%d requests met a limit of this machine: open files or local ports", f.limits)
	case f.waited > 0:
		return fmt.Sprintf("requests waited for one of %d connections while the service answered in time", f.bound)
	case s.Counts.By[outcome.NeverSent] > 0:
		return fmt.Sprintf("%d requests were not sent by their deadline", s.Counts.By[outcome.NeverSent])
	case lag > time.Duration(maxLagShare*float64(timeout)):
		return fmt.Sprintf("the generator sent late: 99th percentile of the send lag %v, limit %v", lag.Round(10*time.Microsecond), time.Duration(maxLagShare*float64(timeout)))
	case float64(f.lateShakes) > maxLateShakes*float64(s.Counts.Planned):
		return fmt.Sprintf("%d requests waited for the generator's own part of TLS handshakes for over %v", f.lateShakes, time.Duration(maxLagShare*float64(timeout)))
	case f.shakeCPU > maxLoopCPU:
		return fmt.Sprintf("the generator's TLS handshakes used %.0f %% of the processors that its event loops leave, limit %.0f %%", 100*f.shakeCPU, 100*maxLoopCPU)
	case f.cpu > maxLoopCPU:
		return fmt.Sprintf("the generator used %.0f %% of a processor for each event loop, limit %.0f %%", 100*f.cpu, 100*maxLoopCPU)
	}
	return ""
}
