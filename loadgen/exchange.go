package loadgen

import "example.com/kneeline/internal/outcome"

// This file is one request's way over one connection: connecting, writing,
// reading the answer, and every way in which that can end.

// start puts the request that c carries on its way.
func (l *loop) start(c *conn, t int64) {
	c.out = 0
	c.rd.head, c.rd.rules = c.msg.headOnly, l.rules
	c.rd.reset()
	if l.mux != nil {
		l.mux.start(c, t)
		return
	}
	switch c.state {
	case connIdle:
		c.state = connBusy
		l.write(c, t)
		return
	case connConnecting: // it was a spare
		c.req.shaking = true
		l.awaits(c)
		return
	}
	l.awaits(c)
	if l.sec != nil && l.shakes.full(t) {
		l.waitToShake(c)
		return
	}
	c.tried = 1
	l.connect(c, t)
}

func (l *loop) connect(c *conn, t int64) {
	l.noteOpen(c.addr, t)
	c.born = t
	c.state = connConnecting
	l.peak = max(l.peak, l.conns())
	ready, cause := l.tr.open(c)
	switch {
	case cause != "":
		l.connectFailed(c, t, cause)
	case ready:
		l.connected(c, t)
	}
}

// connected is called when c has been connected.
func (l *loop) connected(c *conn, t int64) {
	if c.link {
		c.sess.connected(t)
		return
	}
	l.shakes.over(c, t, true)
	l.routes.took(c.addr)
	if c.spare {
		c.unlink()
		c.spare = false
		l.ready(c, t, true)
		return
	}
	c.req.shaking = false
	c.state = connBusy
	l.write(c, t)
}

// noteOpen counts a connection that is opened.
func (l *loop) noteOpen(addr int, t int64) {
	l.opened++
	l.acc.places.opened(addr, t)
}

// connectFailed goes on to the host's next address when this one does not
// answer; a host that listens on one family only is not a failure.
func (l *loop) connectFailed(c *conn, t int64, cause string) {
	if c.spare {
		l.drop(c) // no request waits for it
		return
	}
	if addr, ok := l.routes.instead(c.addr, c.tried, cause); ok {
		l.shakes.over(c, t, false)
		l.tr.shut(c)
		c.gen++
		c.tried++
		c.addr = addr
		c.req.place = int32(addr) + 1
		l.connect(c, t)
		return
	}
	cause = l.connectCause(cause)
	if cause == LimitFiles || cause == LimitPorts {
		l.acc.limit(&c.req, cause)
	}
	l.fail(c, t, cause)
}

// connectCause names the end of a connection that did not come about.
func (l *loop) connectCause(cause string) string {
	switch {
	case cause == LimitPorts && !l.routes.known():
		return CauseUnreachable // the family is switched off: no port would help
	case cause == "", cause == CauseNoNotify:
		return CauseNoAnswer
	}
	return cause
}

// unsentCause names what a request waits for of which nothing is written.
func (l *loop) unsentCause(c *conn) string {
	link := c
	if s := c.sess; s != nil {
		switch link = s.c; {
		case s.ready:
			return CauseNoStream
		case link.state == connBusy:
			return CauseNoSettings
		}
	}
	if link.req.shaking {
		return CauseHandshakeTime
	}
	return CauseConnectTime
}

// write writes as much of the request as there is room for.
func (l *loop) write(c *conn, t int64) {
	n, cause := l.tr.write(c, c.msg.bytes[c.out:])
	if n > 0 {
		c.out += n
		if !c.req.sent {
			l.acc.sent(&c.req, t)
		}
	}
	switch {
	case cause == "":
	case c.reused && !c.req.sent:
		l.reopen(c, t)
	default:
		l.ended(c, t, cause)
	}
}

// flush is called when there may be room for the rest of the request.
func (l *loop) flush(c *conn, t int64) {
	switch {
	case c.state == connConnecting:
		l.connected(c, t)
	case c.link:
		c.sess.flush(t)
	case c.state == connBusy && c.out < len(c.msg.bytes):
		l.write(c, t)
	}
}

