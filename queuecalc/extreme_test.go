package queuecalc

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Servers of a million workers, queues of ten million and loads far on either
// side of the capacity: every answer is a number, and the fates add up.
func TestExtremes(t *testing.T) {
	for _, c := range []int{1, 2, 12, 1000, 1_000_000} {
		for _, k := range []InSystem{InSystem(c), InSystem(c) + 1, 10_000_000, Unbounded} {
			for _, load := range []float64{1e-6, 0.5, 0.999999, 1, 1.000001, 1.5, 100, 1e4} {
				for _, deadline := range []float64{1e-6, 0.1} {
					s := Station{load * float64(c) * 100, 100, c, k, deadline}
					for name, goodput := range disciplines {
						f, err := goodput(s)
						checkFates(t, name, s, must(t, f, err))
					}
				}
			}
		}
	}
}

func TestExtremesDrawn(t *testing.T) {
	ln := func(t *rapid.T, what string, low, high float64) float64 {
		return math.Exp(rapid.Float64Range(low, high).Draw(t, what))
	}
	rapid.Check(t, func(t *rapid.T) {
		c := int(ln(t, "ln c", 0, 14))
		s := Station{Workers: c, ServiceRate: ln(t, "ln μ", -10, 10)}
		s.Arrivals = s.Capacity() * ln(t, "ln ρ", -15, 15)
		s.Bound = InSystem(c) + InSystem(ln(t, "ln positions", 0, 17)) - 1
		s.Deadline = ln(t, "ln departures in T", -15, 14) / s.Capacity()
		for name, goodput := range disciplines {
			f, err := goodput(s)
			checkFates(t, name, s, must(t, f, err))
		}
		m, err := MMcK(s.Arrivals, s.ServiceRate, c, s.Bound)
		must(t, m, err)
		for _, share := range []float64{m.Utilisation, m.Delayed, m.Refused} {
			if !(share >= 0 && share <= 1) {
				t.Fatalf("%+v: %+v has a share outside [0, 1]", s, m)
			}
		}
		if !(m.Wait >= 0 && m.Waiting >= 0 && !math.IsInf(m.Wait, 0) && m.InSystem <= float64(s.Bound)*(1+1e-9)) {
			t.Fatalf("%+v: %+v", s, m)
		}
	})
}

// The sums are cut to what matters: steps are counted, not seconds.
func TestGoodputIsCheap(t *testing.T) {
	for _, s := range []Station{
		{1.1e8, 100, 1_000_000, 10_000_000, 1}, // ten million in the system
		{1.1e8, 1e8, 1, 10_000_000, 0.1},
		{1e8, 1e4, 10_000, Unbounded, 100},
		{2e9, 1e4, 100_000, Unbounded, 10},
	} {
		w := newSweep(s)
		steps := 0
		for ; w.m > w.low && !w.done(); w.down() {
			w.add()
			steps++
		}
		if steps > 8_000_000 {
			t.Errorf("%+v takes %d steps", s, steps)
		}
	}
}

func BenchmarkGoodputFIFO(b *testing.B) {
	s := Station{1.1e8, 1e8, 1, 10_000_000, 0.1}
	for b.Loop() {
		if _, err := GoodputFIFO(s); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGoodputLIFO(b *testing.B) {
	s := Station{1e8, 100, 1_000_000, 10_000_000, 0.1}
	for b.Loop() {
		if _, err := GoodputLIFO(s); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGoodputDropExpired(b *testing.B) {
	s := Station{1.1e8, 1e8, 1, 10_000_000, 0.1}
	for b.Loop() {
		if _, err := GoodputDropExpired(s); err != nil {
			b.Fatal(err)
		}
	}
}

// Whatever numbers come in, a function returns an error or numbers.
func TestNeverNaN(t *testing.T) {
	special := []float64{0, -1, 1, math.NaN(), math.Inf(1), math.Inf(-1), 5e-324, math.MaxFloat64, 1e-100, 1e100}
	number := rapid.Custom(func(t *rapid.T) float64 {
		if rapid.IntRange(0, 3).Draw(t, "special") == 0 {
			return rapid.SampledFrom(special).Draw(t, "x")
		}
		return math.Exp(rapid.Float64Range(-240, 240).Draw(t, "ln x"))
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b, c, d := number.Draw(t, "a"), number.Draw(t, "b"), number.Draw(t, "c"), number.Draw(t, "d")
		n := int(rapid.Int64Range(-1, 1<<40).Draw(t, "n"))
		check := func(what string, err error, values ...float64) {
			for _, v := range values {
				if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
					t.Fatalf("%s: got %v", what, values)
				}
			}
		}
		measures := func(what string, m Measures, err error) {
			check(what, err, m.Utilisation, m.Delayed, m.Refused, m.Abandoned, m.Throughput, m.Waiting, m.InSystem, m.Wait, m.Response)
		}
		one := func(what string) func(float64, error) {
			return func(v float64, err error) { check(what, err, v) }
		}
		one("ErlangB")(ErlangB(a, n))
		one("ErlangC")(ErlangC(a, n))
		one("LittleInSystem")(LittleInSystem(a, b))
		one("LittleTime")(LittleTime(a, b))
		one("LittleRate")(LittleRate(a, b))
		one("MMcResponseTail")(MMcResponseTail(a, b, n, c))
		one("MMcResponseQuantile")(MMcResponseQuantile(a, b, n, c))
		one("MMcWaitQuantile")(MMcWaitQuantile(a, b, n, c))
		one("MM1ResponseQuantile")(MM1ResponseQuantile(a, b, c))
		one("HighestRate")(HighestRate(a, n, b, c))
		one("HeavyTrafficRate")(HeavyTrafficRate(a, b, c, d))
		one("Attempts")(Attempts(n, a))
		one("Amplification")(Amplification(a, b))
		one("BudgetedLoad")(BudgetedLoad(a, b))
		one("HiddenCapacity")(HiddenCapacity(a, n))
		one("HealingBudget")(HealingBudget(a, b))
		one("Throughput")(USL{a, b, c}.Throughput(d))
		measured := func(what string) func(Measures, error) {
			return func(m Measures, err error) { measures(what, m, err) }
		}
		measured("MM1")(MM1(a, b))
		measured("MM1K")(MM1K(a, b, InSystem(n)))
		measured("MMc")(MMc(a, b, n))
		measured("MMcK")(MMcK(a, b, n, InSystem(n)+1000))
		measured("MD1")(MD1(a, b))
		measured("MG1")(MG1(a, b, c))
		measured("ErlangA")(ErlangA(a, b, n, c))
		p, err := USL{a, b, c}.Peak()
		check("Peak", err, p.Concurrency, p.Throughput)
		dr, err := DrainTime(a, b, c)
		check("DrainTime", err, dr.Seconds)
		dr, err = StallRecovery(Stall{a, b, c, d, n})
		check("StallRecovery", err, dr.Seconds)
		f, err := FitUSL([]Point{{1, a}, {2, b}, {5, c}, {9, d}})
		check("FitUSL", err, f.Gamma, f.Sigma, f.Kappa, f.RSquared, f.WorstResidual)
	})
}
