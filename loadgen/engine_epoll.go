//go:build linux && (amd64 || arm64)

package loadgen

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// This engine is one thread, one epoll instance and non-blocking sockets. It
// makes one system call to send a request, one to read its answer, and one to
// wait for a batch of answers or the next planned instant, whichever comes
// first. See docs/adr for why not net.Conn.

const (
	// epollBatch is how many connections one wait may report.
	epollBatch = 256
	// loopNice is the nice value that a loop asks for its thread.
	loopNice = -10
	// readSize is the buffer that all connections of a loop share.
	readSize = 64 << 10
	// moveSize bounds the bytes moved on one connection before the others have
	// their turn, and the time of one system call that the scheduler cannot see.
	moveSize = 4 * readSize
	// turnSize bounds the bytes moved in one turn, so that the schedule and the
	// pilot, who wait for the turn's end, never wait long.
	turnSize = 8 << 20
	// bell is the slot number of the descriptor that wakes the loop.
	bell = -1
)

// connRef is a connection as it was; a slot may have been used again since.
type connRef struct {
	slot int32
	gen  uint32
}

type epollEngine struct {
	l      *loop
	ep     int
	bellFD int
	slots  *connPool
	buf    []byte
	events []unix.EpollEvent
	more   []connRef // connections with more to move than moveSize
	spare  []connRef
	left   int    // of turnSize
	plain  []byte // what TLS has opened; all connections of a loop share it
	shaken []shaken
	// shaking are the handshakes that go on.
	shaking sync.WaitGroup
	ppoll   bool // the kernel has no epoll_pwait2 (before 5.11)
	tid     atomic.Int64
	used    atomic.Int64 // CPU ns once the thread is gone
}

// newEngine returns the best engine of the platform for l.
func newEngine(l *loop, portable bool) (engine, error) {
	if portable {
		return newGoEngine(l), nil
	}
	e := &epollEngine{
		l: l, slots: &l.pool, ep: -1, bellFD: -1,
		buf:    make([]byte, readSize),
		events: make([]unix.EpollEvent, epollBatch),
	}
	var err error
	if e.ep, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return nil, systemError("epoll", err)
	}
	if e.bellFD, err = unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC); err == nil {
		ev := unix.EpollEvent{Events: unix.EPOLLIN, Fd: bell}
		err = unix.EpollCtl(e.ep, unix.EPOLL_CTL_ADD, e.bellFD, &ev)
	}
	if err != nil {
		e.release()
		return nil, systemError("epoll", err)
	}
	l.tr = e
	if l.sec != nil {
		e.plain = make([]byte, plainSize)
	}
	return e, nil
}

func (e *epollEngine) ownsThread() bool { return true }

func (e *epollEngine) release() {
	for _, fd := range []int{e.ep, e.bellFD} {
		if fd >= 0 {
			unix.Close(fd)
		}
	}
	e.ep, e.bellFD = -1, -1
}

func (e *epollEngine) wake() {
	one := [8]byte{1}
	// A full counter means that the loop has not looked yet: nothing is lost.
	_, _ = unix.Write(e.bellFD, one[:])
}

// run is the event loop.
func (e *epollEngine) run() {
	// The thread is never unlocked, so that it ends with the goroutine and takes
	// its timer slack with it.
	runtime.LockOSThread()
	// Without this the kernel may end a wait up to 50 µs late.
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	if e.l.law != Closed {
		// Where the system grants it (to root, or by RLIMIT_NICE), other work on the
		// machine makes the loop wait less: measured, the longest of its delays under
		// load became a third. Refusal changes nothing else. A closed loop has no
		// instants to keep, and would only see smaller batches of answers.
		_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), loopNice)
	}
	e.tid.Store(int64(unix.Gettid()))
	l := e.l
	n := 0
	for {
		l.mu.Lock()
		e.left = turnSize
		e.handleShaken()
		e.handle(e.events[:n])
		e.handleMore()
		t := l.clock()
		wake, done := l.turn(t)
		if done {
			l.closeAll()
		}
		l.mu.Unlock()
		if done {
			break
		}
		if len(e.more) > 0 {
			wake = 0
		}
		n = e.wait(wake - l.clock())
	}
	e.shaking.Wait()
	e.used.Store(max(1, int64(threadCPU(0))))
}

