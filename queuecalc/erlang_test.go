package queuecalc

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestErlangPublished(t *testing.T) {
	for _, v := range []struct {
		c       int
		a, want float64
		wait    float64 // Wq/S = C/(c − a)
	}{
		{2, 1.6, 0.711111, 1.777778},
		{5, 4, 0.554113, 0.554113},
		{10, 8, 0.409180, 0.204590},
		{12, 10.8, 0.640043, 0.533369},
		{50, 45, 0.363864, 0.072773},
		{100, 90, 0.216940, 0.021694},
	} {
		c, err := ErlangC(v.a, v.c)
		near(t, "C", must(t, c, err), v.want, 3e-6)
		m, err := MMc(v.a, 1, v.c)
		near(t, "Wq/S", must(t, m, err).Wait, v.wait, 2e-5)
		near(t, "P(delayed)", m.Delayed, v.want, 3e-6)
	}
	b, err := ErlangB(8, 10)
	near(t, "B(8, 10)", must(t, b, err), 0.121661, 5e-6)
}

// Values of the unrolled recursion in 40 digits.
func TestErlangLarge(t *testing.T) {
	for _, v := range []struct {
		c    int
		a, b float64
	}{
		{10, 8, 0.12166106425295151},
		{100, 90, 0.026957380464359215},
		{1000, 1000, 0.024811917646160408},
		{100_000, 99_000, 8.2257755985042223e-6},
		{1_000_000, 1_000_000, 0.00079746030685556101},
		{1_000_000, 999_000, 0.00028742137577686792},
		{5, 500, 0.9900201200753426},
		{MaxWorkers, 1, 0},
		{7, 0, 0},
	} {
		b, err := ErlangB(v.a, v.c)
		near(t, "B", must(t, b, err), v.b, 1e-10)
	}
	c, err := ErlangC(999_000, 1_000_000)
	near(t, "C", must(t, c, err), 0.22330339029134409, 1e-10)
}

func TestErlangProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.IntRange(1, 3000).Draw(t, "c")
		a := float64(c) * math.Exp(rapid.Float64Range(-4, 3).Draw(t, "ln ρ"))
		b, err := ErlangB(a, c)
		must(t, b, err)
		// The textbook recursion, which shares nothing with the gamma function.
		want := 1.0
		for i := 1; i <= c; i++ {
			want = a * want / (float64(i) + a*want)
		}
		if math.Abs(b-want) > 1e-10*want+1e-300 {
			t.Fatalf("B(%v, %d) = %v, recursion gives %v", a, c, b, want)
		}
		if more, _ := ErlangB(a*1.1, c); more < b*(1-1e-12) {
			t.Fatalf("B falls as the load rises: %v, %v", b, more)
		}
		if a < float64(c) {
			delayed, err := ErlangC(a, c)
			if must(t, delayed, err); !(b <= delayed && delayed <= 1) {
				t.Fatalf("want B ≤ C ≤ 1, got %v, %v", b, delayed)
			}
		}
	})
}

func TestErlangRefuses(t *testing.T) {
	_, err := ErlangB(-1, 3)
	refused(t, "offered load", err)
	_, err = ErlangB(math.NaN(), 3)
	refused(t, "offered load", err)
	_, err = ErlangB(1, 0)
	refused(t, "workers", err)
	_, err = ErlangC(3, 3)
	refused(t, "offered load", err)
	_, err = ErlangC(1, MaxWorkers+1)
	refused(t, "workers", err)
}

func TestErlangA(t *testing.T) {
	// With patience as long as the service it is M/M/∞, whose state is Poisson.
	m, err := ErlangA(12, 1, 10, 1)
	must(t, m, err)
	delayed, waiting := gammaP(10, 12), 0.0
	for n := 11; n < 100; n++ {
		waiting += float64(n-10) * poissonPMF(float64(n), 12)
	}
	near(t, "P(delayed)", m.Delayed, delayed, 1e-12)
	near(t, "waiting", m.Waiting, waiting, 1e-12)
	near(t, "in the system", m.InSystem, 12, 1e-12)
	near(t, "abandoned", m.Abandoned, waiting/12, 1e-12)
	near(t, "Little", m.Response*12, m.InSystem, 1e-12)

	// With endless patience it is M/M/c, above capacity all the excess leaves.
	patient, err := ErlangA(9, 1, 10, 1e-9)
	must(t, patient, err)
	endless, err := MMc(9, 1, 10)
	near(t, "waiting, patient", patient.Waiting, must(t, endless, err).Waiting, 1e-6)
	over, err := ErlangA(15, 1, 10, 1e-9)
	near(t, "throughput above capacity", must(t, over, err).Throughput, 10, 1e-6)
	// Without any patience it is the loss system.
	hasty, err := ErlangA(8, 1, 10, 1e12)
	near(t, "abandoned, hasty", must(t, hasty, err).Abandoned, 0.121661, 1e-5)

	_, err = ErlangA(1, 1, 1, 0)
	refused(t, "rate of abandonment", err)
	_, err = ErlangA(1, 1, 1, 1e-13)
	refused(t, "rate of abandonment", err)
	_, err = ErlangA(-1, 1, 1, 1)
	refused(t, "arrival rate", err)
}

func TestErlangAProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.IntRange(1, 200).Draw(t, "c")
		lambda := float64(c) * math.Exp(rapid.Float64Range(-2, 2).Draw(t, "ln ρ"))
		theta := math.Exp(rapid.Float64Range(-5, 5).Draw(t, "ln θ"))
		m, err := ErlangA(lambda, 1, c, theta)
		must(t, m, err)
		// The chain itself, state by state.
		p, sum, waiting, busy := 1.0, 0.0, 0.0, 0.0
		for n := 0; n < 1_000_000; n++ {
			sum += p
			waiting += p * max(float64(n-c), 0)
			busy += p * float64(min(n, c))
			p *= lambda / (float64(min(n+1, c)) + max(float64(n+1-c), 0)*theta)
			if sum > 1e200 {
				p, sum, waiting, busy = p/sum, 1, waiting/sum, busy/sum
			}
			if n > c && p < sum*1e-17 {
				break
			}
		}
		if math.Abs(m.Waiting-waiting/sum) > 1e-8*(waiting/sum)+1e-12 {
			t.Fatalf("waiting %v, chain %v", m.Waiting, waiting/sum)
		}
		if math.Abs(m.Throughput-busy/sum) > 1e-8*busy/sum {
			t.Fatalf("throughput %v, chain %v", m.Throughput, busy/sum)
		}
	})
}
