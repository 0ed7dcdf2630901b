package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// Values of tables (Abramowitz and Stegun, 26.10; quantiles of the normal
// distribution, 26.5).
func TestTables(t *testing.T) {
	for _, c := range []struct{ p, df, want float64 }{
		{0.025, 1, 12.706}, {0.025, 2, 4.303}, {0.025, 10, 2.228}, {0.025, 30, 2.042}, {0.025, 1e6, 1.960}, {0.005, 5, 4.032}, {0.05, 2, 2.920}, {0.25, 4, 0.741},
	} {
		if got := TQuantile(c.p, c.df); math.Abs(got-c.want) > 6e-4 {
			t.Errorf("t quantile %v with %v degrees: %v, want %v", c.p, c.df, got, c.want)
		}
	}
	if !math.IsInf(TQuantile(0.025, 0), 1) {
		t.Error("no degrees of freedom have a quantile")
	}
	for p, want := range map[float64]float64{0.025: 1.95996, 0.5: 0, 0.005: 2.57583} {
		if got := NormalQuantile(p); math.Abs(got-want) > 1e-4 || math.Abs(NormalTail(got)-p) > 1e-9 {
			t.Errorf("normal quantile %v: %v", p, got)
		}
	}
}

func TestHolm(t *testing.T) {
	got := Holm([]float64{0.01, 0.04, 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} {
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("adjusted %v", got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 0, 8).Draw(t, "p")
		for i, a := range Holm(p) {
			if a < p[i] || a > min(1, float64(len(p))*p[i])+1e-12 {
				t.Fatalf("%v became %v", p, Holm(p))
			}
		}
	})
}

// Between symmetric intervals it is the test of two normal estimates, and it is
// odd: turned round, the difference changes its sign and nothing else.
func TestBetween(t *testing.T) {
	d := Between(Estimate{100, 98, 102}, Estimate{104, 102, 106}, 0.05)
	if math.Abs(d.Low-(4-math.Sqrt(8))) > 1e-9 || math.Abs(d.High-(4+math.Sqrt(8))) > 1e-9 {
		t.Errorf("%+v", d)
	}
	if want := 2 * NormalTail(4/math.Sqrt(8)*z95); math.Abs(d.P-want) > 1e-12 {
		t.Errorf("p %v, want %v", d.P, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) Estimate {
			v := rapid.Float64Range(-100, 100).Draw(t, name)
			return Estimate{v, v - rapid.Float64Range(0.01, 50).Draw(t, name+" down"), v + rapid.Float64Range(0.01, 50).Draw(t, name+" up")}
		}
		a, b := draw("a"), draw("b")
		there, back := Between(a, b, 0.05), Between(b, a, 0.05)
		if math.Abs(there.Value+back.Value) > 1e-9 || math.Abs(there.Low+back.High) > 1e-9 || math.Abs(there.P-back.P) > 1e-9 {
			t.Fatalf("%+v and back %+v", there, back)
		}
		if in := there.Low < 0 && there.High > 0; in != (there.P > 0.05) && math.Abs(there.P-0.05) > 1e-6 {
			t.Fatalf("0 is inside: %v, p %v", in, there.P)
		}
	})
}

