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
	e := event{at: n.now + int64(n.takes), seq: n.opens, c: c, gen: c.gen}
	e.end = n.opens <= n.fails
	heap.Push(&n.events, e)
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
