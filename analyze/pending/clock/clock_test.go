package clock

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var taken = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// boot is when the machine of the tests started: the zero of its counter.
var boot = taken.Add(-12 * 24 * time.Hour)

// poisson returns n moments, in nanoseconds of wall clock, from head before the
// dump to tail before it, as a Poisson process has them, conditioned on its ends.
func poisson(rng *rand.Rand, n int, head, tail time.Duration) []int64 {
	gaps, sum := make([]float64, n), 0.0
	for i := 1; i < n; i++ {
		gaps[i] = rng.ExpFloat64()
		sum += gaps[i]
	}
	at, passed := make([]int64, n), 0.0
	for i := range at {
		passed += gaps[i]
		at[i] = taken.Add(-head).UnixNano() + int64(passed/sum*float64(head-tail))
	}
	return at
}

func mapped(at []int64, f func(i int, at int64) int64) []int64 {
	out := make([]int64, len(at))
	for i := range at {
		out[i] = f(i, at[i])
	}
	return out
}

func millis(at []int64) []int64 {
	return mapped(at, func(_ int, v int64) int64 { return v / 1e6 })
}

func seeded() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func near(t *testing.T, what string, got, want, tolerance time.Duration) {
	t.Helper()
	if d := got - want; d > tolerance || -d > tolerance {
		t.Errorf("%s is %v, want %v within %v", what, got, want, tolerance)
	}
}

func TestEpochUnits(t *testing.T) {
	at := poisson(seeded(), 19_500, 74200*time.Millisecond, 11600*time.Millisecond)
	for _, tt := range []struct {
		unit Unit
		div  int64
	}{{EpochMillis, 1e6}, {EpochMicros, 1e3}, {EpochNanos, 1}} {
		values := mapped(at, func(_ int, v int64) int64 { return v / tt.div })
		got, refused := Config{Now: taken}.Ages(Queue{Entries: 19_500, Columns: []Column{{Source: "a.Request#_created", Values: values}}})
		if got == nil {
			t.Fatalf("%v: no ages: %v", tt.unit, refused)
		}
		if got.Unit != tt.unit {
			t.Errorf("unit is %v, want %v", got.Unit, tt.unit)
		}
		near(t, "head", got.Head, 74200*time.Millisecond, 2*time.Millisecond)
		near(t, "tail", got.Tail, 11600*time.Millisecond, 2*time.Millisecond)
		if math.Abs(got.ArrivalRate-311.5) > 0.5 {
			t.Errorf("arrival rate is %.1f, want 311.5", got.ArrivalRate)
		}
		if math.Abs(got.Throughput-262.8) > 0.5 {
			t.Errorf("throughput is %.1f, want 262.8", got.Throughput)
		}
	}
}

// TestCalibration pairs a wall-clock stamp with a counter that is stamped up to
// 2.6 s later, as idle stamps are, and reads ages off another class's counter.
func TestCalibration(t *testing.T) {
	for _, zero := range []int64{boot.UnixNano(), taken.UnixNano() + 5e17, taken.Add(-40 * 24 * time.Hour).UnixNano()} {
		rng := seeded()
		at := poisson(rng, 5000, 90*time.Second, 5*time.Second)
		idle := mapped(at, func(_ int, v int64) int64 { return v - zero + 5e8 + int64(rng.Float64()*2.1e9) })
		cal, ok := Config{Now: taken}.Calibrate([]Sample{{Class: "EndPoint", Columns: []Column{
			{Source: "EndPoint#_created", Values: millis(at)},
			{Source: "EndPoint#_idleTimestamp", Values: idle},
			{Source: "EndPoint#_number", Values: mapped(at, func(i int, _ int64) int64 { return int64(i) })},
		}}})
		if !ok {
			t.Fatalf("zero %d: no calibration", zero)
		}
		near(t, "offset", time.Duration(cal.Offset-zero), 0, 3*time.Second)
		own := mapped(at, func(_ int, v int64) int64 { return v - zero })
		got, refused := Config{Now: taken, Calibration: &cal}.Ages(Queue{Entries: 5000, Columns: []Column{{Source: "Call#enqueuedNanos", Values: own}}})
		if got == nil {
			t.Fatalf("zero %d: no ages: %v", zero, refused)
		}
		near(t, "head", got.Head, 90*time.Second, 3*time.Second)
		if want := 4999 / 85.0; math.Abs(got.ArrivalRate/want-1) > 0.05 {
			t.Errorf("arrival rate is %.2f, want %.2f", got.ArrivalRate, want)
		}
		if got.Unit != Nano || got.Spread == 0 {
			t.Errorf("unit %v with spread %v", got.Unit, got.Spread)
		}
	}
}

