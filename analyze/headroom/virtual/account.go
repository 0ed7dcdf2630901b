package virtual

import (
	"time"

	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/loadgen"
	"example.com/kneeline/loadgen/target"
)

// window returns the window of an instant, made if need be.
func (r *run) window(at time.Duration) *loadgen.Window {
	i := int(at / loadgen.WindowWidth)
	for len(r.tl.Windows) <= i {
		r.tl.Windows = append(r.tl.Windows, loadgen.Window{})
		r.ends = append(r.ends, 0)
	}
	return &r.tl.Windows[i]
}

func (r *run) segment() *loadgen.Segment { return &r.segments[r.step.Segment] }

// answer takes in an answer that left the service at an instant.
func (r *run) answer(q *request, at time.Duration, a target.Answer) {
	if q.ended {
		return
	}
	at += r.v.NetMin + time.Duration(r.rng.Float64()*float64(r.v.NetMax-r.v.NetMin))
	if at > r.deadline(q) {
		return // the client left while the answer was on its way
	}
	r.end(q, at)
	w := r.window(at)
	took := at - q.planned
	w.Answered++
	w.LatencySum += took.Seconds()
	s := &r.segments[q.segment]
	s.Service.Record(int64(at - q.sent))
	if q.probe {
		s.Probes.Record(int64(took))
	}
	class := classOf(a)
	if class != outcome.Shed && r.v.Fail != nil && r.v.Fail(r.rate(), r.rng.Float64()) {
		class = outcome.Failed
	}
	switch class {
	case outcome.Shed:
		w.Refused++
		w.RefusedDepthSum += float64(q.depth)
		w.RefusedDepthSq += float64(q.depth) * float64(q.depth)
		if a.RetryAfter > 0 && !q.classed {
			s.RetryAfterSum += a.RetryAfter.Seconds()
			s.RetryAfterN++
		}
	case outcome.Failed:
		w.Broken++
		if s.Causes == nil {
			s.Causes = map[string]uint64{}
		}
		s.Causes["status 500"]++
	}
	if took > r.o.Timeout {
		class = outcome.TimedOut
	}
	r.class(q, class, took)
}

func classOf(a target.Answer) outcome.Class {
	switch {
	case a.Status == 429 || a.Status == 503:
		return outcome.Shed
	case a.Status >= 400:
		return outcome.Failed
	case a.Kind == target.Degraded:
		return outcome.Degraded
	}
	return outcome.Full
}

// class settles what became of a request, once.
func (r *run) class(q *request, c outcome.Class, took time.Duration) {
	if q.classed {
		return
	}
	q.classed = true
	if q.attempt < r.o.Retries && (c == outcome.Shed || c == outcome.Failed || c == outcome.TimedOut) && !r.step.Stop {
		r.resend(r.now+r.o.RetryAfter, q.attempt+1)
	}
	if q.attempt > 0 {
		r.retried.By[c]++
		return
	}
	w, s := &r.window(q.planned).Cohort, &r.segments[q.segment]
	w.By[c]++
	s.Counts.By[c]++
	for i, limit := range r.o.Thresholds {
		if took <= limit {
			continue
		}
		switch c {
		case outcome.Full:
			w.LateFull[i]++
			s.Counts.LateFull[i]++
		case outcome.Degraded:
			w.LateDegraded[i]++
			s.Counts.LateDegraded[i]++
		}
	}
	if took > 0 && c != outcome.TimedOut {
		s.Latency[c].Record(int64(took))
	}
}

// resend keeps the retries in time order; they come nearly so.
func (r *run) resend(at time.Duration, attempt int) {
	i := len(r.retries)
	for i > 0 && r.retries[i-1].at > at {
		i--
	}
	r.retries = append(r.retries, resend{})
	copy(r.retries[i+1:], r.retries[i:])
	r.retries[i] = resend{at, attempt}
}

// end takes a request out of flight at an instant.
func (r *run) end(q *request, at time.Duration) {
	q.ended = true
	r.flight--
	r.window(at)
	r.ends[int(at/loadgen.WindowWidth)]++
}

// expireNext returns the next instant at which a client leaves or a request
// becomes one that timed out.
func (r *run) expireNext() time.Duration {
	at := never
	if r.soft < len(r.reqs) {
		at = r.reqs[r.soft].planned + r.o.Timeout
	}
	if r.hard < len(r.reqs) {
		at = min(at, r.reqs[r.hard].planned+r.longest())
	}
	return at
}

// expire settles the requests whose deadlines have passed. Planned instants do
// not decrease, so each deadline is a pointer that moves on.
func (r *run) expire() {
	for ; r.soft < len(r.reqs); r.soft++ {
		q := &r.reqs[r.soft]
		if q.planned+r.o.Timeout > r.now {
			break
		}
		if q.ended {
			continue
		}
		r.class(q, outcome.TimedOut, 0)
		if !q.probe {
			r.giveUp(r.soft)
		}
	}
	for ; r.hard < r.soft; r.hard++ {
		q := &r.reqs[r.hard]
		if q.planned+r.longest() > r.now {
			break
		}
		if q.probe && !q.ended {
			r.segments[q.segment].ProbesLost++
			r.giveUp(r.hard)
		}
	}
}

func (r *run) giveUp(i int) {
	q := &r.reqs[i]
	r.end(q, r.now)
	r.window(r.now).Expired++
	r.v.Service.Leave(r.base + uint64(i))
}

// settle fills in the requests in flight at the end of each window before an
// instant.
func (r *run) settle(to time.Duration) {
	r.window(to)
	for ; r.settled < int(to/loadgen.WindowWidth); r.settled++ {
		w := &r.tl.Windows[r.settled]
		r.standing += int(w.Sent) - r.ends[r.settled]
		w.InFlight = uint32(max(r.standing, 0))
	}
}

// finish accounts for what is still under way.
func (r *run) finish() {
	for i := range r.reqs {
		if q := &r.reqs[i]; !q.classed {
			r.class(q, outcome.InFlight, 0)
		}
	}
	r.settle(r.now)
	r.tl.Now, r.tl.Final = r.now, r.now
	if !r.step.Stop && len(r.segments) > 0 {
		r.segment().Duration += r.now - r.stepped
	}
}

// result returns the account; a segment is void when the generator sent late.
func (r *run) result() *loadgen.Result {
	tight := r.o.Timeout
	for _, t := range r.o.Thresholds {
		tight = min(tight, t)
	}
	for i := range r.segments {
		s := &r.segments[i]
		switch {
		case s.Counts.By[outcome.NeverSent] > 0:
			s.Void = "requests were never sent: the generator was stalled"
		case time.Duration(s.SendLag.Quantile(0.99)) > tight/10:
			s.Void = "send lag p99 over a tenth of the tightest limit"
		}
	}
	return &loadgen.Result{Segments: r.segments, Timeline: r.tl, Retries: r.retried}
}
