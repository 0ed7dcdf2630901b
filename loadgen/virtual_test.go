package loadgen

import (
	"container/heap"
	"math/rand/v2"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"
)

// virtual is a network and a clock of its own: it moves one loop through a run
// in no time. serve says what the service does with a request; it is called in
// the order of sending.
type virtual struct {
	t      *testing.T
	l      *loop
	now    int64
	events eventHeap
	serve  func(sent int64) served
	dead   func(addr int) string // cause for which a connection cannot be opened
	sentAt []int64
}

// served is what a service does with one request; no bytes and no end is to
// say nothing for ever.
type served struct {
	after int64
	bytes string
	end   bool
}

const okBytes = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

type event struct {
	at  int64
	seq int
	c   *conn
	gen uint32
	served
}

type eventHeap []event

func (h eventHeap) Len() int { return len(h) }
func (h eventHeap) Less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].seq < h[j].seq
}
func (h eventHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *eventHeap) Push(x any)   { *h = append(*h, x.(event)) }
func (h *eventHeap) Pop() any {
	e := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return e
}

func newVirtual(t *testing.T, o Offer, serve func(sent int64) served) *virtual {
	t.Helper()
	if err := o.check(); err != nil {
		t.Fatal(err)
	}
	v := &virtual{t: t, serve: serve}
	v.l = &loop{
		clock: func() int64 { return v.now },
		tr:    v,
		acc:   newAccount(&o, new(atomic.Int64), nil),
		sched: newSchedule(o.Arrivals, rand.New(rand.NewPCG(o.Seed, 1)), 0),
		law:   o.Arrivals, msgs: []message{{bytes: []byte("x")}},
		routes:  newRoutes([]address{{ip: netip.AddrPortFrom(localhostAddrs[0], 80)}, {ip: netip.AddrPortFrom(localhostAddrs[1], 80)}}, false, 0),
		idle:    make([]connList, 1),
		timeout: int64(o.Timeout), probeWait: int64(max(o.ProbeDeadline, o.Timeout)),
		retryAfter: int64(o.RetryAfter), maxRetries: uint8(o.Retries),
		probeShare: o.ProbeShare, probeRand: rand.New(rand.NewPCG(o.Seed, 2)),
		bound: o.ConnBound(), blocked: -1,
	}
	return v
}

func (v *virtual) open(c *conn) (bool, string) {
	if v.dead != nil {
		if cause := v.dead(c.addr); cause != "" {
			return false, cause
		}
	}
	return true, ""
}

func (v *virtual) write(c *conn, b []byte) (int, string) {
	v.sentAt = append(v.sentAt, v.now)
	s := v.serve(v.now)
	if s.bytes != "" || s.end {
		heap.Push(&v.events, event{v.now + s.after, len(v.sentAt), c, c.gen, s})
	}
	return len(b), ""
}

func (v *virtual) shut(*conn) {}

// offer posts a constant rate from the instant 0 to d and runs to the end.
func (v *virtual) offer(rate float64, d time.Duration) {
	v.l.sched.post(change{at: 0, rate: rate})
	v.l.sched.post(change{at: int64(d), end: true})
	v.run()
}

// run moves the loop until it is over.
func (v *virtual) run() {
	for steps := 0; ; steps++ {
		wake, done := v.l.turn(v.now)
		if done {
			v.l.closeAll()
			return
		}
		if len(v.events) > 0 {
			wake = min(wake, v.events[0].at)
		}
		if wake == never || steps > 1e7 {
			v.t.Fatalf("at %v nothing is left to do and the run is not over", time.Duration(v.now))
		}
		v.now = max(v.now, wake)
		for len(v.events) > 0 && v.events[0].at <= v.now {
			e := heap.Pop(&v.events).(event)
			if e.c.gen != e.gen {
				continue
			}
			if e.bytes != "" {
				v.l.received(e.c, []byte(e.bytes), v.now)
			}
			if e.end && e.c.gen == e.gen {
				v.l.ended(e.c, v.now, "")
			}
			if e.bytes == "" && !e.end {
				v.l.flush(e.c, v.now)
			}
		}
	}
}

// fifo is a service with one worker.
func fifo(d time.Duration) func(int64) served {
	free := int64(0)
	return func(at int64) served {
		free = max(free, at) + int64(d)
		return served{after: free - at, bytes: okBytes}
	}
}
