package loadgen

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
)

const (
	// dispatchBatch bounds the requests sent before answers are looked at again.
	dispatchBatch = 128
	// closeWait is how long the service may take to close a connection after
	// its last answer before the client resets it. Waiting leaves the service's
	// logs free of resets and the client's ports free of TIME_WAIT.
	closeWait = int64(1e9)
)

// transport is what an engine does for a loop. Causes are "" when all is well.
type transport interface {
	// open begins to connect c to its address, TLS included. ready says that it is
	// connected already; otherwise the engine calls connected or ended later.
	open(c *conn) (ready bool, cause string)
	// write writes b and returns how much of it was taken, which may be nothing;
	// the engine calls flush when there is room.
	write(c *conn, b []byte) (n int, cause string)
	// shut closes c with a reset.
	shut(c *conn)
}

// loop is one event loop: a part of the schedule, its connections and its
// account. It is the same for every engine, which moves the bytes and calls in.
// Whoever calls a method holds mu.
type loop struct {
	mu    sync.Mutex
	clock clock
	tr    transport
	acc   *account
	sched *schedule
	law   Arrivals

	msgs    []message // what is sent, by kind
	mix     *alias    // how often each
	mixRand *rand.Rand
	rules   *ruleSet
	routes  *routes
	sec     *security // nil without TLS
	session Session   // of the first connection that was made
	mux     *mux      // nil under HTTP/1.1

	timeout, probeWait, retryAfter int64
	probeShare                     float64
	maxRetries                     uint8
	probeRand                      *rand.Rand

	bound     int // most connections at once
	open      int
	peak      int
	opened    uint64
	pool      connPool
	idle      []connList // by lane, most recently used last
	live      connList   // planned requests under way, by planned instant
	again     connList   // retries under way
	patient   connList   // probes past the timeout
	closing   connList
	spares    connList     // handshakes that go on for no request, oldest first
	shaking   []shakeQueue // requests that wait for a handshake, by lane
	shakes    shakes
	shakeCPU  atomic.Int64 // ns used by handshakes
	retryq    retryQueue
	blocked   int64 // planned instant of the last request seen waiting for a connection
	stuck     bool  // the next request waits for a connection
	lastLate  int64 // when a request last missed its deadline
	cancelled bool
}

// turn does what is due at t. It returns when it next has something to do, and
// whether the run is over for this loop.
func (l *loop) turn(t int64) (wake int64, done bool) {
	l.acc.roll(t)
	l.expire(t)
	l.openWaiting(t)
	l.dispatch(t)
	l.flushLinks(t)
	if l.cancelled {
		l.cutAll(t)
		return never, true
	}
	return l.nextWake(t), l.finished(t)
}

func (l *loop) finished(t int64) bool {
	if p, _ := l.sched.peek(t); p < never || !l.sched.done() {
		return false
	}
	if r := l.retryq.peek(); r != nil && r.due > t {
		l.retryq.clear() // the schedule has ended, and retries with it
	}
	return l.retryq.n == 0 && l.live.n == 0 && l.again.n == 0 && l.patient.n == 0
}

// nextWake returns the next instant at which turn has something to do.
func (l *loop) nextWake(t int64) int64 {
	w := l.sched.nextChange(t)
	if c := l.live.head; c != nil {
		w = min(w, c.req.planned+l.timeout)
	}
	if c := l.again.head; c != nil {
		w = min(w, c.req.planned+l.timeout)
	}
	if c := l.patient.head; c != nil {
		w = min(w, c.req.planned+l.probeWait)
	}
	if c := l.closing.head; c != nil {
		w = min(w, c.idle+closeWait)
	}
	if c := l.spares.head; c != nil {
		w = min(w, c.idle+l.timeout)
	}
	p, _ := l.sched.peek(t)
	if r := l.retryq.peek(); r != nil {
		p = min(p, r.due)
	}
	if p < never && l.stuck {
		p += l.timeout // it waits for a connection; look again when it expires
	}
	if l.mux != nil {
		w = min(w, l.mux.nextWake())
	}
	return min(w, p, l.shakes.nextShake())
}

// due returns the next request that is due at t.
func (l *loop) due(t int64) (req request, ok bool) {
	p, segment := l.sched.peek(t)
	if r := l.retryq.peek(); r != nil && r.due <= t && r.due < p {
		return request{planned: r.due, segment: r.segment, attempt: r.attempt, kind: r.kind}, true
	}
	return request{planned: p, segment: segment, rate: l.sched.pace()}, p <= t
}