// TestStampsTakenTogether has half of the objects touched once more, seconds
// later: the untouched half is exact, and so is the calibration.
func TestStampsTakenTogether(t *testing.T) {
	rng := seeded()
	at := poisson(rng, 1000, 90*time.Second, 5*time.Second)
	idle := mapped(at, func(i int, v int64) int64 {
		if i%5 < 2 {
			v += int64(rng.ExpFloat64() * 4e9)
		}
		return v - boot.UnixNano()
	})
	cal, ok := Config{Now: taken}.Calibrate([]Sample{{Columns: []Column{{Source: "E#created", Values: millis(at)}, {Source: "E#idle", Values: idle}}}})
	if !ok {
		t.Fatal("no calibration")
	}
	near(t, "offset", time.Duration(cal.Offset-boot.UnixNano()), 0, 2*time.Millisecond)
}

func TestRefusals(t *testing.T) {
	rng := seeded()
	const n = 4000
	at := poisson(rng, n, 60*time.Second, 2*time.Second)
	cal := Calibration{Offset: boot.UnixNano(), paired: map[string]bool{}}
	started := taken.Add(-2 * time.Hour).UnixMilli()
	for _, tt := range []struct {
		name string
		col  Column
		why  string // "" for columns that do not look like a stamp
	}{
		{"a number from 1", Column{Values: mapped(at, func(i int, _ int64) int64 { return int64(i + 1) })}, "same step"},
		{"a number that began at the start of the server", Column{Values: mapped(at, func(i int, _ int64) int64 { return started + int64(i) })}, "counts up by one"},
		{"bytes read so far", Column{Values: mapped(at, func(i int, _ int64) int64 { return int64(i)*1400 + int64(rng.IntN(900)) })}, "too close together"},
		{"sizes", Column{Values: mapped(at, func(int, int64) int64 { return 1 + int64(rng.IntN(4096)) })}, "do not rise"},
		{"hashes", Column{Values: mapped(at, func(int, int64) int64 { return int64(rng.Uint64()) })}, ""},
		{"one value", Column{Values: mapped(millis(at), func(int, int64) int64 { return started })}, "same value"},
		{"mostly one value", Column{Values: mapped(at, func(_ int, v int64) int64 {
			if rng.IntN(100) < 7 {
				return started + int64(rng.IntN(7e6))
			}
			return started
		})}, "not rise"},
		{"another order", Column{Values: mapped(millis(at), func(int, int64) int64 { return millis(at)[rng.IntN(n)] })}, "do not rise"},
		{"too few stamped", Column{Values: mapped(millis(at), func(i int, v int64) int64 { return v * int64(min(1, i%7)) })}, "only 85.7 %"},
		{"times to come", Column{Values: mapped(millis(at), func(_ int, v int64) int64 { return v + 300_000 })}, "too close together"},
		{"a shared object", Column{Values: millis(at), Objects: make([]uint64, n)}, "share the objects"},
		{"a deadline already past", Column{Source: "Call#deadlineMillis", Values: millis(at)}, "name"},
		{"steps of a thousand", Column{Values: mapped(at, func(i int, _ int64) int64 { return int64(i) * 1000 })}, "same step"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.col.Source == "" {
				tt.col.Source = "Item#value"
			}
			got, refused := Config{Now: taken, Calibration: &cal}.Ages(Queue{Entries: n, Columns: []Column{tt.col}})
			if got != nil {
				t.Fatalf("got ages: head %v, tail %v", got.Head, got.Tail)
			}
			why := ""
			if len(refused) > 0 {
				why = refused[0].Why
			}
			if tt.why == "" && why != "" || !strings.Contains(why, tt.why) {
				t.Errorf("refused because %q, want %q", why, tt.why)
			}
		})
	}
}

