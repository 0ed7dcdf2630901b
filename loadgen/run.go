package loadgen

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// engine is how the loops of a run are moved: one goroutine a loop that runs
// until the loop is over.
type engine interface {
	// run moves the loop until it is over, then closes its connections.
	run()
	// wake makes the loop look at its schedule again.
	wake()
	// ownsThread says that the loop waits in system calls on a thread of its own.
	ownsThread() bool
	// cpu is the CPU time the loop has used, 0 when it cannot be told.
	cpu() time.Duration
	// release frees what run did not: it is called after run has returned, or in
	// its place.
	release()
}

// run is one Offer under way.
type run struct {
	client  *Client
	offered *Offer
	pilot   Pilot
	clock   clock
	loops   []*loop
	engines []engine
	depth   atomic.Int64
	feed    *feed // nil but for a replay
	threads int   // loops that hold a thread of their own

	timeline Timeline
	merged   int // windows before this index are final in timeline
	rate     float64
	segment  int
	since    int64 // when the present step took effect
	started  bool
	spans    []span
	second   recentSecond
}

// span is when a segment's steps were in force, and what they cost.
type span struct {
	start, length int64
	cpu, shakeCPU time.Duration
}

func newRun(c *Client, o *Offer, p Pilot, v Version) (*run, error) {
	r := &run{client: c, offered: o, pilot: p, segment: -1}
	n := c.loops(o)
	if o.Arrivals == Replay {
		r.feed = newFeed(o.Trace, n)
	}
	r.clock = startClock()
	for i := range n {
		l := r.newLoop(i, n, v)
		e, err := newEngine(l, c.opts.ForceGoroutineEngine)
		if err != nil {
			for _, e := range r.engines {
				e.release()
			}
			r.feed.close()
			return nil, err
		}
		if e.ownsThread() {
			r.threads++
		}
		r.loops = append(r.loops, l)
		r.engines = append(r.engines, e)
	}
	return r, nil
}

func (r *run) newLoop(i, n int, v Version) *loop {
	c, o := r.client, r.offered
	gaps := rand.New(rand.NewPCG(o.Seed, uint64(2*i)))
	l := &loop{
		clock:      r.clock,
		acc:        newAccount(o, &r.depth, c.tally.fresh()),
		sched:      newSchedule(o.Arrivals, gaps, float64(i)/float64(n)).followTrace(r.feed.queue(i)),
		law:        o.Arrivals,
		msgs:       c.msgs,
		mix:        c.mix,
		mixRand:    rand.New(rand.NewPCG(o.Seed, 1<<32+uint64(i))),
		rules:      c.rules,
		routes:     newRoutes(c.addrs, c.spread, i),
		sec:        c.secured(v),
		timeout:    int64(o.Timeout),
		probeWait:  int64(max(o.ProbeDeadline, o.Timeout)),
		retryAfter: int64(o.RetryAfter),
		probeShare: o.ProbeShare,
		maxRetries: uint8(o.Retries),
		probeRand:  rand.New(rand.NewPCG(o.Seed, uint64(2*i+1))),
		bound:      (o.ConnBound() + n - 1 - i) / n,
		blocked:    -1,
	}
	l.acc.places = newPlaces(c.addrs)
	l.session.Protocol = "HTTP/1.1"
	l.idle = make([]connList, l.routes.lanes())
	l.shaking = make([]shakeQueue, l.routes.lanes())
	l.shakes.most = mostShakes(n)
	if v == Version2 || v == VersionH2C {
		l.mux = newMux(l, c.opts.H2Conns)
		l.session.Protocol = "HTTP/2"
	}
	return l
}

// offer runs the loops and steers them until they are over.
func (r *run) offer(ctx context.Context) (*Result, error) {
	defer borrowProcs(r.threads)()
	over := make(chan struct{})
	var wg sync.WaitGroup
	for _, e := range r.engines {
		wg.Go(e.run)
	}
	go func() { wg.Wait(); close(over) }()
	err := r.steer(ctx, over)
	<-over
	r.feed.close()
	res := r.result()
	for _, e := range r.engines {
		e.release()
	}
	return res, err
}

