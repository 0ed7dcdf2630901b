package virtual

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"
	"time"

	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/loadgen"
	"example.com/kneeline/loadgen/target"
)

const ms = time.Millisecond

// constant offers one rate for a time.
func constant(rate float64, last time.Duration) loadgen.Pilot {
	return loadgen.PilotFunc(func(tl *loadgen.Timeline) loadgen.Step {
		return loadgen.Step{Rate: rate, Stop: tl.Now >= last}
	})
}

func offer(t *testing.T, v *Offerer, o loadgen.Offer, p loadgen.Pilot) *loadgen.Result {
	t.Helper()
	if o.PeakRate == 0 {
		o.PeakRate = 1e6
	}
	r, err := v.Offer(context.Background(), o, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Segments, cohorts and events are three views of the same requests.
func TestAccountsAgree(t *testing.T) {
	svc := target.Default()
	svc.Queue = 100
	v := New(svc, 1)
	o := loadgen.Offer{Timeout: 60 * ms, Thresholds: []time.Duration{30 * ms}, Retries: 1, RetryAfter: 20 * ms, ProbeShare: 0.02, ProbeDeadline: time.Second}
	r := offer(t, v, o, constant(1500, 5*time.Second))
	s := r.Segments[0].Counts
	if !s.Balanced() || s.By[outcome.InFlight] != 0 || s.Planned < 7000 {
		t.Errorf("segment %+v: want all of some 7,500 settled", s)
	}
	cohorts, _ := r.Timeline.Sum(0, r.Timeline.Now+time.Second)
	if cohorts != s {
		t.Errorf("cohorts %+v, segment %+v", cohorts, s)
	}
	if !r.Retries.Balanced() || r.Retries.Planned == 0 {
		t.Errorf("retries %+v", r.Retries)
	}
	var sent, ended uint64
	for i := range r.Timeline.Windows {
		w := &r.Timeline.Windows[i]
		sent += uint64(w.Sent)
		ended += uint64(w.Answered) + uint64(w.Expired)
		if uint64(w.InFlight) != sent-ended {
			t.Fatalf("window %d: %d in flight, %d sent and %d ended", i, w.InFlight, sent, ended)
		}
	}
	if s.By[outcome.Shed] == 0 || s.By[outcome.TimedOut] == 0 || s.LateFull[0] == 0 {
		t.Errorf("%+v: want some of every class", s)
	}
	if g := r.Segments[0]; g.Probes.Count()+g.ProbesLost < 50 {
		t.Errorf("%d probes", g.Probes.Count())
	}
}

// The response time of M/M/1 at half load has the mean 1/(μ − λ), beside the
// network.
func TestResponseTime(t *testing.T) {
	svc := target.Default()
	svc.Workers = 1
	v := New(svc, 2)
	v.NetMin, v.NetMax = 0, 0
	r := offer(t, v, loadgen.Offer{Timeout: time.Second}, constant(50, 2000*time.Second))
	h := &r.Segments[0].Latency[outcome.Full]
	if got := h.Mean() / 1e9; math.Abs(got-0.02) > 0.001 {
		t.Errorf("mean response time %.4f s, want 0.020", got)
	}
	if n := float64(r.Segments[0].Counts.Planned); math.Abs(n-100_000) > 5*math.Sqrt(100_000) {
		t.Errorf("%v requests planned in 2,000 s at 50/s", n)
	}
}

// A stalled generator sends late, and its segment is void.
func TestPauseVoids(t *testing.T) {
	v := New(target.Default(), 3)
	v.Pauses = []Pause{{At: time.Second, Length: 300 * ms}}
	r := offer(t, v, loadgen.Offer{Timeout: 400 * ms}, loadgen.PilotFunc(func(tl *loadgen.Timeline) loadgen.Step {
		return loadgen.Step{Rate: 500, Segment: int(tl.Now / (2 * time.Second)), Stop: tl.Now >= 4*time.Second}
	}))
	if r.Segments[0].Void == "" || r.Segments[1].Void != "" {
		t.Errorf("void %q and %q: want the first alone", r.Segments[0].Void, r.Segments[1].Void)
	}
}

// The same seed plays the same run; the service keeps its state between runs.
func TestSeedAndState(t *testing.T) {
	play := func() (a, b *loadgen.Result) {
		v := New(target.Default(), 4)
		a = offer(t, v, loadgen.Offer{Timeout: 400 * ms}, constant(2000, 3*time.Second))
		return a, offer(t, v, loadgen.Offer{Timeout: 400 * ms}, constant(100, time.Second))
	}
	a1, b1 := play()
	a2, b2 := play()
	if !reflect.DeepEqual(a1.Segments, a2.Segments) || !reflect.DeepEqual(b1.Segments, b2.Segments) {
		t.Error("two runs of one seed differ")
	}
	if b1.Segments[0].Counts.By[outcome.TimedOut] == 0 {
		t.Error("the queue of the first run is gone in the second")
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := errors.New("stop")
	v := New(target.Default(), 5)
	r, err := v.Offer(ctx, loadgen.Offer{Timeout: time.Second, PeakRate: 1000}, loadgen.PilotFunc(func(tl *loadgen.Timeline) loadgen.Step {
		if tl.Now >= time.Second {
			cancel(stop)
		}
		return loadgen.Step{Rate: 1000}
	}))
	if !errors.Is(err, stop) || r == nil || !r.Segments[0].Counts.Balanced() {
		t.Errorf("error %v, result %+v", err, r)
	}
}