// TestNoCalibrationFromCounters offers pairs of a stamp and something else.
func TestNoCalibrationFromCounters(t *testing.T) {
	rng := seeded()
	at := poisson(rng, 3000, 90*time.Second, 5*time.Second)
	for name, values := range map[string][]int64{
		"number":   mapped(at, func(i int, _ int64) int64 { return int64(i) }),
		"constant": mapped(at, func(int, int64) int64 { return 30_000 }),
		"micros":   mapped(at, func(_ int, v int64) int64 { return (v - boot.UnixNano()) / 1000 }),
		"random":   mapped(at, func(int, int64) int64 { return int64(rng.Uint64()) }),
		"millis":   millis(at),
		"extremes": mapped(at, func(i int, _ int64) int64 { return math.MinInt64 + int64(i%2)*math.MaxInt64 }),
	} {
		if cal, ok := (Config{Now: taken}).Calibrate([]Sample{{Columns: []Column{{Source: "E#created", Values: millis(at)}, {Source: "E#other", Values: values}}}}); ok {
			t.Errorf("%s: calibrated to %d", name, cal.Offset)
		}
	}
}

func TestStackAndSample(t *testing.T) {
	at := poisson(seeded(), 10_000, 50*time.Second, 10*time.Second)
	var values, pos []int64
	for i := 9_999; i >= 0; i -= 7 {
		values, pos = append(values, at[i]/1e6), append(pos, int64(9_999-i))
	}
	got, refused := Config{Now: taken}.Ages(Queue{Entries: 10_000, Positions: pos, Columns: []Column{{Source: "T#created", Values: values}}})
	if got == nil {
		t.Fatal(refused)
	}
	if !got.Reversed {
		t.Error("not seen to be a stack")
	}
	near(t, "head", got.Head, 50*time.Second, 200*time.Millisecond)
	near(t, "tail", got.Tail, 10*time.Second, 200*time.Millisecond)
}

// TestChoice has several fields that all pass.
func TestChoice(t *testing.T) {
	at := poisson(seeded(), 1000, 60*time.Second, time.Second)
	later := mapped(at, func(_ int, v int64) int64 { return v/1e6 + 400 })
	field := func(source string, hops int, preferred bool, values []int64) Column {
		return Column{Source: source, Hops: hops, Preferred: preferred, Values: values}
	}
	for _, tt := range []struct {
		want    string
		columns []Column
	}{
		{"A#created", []Column{field("A#lastUsed", 0, false, later), field("A#created", 0, false, millis(at))}},
		{"A#x", []Column{field("B#x", 1, false, later), field("A#x", 0, false, millis(at))}},
		{"A#y", []Column{field("A#created", 0, false, later), field("A#y", 0, true, millis(at))}},
		{"", []Column{field("A#lastRead", 0, false, later), field("A#expires", 0, false, millis(at))}},
		{"A#lastRead", []Column{field("A#lastRead", 0, true, later), field("A#z", 0, false, millis(at))}},
	} {
		got, refused := Config{Now: taken}.Ages(Queue{Entries: 1000, Columns: tt.columns})
		source := ""
		if got != nil {
			source = got.Source
		}
		if source != tt.want {
			t.Errorf("want %q, got %+v, %v", tt.want, got, refused)
		}
	}
}

func TestNoTimeNoAges(t *testing.T) {
	at := poisson(seeded(), 1000, 60*time.Second, time.Second)
	q := Queue{Entries: 1000, Columns: []Column{{Source: "A#created", Values: millis(at)}}}
	for _, now := range []time.Time{{}, time.UnixMilli(0), taken.Add(-365 * 24 * time.Hour)} {
		if got, _ := (Config{Now: now}).Ages(q); got != nil {
			t.Errorf("ages by the clock %v", now)
		}
	}
}

// TestAgesProperty: whatever the rate, the length and the disorder among
// neighbours, head and rate are within what is promised.
func TestAgesProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		n := rapid.IntRange(100, 3000).Draw(t, "entries")
		tail := time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "tail"))
		span := time.Duration(rapid.Int64Range(int64(2*time.Second), int64(6*time.Hour)).Draw(t, "span"))
		missing := rapid.IntRange(12, 40).Draw(t, "one missing of")
		at := poisson(rng, n, tail+span, tail)
		jitter := float64(min(span/2000, 20*time.Millisecond))
		values := mapped(at, func(i int, v int64) int64 {
			if i%missing == missing-1 {
				return 0
			}
			return (v + int64(rng.Float64()*jitter)) / 1e6
		})
		got, refused := Config{Now: taken}.Ages(Queue{Entries: int64(n), Columns: []Column{{Source: "A#at", Values: values}}})
		if got == nil {
			t.Fatalf("no ages: %v", refused)
		}
		if d := (got.Head - tail - span).Abs(); d > time.Second {
			t.Errorf("head is %v, want %v", got.Head, tail+span)
		}
		if want := float64(n-1) / span.Seconds(); math.Abs(got.ArrivalRate/want-1) > 0.05 {
			t.Errorf("rate is %v, want %v", got.ArrivalRate, want)
		}
		if got.Oldest < got.Head || got.Head < got.Median || got.Median < got.Tail || got.Tail < 0 {
			t.Errorf("ages out of order: %+v", got)
		}
	})
}

