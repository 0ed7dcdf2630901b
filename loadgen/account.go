package loadgen

import (
	"sync/atomic"

	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/outcome"
)

// request is one planned request, or a retry of one, under way.
type request struct {
	planned int64 // ns since the run's start
	// began is when the client put it on a connection or began to open one for
	// it: what lies before is the client's own delay, what comes after is the
	// service's.
	began   int64
	depth   int64   // requests in flight when it was sent, itself included
	rate    float64 // at which it was planned; NaN where the law of arrivals has none
	segment int32
	place   int32 // index of the address it goes to, plus one; 0 for none
	kind    int32 // which of the messages it sends
	attempt uint8 // 0 for a planned request, k for its k-th retry
	resent  uint8 // how often it was sent again without having been processed
	probe   bool  // patient
	sent    bool  // written to a connection, at least in part
	shaking bool  // waits for a TLS handshake
	settled bool  // in the account; a patient probe may wait on
	follows bool  // planned just after a Retry-After hint had run out
}

// account is what one event loop knows of its requests. Its owner locks it.
type account struct {
	timeout    int64
	thresholds []int64
	windows    []Window
	base       int           // windows before this one were trimmed
	open       int           // the window that is filling
	inFlight   int64         // of this loop
	depth      *atomic.Int64 // in flight over all loops
	segments   []Segment
	retries    outcome.Counts
	// inTimeHits counts, by segment, the requests that waited for a connection
	// while the service answered in time.
	inTimeHits []uint64
	limits     map[string]uint64
	limitsIn   []uint64 // by segment: ports and files
	// lateShakes counts, by segment, the requests that waited too long for this
	// machine's part of a TLS handshake.
	lateShakes []uint64
	recent     hist.Hist
	strays     uint64
	resent     uint64
	hints      hintBook
	places     *places // by address
	tally      *tally  // by kind of request; nil where there is one
}

func newAccount(o *Offer, depth *atomic.Int64, t *tally) *account {
	a := &account{
		tally:   t,
		depth:   depth,
		timeout: int64(o.Timeout),
		windows: make([]Window, 1, 4096),
		limits:  map[string]uint64{},
	}
	for _, t := range o.Thresholds {
		a.thresholds = append(a.thresholds, int64(t))
	}
	return a
}

// window returns the window that holds the instant t.
func (a *account) window(t int64) *Window {
	i := int(t / int64(WindowWidth))
	i = max(i-a.base, 0)
	for i >= len(a.windows) {
		a.windows = append(a.windows, Window{})
	}
	return &a.windows[i]
}

// roll closes the windows that ended before t. It must be called before any
// change of the number in flight.
func (a *account) roll(t int64) {
	i := int(t / int64(WindowWidth))
	if i <= a.open {
		return
	}
	a.window(t)
	for ; a.open < i; a.open++ {
		a.windows[a.open-a.base].InFlight = uint32(a.inFlight)
	}
}

// trimWindows is how many windows are trimmed at a time: ten seconds of them.
const trimWindows = 1024

// trim gives up the windows before n, which nothing will change any more and the
// run has taken over, so that a long run has them once.
func (a *account) trim(n int) {
	if n = min(n, a.open) - a.base; n >= trimWindows {
		a.windows = a.windows[:copy(a.windows, a.windows[n:])]
		a.base += n
	}
}

// segment returns the account of segment n, made at its first use.
func (a *account) segment(n int32) *Segment {
	for int(n) >= len(a.segments) {
		a.segments = append(a.segments, Segment{Causes: map[string]uint64{}})
		a.inTimeHits = append(a.inTimeHits, 0)
		a.limitsIn = append(a.limitsIn, 0)
		a.lateShakes = append(a.lateShakes, 0)
	}
	return &a.segments[n]
}

// plan counts a request as planned.
func (a *account) plan(r *request) {
	if r.attempt > 0 {
		a.retries.Planned++
		return
	}
	a.tally.plan(r)
	a.segment(r.segment).Counts.Planned++
	a.window(r.planned).Cohort.Planned++
	r.follows = a.hints.follows(r.planned, r.rate)
}

// neverSent counts a request whose deadline passed before it was begun.
func (a *account) neverSent(r *request) {
	a.plan(r)
	a.class(r, outcome.NeverSent)
}

// class puts a request in its class.
func (a *account) class(r *request, c outcome.Class) {
	r.settled = true
	if r.attempt > 0 {
		a.retries.By[c]++
		return
	}
	a.tally.class(r, c)
	a.places.class(r, c)
	a.segment(r.segment).Counts.By[c]++
	a.window(r.planned).Cohort.By[c]++
	if r.follows {
		a.hints.fared(c)
	}
}

