package loadgen

import (
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/kneeline/internal/outcome"
)

// follow takes all arrivals of a trace from the queues of n loops.
func follow(trace Trace, n int, start int64) (at []int64, kinds []int32) {
	f := newFeed(trace, n)
	defer f.close()
	for i := range n {
		s := newSchedule(Replay, nil, 0).followTrace(f.queue(i))
		s.post(change{at: start, rate: 1})
		for now := start; !s.done(); {
			p, _ := s.peek(now)
			switch {
			case p == never:
			case p > now:
				now = p // either planned, or to look again
			default:
				at, kinds = append(at, p), append(kinds, s.take())
			}
		}
	}
	return at, kinds
}

// TestTraceExact guards that a replay plans the instants of its trace, each once,
// whatever the number of loops that share them.
func TestTraceExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gaps := rapid.SliceOfN(rapid.Int64Range(0, 5e6), 0, 3*traceChunk).Draw(t, "gaps")
		loops := rapid.IntRange(1, 4).Draw(t, "loops")
		start := rapid.Int64Range(0, 1e9).Draw(t, "start")
		var want []int64
		trace := func(yield func(Arrival) bool) {
			sum := int64(0)
			for i, g := range gaps {
				sum += g
				if !yield(Arrival{time.Duration(sum), int32(i)}) {
					return
				}
			}
		}
		for a := range trace {
			want = append(want, start+int64(a.At))
		}
		got, kinds := follow(trace, loops, start)
		slices.Sort(got)
		slices.Sort(kinds)
		if !slices.Equal(got, want) {
			t.Fatalf("%d instants, want the %d of the trace", len(got), len(want))
		}
		for i, k := range kinds {
			if int(k) != i {
				t.Fatalf("kind %d was planned in place of %d", k, i)
			}
		}
	})
}

// TestTraceCut guards that a run that ends before its trace leaves no reader behind:
// close returns.
func TestTraceCut(t *testing.T) {
	f := newFeed(func(yield func(Arrival) bool) {
		for i := 0; yield(Arrival{At: time.Duration(i)}); i++ {
		}
	}, 3)
	s := newSchedule(Replay, nil, 0).followTrace(f.queue(1))
	s.post(change{at: 0, rate: 5})
	s.post(change{at: 10, end: true})
	taken := 0
	for p, _ := s.peek(100); p <= 100; p, _ = s.peek(100) {
		s.take()
		taken++
	}
	f.close()
	if taken != 3 || !s.done() { // the instants 1, 4 and 7 of every third
		t.Errorf("%d taken before the end, done %v", taken, s.done())
	}
}

// TestAlias guards that kinds are drawn as often as their weights say, within five
// standard deviations.
func TestAlias(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.Float64Range(0.01, 100), 2, 30).Draw(t, "weights")
		sum := 0.0
		all := make([]message, len(weights))
		for i, w := range weights {
			all[i].Weight = w
			sum += w
		}
		a := newAlias(all)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		const n = 20_000
		count := make([]float64, len(weights))
		for range n {
			count[a.draw(rng)]++
		}
		for i, w := range weights {
			p := w / sum
			if d := math.Abs(count[i] - n*p); d > 5*math.Sqrt(n*p*(1-p))+1 {
				t.Fatalf("kind %d of weight %v: %v of %d, want about %v", i, w, count[i], n, n*p)
			}
		}
	})
}

