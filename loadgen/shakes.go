package loadgen

import "runtime"

// This file bounds the TLS handshakes that a loop has under way. A handshake costs
// both sides a hundred times what a request does. Where they are slow because a
// processor is short, here or at the service, one for each request that waits would
// only make all of them slower: a thousand in the first second, most given up. Where
// they are slow because the network is long, there is nothing to spare by waiting.

const (
	// shakesPerProcessor is how many handshakes of a process go on at once for each
	// processor when many of them are slow: enough to keep a processor busy, and the
	// service's too.
	shakesPerProcessor = 16
	// shakeSlow is how long a handshake may take beyond three times the fastest one
	// (which tells how long the network is) before it is called slow.
	shakeSlow = int64(50e6)
	// shakeLost is after how much more time it no longer keeps others from beginning:
	// its packets may be lost.
	shakeLost = int64(1e9)
	// shakeSlowPart of those under way must be slow before others have to wait: one in
	// so many.
	shakeSlowPart = 4
)

// shakeStage is how far a handshake is.
type shakeStage uint8

const (
	shakeNone shakeStage = iota
	shakeYoung
	shakeOld  // slow
	shakeGone // no longer counted
)

// shakeAge is a handshake in one of the queues by age.
type shakeAge struct {
	streamRef
	began int64
}

// ageQueue holds handshakes, the oldest first.
type ageQueue struct {
	list []shakeAge
	head int
}

func (q *ageQueue) push(a shakeAge) { q.list = append(q.list, a) }

// front returns the oldest that is at a stage, past those that are not any more.
func (q *ageQueue) front(at shakeStage) *shakeAge {
	for ; q.head < len(q.list); q.head++ {
		if a := &q.list[q.head]; a.alive() && a.c.stage == at {
			if q.head > 64 && q.head > len(q.list)/2 {
				q.list = q.list[:copy(q.list, q.list[q.head:])]
				q.head = 0
			}
			return &q.list[q.head]
		}
	}
	q.list, q.head = q.list[:0], 0
	return nil
}

// shakes are the handshakes of a loop.
type shakes struct {
	most       int // when many are slow; 0 sets no bound
	under      int // way
	slow       int // of those under way
	young, old ageQueue
	fastest    int64 // with connecting; until there is one, of connecting alone
	one        bool  // there was one
	waiting    shakeQueue
	held       int // conns that wait to be opened
	// own says that most of the time of the last one was this machine's.
	own bool
}

// mostShakes is the bound of one of several loops.
func mostShakes(loops int) int {
	return max(4, shakesPerProcessor*runtime.NumCPU()/max(1, loops))
}

// limit is the age at which a handshake is slow.
func (s *shakes) limit() int64 { return shakeSlow + 3*s.fastest }

// began is called when the connection of c stands and its handshake begins.
func (s *shakes) began(c *conn, t int64) {
	if c.link || s.most == 0 {
		return
	}
	if took := t - c.born; !s.one && (s.fastest == 0 || took < s.fastest) {
		s.fastest = took
	}
	c.stage = shakeYoung
	s.under++
	s.young.push(shakeAge{streamRef{c, c.gen}, t})
}

// over is called when the handshake of c has ended, if it had one; done says that it
// succeeded.
func (s *shakes) over(c *conn, t int64, done bool) {
	switch c.stage {
	case shakeNone:
		return
	case shakeOld:
		s.slow--
		s.under--
	case shakeYoung:
		s.under--
	}
	c.stage = shakeNone
	if took := t - c.born; done && (!s.one || took < s.fastest) {
		s.fastest, s.one = took, true
	}
}

// age moves handshakes on that have become slow, or are lost.
func (s *shakes) age(t int64) {
	limit := s.limit()
	for a := s.young.front(shakeYoung); a != nil && a.began+limit <= t; a = s.young.front(shakeYoung) {
		a.c.stage = shakeOld
		s.slow++
		s.old.push(*a)
	}
	for a := s.old.front(shakeOld); a != nil && a.began+limit+shakeLost <= t; a = s.old.front(shakeOld) {
		a.c.stage = shakeGone
		s.slow--
		s.under--
	}
}

// full reports whether another handshake would make those under way slower.
func (s *shakes) full(t int64) bool {
	if s.most == 0 || s.under < s.most {
		return false
	}
	s.age(t)
	return s.under >= s.most && s.slow*shakeSlowPart >= s.under
}

// waitToShake lets the request of c wait until a connection is free, or another one
// may be opened.
func (l *loop) waitToShake(c *conn) {
	c.state, c.waits, c.req.shaking = connConnecting, true, true
	l.shakes.waiting.push(c)
	l.shakes.held++
	l.acc.limits[LimitShakes]++
}

// openWaiting opens connections for the requests that wait to.
func (l *loop) openWaiting(t int64) {
	s := &l.shakes
	if s.held == 0 {
		return
	}
	s.age(t)
	for s.under < s.most {
		c := s.waiting.take()
		if c == nil {
			return
		}
		if s.letGo(c) {
			c.req.shaking, c.tried = false, 1
			l.connect(c, t)
		}
	}
}

// letGo takes c off those that wait to be opened and reports whether it was one.
func (s *shakes) letGo(c *conn) bool {
	if !c.waits {
		return false
	}
	c.waits = false
	s.held--
	return true
}

// nextShake is when openWaiting has something to do though nothing happens.
func (s *shakes) nextShake() int64 {
	if s.held == 0 {
		return never
	}
	w := int64(never)
	if a := s.young.front(shakeYoung); a != nil {
		w = a.began + s.limit()
	}
	if a := s.old.front(shakeOld); a != nil {
		w = min(w, a.began+s.limit()+shakeLost)
	}
	return w
}

// shook takes how long a handshake took, and own, the part of that in which it did not
// wait for the service.
func (l *loop) shook(c *conn, own, took int64) {
	l.shakes.own = 2*own > took
	if !c.link && !c.spare && c.msg != nil {
		l.acc.shook(&c.req, own)
	}
}

// shook counts a request that waited for the generator's own part of a handshake as
// long as makes a measurement void.
func (a *account) shook(r *request, own int64) {
	if r.attempt == 0 && !r.settled && float64(own) > maxLagShare*float64(a.timeout) {
		a.segment(r.segment)
		a.lateShakes[r.segment]++
	}
}
