package loadgen

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

const second = int64(1e9)

func testSchedule(law Arrivals, seed uint64, phase float64, changes ...change) *schedule {
	s := newSchedule(law, rand.New(rand.NewPCG(seed, 0)), phase)
	for _, c := range changes {
		s.post(c)
	}
	return s
}

// drain takes all instants of a schedule up to its end.
func drain(s *schedule) (at []int64, segments []int32) {
	for {
		p, n := s.peek(never - 1)
		if p == never {
			return at, segments
		}
		at, segments = append(at, p), append(segments, n)
		s.take()
	}
}

// TestPoissonGaps guards the law of the gaps: a Kolmogorov-Smirnov test against
// the exponential. The critical value of sqrt(n)·D at the level of 1 % is 1.628;
// the seeds are fixed, so that the test cannot fail by chance.
func TestPoissonGaps(t *testing.T) {
	const rate, n = 1000.0, 200000
	for seed := range uint64(3) {
		at, _ := drain(testSchedule(Poisson, seed, 0, change{rate: rate}, change{at: n * second / rate, end: true}))
		gaps := make([]float64, 0, len(at))
		last := int64(0)
		for _, p := range at {
			gaps = append(gaps, float64(p-last)/1e9)
			last = p
		}
		slices.Sort(gaps)
		d := 0.0
		for i, g := range gaps {
			f := -math.Expm1(-rate * g)
			d = max(d, f-float64(i)/float64(len(gaps)), float64(i+1)/float64(len(gaps))-f)
		}
		if ks := d * math.Sqrt(float64(len(gaps))); ks > 1.628 {
			t.Errorf("seed %d: sqrt(n)·D = %.3f over %d gaps", seed, ks, len(gaps))
		}
		if off := math.Abs(float64(len(at)) - n); off > 4*math.Sqrt(n) {
			t.Errorf("seed %d: %d instants, want %d ± %.0f", seed, len(at), n, 4*math.Sqrt(n))
		}
	}
}

// TestPoissonMemoryless guards that changing the rate often does not change the
// number of arrivals: the counts of windows with their own rate stay Poisson
// (variance = mean).
func TestPoissonMemoryless(t *testing.T) {
	var changes []change
	const steps = 20000
	for i := range int64(steps) {
		changes = append(changes, change{at: i * second / 10, rate: []float64{100, 300}[i%2], segment: int32(i % 2)})
	}
	changes = append(changes, change{at: steps * second / 10, end: true})
	at, segments := drain(testSchedule(Poisson, 7, 0, changes...))
	counts := make([]float64, steps)
	for i, p := range at {
		k := p / (second / 10)
		counts[k]++
		if segments[i] != int32(k%2) {
			t.Fatalf("the instant %d is of segment %d", p, segments[i])
		}
	}
	for odd, mean := range []float64{10, 30} {
		var sum, sq float64
		for i := odd; i < steps; i += 2 {
			sum += counts[i]
			sq += (counts[i] - mean) * (counts[i] - mean)
		}
		n := float64(steps / 2)
		if math.Abs(sum/n-mean) > 4*math.Sqrt(mean/n) {
			t.Errorf("mean %.3f, want %v", sum/n, mean)
		}
		if ratio := sq / n / mean; math.Abs(ratio-1) > 4*math.Sqrt(2/n) {
			t.Errorf("variance over mean %.3f, want 1", ratio)
		}
	}
}

// TestConstantExact guards that a metronome does not drift.
func TestConstantExact(t *testing.T) {
	at, _ := drain(testSchedule(Constant, 0, 0, change{rate: 3000}, change{at: 100 * second, end: true}))
	if len(at) != 300000 {
		t.Fatalf("%d instants, want 300000", len(at))
	}
	for k, p := range at {
		if want := float64(k) * 1e9 / 3000; math.Abs(float64(p)-want) > 1.5 {
			t.Fatalf("instant %d is %d ns, want %.1f", k, p, want)
		}
	}
}

// TestConstantPhase guards that a metronome's count follows the integral of the
// rate whatever the rate does, including standing still: the phase is kept.
func TestConstantPhase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		phase := rapid.Float64Range(0, 0.999).Draw(t, "phase")
		n := rapid.IntRange(1, 20).Draw(t, "steps")
		var changes []change
		at, area, rate := int64(0), 0.0, 0.0
		for range n {
			rate = rapid.SampledFrom([]float64{0, 0.5, 7, 100, 1234.5}).Draw(t, "rate")
			changes = append(changes, change{at: at, rate: rate})
			length := rapid.Int64Range(1, 2*second).Draw(t, "length")
			at += length
			area += rate * float64(length) / 1e9
		}
		changes = append(changes, change{at: at, end: true})
		got, _ := drain(testSchedule(Constant, 0, phase, changes...))
		// One instant for each time that the area passes phase, phase+1, ...
		want := math.Ceil(area - phase)
		if math.Abs(float64(len(got))-max(0, want)) > 1 {
			t.Fatalf("%d instants for an area of %.3f from phase %.3f", len(got), area, phase)
		}
		if !slices.IsSorted(got) {
			t.Fatal("instants go back in time")
		}
	})
}

// TestLaggingSchedule guards that a change posted while the schedule lags does
// not touch what was planned before it.
func TestLaggingSchedule(t *testing.T) {
	s := testSchedule(Constant, 0, 0, change{rate: 100})
	s.post(change{at: second, rate: 1000, segment: 1})
	s.post(change{at: 2 * second, end: true, segment: 1})
	at, segments := drain(s)
	if len(at) != 1100 {
		t.Fatalf("%d instants, want 1100", len(at))
	}
	if at[99] != 990*ms || segments[99] != 0 || at[100] != second || segments[100] != 1 || at[101] != 1001*ms {
		t.Errorf("around the change: %v in segments %v", at[99:102], segments[99:102])
	}
}

// TestLoopsInterleave guards that the metronomes of several loops make one.
func TestLoopsInterleave(t *testing.T) {
	var all []int64
	for i := range 4 {
		at, _ := drain(testSchedule(Constant, 0, float64(i)/4, change{rate: 25}, change{at: second, end: true}))
		all = append(all, at...)
	}
	slices.Sort(all)
	for k, p := range all {
		if want := int64(k) * 10 * ms; p < want-2 || p > want+2 {
			t.Fatalf("instant %d of %d is %d, want %d", k, len(all), p, want)
		}
	}
}