// find returns the connection that r meant, or nil if it is gone.
func (e *epollEngine) find(r connRef) *conn {
	c := e.slots.slots[r.slot]
	if c.gen != r.gen || c.state == connFree {
		return nil
	}
	return c
}

// handle lets the loop see what has happened on its connections.
func (e *epollEngine) handle(events []unix.EpollEvent) {
	for i := range events {
		ev := &events[i]
		if ev.Fd == bell {
			var b [8]byte
			_, _ = unix.Read(e.bellFD, b[:])
			continue
		}
		if c := e.find(connRef{ev.Fd, uint32(ev.Pad)}); c != nil {
			e.handleConn(c, ev.Events)
		}
	}
}

// handleMore goes on with the connections that had too much to move at once.
func (e *epollEngine) handleMore() {
	if len(e.more) == 0 {
		return
	}
	now := e.more
	e.more, e.spare = e.spare[:0], now
	for _, r := range now {
		if c := e.find(r); c != nil {
			c.queued = false
			e.handleConn(c, unix.EPOLLIN|unix.EPOLLOUT|unix.EPOLLRDHUP)
		}
	}
}

func (e *epollEngine) later(c *conn) {
	if !c.queued {
		c.queued = true
		e.more = append(e.more, connRef{c.slot, c.gen})
	}
}

const readEvents = unix.EPOLLIN | unix.EPOLLRDHUP | unix.EPOLLHUP | unix.EPOLLERR

func (e *epollEngine) handleConn(c *conn, events uint32) {
	l, gen := e.l, c.gen
	if events&(unix.EPOLLERR|unix.EPOLLHUP) != 0 && c.state == connConnecting && c.tls == nil {
		l.ended(c, l.clock(), causeOf(socketError(c.fd)))
		return
	}
	if events&unix.EPOLLOUT != 0 {
		e.writable(c)
		if c.gen != gen {
			return
		}
	}
	if events&readEvents != 0 {
		e.read(c, events&^unix.EPOLLIN&readEvents != 0)
	}
}

// writable is called when the socket is connected, and whenever it has room again.
func (e *epollEngine) writable(c *conn) {
	l := e.l
	if l.sec != nil && c.tls == nil {
		e.shake(c)
		return
	}
	if c.tls != nil {
		cause := e.pushTLS(c)
		if c.tls.shaking {
			return // if it failed the next read tells
		}
		if cause != "" {
			l.ended(c, l.clock(), cause)
			return
		}
	}
	l.flush(c, l.clock())
}

// read reads what has come. Events are edge-triggered: the loop must read until
// the socket is empty. A read that does not fill the buffer has emptied it, save
// that the end of the stream needs a read of its own.
func (e *epollEngine) read(c *conn, ending bool) {
	l, gen := e.l, c.gen
	for end := e.left - moveSize; e.left > max(0, end); {
		n, errno := recv(c.fd, e.buf)
		e.left -= max(n, 0)
		t := l.clock()
		switch {
		case errno == unix.EAGAIN:
			return
		case errno == unix.EINTR:
			continue
		case errno != 0 || n == 0:
			if !e.endTLS(c, errno) {
				e.endPlain(c, errno, t)
			}
			return
		}
		e.deliver(c, e.buf[:n], t)
		if c.gen != gen || n < len(e.buf) && !ending {
			return
		}
	}
	e.later(c)
}

func (e *epollEngine) endPlain(c *conn, errno unix.Errno, t int64) {
	cause := ""
	if errno != 0 {
		cause = causeOf(errno)
	}
	e.l.ended(c, t, cause)
}

// wait sleeps until something happens or ns have passed.
func (e *epollEngine) wait(ns int64) int {
	if ns <= 0 {
		return pollNow(e.ep, e.events)
	}
	if !e.ppoll {
		n, errno := epollPwait2(e.ep, e.events, ns)
		if errno != unix.ENOSYS {
			return n
		}
		e.ppoll = true
	}
	pollFor(e.ep, ns)
	return pollNow(e.ep, e.events)
}

func (e *epollEngine) cpu() time.Duration {
	if used := e.used.Load(); used != 0 {
		return time.Duration(used)
	}
	if tid := e.tid.Load(); tid != 0 {
		return threadCPU(int(tid))
	}
	return 0
}
