package loadgen

// This file finds the connection for a request of HTTP/1.1.

// pick returns a connection for the next request: of those to its address the one
// most recently used, or a new one that is still to be opened, or nil.
func (l *loop) pick(t int64) *conn {
	if l.mux != nil {
		return l.mux.pick(t)
	}
	addr := l.routes.take()
	idle := &l.idle[l.routes.lane(addr)]
	if idle.n == 0 && l.law == Closed {
		idle = l.longestIdle() // a closed loop has no turns to keep
	}
	if c := idle.tail; c != nil {
		c.unlink()
		return c
	}
	if c := l.takeSpare(l.routes.lane(addr)); c != nil {
		return c
	}
	if l.open >= l.bound && !l.makeRoom() {
		return nil
	}
	l.open++
	c := l.pool.get()
	c.addr = addr
	return c
}

// makeRoom closes a connection that no request is on, if there is one.
func (l *loop) makeRoom() bool {
	if l.closing.n > 0 {
		l.drop(l.closing.head)
		return true
	}
	if c := l.longestIdle().head; c != nil {
		l.drop(c)
		return true
	}
	if c := l.spares.head; c != nil {
		l.drop(c)
		return true
	}
	return false
}

// longestIdle returns the longest list of idle connections.
func (l *loop) longestIdle() *connList {
	longest := &l.idle[0]
	for i := range l.idle {
		if l.idle[i].n > longest.n {
			longest = &l.idle[i]
		}
	}
	return longest
}
