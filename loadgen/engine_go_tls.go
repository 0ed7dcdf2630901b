package loadgen

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"syscall"
	"time"
)

// This file is the portable engine's TLS, and its writing of connections that
// carry several requests.

// endConn remembers that its peer closed it, which TLS does not tell from an end
// that TLS itself announced.
type endConn struct {
	net.Conn
	ended atomic.Bool
}

func (c *endConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if errors.Is(err, io.EOF) {
		c.ended.Store(true)
	}
	return n, err
}

// shake does the handshake of c, which may be given up meanwhile.
func (e *goEngine) shake(c *conn, gen uint32, nc net.Conn) (_ net.Conn, cause string) {
	ctx, cancel := context.WithTimeout(e.ctx, time.Duration(max(e.l.timeout, shakeLimit)))
	defer cancel()
	l := e.l
	l.mu.Lock()
	if c.gen == gen {
		c.req.shaking, c.nc = true, nc
		l.shakes.began(c, l.clock())
	}
	l.mu.Unlock()
	tc := tls.Client(&endConn{Conn: nc}, l.sec.config)
	if err := tc.HandshakeContext(ctx); err != nil {
		cause = handshakeCause(err)
	} else {
		st := tc.ConnectionState()
		l.mu.Lock()
		cause = l.agreedOn(&st)
		l.mu.Unlock()
	}
	if cause != "" {
		reset(nc)
	}
	return tc, cause
}

// readCause names the end of a connection that reading met.
func readCause(nc net.Conn, err error) string {
	tc, secure := nc.(*tls.Conn)
	if !secure {
		if errors.Is(err, io.EOF) {
			return ""
		}
		return causeOfError(err)
	}
	var errno syscall.Errno
	switch {
	case errors.Is(err, io.EOF) && !tc.NetConn().(*endConn).ended.Load():
		return ""
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return CauseNoNotify
	case errors.As(err, &errno), errors.Is(err, net.ErrClosed):
		return causeOfError(err)
	}
	return recordCause(err)
}

// writeLink writes b on a goroutine: a connection with many requests may be full,
// and the loop must not wait for it. One write is under way at a time.
func (e *goEngine) writeLink(c *conn, b []byte) int {
	if c.writing || c.nc == nil {
		return 0
	}
	c.writing = true
	own := append([]byte(nil), b...)
	gen, nc := c.gen, c.nc
	e.conns.Add(1)
	go func() {
		defer e.conns.Done()
		_, err := nc.Write(own)
		l := e.l
		l.mu.Lock()
		defer l.mu.Unlock()
		if c.gen != gen {
			return
		}
		c.writing = false
		if err != nil {
			l.ended(c, l.clock(), readCause(nc, err))
		} else {
			l.flush(c, l.clock())
		}
		e.after()
	}()
	return len(own)
}
