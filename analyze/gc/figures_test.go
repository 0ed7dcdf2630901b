package gc

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/kneeline/gcparse"
)

func TestPauseFigures(t *testing.T) {
	p := newTape(t, gcparse.Parallel)
	var all []float64
	r := rand.New(rand.NewPCG(4, 4))
	for i := range 1000 {
		d := math.Round(r.ExpFloat64()*50) / 1000
		all = append(all, d)
		if i%100 == 7 {
			p.full(float64(i), d, titled("Pause Full", "Ergonomics"))
			continue
		}
		p.young(float64(i), d)
	}
	l := p.judge()
	slices.Sort(all)
	for _, c := range []struct{ q, got float64 }{
		{0.5, l.Pauses.Quantiles.P50}, {0.9, l.Pauses.Quantiles.P90}, {0.99, l.Pauses.Quantiles.P99}, {0.999, l.Pauses.Quantiles.P999}, {1, l.Pauses.Longest},
	} {
		want := all[int(math.Ceil(c.q*1000))-1]
		if math.Abs(c.got-want) > 0.01*want {
			t.Errorf("%v: %v, want %v", c.q, c.got, want)
		}
	}
	if l.Pauses.Full != 10 || l.Pauses.ByCause[0].Name != "Allocation Failure" || l.Pauses.ByCause[0].Count != 990 || l.Pauses.ByTitle[1].Name != "Pause Full" {
		t.Errorf("%+v", l.Pauses)
	}
	if got, want := *l.Pauses.Throughput, 1-l.Pauses.Total/l.Observed; math.Abs(got-want) > 1e-9 {
		t.Errorf("throughput %v, want %v", got, want)
	}
}

func TestRates(t *testing.T) {
	p := newTape(t, gcparse.Parallel)
	// 100 MiB are allocated between collections, 2 s apart, and ten times as much
	// for 20 s.
	at := 0.0
	for i := range 200 {
		p.young(at, 0, heapMiB(200, 100, 2048), promoted(10))
		if i >= 100 && i < 200 && i < 110 {
			at += 0.2 // 500 MiB/s
			continue
		}
		at += 2
	}
	l := p.judge()
	if got := *l.Rates.Allocated; got != 199*100<<20 {
		t.Errorf("allocated %d MiB", got>>20)
	}
	if got, want := *l.Rates.Allocation, 199*100*(1<<20)/seconds(ns(at-2)); math.Abs(got/want-1) > 1e-9 {
		t.Errorf("%v, want %v", got, want)
	}
	if got := *l.Rates.AllocationPeak / (1 << 20); got < 110 || got > 160 {
		t.Errorf("peak %v MiB/s", got)
	}
	if got := *l.Rates.Promoted; got != 200*10<<20 {
		t.Errorf("promoted %d MiB", got>>20)
	}
}

// Promotion is what left the young generation and not the heap.
func TestPromotionFromSizes(t *testing.T) {
	p := newTape(t, gcparse.Parallel)
	for i := range 10 {
		p.young(float64(i), 0.01, heapMiB(500, 200, 1024), func(e *gcparse.Event) {
			e.Young = gcparse.Space{Before: 350 << 20, After: 20 << 20, HasBefore: true, HasAfter: true}
		})
	}
	if got := *p.judge().Rates.Promoted; got != 10*30<<20 {
		t.Errorf("promoted %d MiB", got>>20)
	}
	p = newTape(t, gcparse.G1)
	p.some(20)
	if r := p.judge().Rates; r.Promotion != nil || r.Allocation != nil {
		t.Errorf("rates out of nothing: %+v", r)
	}
}

func TestDeadline(t *testing.T) {
	for _, c := range []struct {
		timeout, service time.Duration
		pauses           [][2]float64 // start, length
		late             float64
	}{
		{400 * time.Millisecond, 0, [][2]float64{{100, 0.4}}, 0},
		{400 * time.Millisecond, 0, [][2]float64{{100, 1.4}, {200, 0.5}}, 1.1},
		// With 100 ms of work a pause of 350 ms makes arrivals late in its first 50 ms,
		// and in the 100 ms before it, which do not get their 100 ms in time.
		{400 * time.Millisecond, 100 * time.Millisecond, [][2]float64{{100, 0.35}}, 0.15},
		// Two pauses within one timeout leave too little between them.
		{400 * time.Millisecond, 100 * time.Millisecond, [][2]float64{{100, 0.16}, {100.2, 0.16}}, 0.08},
	} {
		p := newTape(t, gcparse.G1)
		p.cfg.Timeout, p.cfg.Service = c.timeout, c.service
		p.young(0, 0.001)
		for _, x := range c.pauses {
			p.young(x[0], x[1])
		}
		p.young(1000, 0.001)
		d := p.judge().Deadline
		// By brute force, a millisecond at a time.
		want := 0.0
		for at := 99.0; at < 202; at += 0.0005 {
			stopped := 0.0
			for _, x := range c.pauses {
				stopped += max(0, min(x[0]+x[1], at+c.timeout.Seconds())-max(x[0], at))
			}
			if stopped > (c.timeout-c.service).Seconds()-1e-9 {
				want += 0.0005
			}
		}
		if math.Abs(d.LateSeconds-want) > 0.002 {
			t.Errorf("%v, %v: late for %v s, want %v", c.timeout, c.pauses, d.LateSeconds, want)
		}
		if math.Abs(d.LateSeconds-c.late) > 0.002 {
			t.Errorf("%v, %v: late for %v s, want %v", c.timeout, c.pauses, d.LateSeconds, c.late)
		}
	}
}

