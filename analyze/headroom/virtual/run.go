package virtual

import (
	"context"
	"iter"
	"math"
	"math/rand/v2"
	"time"

	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/loadgen"
	"example.com/kneeline/loadgen/target"
)

const never = time.Duration(math.MaxInt64)

// request is one attempt under way.
type request struct {
	planned, sent time.Duration
	segment       int
	depth         int // requests in flight when it was sent
	attempt       int // 0 is the planned request, above it retries
	probe         bool
	classed       bool // its class is settled
	ended         bool
}

// run is one Offer. Its clock starts at 0; zero is where that lies on the
// service's clock.
type run struct {
	v    *Offerer
	o    loadgen.Offer
	rng  *rand.Rand
	zero time.Duration
	now  time.Duration

	step    loadgen.Step
	next    time.Duration // next planned instant
	retries []resend      // in time order
	reqs    []request     // by id - base
	base    uint64        // id of reqs[0]
	soft    int           // reqs before it have met the client's deadline
	hard    int           // reqs before it have met their last deadline

	tl       loadgen.Timeline
	segments []loadgen.Segment
	stepped  time.Duration
	ends     []int // requests that ended, by window
	flight   int   // requests in flight by the events told so far
	settled  int   // windows whose InFlight is final
	standing int   // requests in flight at the end of the last settled window
	retried  outcome.Counts
	recent   []time.Duration
	// trace has the arrivals of a replay, which count from traced on.
	trace   func() (loadgen.Arrival, bool)
	untrace func()
	traced  time.Duration
}

type resend struct {
	at      time.Duration
	attempt int
}

func newRun(v *Offerer, o loadgen.Offer, rng *rand.Rand) *run {
	return &run{v: v, o: o, rng: rng, zero: v.now, base: v.nextID, next: never}
}

func (r *run) deadline(q *request) time.Duration {
	if q.probe {
		return q.planned + r.o.ProbeDeadline
	}
	return q.planned + r.o.Timeout
}

func (r *run) longest() time.Duration {
	if r.o.ProbeShare > 0 {
		return max(r.o.Timeout, r.o.ProbeDeadline)
	}
	return r.o.Timeout
}

// play runs until the pilot stops and everything under way has ended.
func (r *run) play(ctx context.Context, p loadgen.Pilot) error {
	tick := time.Duration(0)
	for {
		at := min(tick, r.nextArrival())
		if r.expireNext() < at {
			at = r.expireNext()
		}
		r.advance(at)
		switch {
		case at == tick:
			if err := ctx.Err(); err != nil {
				r.finish()
				return context.Cause(ctx)
			}
			if r.step.Stop && r.underWay() == 0 {
				r.finish()
				return nil
			}
			if !r.step.Stop {
				r.steer(p)
			}
			tick += loadgen.ControlPeriod
		case at == r.nextArrival():
			r.arrive()
		}
	}
}

func (r *run) underWay() int {
	n := len(r.retries)
	for i := r.hard; i < len(r.reqs); i++ {
		if !r.reqs[i].ended {
			n++
		}
	}
	return n
}

func (r *run) nextArrival() time.Duration {
	if len(r.retries) > 0 {
		return min(r.next, r.retries[0].at)
	}
	return r.next
}

func (r *run) steer(p loadgen.Pilot) {
	r.settle(r.now)
	r.tl.Now = r.now
	r.tl.Final = max(r.now-r.longest(), 0)
	if len(r.segments) > 0 {
		r.segment().Duration += r.now - r.stepped
	}
	old := r.step
	r.step = p.Steer(&r.tl)
	r.stepped = r.now
	if r.step.Stop {
		r.next = never
		return
	}
	r.step.Rate = min(r.step.Rate, r.o.PeakRate)
	for len(r.segments) <= r.step.Segment {
		r.segments = append(r.segments, loadgen.Segment{Start: r.now})
	}
	if r.step.Rate != old.Rate || r.next == never {
		r.plan(r.now)
	}
}

// plan draws the next planned instant after one.
func (r *run) plan(from time.Duration) {
	if r.step.Rate <= 0 {
		r.next = never
		return
	}
	if r.o.Arrivals == loadgen.Replay {
		r.follow(from)
		return
	}
	gap := 1 / r.step.Rate
	if r.o.Arrivals == loadgen.Poisson {
		gap *= r.rng.ExpFloat64()
	}
	r.next = from + max(time.Duration(gap*1e9), 1)
}

// follow takes the next instant of the trace, which began at the first step. The end
// of the trace ends the schedule.
func (r *run) follow(from time.Duration) {
	if r.trace == nil {
		r.trace, r.untrace = iter.Pull(r.o.Trace)
		r.traced = from
	}
	a, ok := r.trace()
	if !ok {
		r.untrace()
		r.segment().Duration += from - r.stepped
		r.stepped, r.next, r.step.Stop = from, never, true
		return
	}
	r.next = max(r.traced+a.At, from)
}

// arrive sends the request that is due now.
func (r *run) arrive() {
	attempt := 0
	if len(r.retries) > 0 && r.retries[0].at <= r.next {
		attempt = r.retries[0].attempt
		r.retries = r.retries[1:]
	} else {
		r.plan(r.now)
	}
	q := request{planned: r.now, sent: r.release(r.now), segment: r.step.Segment, attempt: attempt, depth: r.flight}
	q.probe = attempt == 0 && r.o.ProbeShare > 0 && r.rng.Float64() < r.o.ProbeShare
	id := r.base + uint64(len(r.reqs))
	if attempt == 0 {
		r.window(q.planned).Cohort.Planned++
		r.segments[q.segment].Counts.Planned++
	} else {
		r.retried.Planned++
	}
	if q.sent >= r.deadline(&q) {
		q.ended = true
		r.reqs = append(r.reqs, q)
		r.class(&r.reqs[len(r.reqs)-1], outcome.NeverSent, 0)
		return
	}
	r.reqs = append(r.reqs, q)
	r.window(q.sent).Sent++
	r.flight++
	r.segments[q.segment].SendLag.Record(int64(q.sent - q.planned))
	r.recent = append(r.recent, r.now)
	r.v.Service.Arrive(r.zero+q.sent, id)
}

// release returns when the generator gets to send what is due at an instant.
func (r *run) release(at time.Duration) time.Duration {
	for _, p := range r.v.Pauses {
		if t := r.zero + at; t >= p.At && t < p.At+p.Length {
			return p.At + p.Length - r.zero
		}
	}
	return at
}

// rate is the arrival rate over the last tenth of a second.
func (r *run) rate() float64 {
	const over = 100 * time.Millisecond
	i := 0
	for i < len(r.recent) && r.recent[i] < r.now-over {
		i++
	}
	r.recent = r.recent[i:]
	return float64(len(r.recent)) / over.Seconds()
}

// advance moves the clock and takes in answers and expiries up to an instant.
func (r *run) advance(to time.Duration) {
	r.v.Service.Advance(r.zero+to, func(id uint64, at time.Duration, a target.Answer) {
		if id >= r.base {
			r.answer(&r.reqs[id-r.base], at-r.zero, a)
		}
	})
	r.now = max(r.now, to)
	r.expire()
}
