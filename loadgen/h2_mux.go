package loadgen

// This file spreads the requests of one loop over its HTTP/2 connections. To the
// loop every request has a conn of its own, as under HTTP/1.1; here that is one
// stream of a session, and the session's own conn is the link that the engine
// moves bytes on.

const (
	// assumedStreams is how many requests wait for a connection whose service has
	// not said yet how many it takes.
	assumedStreams = 100
	// maxLinkOut bounds the bytes that wait to be written before a connection
	// takes no more requests.
	maxLinkOut = 1 << 20
)

// streamRef is a request's conn as it was.
type streamRef struct {
	c   *conn
	gen uint32
}

func (r streamRef) alive() bool { return r.c.gen == r.gen }

// mux is the HTTP/2 side of one loop.
type mux struct {
	l *loop
	// byLane are the sessions that take requests, by group of addresses.
	byLane [][]*session
	// all are the sessions whose connection is not closed.
	all   []*session
	fixed int // connections to each lane; 0 opens them as they are needed
	dirty []*session
	// resting are sessions that take no more requests and have none left.
	resting []*session
}

func newMux(l *loop, fixed int) *mux {
	return &mux{l: l, fixed: fixed, byLane: make([][]*session, l.routes.lanes())}
}

// pick returns a conn for the next request, bound to a session with room for it,
// or nil.
func (m *mux) pick(t int64) *conn {
	l := m.l
	if l.open >= l.bound {
		return nil
	}
	s := m.choose(l.routes.take(), t)
	if s == nil {
		return nil
	}
	l.open++
	c := l.pool.get()
	c.addr, c.sess, c.reused = s.addr, s, s.ready
	s.queued++
	return c
}

// choose returns the session of an address that has the fewest requests on it,
// or a new one: until there are as many as asked for, or else when all are full.
func (m *mux) choose(addr int, t int64) *session {
	lane := m.l.routes.lane(addr)
	var best *session
	for _, s := range m.byLane[lane] {
		if s.ready && s.peerStreams == 0 {
			return nil // another connection would change nothing
		}
		if s.room() > 0 && (best == nil || s.load() < best.load()) {
			best = s
		}
	}
	n := len(m.byLane[lane])
	switch {
	case m.fixed > 0 && n < m.fixed, m.fixed == 0 && best == nil:
		if len(m.all) < m.l.bound {
			return m.open(addr, t)
		}
	}
	return best
}

// open makes a session. Its connection is opened when the first request starts.
func (m *mux) open(addr int, t int64) *session {
	l := m.l
	s := newSession(m, addr, t)
	s.c = l.pool.get()
	s.c.addr, s.c.sess, s.c.link = addr, s, true
	m.all = append(m.all, s)
	lane := l.routes.lane(addr)
	m.byLane[lane] = append(m.byLane[lane], s)
	l.peak = max(l.peak, len(m.all))
	return s
}

// start puts the request of c on its session.
func (m *mux) start(c *conn, t int64) {
	c.state = connConnecting
	s := c.sess
	if s.ready && !s.full() {
		s.queued--
		s.send(c, t)
		return
	}
	s.waiting = append(s.waiting, streamRef{c, c.gen})
	if s.c.state == connFree {
		s.connect(t)
	}
}

// leastLoaded returns the session of a lane with the fewest requests, full or not,
// or nil where the service allows none.
func (m *mux) leastLoaded(lane int) *session {
	var best *session
	for _, s := range m.byLane[lane] {
		if s.peerStreams > 0 && (best == nil || s.load() < best.load()) {
			best = s
		}
	}
	return best
}

// again gives a request that the service has not seen, or not processed, to
// another session.
func (m *mux) again(c *conn, t int64) {
	if t-c.req.planned >= m.l.timeout && c.req.attempt == 0 && !c.req.settled {
		return // it is about to expire
	}
	s := m.choose(c.addr, t)
	if s == nil && m.fixed > 0 {
		s = m.leastLoaded(m.l.routes.lane(c.addr))
	}
	if s == nil {
		m.l.fail(c, t, CauseNoStream)
		return
	}
	s.queued++
	c.sess, c.addr = s, s.addr
	c.req.place = int32(s.addr) + 1
	m.start(c, t)
}

// retire takes a session off those that take requests.
func (m *mux) retire(s *session) {
	if s.leaving {
		return
	}
	s.leaving = true
	lane := m.l.routes.lane(s.addr)
	m.byLane[lane] = without(m.byLane[lane], s)
}

// close ends a session's connection. It must have no requests any more.
func (m *mux) close(s *session) {
	if s.closed {
		return
	}
	m.retire(s)
	s.closed = true
	m.all = without(m.all, s)
	m.l.tr.shut(s.c)
	m.l.pool.put(s.c)
}

func (m *mux) closeAll() {
	for len(m.all) > 0 {
		m.close(m.all[len(m.all)-1])
	}
}

// without returns list less s, in its own memory.
func without(list []*session, s *session) []*session {
	for i := range list {
		if list[i] == s {
			return append(list[:i], list[i+1:]...)
		}
	}
	return list
}

// expire gives up connections that did not come about within the timeout: the
// service may be back behind another one.
func (m *mux) expire(t int64) {
	for i := 0; i < len(m.all); {
		s := m.all[i]
		if s.ready || s.began+m.l.timeout > t || s.c.state == connFree {
			i++
			continue
		}
		s.abandon(t)
		i = 0
	}
}

// nextWake is when expire next has something to do.
func (m *mux) nextWake() int64 {
	w := int64(never)
	for _, s := range m.all {
		if !s.ready && s.c.state != connFree {
			w = min(w, s.began+m.l.timeout)
		}
	}
	return w
}

// flush writes what the turn has left to be written.
func (m *mux) flush(t int64) {
	for i := 0; i < len(m.dirty); i++ {
		s := m.dirty[i]
		s.dirty = false
		s.drain(t)
		s.flush(t)
	}
	m.dirty = m.dirty[:0]
	for _, s := range m.resting {
		if s.load() == 0 {
			m.close(s)
		}
	}
	m.resting = m.resting[:0]
}
