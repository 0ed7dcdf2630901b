package loadgen

import (
	"container/heap"
	"testing"
	"time"

	"example.com/kneeline/internal/outcome"
)

// shakeNet is a network in virtual time on which connections take long to make.
type shakeNet struct {
	*virtual
	takes time.Duration
	fails int // so many of the first come to nothing
	opens int
	// connect is how much of the time is the network's. alone says that handshakes are
	// made one after the other, as by a processor that all of them need.
	connect time.Duration
	alone   bool
	free    int64
	// lost is the time from the start in which handshakes get no answer at all.
	lost time.Duration
}

func newShakeNet(t *testing.T, o Offer, takes time.Duration) *shakeNet {
	n := &shakeNet{virtual: newVirtual(t, o, func(int64) served { return served{after: int64(time.Millisecond), bytes: okBytes} }), takes: takes}
	n.l.tr = n
	n.l.sec = &security{}
	n.l.shaking = make([]shakeQueue, 1)
	return n
}

func (n *shakeNet) open(c *conn) (bool, string) {
	n.opens++
	c.req.shaking = true
	n.l.shakes.began(c, n.now+int64(n.connect))
	if n.alone {
		n.free = max(n.free, n.now) + int64(n.takes)
	} else {
		n.free = n.now + int64(n.takes)
	}
	e := event{at: n.free, seq: n.opens, c: c, gen: c.gen}
	e.end = n.opens <= n.fails
	if n.now >= int64(n.lost) {
		heap.Push(&n.events, e)
	}
	return false, ""
}

// TestHandshakePool guards that a request goes on the connection that is ready
// first, and that no more are opened than are waited for.
func TestHandshakePool(t *testing.T) {
	n := newShakeNet(t, Offer{Timeout: time.Second, PeakRate: 1000, Arrivals: Constant}, 50*time.Millisecond)
	n.offer(1000, 2*time.Second)
	s := n.l.acc.segment(0)
	if s.Counts.By[outcome.Full] != s.Counts.Planned || !s.Counts.Balanced() {
		t.Errorf("%+v, causes %v", s.Counts, s.Causes)
	}
	// 50 requests come before the first connection stands, and few after.
	if n.opens < 50 || n.opens > 60 || n.l.open != 0 {
		t.Errorf("%d connections opened, %d left", n.opens, n.l.open)
	}
	if worst := time.Duration(s.Latency[outcome.Full].Max()); worst > 60*time.Millisecond {
		t.Errorf("a request waited %v for handshakes of 50 ms", worst)
	}
}

// TestHandshakeStorm guards that handshakes which outlive their requests are not
// wasted: a service that is slow to make connections is not asked for ever more.
func TestHandshakeStorm(t *testing.T) {
	n := newShakeNet(t, Offer{Timeout: 100 * time.Millisecond, PeakRate: 1000, Arrivals: Constant}, 150*time.Millisecond)
	n.offer(1000, 2*time.Second)
	s := n.l.acc.segment(0)
	lost := s.Counts.By[outcome.Failed]
	if !s.Counts.Balanced() || lost != s.Causes[CauseHandshakeTime] || lost > 160 || n.opens > 160 || n.l.open != 0 {
		t.Errorf("%+v, causes %v, %d connections opened, %d left", s.Counts, s.Causes, n.opens, n.l.open)
	}
}

// TestSpareFails guards that a spare which comes to nothing costs no request.
func TestSpareFails(t *testing.T) {
	n := newShakeNet(t, Offer{Timeout: 100 * time.Millisecond, PeakRate: 1000, Arrivals: Constant}, 150*time.Millisecond)
	n.fails = 40
	n.offer(1000, time.Second)
	s := n.l.acc.segment(0)
	if !s.Counts.Balanced() || s.Counts.By[outcome.Failed] > 250 || s.Counts.By[outcome.Full] < 700 || n.l.open != 0 {
		t.Errorf("%+v, causes %v, %d connections opened, %d left", s.Counts, s.Causes, n.opens, n.l.open)
	}
}

// TestHandshakesHeldBack guards that handshakes which are slow for want of a processor
// are not begun for every request that waits, that no request is lost for it, and that
// those which are slow because the network is long are not held back.
func TestHandshakesHeldBack(t *testing.T) {
	begun := func(most int, alone bool, takes, connect time.Duration) *shakeNet {
		n := newShakeNet(t, Offer{Timeout: 2 * time.Second, PeakRate: 2000, Arrivals: Constant}, takes)
		n.alone, n.connect, n.l.shakes.most = alone, connect, most
		n.offer(2000, 3*time.Second)
		if s := n.l.acc.segment(0); !s.Counts.Balanced() || s.Counts.By[outcome.Full] != s.Counts.Planned {
			t.Errorf("%+v, causes %v", s.Counts, s.Causes)
		}
		if s := &n.l.shakes; s.under != 0 || s.slow != 0 || s.held != 0 || n.l.open != 0 || n.l.peak > n.opens {
			t.Errorf("%d under way, %d slow, %d held back, %d connections left at the end, at most %d at once of %d", s.under, s.slow, s.held, n.l.open, n.l.peak, n.opens)
		}
		return n
	}
	// A handshake takes a processor 100 ms, and an answer comes after 1 ms.
	free, held := begun(0, true, 100*time.Millisecond, 0), begun(16, true, 100*time.Millisecond, 0)
	if free.opens < 300 || held.opens > 150 || held.l.acc.limits[LimitShakes] == 0 {
		t.Errorf("%d connections opened without a bound, %d with one, %d requests had to wait", free.opens, held.opens, held.l.acc.limits[LimitShakes])
	}
	free, held = begun(0, false, 300*time.Millisecond, 100*time.Millisecond), begun(16, false, 300*time.Millisecond, 100*time.Millisecond)
	if free.opens != held.opens || held.l.acc.limits[LimitShakes] > 0 {
		t.Errorf("%d connections opened without a bound, %d with one", free.opens, held.opens)
	}
}

// TestHandshakesLost guards that handshakes of which nothing more is heard do not
// keep others from beginning for long.
func TestHandshakesLost(t *testing.T) {
	n := newShakeNet(t, Offer{Timeout: 20 * time.Second, PeakRate: 1000, Arrivals: Constant}, time.Millisecond)
	n.l.shakes.most = 16
	n.lost = 200 * time.Millisecond
	n.offer(1000, 3*time.Second)
	s := n.l.acc.segment(0)
	if worst := time.Duration(s.Latency[outcome.Full].Max()); s.Counts.By[outcome.Full] != s.Counts.Planned || worst > 1500*time.Millisecond {
		t.Errorf("%+v, causes %v, the longest took %v", s.Counts, s.Causes, worst)
	}
}