// TestNoFalseAgesProperty: numbers that are no stamps give no ages, even when
// the counter's zero is known.
func TestNoFalseAgesProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		n := rapid.IntRange(100, 2000).Draw(t, "entries")
		start := rapid.Int64Range(0, 1<<40).Draw(t, "start")
		step := rapid.Int64Range(0, 1<<20).Draw(t, "step")
		noise := rapid.Int64Range(1, 1<<20).Draw(t, "noise")
		values := make([]int64, n)
		for i := range values {
			values[i] = start + int64(i)*step + rng.Int64N(noise)
		}
		cal := Calibration{Offset: boot.UnixNano()}
		if got, _ := (Config{Now: taken, Calibration: &cal}).Ages(Queue{Entries: int64(n), Columns: []Column{{Source: "A#v", Values: values}}}); got != nil {
			t.Fatalf("ages from %d + %d i + noise %d: %+v", start, step, noise, got)
		}
	})
}

func TestLongestRiseProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(-20, 20), 0, 40).Draw(t, "values")
		rise := longestRise(values)
		for i := 1; i < len(rise); i++ {
			if rise[i] <= rise[i-1] || values[rise[i]] < values[rise[i-1]] {
				t.Fatalf("%v is no rise of %v", rise, values)
			}
		}
		// The quadratic method by which the fast one is checked.
		longest, best := make([]int, len(values)), 0
		for i := range values {
			longest[i] = 1
			for j := range i {
				if values[j] <= values[i] {
					longest[i] = max(longest[i], longest[j]+1)
				}
			}
			best = max(best, longest[i])
		}
		if len(rise) != best {
			t.Fatalf("rise of %v has %d, want %d", values, len(rise), best)
		}
	})
}

func TestMeaning(t *testing.T) {
	for source, want := range map[string]meaning{
		"E#_created": arrival, "R#_timeStamp": arrival, "R#requestStartTime": arrival, "C#enqueuedNanos": arrival,
		"S#lastRead": lastUse, "E#_idleTimestamp": lastUse, "R#startTimeNanos": arrival, "X#time": neutral, "R#t0": neutral,
		"C#deadline": noStamp, "S#nextExpiry": noStamp, "R#requestID": noStamp, "K#baseOffset": noStamp, "R#createdEpochMillis": arrival,
	} {
		if got := meaningOf(source); got != want {
			t.Errorf("%s means %d, want %d", source, got, want)
		}
	}
}

// TestTouched has connections that were opened an hour ago, and such that are
// new but were read a little late.
func TestTouched(t *testing.T) {
	rng := seeded()
	opened := poisson(rng, 500, 3600*time.Second, 3500*time.Second)
	fresh := poisson(rng, 500, 90*time.Second, 5*time.Second)
	cal := Calibration{Offset: boot.UnixNano()}
	cfg := Config{Now: taken, Calibration: &cal}
	nano := func(at []int64, after func() int64) *Column {
		return &Column{Source: "E#_idleTimestamp", Values: mapped(at, func(_ int, v int64) int64 { return v + after() - boot.UnixNano() })}
	}
	for _, tt := range []struct {
		name string
		at   []int64
		use  *Column
		want bool
	}{
		{"kept alive", opened, nano(opened, func() int64 { return 3e12 + rng.Int64N(4e11) }), true},
		{"kept alive, both in milliseconds", opened, &Column{Source: "E#lastRead", Values: mapped(opened, func(_ int, v int64) int64 { return v/1e6 + 3_400_000 })}, true},
		{"read late", fresh, nano(fresh, func() int64 { return 5e8 + rng.Int64N(2.1e9) }), false},
		{"not read yet", fresh, nano(fresh, func() int64 { return 0 }), false},
		{"no time at all", opened, &Column{Source: "E#lastCode", Values: make([]int64, 500)}, false},
	} {
		if got := cfg.Touched(&Column{Source: "E#_created", Values: millis(tt.at)}, tt.use); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
