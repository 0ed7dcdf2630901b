package queuecalc

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// station is the storage host of FollowFeed under a load in multiples of its
// capacity, 12 workers of 10 ms and clients that wait 400 ms.
func station(load float64, k InSystem) Station {
	return Station{Arrivals: 1200 * load, ServiceRate: 100, Workers: 12, Bound: k, Deadline: 0.4}
}

// The goodput of M/M/1/K in shares of the capacity, 1,200/s and 400 ms.
func TestGoodputPublished(t *testing.T) {
	for k, want := range map[InSystem][3]float64{
		60:   {0.984, 1.000, 1.000},
		400:  {0.998, 1.000, 1.000},
		440:  {0.997, 0.985, 0.974},
		480:  {0.980, 0.661, 0.542},
		500:  {0.954, 0.337, 0.213},
		520:  {0.921, 0.112, 0.046},
		5000: {0.096, 0.000, 0.000},
	} {
		for i, load := range []float64{1, 1.1, 1.5} {
			f, err := GoodputFIFO(Station{1200 * load, 1200, 1, k, 0.4})
			if got := must(t, f, err).Good / 1200; math.Abs(got-want[i]) > 0.0006 {
				t.Errorf("K = %d at %v: got %.4f, want %.3f", k, load, got, want[i])
			}
		}
	}
}

// Values of the same sums term by term in 60 digits.
func TestGoodputHighPrecision(t *testing.T) {
	for k, want := range map[InSystem][2]float64{
		// The last includes what drops expired requests.
		400:  {1198.7248, 1198.7273},
		480:  {788.0051, 955.8883},
		492:  {572.47261, 866.19267},
		500:  {429.31662, 809.38881},
		600:  {0.17518125, 545.99776},
		5000: {1.3067127e-183, 545.45455},
	} {
		f, err := GoodputFIFO(station(1.1, k))
		near(t, fmt.Sprintf("FIFO, K = %d", k), must(t, f, err).Good, want[0], 1e-7)
		f, err = GoodputDropExpired(station(1.1, k))
		near(t, fmt.Sprintf("drop expired, K = %d", k), must(t, f, err).Good, want[1], 1e-7)
	}
}

// termByTerm is the sum of GoodputFIFO as it stands in its documentation, with
// P(E + S ≤ T) by numerical integration.
func termByTerm(s Station) float64 {
	p := chain(s.Arrivals, s.ServiceRate, s.Workers, int(s.Bound))
	good := 0.0
	for n := 0; n < int(s.Bound); n++ {
		inTime := -math.Expm1(-s.ServiceRate * s.Deadline)
		if m := n - s.Workers + 1; m > 0 {
			inTime = 0
			const steps = 1000
			h := s.Deadline / steps
			for i := range steps {
				u := (float64(i) + 0.5) * h // the wait ends here: density of Erlang(m, cμ)
				inTime += h * s.Capacity() * poissonPMF(float64(m-1), s.Capacity()*u) *
					-math.Expm1(-s.ServiceRate*(s.Deadline-u))
			}
		}
		good += p[n] * inTime
	}
	return s.Arrivals * good
}

// drawStation returns a station of moderate size.
func drawStation(t *rapid.T) Station {
	c := rapid.IntRange(1, 20).Draw(t, "c")
	return Station{
		Arrivals:    float64(c) * math.Exp(rapid.Float64Range(-1, 1).Draw(t, "ln ρ")),
		ServiceRate: 1, Workers: c,
		Bound:    InSystem(c + rapid.IntRange(0, 60).Draw(t, "positions")),
		Deadline: math.Exp(rapid.Float64Range(-1, 3).Draw(t, "ln T")),
	}
}

func TestGoodputTermByTerm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawStation(t)
		f, err := GoodputFIFO(s)
		if want := termByTerm(s); math.Abs(must(t, f, err).Good-want) > 1e-3*want {
			t.Fatalf("%+v: got %v, term by term %v", s, f.Good, want)
		}
	})
}

// disciplines are the three orders of service.
var disciplines = map[string]func(Station) (Fates, error){
	"fifo": GoodputFIFO, "lifo": GoodputLIFO, "drop expired": GoodputDropExpired,
}

func checkFates(t fataler, what string, s Station, f Fates) {
	t.Helper()
	sum := 0.0
	for _, v := range []float64{f.Good, f.Late, f.Expired, f.Refused} {
		if !(v >= 0 && v <= s.Arrivals*(1+1e-9)) {
			t.Fatalf("%s of %+v: %+v is no split of the arrivals", what, s, f)
		}
		sum += v
	}
	if math.Abs(sum-s.Arrivals) > 1e-6*s.Arrivals || f.Good > s.Capacity()*(1+1e-6) {
		t.Fatalf("%s of %+v: %+v adds up to %v, capacity %v", what, s, f, sum, s.Capacity())
	}
}

func TestGoodputProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawStation(t)
		fates := map[string]Fates{}
		for name, goodput := range disciplines {
			f, err := goodput(s)
			checkFates(t, name, s, must(t, f, err))
			fates[name] = f
			patient := s
			patient.Deadline *= 1.1
			if more, _ := goodput(patient); more.Good < f.Good-1e-7*s.Arrivals {
				t.Fatalf("%s of %+v: more patience lowers goodput from %v to %v", name, s, f.Good, more.Good)
			}
		}
		m, err := MMcK(s.Arrivals, s.ServiceRate, s.Workers, s.Bound)
		must(t, m, err)
		for _, name := range []string{"fifo", "lifo"} {
			if f := fates[name]; math.Abs(f.Good+f.Late-m.Throughput) > 1e-9*m.Throughput {
				t.Fatalf("%s of %+v serves %v, M/M/c/K %v", name, s, f.Good+f.Late, m.Throughput)
			}
		}
		if fates["drop expired"].Good < fates["fifo"].Good*(1-1e-9) {
			t.Fatalf("%+v: dropping expired work lowers goodput: %+v", s, fates)
		}
	})
}

// Past the break point a longer queue answers fewer in time.
func TestGoodputFallsWithTheQueue(t *testing.T) {
	for _, load := range []float64{1, 1.1, 1.3, 1.5} {
		last := math.Inf(1)
		for k := InSystem(440); k <= 700; k += 5 {
			f, err := GoodputFIFO(station(load, k))
			if good := must(t, f, err).Good; good > last {
				t.Fatalf("at %v: K = %d gives %v after %v", load, k, good, last)
			} else {
				last = good
			}
		}
	}
}

func TestGoodputWithoutBound(t *testing.T) {
	for _, c := range []int{1, 12, 5000} {
		s := Station{Arrivals: 0.9 * float64(c), ServiceRate: 1, Workers: c, Bound: Unbounded, Deadline: 8}
		tail, err := MMcResponseTail(s.Arrivals, 1, c, s.Deadline)
		want := s.Arrivals * (1 - must(t, tail, err))
		f, err := GoodputFIFO(s)
		near(t, "goodput without a bound", must(t, f, err).Good, want, 1e-9)
	}
	// Without a bound, dropping expired work is M/M/c+D. For c = 12 at 1.1 the
	// density of the wait rises as e^120x up to 0.4 s.
	f, err := GoodputDropExpired(station(1.1, Unbounded))
	near(t, "drop expired", must(t, f, err).Good, 1200*(1-120.0/220), 1e-6)
	near(t, "expired", f.Expired, 120, 1e-6)
	// LIFO in an unbounded queue below capacity: the wait is the busy period,
	// whose transform for unlimited room has this closed form.
	s := Station{Arrivals: 0.5, ServiceRate: 1, Workers: 1, Bound: Unbounded, Deadline: 3}
	l, err := GoodputLIFO(s)
	near(t, "LIFO, one worker", must(t, l, err).Good/s.Arrivals, lifoByIntegration(0.5, 3), 1e-6)
}

// lifoByIntegration is P(wait + service ≤ t) in LIFO M/M/1 with μ = 1, from the
// density of the busy period, e^−(λ+1)u I₁(2u√λ)/(u√λ).
func lifoByIntegration(lambda, t float64) float64 {
	root := math.Sqrt(lambda)
	density := func(u float64) float64 {
		// I₁(z)/(z/2) = Σ (z/2)^2k / (k!(k+1)!)
		half := u * root
		term, sum := 1.0, 1.0
		for k := 1.0; term > 1e-18*sum; k++ {
			term *= half * half / (k * (k + 1))
			sum += term
		}
		return math.Exp(-(lambda+1)*u) * sum
	}
	const steps = 20000
	h := t / steps
	delayed := 0.0
	for i := range steps {
		u := (float64(i) + 0.5) * h
		delayed += h * density(u) * -math.Expm1(-(t - u))
	}
	return (1-lambda)*-math.Expm1(-t) + lambda*delayed
}

func TestStationRefuses(t *testing.T) {
	for arg, s := range map[string]Station{
		"arrival rate":           {-1, 1, 1, 5, 1},
		"service rate":           {1, 0, 1, 5, 1},
		"workers":                {1, 1, 0, 5, 1},
		"requests in the system": {1, 1, 6, 5, 1},
		"deadline":               {1, 1, 1, 5, math.NaN()},
		"capacity × deadline":    {1, 1e9, 1, 5, 1e9},
	} {
		for name, goodput := range disciplines {
			t.Run(name, func(t *testing.T) {
				_, err := goodput(s)
				refused(t, arg, err)
			})
		}
	}
	_, err := GoodputLIFO(Station{1, 1e6, 1, 5, 1e5})
	refused(t, "capacity × deadline", err)
}