// begin counts a request as taken up by the client at the instant t.
func (a *account) begin(r *request, t int64) {
	r.began = t
	a.plan(r)
	if r.attempt == 0 {
		a.segment(r.segment).SendLag.Record(t - r.planned)
	}
}

// sent counts a request as written at the instant t.
func (a *account) sent(r *request, t int64) {
	a.roll(t)
	r.sent, r.depth = true, a.depth.Add(1)
	a.inFlight++
	if r.resent == 0 {
		a.window(t).Sent++
	}
}

// unsent takes back that a request was sent: the service has not processed it, and
// it will be sent again.
func (a *account) unsent(r *request, t int64) {
	a.leave(r, t)
	r.sent = false
	r.resent++
	a.resent++
}

// leave takes a sent request off those in flight.
func (a *account) leave(r *request, t int64) {
	a.roll(t)
	if r.sent {
		a.inFlight--
		a.depth.Add(-1)
	}
}

// answered counts a complete answer. It returns whether the request's outcome
// was settled by it, and not before.
func (a *account) answered(r *request, t int64, c outcome.Class, cause string, rd *reader) {
	w := a.window(t)
	w.Answered++
	w.LatencySum += float64(t-r.planned) / 1e9
	if c == outcome.Shed {
		w.Refused++
		w.RefusedDepthSum += float64(r.depth)
		w.RefusedDepthSq += float64(r.depth) * float64(r.depth)
	}
	if r.attempt == 0 {
		seg := a.segment(r.segment)
		seg.Service.Record(t - r.began)
		if r.probe && (c == outcome.Full || c == outcome.Degraded) {
			seg.Probes.Record(t - r.planned)
		}
		if c == outcome.Shed && rd.hasRetryAfter {
			seg.RetryAfterSum += float64(rd.retryAfter)
			seg.RetryAfterN++
			a.hints.given(t, rd.retryAfter, r.rate)
		}
	}
	if r.settled {
		return
	}
	if t-r.planned > a.timeout {
		a.expire(r, t, "")
		return
	}
	a.settle(r, t, c, cause)
}

// settle ends a request in a class with a latency.
func (a *account) settle(r *request, t int64, c outcome.Class, cause string) {
	a.leave(r, t)
	if c == outcome.Failed {
		a.window(t).Broken++
	} else {
		a.recent.Record(t - r.planned)
	}
	a.class(r, c)
	a.tally.settle(r, t-r.planned, c, a.thresholds)
	a.late(r, t, c)
	a.places.settle(r, t-r.planned, c, cause)
	if r.attempt > 0 {
		return
	}
	seg := a.segment(r.segment)
	seg.Latency[c].Record(t - r.planned)
	if c == outcome.Failed {
		seg.Causes[cause]++
	}
	seg.noteTrouble(c, cause, t)
}

// late counts an answer against the thresholds.
func (a *account) late(r *request, t int64, c outcome.Class) {
	if c != outcome.Full && c != outcome.Degraded {
		return
	}
	counts := &a.retries
	if r.attempt == 0 {
		counts = &a.segment(r.segment).Counts
	}
	for i, limit := range a.thresholds {
		if t-r.planned <= limit {
			continue
		}
		if c == outcome.Full {
			counts.LateFull[i]++
		} else {
			counts.LateDegraded[i]++
		}
		if r.attempt > 0 {
			continue
		}
		if w := a.window(r.planned); c == outcome.Full {
			w.Cohort.LateFull[i]++
		} else {
			w.Cohort.LateDegraded[i]++
		}
	}
}

// expire ends a request at its deadline: as timed out if it was sent, for want of
// what it waited for if not.
func (a *account) expire(r *request, t int64, unsent string) {
	a.window(t).Expired++
	if r.sent {
		a.settle(r, t, outcome.TimedOut, "")
		return
	}
	a.settle(r, t, outcome.Failed, unsent)
}

// lose counts a patient probe that was not answered by its own deadline.
func (a *account) lose(r *request) {
	if r.attempt == 0 {
		a.segment(r.segment).ProbesLost++
	}
}

// cut ends a request that is under way when the run is ended.
func (a *account) cut(r *request, t int64) {
	a.leave(r, t)
	a.class(r, outcome.InFlight)
}

// limit counts a limit of the generator that a request met.
func (a *account) limit(r *request, name string) {
	a.limits[name]++
	if r.attempt == 0 {
		a.segment(r.segment)
		a.limitsIn[r.segment]++
	}
}

// boundMet counts a request that has to wait for a connection.
func (a *account) boundMet(segment int32, inTime bool) {
	a.limits[LimitConns]++
	if inTime {
		a.segment(segment)
		a.inTimeHits[segment]++
	}
}
