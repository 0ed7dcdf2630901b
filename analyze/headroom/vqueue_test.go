package headroom

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"example.com/kneeline/internal/slo"
)

func secs(x float64) time.Duration { return time.Duration(x * 1e9) }

// ofCounts is a model whose completions are a given trace.
func ofCounts(done []float64, limit, inService, floor float64) *model {
	m := &model{timeout: limit, thresholds: []float64{limit}, floor: []float64{floor}, served: inService}
	m.done = done
	m.at = make([]int, len(done))
	for i := range m.at {
		m.at[i] = i
	}
	m.settle()
	return m
}

func poissonCounts(rate float64, n int, rng *rand.Rand) []float64 {
	draw := newCounter(rate * windowSeconds)
	out := make([]float64, n)
	for i := range out {
		out[i] = draw.at(rng.Float32())
	}
	return out
}

// The virtual queue has the capacities of queues that are known in closed form:
// μ − ln(100)/T for M/M/1, and the root of the tail's exponent for M/D/1.
func TestKneeOfKnownQueues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	ones := make([]float64, 100_000)
	for i := range ones {
		ones[i] = 1
	}
	for _, c := range []struct {
		name         string
		done         []float64
		limit, floor float64
		gap, within  float64 // μ − capacity, and how far it may be off
	}{
		{"M/M/1 1ms, T 400ms", poissonCounts(1000, 100_000, rng), 0.4, 0.001, 11.5, 2},
		{"M/M/1 1ms, T 50ms", poissonCounts(1000, 100_000, rng), 0.05, 0.001, 92, 6},
		{"M/M/1 10ms, T 400ms", poissonCounts(100, 100_000, rng), 0.4, 0.01, 11.5, 1},
		{"M/D/1 10ms, T 400ms", ones, 0.4, 0.01, 5.75, 0.6},
	} {
		m := ofCounts(c.done, c.limit, 1, c.floor)
		s := newSolver(slo.Default(secs(c.limit)), m, rng)
		mu := m.rate()
		got := mu - s.knee(0.9*mu, mu)
		if math.Abs(got-c.gap) > c.within {
			t.Errorf("%s: capacity is %.2f below the rate of completions, want %.2f", c.name, got, c.gap)
		}
	}
}

// A bounded queue sheds what is over and keeps the rest in time: with K in the
// system M/M/1/K sheds 1 % at ρ with (1−ρ)ρ^K / (1−ρ^(K+1)) = 0.01.
func TestKneeOfBoundedQueue(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const mu, k = 1200.0, 300.0
	m := ofCounts(poissonCounts(mu, 100_000, rng), 0.4, 1, 0.001)
	m.bound = k
	got := newSolver(slo.Default(secs(0.4)), m, rng).knee(0.9*mu, mu) / m.rate()
	lo, hi := 0.9, 1.1
	for range 60 {
		rho := (lo + hi) / 2
		if (1-rho)*math.Pow(rho, k)/(1-math.Pow(rho, k+1)) > 0.01 {
			hi = rho
		} else {
			lo = rho
		}
	}
	if math.Abs(got-lo) > 0.004 {
		t.Errorf("capacity is %.4f of the rate of completions, want %.4f", got, lo)
	}
}

// Stalls that come by the clock are told from the gaps between them, and cost the
// share of the time that they take.
func TestStallsByTheClock(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	done := poissonCounts(1200, 6000, rng)
	for i := 700; i < len(done); i += 1000 {
		for j := range 30 {
			done[i+j] = 0
		}
	}
	m := &model{timeout: 0.4, thresholds: []float64{0.4}, floor: []float64{0.01}, served: 12}
	m.done, m.at = done, make([]int, len(done))
	for i := range m.at {
		m.at[i] = i
	}
	m.findStalls()
	m.settle()
	if !m.regular() || len(m.stalls) != 6 {
		t.Fatalf("stalls %v, regular %v: want six, by the clock", m.stalls, m.regular())
	}
	if want := 1200 * 0.97; math.Abs(m.rate()-want) > 0.02*want {
		t.Errorf("rate %.0f, want %.0f", m.rate(), want)
	}
	if s := m.stalled(); s.Count != 6 || math.Abs(s.LengthSeconds-0.3) > 0.02 || math.Abs(s.EverySeconds-10) > 0.1 {
		t.Errorf("stalls %+v, want 6 of 0.3 s every 10 s", s)
	}
}

// A trend over the whole trace is reported, chance and a warm-up are not.
func TestTrend(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	flat := trace{done: poissonCounts(500, 4000, rng)}
	if got := flat.trend(); got != nil {
		t.Errorf("steady trace: %+v", got)
	}
	falling := trace{}
	for i := range 4000 {
		falling.done = append(falling.done, newCounter((500-100*float64(i)/4000)*windowSeconds).at(rng.Float32()))
	}
	got := falling.trend()
	if got == nil || math.Abs(got.FirstPerSecond-500) > 20 || math.Abs(got.LastPerSecond-400) > 20 {
		t.Errorf("falling trace: %+v, want 500 to 400", got)
	}
	if cut := flat.warmUp(); cut != 0 {
		t.Errorf("steady trace lost %d windows as warm-up", cut)
	}
	cold := trace{done: append(poissonCounts(300, 600, rng), poissonCounts(500, 3400, rng)...)}
	if cut := cold.warmUp(); cut < 500 || cut > 700 {
		t.Errorf("warm-up of 600 windows: %d were cut", cut)
	}
}

// The counts of one uniform number never fall as the mean grows, and have that
// mean.
func TestCounter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(0.001, 500).Draw(t, "mean")
		b := a * rapid.Float64Range(1, 1.2).Draw(t, "factor")
		ca, cb := newCounter(a), newCounter(b)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		const n = 4000
		total := 0.0
		for range n {
			u := rng.Float32()
			x, y := ca.at(u), cb.at(u)
			if y < x {
				t.Fatalf("u %v: %v at mean %v, %v at mean %v", u, x, a, y, b)
			}
			total += x
		}
		if se := math.Sqrt(a / n); math.Abs(total/n-a) > 6*se+1e-3 {
			t.Fatalf("mean %v of counts, want %v", total/n, a)
		}
	})
}

// Shares fall between 0 and 1, and no clause is better off at a higher rate.
func TestPlayIsMonotone(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, d := range []discipline{fifo, lifo, shared} {
		m := ofCounts(poissonCounts(1000, 20_000, rng), 0.1, 2, 0.002)
		m.discipline = d
		b := newBench(m, 30_000, rng)
		last := -1.0
		for _, rate := range []float64{300, 700, 900, 980, 1100, 2000} {
			f, _ := b.play(rate, 0, 0, len(b.u))
			n := m.counts(f)
			if !n.Balanced() {
				t.Fatalf("%v at %v/s: %+v does not balance", d, rate, n)
			}
			used, _ := slo.Default(secs(0.1)).Worst(n)
			if used < last-0.05*math.Abs(last) {
				t.Errorf("%v: %v of the budget at %v/s, %v before", d, used, rate, last)
			}
			last = used
		}
		if last < 10 {
			t.Errorf("%v: only %v of the budget is used at twice the rate of completions", d, last)
		}
	}
}