// take moves past the request that due returned and says of which kind it is.
func (l *loop) take(req *request) {
	if req.attempt > 0 {
		l.retryq.take()
		return
	}
	if req.kind = l.sched.take(); req.kind == AnyKind {
		req.kind = l.mix.draw(l.mixRand)
	}
}

// dispatch begins the requests that are due, as long as there are connections
// for them. What has to wait is the schedule's backlog.
func (l *loop) dispatch(t int64) {
	l.stuck = false
	for range dispatchBatch {
		req, ok := l.due(t)
		if !ok {
			return
		}
		if t-req.planned >= l.timeout {
			l.take(&req)
			l.acc.neverSent(&req)
			continue
		}
		c := l.pick(t)
		if c == nil {
			l.stuck = true
			l.wait(&req, t)
			return
		}
		l.take(&req)
		req.probe = l.probeShare > 0 && req.attempt == 0 && l.probeRand.Float64() < l.probeShare
		l.begin(c, req, t)
		t = l.clock()
	}
}

// wait notes that a request has to wait since the bound on connections is met.
// Under a closed loop that is the rule.
func (l *loop) wait(req *request, t int64) {
	if l.law == Closed || req.planned == l.blocked {
		return
	}
	l.blocked = req.planned
	if l.mux != nil && l.open < l.bound {
		// So it is for clients with as many connections, and no fault of this one.
		l.acc.limits[LimitStreams]++
		return
	}
	inTime := l.lastLate == 0 || t-l.lastLate > l.timeout
	l.acc.boundMet(req.segment, inTime)
}

// flushLinks writes what HTTP/2 has left for the end of a turn.
func (l *loop) flushLinks(t int64) {
	if l.mux != nil {
		l.mux.flush(t)
	}
}

func (l *loop) begin(c *conn, req request, t int64) {
	c.req, c.msg = req, &l.msgs[req.kind]
	c.req.place = int32(c.addr) + 1
	l.acc.begin(&c.req, t)
	if req.attempt == 0 {
		l.live.pushBack(c)
	} else {
		l.again.pushBack(c)
	}
	l.start(c, t)
}

// expire gives up what has passed its deadline at t.
func (l *loop) expire(t int64) {
	for _, list := range [...]*connList{&l.live, &l.again} {
		for c := list.head; c != nil && c.req.planned+l.timeout <= t; c = list.head {
			l.lastLate = t
			if c.req.shaking && l.shakes.own {
				l.acc.shook(&c.req, l.timeout)
			}
			l.acc.expire(&c.req, t, l.unsentCause(c))
			l.tryAgain(&c.req, t)
			c.unlink()
			if c.req.probe && c.req.sent && l.probeWait > l.timeout {
				l.patient.pushBack(c)
				continue
			}
			if c.req.probe {
				l.acc.lose(&c.req)
			}
			if c.sess != nil {
				c.sess.expired(c)
			}
			if c.req.shaking && !c.waits && t-c.born < shakeLimit {
				l.toSpares(c)
				continue
			}
			l.drop(c)
		}
	}
	if l.mux != nil {
		l.mux.expire(t)
	}
	for c := l.patient.head; c != nil && c.req.planned+l.probeWait <= t; c = l.patient.head {
		l.acc.lose(&c.req)
		l.drop(c)
	}
	for c := l.closing.head; c != nil && c.idle+closeWait <= t; c = l.closing.head {
		l.drop(c)
	}
	for c := l.spares.head; c != nil && c.idle+l.timeout <= t; c = l.spares.head {
		l.drop(c)
	}
}

// cutAll ends the loop's part of a run that was cancelled.
func (l *loop) cutAll(t int64) {
	for l.law != Closed {
		req, ok := l.due(t)
		if !ok {
			break
		}
		l.take(&req)
		l.acc.neverSent(&req)
	}
	for _, list := range [...]*connList{&l.live, &l.again} {
		for c := list.head; c != nil; c = list.head {
			l.acc.cut(&c.req, t)
			l.drop(c)
		}
	}
}

// closeAll closes what is left of the connections at the end.
func (l *loop) closeAll() {
	lists := []*connList{&l.live, &l.again, &l.patient, &l.closing, &l.spares}
	for i := range l.idle {
		lists = append(lists, &l.idle[i])
	}
	for _, list := range lists {
		for list.head != nil {
			l.drop(list.head)
		}
	}
	if l.mux != nil {
		l.mux.closeAll()
	}
}

// final is the instant before which every planned request has its outcome.
func (l *loop) final(t int64) int64 {
	f := t
	if p, _ := l.sched.peek(t); p < f {
		f = p
	}
	if c := l.live.head; c != nil && c.req.planned < f {
		f = c.req.planned
	}
	return f
}
