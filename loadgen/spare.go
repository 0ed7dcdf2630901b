package loadgen

// A TLS handshake takes long beside a request, and a client that has a pool of
// connections does not tie a request to the one that it opens for it: whichever is
// ready first carries it. Otherwise a pause of the machine would end in a storm of
// handshakes, each of which is given up with its request. What is opened and not
// needed any more is a spare: it goes on and joins the pool.

// shakeLimit is how long a handshake may outlive the request that began it: what is
// half done is worth more than what would be begun in its place.
const shakeLimit = int64(10e9)

// shakeQueue holds requests that wait for a handshake, oldest first.
type shakeQueue struct {
	refs []streamRef
	head int
}

func (q *shakeQueue) push(c *conn) { q.refs = append(q.refs, streamRef{c, c.gen}) }

// take returns the oldest conn whose request still waits, or nil.
func (q *shakeQueue) take() *conn {
	for q.head < len(q.refs) {
		r := q.refs[q.head]
		q.head++
		if q.head > 64 && q.head > len(q.refs)/2 {
			q.refs = q.refs[:copy(q.refs, q.refs[q.head:])]
			q.head = 0
		}
		if r.alive() && r.c.state == connConnecting && !r.c.spare {
			return r.c
		}
	}
	q.refs, q.head = q.refs[:0], 0
	return nil
}

// awaits notes that the request of c waits for a handshake.
func (l *loop) awaits(c *conn) {
	if l.sec != nil {
		l.shaking[l.routes.lane(c.addr)].push(c)
	}
}

// ready puts a connection that no request is on to use: for the oldest request that
// waits for a handshake, or in the pool. A service that closes each connection
// after its first answer without saying so would cost a request that is handed over
// at once its outcome: sure says that this one does not.
func (l *loop) ready(c *conn, t int64, sure bool) {
	c.state, c.reused = connIdle, true
	lane := l.routes.lane(c.addr)
	if l.sec != nil && sure {
		if w := l.shaking[lane].take(); w != nil {
			l.handOver(w, c)
			l.start(c, t)
			return
		}
	}
	l.idle[lane].pushBack(c)
}

// handOver gives the request of w, which waits for a handshake, to c. w becomes a
// spare, or goes where it was not opened yet.
func (l *loop) handOver(w, c *conn) {
	if l.shakes.own {
		l.acc.shook(&w.req, l.clock()-w.req.began)
	}
	c.req, c.msg = w.req, w.msg
	c.req.shaking = false
	c.req.place = int32(c.addr) + 1
	w.list.replace(w, c)
	if w.waits {
		l.drop(w)
		return
	}
	l.toSpares(w)
}

// toSpares lets the handshake of c go on without a request. c is on no list.
func (l *loop) toSpares(c *conn) {
	c.req, c.msg, c.spare = request{}, nil, true
	c.idle = l.clock()
	l.spares.pushBack(c)
}

// takeSpare returns a spare of a lane for the next request, or nil.
func (l *loop) takeSpare(lane int) *conn {
	for c := l.spares.head; c != nil; c = c.next {
		if l.routes.lane(c.addr) == lane {
			c.unlink()
			c.spare = false
			return c
		}
	}
	return nil
}

// replace puts c where w is in the list.
func (l *connList) replace(w, c *conn) {
	c.list, c.prev, c.next = l, w.prev, w.next
	if c.prev != nil {
		c.prev.next = c
	} else {
		l.head = c
	}
	if c.next != nil {
		c.next.prev = c
	} else {
		l.tail = c
	}
	w.list, w.prev, w.next = nil, nil, nil
}