// A curve keeps the mean and the highest value, however often it is made coarser.
func TestLane(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l lane
		var sum, covered, highest float64
		at := rapid.Int64Range(-1e12, 1e12).Draw(t, "origin")
		value := 0.0
		for range rapid.IntRange(1, 200).Draw(t, "pieces") {
			length := rapid.SampledFrom([]int64{1, 1e6, 3e8, 2e9, 5e10, 4e12}).Draw(t, "length")
			next := rapid.Float64Range(0, 1).Draw(t, "value")
			if rapid.Bool().Draw(t, "gap") {
				at += length
				value = next
				continue
			}
			l.add(at, at+length, value, next)
			sum += (value + next) / 2 * float64(length)
			covered += float64(length)
			highest = max(highest, value, next)
			at, value = at+length, next
		}
		var gotSum, gotCovered, gotHighest float64
		for i, n := range l.covered {
			gotSum += l.sum[i]
			gotCovered += float64(n)
			gotHighest = max(gotHighest, l.max[i])
			if n > l.width || n > 0 && (l.sum[i]/float64(n) > l.max[i]+1e-9) {
				t.Fatalf("point %d covers %d of %d, mean %v, highest %v", i, n, l.width, l.sum[i]/float64(n), l.max[i])
			}
		}
		if len(l.covered) > points {
			t.Fatalf("%d points", len(l.covered))
		}
		if math.Abs(gotSum-sum) > 1e-6*(1+sum) || gotCovered != covered || math.Abs(gotHighest-highest) > 1e-12 {
			t.Fatalf("sum %v, want %v; covered %v, want %v; highest %v, want %v", gotSum, sum, gotCovered, covered, gotHighest, highest)
		}
	})
}

// The interval of the trend holds the true slope about as often as it says, and
// outliers do not move it far.
func TestTheilSen(t *testing.T) {
	held, far := 0, 0
	const rounds = 400
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 2))
		slope := 1000 * (r.Float64() - 0.5)
		var at, value []int64
		for i := range 40 {
			y := 1e6 + slope*float64(i) + 3000*r.NormFloat64()
			if i%13 == 5 {
				y += 1e6
			}
			at, value = append(at, int64(i)*1e9), append(value, int64(y))
		}
		got, ok := theilSen(at, value)
		if !ok {
			t.Fatal("no trend")
		}
		if got.low <= slope && slope <= got.high {
			held++
		}
		if math.Abs(got.slope-slope) > 400 {
			far++
		}
	}
	// 95% of 400 are 380, with a standard deviation of 4.4; outliers make it wider.
	if held < 362 {
		t.Errorf("the interval held the slope in %d of %d", held, rounds)
	}
	if far > rounds/50 {
		t.Errorf("%d of %d slopes are far off", far, rounds)
	}
	if _, ok := theilSen(make([]int64, 7), make([]int64, 7)); ok {
		t.Error("a trend out of 7 samples")
	}
	if _, ok := theilSen(make([]int64, 20), make([]int64, 20)); ok {
		t.Error("a trend out of one instant")
	}
}

// Halving keeps the least of all, and the order.
func TestSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s samples
		n := rapid.IntRange(1, 3000).Draw(t, "n")
		least := int64(math.MaxInt64)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		for i := range n {
			v := r.Int64N(1000)
			s.add(int64(i), v)
			if i < n-s.got { // the rest waits for its group
				least = min(least, v)
			}
		}
		if len(s.at) > maxSamples || !slices.IsSorted(s.at) {
			t.Fatalf("%d samples", len(s.at))
		}
		if len(s.value) > 0 && slices.Min(s.value) > least {
			t.Fatalf("least %d, want %d", slices.Min(s.value), least)
		}
		at, value := s.even()
		if len(at) > bins || len(at) != len(value) || !slices.IsSorted(at) {
			t.Fatalf("%d bins", len(at))
		}
	})
}

func TestMoments(t *testing.T) {
	up := 3903.25
	for _, c := range []struct {
		a, b Moment
		want string
	}{
		{Moment{Time: "2026-11-28T10:00:01.000Z"}, Moment{Time: "2026-11-28T10:05:00.000Z"}, "2026-11-28 10:00:01 to 10:05:00Z"},
		{Moment{Time: "2026-11-28T23:59:01.000Z"}, Moment{Time: "2026-11-29T00:05:00.000Z"}, "2026-11-28 23:59:01Z to 2026-11-29 00:05:00Z"},
		{Moment{Uptime: &up}, Moment{Uptime: &up}, "uptime 3903.2s to 3903.2s"},
		{Moment{Log: 1}, Moment{Log: 2}, "1.0s to 2.0s"},
	} {
		if got := span(c.a, c.b); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