// steer asks the pilot for steps until it stops, then waits for the loops.
func (r *run) steer(ctx context.Context, over <-chan struct{}) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	nextStep, nextTick := int64(0), int64(TickPeriod)
	stopped := false
	for {
		now := r.clock()
		if !stopped && now >= nextStep {
			step, err := r.ask()
			if err != nil {
				r.end(true)
				return err
			}
			if stopped = step.Stop; stopped {
				r.end(false)
			} else {
				r.apply(step)
			}
			nextStep = after(nextStep, now, int64(ControlPeriod))
		}
		if now >= nextTick {
			r.tick()
			nextTick = after(nextTick, now, int64(TickPeriod))
		}
		wake := nextTick
		if !stopped {
			wake = min(wake, nextStep)
		}
		timer.Reset(time.Duration(wake - r.clock()))
		select {
		case <-over:
			// Without the pilot's stop it was the trace that ended.
			r.charge(r.clock())
			return nil
		case <-ctx.Done():
			r.end(true)
			return context.Cause(ctx)
		case <-timer.C:
		}
	}
}

// after returns the first multiple of period from next on that lies after now,
// so that a late control goroutine does not ask twice in a row.
func after(next, now, period int64) int64 {
	return next + max(1, (now-next)/period+1)*period
}

// ask gets the pilot's next step and checks it.
func (r *run) ask() (Step, error) {
	r.collect()
	step := r.pilot.Steer(&r.timeline)
	switch {
	case step.Stop:
	case math.IsNaN(step.Rate) || step.Rate < 0:
		return step, fmt.Errorf("the pilot asked for a rate of %v", step.Rate)
	case step.Segment < 0 || step.Segment > len(r.spans):
		return step, fmt.Errorf("the pilot went from segment %d to %d; expected at most %d", r.segment, step.Segment, len(r.spans))
	}
	step.Rate = min(step.Rate, r.offered.PeakRate)
	return step, nil
}

// apply puts a step in force on all loops.
func (r *run) apply(step Step) {
	if r.started && step.Rate == r.rate && step.Segment == r.segment {
		return
	}
	share := step.Rate / float64(len(r.loops))
	at := r.post(func(at int64) change {
		return change{at: at, rate: share, segment: int32(step.Segment)}
	})
	r.charge(at)
	if step.Segment == len(r.spans) {
		r.spans = append(r.spans, span{start: at})
	}
	r.spans[step.Segment].cpu -= r.cpu()
	r.spans[step.Segment].shakeCPU -= r.shakeCPU()
	r.rate, r.segment, r.since, r.started = step.Rate, step.Segment, at, true
}

// charge adds the time since the last step to its segment.
func (r *run) charge(at int64) {
	if !r.started {
		return
	}
	s := &r.spans[r.segment]
	s.length += at - r.since
	s.cpu += r.cpu()
	s.shakeCPU += r.shakeCPU()
	r.started = false
}

// end ends the schedule; cut also ends the requests under way.
func (r *run) end(cut bool) {
	at := r.post(func(at int64) change {
		return change{at: at, segment: int32(max(r.segment, 0)), end: true}
	})
	r.charge(at)
	r.rate = 0
	if !cut {
		return
	}
	for i, l := range r.loops {
		l.mu.Lock()
		l.cancelled = true
		l.mu.Unlock()
		r.engines[i].wake()
	}
}

// post sends a change to every loop and returns its instant. The instant is
// read under the loop's lock: the loop cannot have planned beyond it.
func (r *run) post(make func(at int64) change) int64 {
	first := int64(never)
	for i, l := range r.loops {
		l.mu.Lock()
		at := l.clock()
		l.sched.post(make(at))
		l.mu.Unlock()
		r.engines[i].wake()
		first = min(first, at)
	}
	return first
}

func (r *run) cpu() time.Duration {
	var sum time.Duration
	for _, e := range r.engines {
		sum += e.cpu()
	}
	return sum
}

// shakeCPU is what the handshakes of all loops have used.
func (r *run) shakeCPU() time.Duration {
	var sum int64
	for _, l := range r.loops {
		sum += l.shakeCPU.Load()
	}
	return time.Duration(sum)
}

// tick shows the run to the caller.
func (r *run) tick() {
	if r.client.opts.OnTick == nil {
		return
	}
	s := Snapshot{Rate: r.rate, Segment: max(r.segment, 0)}
	slot := r.second.turn()
	for _, l := range r.loops {
		l.mu.Lock()
		t := l.clock()
		s.Now = time.Duration(t)
		slot.Merge(&l.acc.recent)
		l.acc.recent.Reset()
		for i := range l.acc.segments {
			s.Counts.Add(l.acc.segments[i].Counts)
		}
		if p, _ := l.sched.peek(t); p < t {
			s.Backlog = max(s.Backlog, time.Duration(t-p))
		}
		s.Conns += l.conns()
		l.mu.Unlock()
	}
	h := r.second.total()
	s.P50, s.P99 = time.Duration(h.Quantile(0.5)), time.Duration(h.Quantile(0.99))
	r.client.opts.OnTick(s)
}
