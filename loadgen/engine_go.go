package loadgen

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"syscall"
	"time"
)

// goEngine is the portable engine: a goroutine for each connection that reads,
// and one for the schedule. It costs more CPU than an event loop, and the Go
// timer that wakes it is less exact; what it offers and how it counts is the
// same, since both engines move the same loop.
type goEngine struct {
	l     *loop
	bell  chan struct{}
	dial  net.Dialer
	ctx   context.Context // ends with the loop
	stop  context.CancelFunc
	conns sync.WaitGroup
}

const (
	// goWriteDirect is the longest request that is written by the schedule's own
	// goroutine: it fits into the buffer of a socket that carries nothing else.
	goWriteDirect = 16 << 10
	// goReadSize is the buffer of each connection.
	goReadSize = 4 << 10
	// goIdleLook is how often a loop looks after its connections at the least.
	goIdleLook = int64(250 * time.Millisecond)
)

func newGoEngine(l *loop) *goEngine {
	e := &goEngine{l: l, bell: make(chan struct{}, 1)}
	e.ctx, e.stop = context.WithCancel(context.Background())
	l.tr = e
	return e
}

func (e *goEngine) ownsThread() bool { return false }

func (e *goEngine) release() { e.stop() }

func (e *goEngine) cpu() time.Duration { return 0 }

func (e *goEngine) wake() {
	select {
	case e.bell <- struct{}{}:
	default:
	}
}

func (e *goEngine) run() {
	l := e.l
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		l.mu.Lock()
		t := l.clock()
		wake, done := l.turn(t)
		if done {
			l.closeAll()
		}
		l.mu.Unlock()
		if done {
			break
		}
		timer.Reset(time.Duration(min(wake-l.clock(), goIdleLook)))
		select {
		case <-timer.C:
		case <-e.bell:
		}
	}
	e.stop()
	e.conns.Wait()
}

// open implements transport.
func (e *goEngine) open(c *conn) (ready bool, cause string) {
	e.conns.Add(1)
	go e.serve(c, c.gen, e.l.routes.addrs[c.addr])
	return false, ""
}

// serve connects and then reads until the connection's end.
func (e *goEngine) serve(c *conn, gen uint32, to address) {
	defer e.conns.Done()
	ctx, cancel := context.WithTimeout(e.ctx, time.Duration(e.l.timeout))
	nc, err := e.dial.DialContext(ctx, to.network(), to.dialName())
	l := e.l
	cause := ""
	if err != nil {
		cause = causeOfError(err)
	} else if l.sec != nil {
		nc, cause = e.shake(c, gen, nc)
	}
	cancel()
	l.mu.Lock()
	if c.gen != gen { // given up meanwhile
		l.mu.Unlock()
		if cause == "" {
			reset(nc)
		}
		return
	}
	if cause != "" {
		l.ended(c, l.clock(), cause)
		e.after()
		l.mu.Unlock()
		return
	}
	c.nc = nc
	l.connected(c, l.clock())
	l.mu.Unlock()
	e.read(c, gen, nc)
}

func (e *goEngine) read(c *conn, gen uint32, nc net.Conn) {
	l := e.l
	buf := make([]byte, goReadSize)
	for {
		n, err := nc.Read(buf)
		l.mu.Lock()
		if c.gen != gen {
			l.mu.Unlock()
			return
		}
		t := l.clock()
		if n > 0 {
			l.received(c, buf[:n], t)
		}
		if err != nil && c.gen == gen {
			l.ended(c, t, readCause(nc, err))
		}
		gone := c.gen != gen
		e.after()
		l.mu.Unlock()
		if gone {
			return
		}
	}
}

// after wakes the schedule when it may have been waiting for what just
// happened. The loop is locked.
func (e *goEngine) after() {
	l := e.l
	now := l.clock()
	l.flushLinks(now)
	if p, _ := l.sched.peek(now); p <= now || l.sched.done() {
		e.wake()
	}
	if r := l.retryq.peek(); r != nil {
		e.wake()
	}
}

// write implements transport. A long request is written by a goroutine of its
// own, since the loop must not wait for the service to read it.
func (e *goEngine) write(c *conn, b []byte) (n int, cause string) {
	if c.link {
		return e.writeLink(c, b), ""
	}
	if len(b) > goWriteDirect {
		e.conns.Add(1)
		go e.writeLong(c, c.gen, c.nc, b)
		return len(b), ""
	}
	n, err := c.nc.Write(b)
	if err != nil {
		return n, causeOfError(err)
	}
	return n, ""
}

func (e *goEngine) writeLong(c *conn, gen uint32, nc net.Conn, b []byte) {
	defer e.conns.Done()
	_, err := nc.Write(b)
	if err == nil {
		return
	}
	l := e.l
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.gen == gen && c.state == connBusy {
		l.ended(c, l.clock(), causeOfError(err))
		e.after()
	}
}

// shut implements transport.
func (e *goEngine) shut(c *conn) {
	c.writing = false
	if c.nc != nil {
		reset(c.nc)
		c.nc = nil
	}
}

// reset closes a connection so that no port is held for a minute.
func reset(nc net.Conn) {
	if tc, ok := nc.(*tls.Conn); ok {
		nc = tc.NetConn()
	}
	if ec, ok := nc.(*endConn); ok {
		nc = ec.Conn
	}
	if tc, ok := nc.(*net.TCPConn); ok {
		_ = tc.SetLinger(0)
	}
	_ = nc.Close()
}

func causeOfError(err error) string {
	var errno syscall.Errno
	var ne net.Error
	switch {
	case errors.As(err, &errno):
		return causeOf(errno)
	case errors.Is(err, net.ErrClosed):
		return CauseReset
	case errors.As(err, &ne) && ne.Timeout():
		return CauseConnectTime
	}
	return "system error: " + err.Error()
}
