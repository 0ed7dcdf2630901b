package queuecalc

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func TestUSLPublished(t *testing.T) {
	p, err := USL{Gamma: 100, Sigma: 0.02, Kappa: 0.0005}.Peak()
	near(t, "N*", must(t, p, err).Concurrency, 44.3, 1e-3)
	x, err := USL{Gamma: 100, Sigma: 0.02, Kappa: 0.0005}.Throughput(1)
	near(t, "X(1)", must(t, x, err), 100, 1e-12)
	// κ = 0 is Amdahl's law, whose limit is γ/σ.
	x, err = USL{Gamma: 100, Sigma: 0.02}.Throughput(1e12)
	near(t, "limit of Amdahl's law", must(t, x, err), 5000, 1e-6)
	if p, err = (USL{Gamma: 100, Sigma: 0.02}).Peak(); must(t, p, err).Exists {
		t.Errorf("κ = 0: got a peak at %v", p.Concurrency)
	}
	if p, err = (USL{Gamma: 100, Sigma: 1, Kappa: 0}).Peak(); !must(t, p, err).Exists || p.Concurrency != 1 {
		t.Errorf("σ = 1: got %+v, want the peak at 1", p)
	}
}

func points(u USL, noise float64, seed uint64, at ...float64) []Point {
	rng := rand.New(rand.NewPCG(seed, 3))
	var out []Point
	for _, n := range at {
		out = append(out, Point{n, u.at(n) * (1 + noise*rng.NormFloat64())})
	}
	return out
}

func TestFitFindsTheLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := USL{
			Gamma: math.Exp(rapid.Float64Range(-20, 20).Draw(t, "ln γ")),
			Sigma: rapid.Float64Range(0.001, 0.5).Draw(t, "σ"),
			Kappa: math.Exp(rapid.Float64Range(-12, -3).Draw(t, "ln κ")),
		}
		f, err := FitUSL(points(u, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128))
		must(t, f, err)
		for what, v := range map[string][2]float64{
			"γ": {f.Gamma, u.Gamma}, "σ": {f.Sigma, u.Sigma}, "κ": {f.Kappa, u.Kappa},
		} {
			if math.Abs(v[0]-v[1]) > 1e-5*v[1] {
				t.Fatalf("%s: got %v, want %v", what, v[0], v[1])
			}
		}
		if f.RSquared < 1-1e-9 || f.Spare != 5 || f.SigmaAtBound || f.KappaAtBound {
			t.Fatalf("exact points: got %+v", f)
		}
	})
}

func TestFitWithNoise(t *testing.T) {
	u := USL{Gamma: 995, Sigma: 0.027, Kappa: 0.00077}
	f, err := FitUSL(points(u, 0.02, 5, 1, 2, 4, 8, 12, 16, 24, 32, 48, 64))
	must(t, f, err)
	truth, _ := u.Peak()
	found, _ := f.Peak()
	near(t, "N* under 2 % noise", found.Concurrency, truth.Concurrency, 0.1)
	if f.RSquared < 0.98 || f.WorstResidual > 0.08 {
		t.Errorf("got R² %v and a worst residual of %v", f.RSquared, f.WorstResidual)
	}
}

// No law near the fitted one, inside the bounds, has smaller squares.
func TestFitIsLeastSquares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var ps []Point
		for _, n := range []float64{1, 3, 7, 15, 40} {
			ps = append(ps, Point{n, rapid.Float64Range(10, 1000).Draw(t, "x")})
		}
		f, err := FitUSL(ps)
		if err != nil {
			t.Fatalf("every five points have a best law: %v", err)
		}
		squares := func(u USL) (sum float64) {
			for _, p := range ps {
				sum += (p.Throughput - u.at(p.Concurrency)) * (p.Throughput - u.at(p.Concurrency))
			}
			return sum
		}
		best := squares(f.USL)
		for _, d := range []float64{-0.02, 0.02} {
			for i, other := range []USL{
				{f.Gamma * (1 + d), f.Sigma, f.Kappa},
				{f.Gamma, max(f.Sigma*(1+d)+d/100, 0), f.Kappa},
				{f.Gamma, f.Sigma, max(f.Kappa*(1+d)+d/1000, 0)},
			} {
				if s := squares(other); s < best*(1-1e-6) {
					t.Fatalf("%+v has squares %v, neighbour %d %+v has %v", f, best, i, other, s)
				}
			}
		}
	})
}

func TestFitAtBounds(t *testing.T) {
	// Throughput in proportion to concurrency, and beyond it.
	f, err := FitUSL([]Point{{1, 10}, {2, 21}, {4, 44}, {8, 90}})
	if must(t, f, err); !f.SigmaAtBound || !f.KappaAtBound || f.Sigma != 0 || f.Kappa != 0 || f.Spare != 3 {
		t.Errorf("faster than linear: got %+v, want σ = κ = 0", f)
	}
	// A flat throughput is σ = 1.
	f, err = FitUSL([]Point{{1, 10}, {5, 10}, {50, 10}})
	near(t, "σ of a flat line", must(t, f, err).Sigma, 1, 1e-6)
	if math.IsNaN(f.RSquared) {
		t.Error("R² of a flat line is NaN")
	}
}

func TestUSLRefuses(t *testing.T) {
	_, err := FitUSL([]Point{{1, 10}, {2, 20}})
	refused(t, "number of points", err)
	_, err = FitUSL([]Point{{1, 10}, {2, 20}, {2, 21}, {1, 11}})
	refused(t, "number of different concurrencies", err)
	_, err = FitUSL([]Point{{0, 10}, {2, 20}, {3, 21}})
	refused(t, "concurrency of a point", err)
	_, err = FitUSL([]Point{{1, 10}, {2, math.NaN()}, {3, 21}})
	refused(t, "throughput of a point", err)
	if f, err := FitUSL([]Point{{100, 100}, {200, 20}, {400, 2}}); err == nil {
		t.Errorf("a throughput that falls faster than any law: got %+v, want an error", f)
	}
	_, err = USL{Gamma: 1, Sigma: -1}.Throughput(3)
	refused(t, "sigma", err)
	_, err = USL{Gamma: 1}.Throughput(0.5)
	refused(t, "concurrency", err)
	_, err = USL{}.Peak()
	refused(t, "gamma", err)
}

func BenchmarkFitUSL(b *testing.B) {
	ps := points(USL{Gamma: 995, Sigma: 0.027, Kappa: 0.00077}, 0.02, 5, 1, 2, 4, 8, 12, 16, 24, 32, 48, 64)
	for b.Loop() {
		if _, err := FitUSL(ps); err != nil {
			b.Fatal(err)
		}
	}
}
