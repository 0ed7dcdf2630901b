package loadgen

import (
	"testing"
	"time"

	"example.com/kneeline/internal/outcome"
)

// TestHonestHints guards the account of Retry-After on a virtual clock: a service
// that refuses everything for two seconds, always says "in 1 s", and then keeps
// its word or does not.
func TestHonestHints(t *testing.T) {
	for _, c := range []struct {
		name  string
		until time.Duration // it refuses up to then
		good  float64       // share of those after a hint that succeed
	}{
		// From 1 s on every request follows a hint. The refusals end at the same
		// time as the first hint, or a second later, or never.
		{"honest", time.Second, 1},
		{"half true", 2 * time.Second, 0.5},
		{"false", time.Hour, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := newVirtual(t, Offer{Timeout: time.Second, PeakRate: 100, Arrivals: Constant}, func(sent int64) served {
				if time.Duration(sent) < c.until {
					return served{bytes: "HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"}
				}
				return served{bytes: okBytes}
			})
			v.offer(100, 3*time.Second)
			h := v.l.acc.hints
			// Windows round a hint's end up, so that a request or two are not held to it.
			if share := float64(h.Good) / float64(h.After); share < c.good-0.02 || share > c.good+0.02 {
				t.Errorf("%+v: share %.3f, want %.2f", h.Hints, share, c.good)
			}
			if h.Given < 98 || h.Judged < 95 || h.Judged > h.Given || h.After < 195 || h.After > 201 {
				t.Errorf("%+v", h.Hints)
			}
		})
	}
}

// TestHintsAtAHigherRate guards that a hint is not held to load that it could not
// know of.
func TestHintsAtAHigherRate(t *testing.T) {
	var b hintBook
	b.given(0, 1, 100)
	second := int64(time.Second)
	for _, c := range []struct {
		at   int64
		rate float64
		want bool
	}{
		{second - 1, 100, false}, // too early
		{second, 100, true},
		{second + 1, 50, true},
		{second + 2, 100.5, false},
		{2*second - 1, 100, true},
		{2 * second, 100, false}, // long after
	} {
		if got := b.follows(c.at, c.rate); got != c.want {
			t.Errorf("at %v and %v/s: %v", time.Duration(c.at), c.rate, got)
		}
	}
	if b.Judged != 1 || b.Given != 1 {
		t.Errorf("%+v", b.Hints)
	}
	b.fared(outcome.NeverSent)
	b.fared(outcome.Degraded)
	b.fared(outcome.TimedOut)
	if b.After != 2 || b.Good != 1 {
		t.Errorf("%+v", b.Hints)
	}
}

// TestHintsAreBounded guards that no hint makes the account grow, or overflow.
func TestHintsAreBounded(t *testing.T) {
	var b hintBook
	for i := range int64(3 * maxHints) {
		b.given(i*1e9, (7919*i)%3600, 100)
		b.given(i*1e9, 1<<50, 100)
	}
	if b.Given != 6*maxHints || len(b.pending) > maxHints {
		t.Errorf("%d hints, %d pending", b.Given, len(b.pending))
	}
	for i := 1; i < len(b.pending); i++ {
		if b.pending[i].end <= b.pending[i-1].end {
			t.Fatal("out of order")
		}
	}
	if !b.follows(b.pending[len(b.pending)-1].end, 1) || len(b.pending) != 0 {
		t.Errorf("%d pending after the last", len(b.pending))
	}
	if b.Judged == 0 {
		t.Error("no hint was judged")
	}
}
