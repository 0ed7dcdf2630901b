package loadgen

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"go.uber.org/goleak"

	"example.com/kneeline/internal/outcome"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// forLong is a pilot that offers a rate for a time.
func forLong(rate float64, d time.Duration) Pilot {
	return PilotFunc(func(tl *Timeline) Step { return Step{Rate: rate, Stop: tl.Now >= d} })
}

// bothEngines runs a test on each engine of the platform.
func bothEngines(t *testing.T, f func(t *testing.T, portable bool)) {
	t.Run("event loop", func(t *testing.T) { t.Parallel(); f(t, false) })
	t.Run("goroutines", func(t *testing.T) { t.Parallel(); f(t, true) })
}

// mustOffer runs an offer and checks what must hold of every run.
func mustOffer(t *testing.T, opts Options, o Offer, p Pilot) *Result {
	t.Helper()
	c, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Offer(context.Background(), o, p)
	if err != nil {
		t.Fatal(err)
	}
	checkAccount(t, res)
	return res
}

// checkAccount checks that nothing is lost: planned = the sum of the outcomes,
// in each segment and each window, and the windows add up to the segments.
func checkAccount(t *testing.T, res *Result) {
	t.Helper()
	var segments, windows outcome.Counts
	for i := range res.Segments {
		s := &res.Segments[i]
		if !s.Counts.Balanced() {
			t.Errorf("segment %d: planned %d, outcomes %v", i, s.Counts.Planned, s.Counts.By)
		}
		var causes uint64
		for _, n := range s.Causes {
			causes += n
		}
		if causes != s.Counts.By[outcome.Failed] {
			t.Errorf("segment %d: %d failed, but %d by cause: %v", i, s.Counts.By[outcome.Failed], causes, s.Causes)
		}
		for k, h := range s.Latency {
			want := s.Counts.By[k]
			if c := outcome.Class(k); c == outcome.InFlight || c == outcome.NeverSent {
				want = 0
			}
			if h.Count() != want {
				t.Errorf("segment %d: %d latencies of class %v, want %d", i, h.Count(), outcome.Class(k), want)
			}
		}
		segments.Add(s.Counts)
	}
	for i := range res.Timeline.Windows {
		w := res.Timeline.Windows[i].Cohort.Wide()
		if !w.Balanced() {
			t.Errorf("window %d: planned %d, outcomes %v", i, w.Planned, w.By)
		}
		windows.Add(w)
	}
	if segments != windows {
		t.Errorf("segments add up to %+v, windows to %+v", segments, windows)
	}
	if !res.Retries.Balanced() {
		t.Errorf("retries: %+v", res.Retries)
	}
	last := res.Timeline.Windows[len(res.Timeline.Windows)-1]
	if last.InFlight != 0 {
		t.Errorf("%d in flight after the end", last.InFlight)
	}
}

func sentIn(res *Result) (n uint64) {
	for i := range res.Timeline.Windows {
		n += uint64(res.Timeline.Windows[i].Sent)
	}
	return n
}

// TestRefused guards that a dead port is a failure with its name, at the
// planned rate, and that no time is lost on it.
func TestRefused(t *testing.T) {
	bothEngines(t, func(t *testing.T, portable bool) {
		ln, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		url := "http://" + ln.Addr().String()
		ln.Close()
		res := mustOffer(t, Options{URL: url, ForceGoroutineEngine: portable},
			Offer{Timeout: time.Second, PeakRate: 100}, forLong(100, 200*time.Millisecond))
		s := &res.Segments[0]
		if s.Causes[CauseRefused] != s.Counts.Planned || s.Counts.Planned == 0 || sentIn(res) != 0 {
			t.Errorf("planned %d, sent %d, causes %v", s.Counts.Planned, sentIn(res), s.Causes)
		}
		if res.Conns > s.Counts.Planned {
			t.Errorf("%d connections tried for %d requests", res.Conns, s.Counts.Planned)
		}
	})
}

// TestCancel guards that an interrupted run leaves a balanced account with the
// requests under way as in flight.
func TestCancel(t *testing.T) {
	bothEngines(t, func(t *testing.T, portable bool) {
		h := startHostile(t, "tcp4", func(u *turn) { <-u.stop })
		c, err := New(Options{URL: h.url(), ForceGoroutineEngine: portable})
		if err != nil {
			t.Fatal(err)
		}
		cause := errors.New("interrupted")
		ctx, cancel := context.WithCancelCause(context.Background())
		calls := 0
		res, err := c.Offer(ctx, Offer{Timeout: time.Minute, PeakRate: 200, MaxConns: 500}, PilotFunc(func(tl *Timeline) Step {
			if calls++; calls == 3 {
				cancel(cause)
			}
			return Step{Rate: 200}
		}))
		if !errors.Is(err, cause) || res == nil {
			t.Fatalf("result %v, error %v", res, err)
		}
		checkAccount(t, res)
		s := &res.Segments[0]
		if s.Counts.By[outcome.InFlight] != s.Counts.Planned || s.Counts.Planned == 0 {
			t.Errorf("%+v", s.Counts)
		}
	})
}
