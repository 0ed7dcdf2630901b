package queuecalc

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// Where few requests fit into a timeout the margin would take nearly all of them,
// and where their service takes much of it, it is too little.
func TestSafeWhereTheMarginIsCoarse(t *testing.T) {
	for _, c := range []struct {
		what     string
		x        float64
		workers  int
		service  time.Duration
		p99      time.Duration
		want     Sizes
		low, top float64 // goodput at 1.1 with the margin alone, and with the answer
	}{
		{"less than one request", 0.5, 0, 0, 0, Sizes{0, 0, 0, false}, 0, 1},
		{"one request, which runs", 1, 0, 0, 0, Sizes{1, 1, 0, true}, 0, 1},
		{"a worker and a place", 4, 1, 0, 0, Sizes{4, 3, 2, true}, 0.51, 0.68},
		{"ten requests", 10, 1, 0, 0, Sizes{10, 5, 4, true}, 0.52, 0.855},
		{"fewer than workers", 4, 12, 0, 0, Sizes{4, 0, 0, false}, 0, 1},
		{"service of a tenth of the timeout", 480, 48, 0, 0, Sizes{480, 346, 298, true}, 0.93, 0.97},
		{"so many workers, of which a few are busy", 480, 48, 10 * time.Millisecond, 0, Sizes{480, 414, 366, false}, 0, 1},
		{"slowest requests take three quarters", 480, 96, 0, 750 * time.Millisecond, Sizes{480, 414, 54, false}, 0, 1},
		{"slowest requests take all", 480, 96, 0, time.Second, Sizes{480, 414, 0, false}, 0, 1},
	} {
		u := mustUseful(t, UsefulInput{Capacity: Interval{Estimate: c.x}, ClientTimeout: time.Second, Workers: c.workers, ServiceTime: c.service, ServiceP99: c.p99})
		if u.Sizes != c.want {
			t.Errorf("%s: %+v, want %+v", c.what, u.Sizes, c.want)
		}
		if c.low == 0 {
			continue
		}
		rule := max(InSystem(c.x-3*math.Sqrt(c.x)), InSystem(c.workers))
		before, _ := u.GoodputInSystem(rule, SafeLoad)
		after, err := u.GoodputInSystem(u.Safe, SafeLoad)
		if err != nil || before > c.low+0.01 || after < c.top {
			t.Errorf("%s: goodput %v with the margin, %v with the answer, %v; want about %v and at least %v", c.what, before, after, err, c.low, c.top)
		}
	}
}

// Of all lengths none keeps noticeably more than the safe one, found by trying
// them all, and a little more capacity never makes it much shorter.
func TestSafeAgainstEveryLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := math.Exp(rapid.Float64Range(0, math.Log(200)).Draw(t, "ln capacity × timeout"))
		c := rapid.IntRange(1, max(int(x), 1)).Draw(t, "workers")
		in := UsefulInput{Capacity: Interval{Estimate: x}, ClientTimeout: time.Second, Workers: c}
		u, err := Useful(in)
		if err != nil {
			t.Fatal(err)
		}
		safe, err := u.GoodputInSystem(u.Safe, SafeLoad)
		if err != nil {
			t.Fatal(err)
		}
		for k := InSystem(c); k <= u.InSystem; k++ {
			got, err := u.GoodputInSystem(k, SafeLoad)
			if err != nil {
				t.Fatal(err)
			}
			if got > safe+SafeLoss+1e-9 {
				t.Fatalf("safe %d keeps %v, %d keeps %v", u.Safe, safe, k, got)
			}
		}
		in.Capacity.Estimate *= rapid.Float64Range(1, 1.2).Draw(t, "more capacity")
		more, err := Useful(in)
		if err != nil {
			t.Fatal(err)
		}
		if more.Safe < u.Safe-1 {
			t.Fatalf("safe %d with %v/s, %d with %v/s", u.Safe, x, more.Safe, in.Capacity.Estimate)
		}
	})
}