// A share alpha of samples alike is told apart, by each test: no more, and for the
// exact ones not much less. 4,000 comparisons, with three standard deviations.
func TestErrorRates(t *testing.T) {
	const n, alpha = 4000, 0.05
	rng := rand.New(rand.NewPCG(1, 2))
	skewed := func(k int) []float64 {
		x := make([]float64, k)
		for i := range x {
			x[i] = rng.ExpFloat64()
		}
		return x
	}
	wrong := map[string]int{}
	for range n {
		if Welch(skewed(12), skewed(12), alpha).P <= alpha {
			wrong["welch"]++
		}
		a, b := skewed(8), skewed(8)
		for i := range a {
			a[i] -= b[i]
		}
		if SignFlip(a, nil) <= alpha {
			wrong["sign flip"]++
		}
		x, y := rng.NormFloat64(), rng.NormFloat64()*3
		if Between(Estimate{x, x - z95, x + z95}, Estimate{y, y - 3*z95, y + 3*z95}, alpha).P <= alpha {
			wrong["between"]++
		}
	}
	slack := 3 * math.Sqrt(alpha*(1-alpha)*n)
	for name, k := range wrong {
		if float64(k) > alpha*n+slack {
			t.Errorf("%s: %d of %d false alarms", name, k, n)
		}
		if name != "welch" && float64(k) < 0.6*alpha*n { // Welch's is careful with skewed samples
			t.Errorf("%s: only %d of %d false alarms: it is too careful", name, k, n)
		}
	}
}

func TestSignFlip(t *testing.T) {
	for _, c := range []struct {
		d    []float64
		want float64
	}{
		{nil, 1}, {[]float64{0, 0}, 1}, {[]float64{math.NaN()}, 1},
		{[]float64{1}, 1}, {[]float64{1, 1, 1}, 0.25}, {[]float64{1, -1}, 1}, {[]float64{1, 2, 3, 4, 5, 6}, 2.0 / 64},
	} {
		if got := SignFlip(c.d, nil); got != c.want {
			t.Errorf("%v: %v, want %v", c.d, got, c.want)
		}
	}
	if LeastP(6) != 2.0/64 {
		t.Errorf("least p of 6 pairs: %v", LeastP(6))
	}
	// Many pairs: the sampled test agrees with the normal one.
	rng := rand.New(rand.NewPCG(3, 4))
	d := make([]float64, 100)
	for i := range d {
		d[i] = rng.NormFloat64() + 0.2
	}
	m, v := meanVar(d)
	want := 2 * NormalTail(math.Abs(m)/math.Sqrt(v/100))
	if got := SignFlip(d, rng); math.Abs(got-want) > 0.01 {
		t.Errorf("100 pairs: %v, normal %v", got, want)
	}
}

// Without scatter or samples there is nothing to compare.
func TestWelchWithoutScatter(t *testing.T) {
	for _, c := range [][2][]float64{{{1}, {2}}, {nil, nil}, {{1, 1}, {1, 1}}, {{1, 1}, {2, 2}}} {
		if d := Welch(c[0], c[1], 0.05); d.P != 1 {
			t.Errorf("%v: %+v", c, d)
		}
	}
}

// TestBinomialTail holds the tail against a sum by recurrence.
func TestBinomialTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		w := rapid.IntRange(0, n).Draw(t, "w")
		p := rapid.Float64Range(0.01, 0.99).Draw(t, "p")
		row := make([]float64, n+1)
		row[0] = 1
		for range n {
			for j := n; j > 0; j-- {
				row[j] = row[j]*(1-p) + row[j-1]*p
			}
			row[0] *= 1 - p
		}
		want := 0.0
		for j := w; j <= n; j++ {
			want += row[j]
		}
		if got := BinomialTail(w, n, p); math.Abs(got-want) > 1e-9 {
			t.Errorf("P(≥%d of %d at %v) = %v, want %v", w, n, p, got, want)
		}
	})
}

// TestMeanInterval holds the interval against one worked out by hand, with the
// quantile 4.3027 of a table.
func TestMeanInterval(t *testing.T) {
	e := MeanInterval([]float64{1, 2, 3})
	half := 4.3027 / math.Sqrt(3)
	if e.Value != 2 || math.Abs(e.Low-2+half) > 1e-4 || math.Abs(e.High-2-half) > 1e-4 {
		t.Errorf("%+v, want 2 ± %v", e, half)
	}
	if e := MeanInterval([]float64{7}); e.Value != 7 || !math.IsInf(e.Low, -1) || !math.IsInf(e.High, 1) {
		t.Errorf("of one value %+v", e)
	}
}
