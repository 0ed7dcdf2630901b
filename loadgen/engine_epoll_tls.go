//go:build linux && (amd64 || arm64)

package loadgen

import (
	"io"

	"golang.org/x/sys/unix"
)

// This file is the TLS of the epoll engine.

// plainSize is the buffer for what TLS has opened: one record.
const plainSize = 16 << 10

// keptSealed bounds the buffer for sealed bytes that a connection keeps.
const keptSealed = 64 << 10

// shaken is the end of a handshake.
type shaken struct {
	ref connRef
	k   *tlsLink
	err error
}

// shake begins the handshake of c, whose socket is connected. The handshake counts
// as the service's time; the certificate is checked beside the loop, which must
// not wait for it.
func (e *epollEngine) shake(c *conn) {
	ref := connRef{c.slot, c.gen}
	k := newTLSLink(e.l, func() {
		if e.find(ref) == c {
			e.pushTLS(c)
		}
	}, func() int64 { return int64(threadCPU(0)) })
	c.tls, c.req.shaking = k, true
	e.l.shakes.began(c, e.l.clock())
	e.shaking.Add(1)
	go func() {
		defer e.shaking.Done()
		err := k.shake()
		e.l.mu.Lock()
		e.shaken = append(e.shaken, shaken{ref, k, err})
		e.l.mu.Unlock()
		e.wake()
	}()
}

// handleShaken goes on with the connections whose handshake is over.
func (e *epollEngine) handleShaken() {
	if len(e.shaken) == 0 {
		return
	}
	now := e.shaken
	e.shaken = nil
	for _, s := range now {
		e.l.shakeCPU.Add(s.k.cost.used)
		c := e.find(s.ref)
		if c == nil || c.tls == nil {
			continue
		}
		t := e.l.clock()
		took := t - s.k.cost.began
		e.l.shook(c, took-s.k.cost.waited, took)
		cause := ""
		if s.err != nil {
			cause = handshakeCause(s.err)
		} else {
			st := c.tls.conn.ConnectionState()
			cause = e.l.agreedOn(&st)
		}
		if cause != "" {
			e.l.ended(c, e.l.clock(), cause)
			continue
		}
		c.tls.shaking = false
		e.l.connected(c, e.l.clock())
		if e.find(s.ref) == c {
			e.openTLS(c)
		}
	}
}

// deliver hands bytes of the service to the loop.
func (e *epollEngine) deliver(c *conn, b []byte, t int64) {
	switch k := c.tls; {
	case k == nil:
		e.l.received(c, b, t)
	case k.shaking:
		k.give(b)
	default:
		k.in = b
		e.openTLS(c)
	}
}

// openTLS hands over what the records that have come are about. What is left of
// the loop's buffer afterwards is a part of none: TLS keeps its own copy.
func (e *epollEngine) openTLS(c *conn) {
	l, gen, k := e.l, c.gen, c.tls
	for {
		n, ended, cause := k.read(e.plain)
		if n > 0 {
			l.received(c, e.plain[:n], l.clock())
		}
		if c.gen != gen {
			return
		}
		if ended {
			l.ended(c, l.clock(), cause)
			return
		}
		if n == 0 {
			break
		}
	}
	if len(k.out) > 0 { // TLS answers by itself when keys change
		e.pushTLS(c)
	}
}

// endTLS is called when the socket has come to its end, in order when errno is 0.
// It returns false when the loop is to be told as without TLS.
func (e *epollEngine) endTLS(c *conn, errno unix.Errno) bool {
	k := c.tls
	if k == nil {
		return false
	}
	if k.shaking {
		if errno == 0 {
			k.stop(io.EOF)
		} else {
			k.stop(errno)
		}
		return true
	}
	if errno != 0 {
		return false
	}
	k.end = io.EOF
	e.openTLS(c)
	return true
}

// writeTLS is write through TLS: what TLS has sealed it has taken.
func (e *epollEngine) writeTLS(c *conn, b []byte) (n int, cause string) {
	k := c.tls
	if len(k.out) > 0 {
		if cause = e.pushTLS(c); cause != "" || len(k.out) > 0 {
			return 0, cause
		}
	}
	n, err := k.conn.Write(b[:min(len(b), moveSize)])
	if err != nil {
		return n, recordCause(err)
	}
	if n < len(b) {
		e.later(c)
	}
	return n, e.pushTLS(c)
}

// pushTLS writes what is sealed, as far as the socket takes it.
func (e *epollEngine) pushTLS(c *conn) (cause string) {
	k := c.tls
	for len(k.out) > 0 {
		n, errno := send(c.fd, k.out)
		switch errno {
		case 0:
		case unix.EINTR:
			continue
		case unix.EAGAIN:
			return ""
		default:
			return causeOf(errno)
		}
		e.left -= n
		if n == len(k.out) {
			k.out = k.out[:0]
			if cap(k.out) > keptSealed {
				k.out = nil // the room for one long request must not stay with the connection
			}
			return ""
		}
		k.out = append(k.out[:0], k.out[n:]...)
	}
	return ""
}