// TestMixAccounts guards that the accounts of the kinds add up to the run's, those
// beyond the bound in one.
func TestMixAccounts(t *testing.T) {
	msgs := make([]message, MaxTargets+7)
	for i := range msgs {
		msgs[i] = message{Request: Request{Name: string(rune('a' + i)), Weight: float64(1 + i)}, bytes: []byte("x")}
	}
	v := newVirtual(t, Offer{Timeout: time.Second, PeakRate: 5000, Thresholds: []time.Duration{10 * time.Millisecond}}, fifo(100*time.Microsecond))
	v.l.msgs, v.l.mix, v.l.mixRand = msgs, newAlias(msgs), rand.New(rand.NewPCG(1, 2))
	v.l.acc.tally = newTally(msgs)
	v.offer(5000, 4*time.Second)
	all := v.segment()
	var sum outcome.Counts
	samples := uint64(0)
	for i := range v.l.acc.tally.targets {
		g := &v.l.acc.tally.targets[i]
		if !g.Counts.Balanced() {
			t.Errorf("%s: %+v", g.Name, g.Counts)
		}
		sum.Add(g.Counts)
		samples += g.Latency.Count()
	}
	if sum != all.Counts || samples != all.Latency[outcome.Full].Count() {
		t.Errorf("by kind %+v, in all %+v", sum, all.Counts)
	}
	n := len(v.l.acc.tally.targets)
	if last := v.l.acc.tally.targets[n-1]; n != MaxTargets+1 || last.Kinds != 7 || last.Counts.Planned == 0 {
		t.Errorf("%d accounts, the last for %d kinds", n, last.Kinds)
	}
	if first := v.l.acc.tally.targets[0]; first.Name != msgs[len(msgs)-1].Name {
		t.Errorf("the heaviest kind has no account of its own: %q", first.Name)
	}
}

// TestReplayOnWire guards that what a replay plans is what the service gets: each
// kind as often, with its own method, headers and body, over both engines.
func TestReplayOnWire(t *testing.T) {
	bothEngines(t, func(t *testing.T, portable bool) {
		var mu sync.Mutex
		got := map[string]int{}
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body := make([]byte, 10)
			n, _ := r.Body.Read(body)
			mu.Lock()
			got[strings.Join([]string{r.Method, r.URL.RequestURI(), r.Header.Get("X-All"), r.Header.Get("X-One"), string(body[:n])}, " ")]++
			mu.Unlock()
		}))
		defer srv.Close()
		o := Options{URL: srv.URL, ForceGoroutineEngine: portable, Loops: 2,
			Headers: []Header{{"X-All", "all"}, {"X-One", "common"}},
			Requests: []Request{
				{Path: "/a?q=1"},
				{Method: "POST", Path: "/b", Headers: []Header{{"x-one", "own"}}, Body: []byte("body")},
				{Method: "HEAD", Path: "/c"},
			}}
		trace := func(yield func(Arrival) bool) {
			for i := range 90 {
				if !yield(Arrival{time.Duration(i) * 3 * time.Millisecond, int32(i % 3)}) {
					return
				}
			}
		}
		res := mustOffer(t, o, Offer{Timeout: 10 * time.Second, PeakRate: 400, Arrivals: Replay, Trace: trace},
			PilotFunc(func(*Timeline) Step { return Step{Rate: 1} }))
		want := map[string]int{"GET /a?q=1 all common ": 30, "POST /b all own body": 30, "HEAD /c all common ": 30}
		mu.Lock()
		defer mu.Unlock()
		for k, n := range want {
			if got[k] != n {
				t.Errorf("%q: %d, want %d; all: %v", k, got[k], n, got)
			}
		}
		s := res.Segments[0]
		if s.Counts.Planned != 90 || s.Counts.By[outcome.Full] != 90 || s.Duration < 200*time.Millisecond {
			t.Errorf("%+v in %v, causes %v", s.Counts, s.Duration, s.Causes)
		}
		for i, g := range res.Targets {
			if g.Counts.Planned != 30 || g.Counts.By[outcome.Full] != 30 {
				t.Errorf("target %d: %+v", i, g.Counts)
			}
		}
	})
}

// TestMixErrors guards what a mix may not be.
func TestMixErrors(t *testing.T) {
	for want, o := range map[string]Options{
		"weight over 0":     {Requests: []Request{{Path: "/", Weight: -1}}},
		"begins with /":     {Requests: []Request{{Path: "x"}}},
		"without spaces":    {Requests: []Request{{Path: "/a b"}}},
		"expected a method": {Requests: []Request{{Method: "G T"}}},
		"none beside it":    {Method: "PUT", Requests: []Request{{Path: "/"}}},
		"set from the body": {Requests: []Request{{Headers: []Header{{"Content-Length", "3"}}}}},
	} {
		o.URL = "http://127.0.0.1:1/"
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o.Requests, err, want)
		}
	}
}