// reopen is for a kept connection that turns out to have been closed by the
// service: the request goes to a new one in its place. Nothing of the request
// was sent yet, so that this is not a second attempt.
func (l *loop) reopen(c *conn, t int64) {
	l.tr.shut(c)
	c.gen++
	c.reused, c.queued, c.state = false, false, connFree
	if !l.routes.spread {
		c.addr = l.routes.home
	}
	c.req.place = int32(c.addr) + 1
	l.start(c, t)
}

// received is called with bytes that c has read.
func (l *loop) received(c *conn, b []byte, t int64) {
	if c.link {
		c.sess.received(b, t)
		return
	}
	switch c.state {
	case connIdle:
		l.acc.strays++
		l.drop(c)
	case connBusy:
		n := c.rd.feed(b)
		switch {
		case c.rd.state == answerBroken:
			l.fail(c, t, c.rd.cause)
		case c.rd.state == answerDone && n < len(b):
			l.fail(c, t, CauseSurplus)
		case c.rd.state == answerDone:
			l.complete(c, t)
		}
	}
}

// ended is called when the connection has come to its end: in order when cause
// is "".
func (l *loop) ended(c *conn, t int64, cause string) {
	if c.link {
		c.sess.ended(t, cause)
		return
	}
	switch c.state {
	case connConnecting:
		l.connectFailed(c, t, cause)
		return
	case connIdle, connClosing:
		l.drop(c)
		return
	case connFree:
		return
	}
	if cause == CauseNoNotify && c.rd.state != inClose {
		cause = "" // the answer itself says where it ends
	}
	switch {
	case cause == "" && c.rd.end():
		l.complete(c, t)
		return
	case cause == "":
		cause = c.cutCause()
	case cause == CauseReset && c.rd.started():
		cause = CauseResetAnswer
	}
	l.fail(c, t, cause)
}

// cutCause names the end of a request whose connection was closed in order.
func (c *conn) cutCause() string {
	switch {
	case c.rd.started():
		return CauseCutOff
	case c.reused:
		return CauseNoAnswerReused
	}
	return CauseNoAnswer
}

// complete ends the request on c with its answer.
func (l *loop) complete(c *conn, t int64) {
	class, cause := classify(&c.rd)
	was := c.req.settled
	l.acc.answered(&c.req, t, class, cause, &c.rd)
	if !was {
		if t-c.req.planned > l.timeout {
			l.lastLate = t
			class = outcome.TimedOut
		}
		if class != outcome.Full && class != outcome.Degraded {
			l.tryAgain(&c.req, t)
		}
	}
	c.unlink()
	if cap(c.rd.body) > 16<<10 {
		c.rd.body = nil // one large body must not stay with every connection
	}
	if c.sess != nil {
		l.free(c)
		return
	}
	c.idle = t
	if c.rd.keep && c.out == len(c.msg.bytes) {
		l.ready(c, t, c.reused)
		return
	}
	c.state = connClosing
	l.closing.pushBack(c)
}

// fail ends the request on c as failed, unless it had its outcome before, and
// the connection with it.
func (l *loop) fail(c *conn, t int64, cause string) {
	if !c.req.settled {
		l.acc.settle(&c.req, t, outcome.Failed, cause)
		l.tryAgain(&c.req, t)
	} else {
		l.acc.lose(&c.req)
	}
	l.drop(c)
}

// tryAgain plans a retry, if the client is one that retries.
func (l *loop) tryAgain(r *request, t int64) {
	if r.attempt < l.maxRetries {
		l.retryq.push(again{due: t + l.retryAfter, segment: r.segment, kind: r.kind, attempt: r.attempt + 1})
	}
}

// drop closes c with a reset and frees it.
func (l *loop) drop(c *conn) {
	c.unlink()
	if l.mux != nil {
		l.free(c)
		return
	}
	l.shakes.over(c, 0, false)
	l.shakes.letGo(c)
	l.tr.shut(c)
	l.open--
	l.pool.put(c)
}

// free frees the stream of a request; its connection stays.
func (l *loop) free(c *conn) {
	if c.sess != nil {
		c.sess.forget(c)
	}
	l.open--
	l.pool.put(c)
}
