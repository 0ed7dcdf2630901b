package queuecalc

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Values of P and Q computed with 40 to 50 digits: the series, the finite sum
// for integer shapes, or quadrature of the density beyond a shape of 10⁸.
var gammaValues = []struct{ a, x, p, q float64 }{
	{0.5, 0.1, 0.34527915398142298, 0.65472084601857702},
	{0.5, 5, 0.99843459774199745, 0.0015654022580025497},
	{1, 1e-10, 9.9999999995000004e-11, 0.9999999999},
	{1, 2, 0.86466471676338731, 0.13533528323661269},
	{12, 3, 7.1386628974206605e-5, 0.99992861337102579},
	{12, 40, 0.99999993915797282, 6.0842027176639998e-8},
	{481, 480, 0.48786380395219458, 0.51213619604780542},
	{441, 480, 0.96568278302738425, 0.03431721697261575},
	{401, 480, 0.99990373185603744, 9.6268143962560493e-5},
	{600, 480, 7.3575826532929387e-8, 0.99999992642417347},
	{10000, 10200, 0.9767126778664012, 0.023287322133598804},
	{100000, 99000, 0.00075741992117476797, 0.99924258007882523},
	{999999, 1e6, 0.50053192300802884, 0.49946807699197116},
	{1e6, 1e6, 0.50013298076087259, 0.49986701923912741},
	{1e6, 1003000, 0.99863825935378241, 0.0013617406462175915},
	{1e6, 996000, 3.1007118211082967e-5, 0.99996899288178892},
	{1e7, 1e7, 0.5000420522087237, 0.4999579477912763},
	{1e7, 10010000, 0.99921474656539437, 0.00078525343460562797},
	{1e7, 9990000, 0.0007801532152520487, 0.99921984678474795},
	{1e9, 1e9, 0.50000420522087006, 0.49999579477912994},
	{1e9, 1000100000, 0.99921704383804167, 0.00078295616195832682},
	{1e9, 1000300000, 1, 1.201559382913306e-21},
	{1e12, 1e12, 0.50000013298076013, 0.49999986701923987},
	{1e12, 1000002000000, 0.97724981406088128, 0.022750185939118725},
}

func TestGammaAgainstHighPrecision(t *testing.T) {
	for _, v := range gammaValues {
		p, q := gammaPQ(v.a, v.x)
		near(t, "P", p, v.p, 2e-11)
		near(t, "Q", q, v.q, 2e-11)
		near(t, "ln P", lnGammaP(v.a, v.x), math.Log(v.p), 1e-8)
		near(t, "ln Q", lnGammaQ(v.a, v.x), math.Log(v.q), 1e-8)
	}
	if p, q := gammaPQ(3, 0); p != 0 || q != 1 {
		t.Errorf("at 0: got %v, %v", p, q)
	}
	if p, q := gammaPQ(3, math.Inf(1)); p != 1 || q != 0 {
		t.Errorf("at infinity: got %v, %v", p, q)
	}
}

// The three ways to compute the function meet at the limits between them.
func TestGammaContinuous(t *testing.T) {
	for _, a := range []float64{uniformShape, 3e6, 1e8} {
		for _, x := range []float64{a * (1 - uniformReach), a - 3*math.Sqrt(a), a - 1, a + 1, a + 3*math.Sqrt(a)} {
			p, q := gammaUniform(a, x)
			if x < a+1 {
				near(t, "uniform and series", p, poissonPMF(a, x)*gammaSeries(a, x), 1e-9)
			} else {
				near(t, "uniform and fraction", q, a*poissonPMF(a, x)*gammaFraction(a, x), 1e-9)
			}
		}
	}
}

func TestGammaTailsInLogarithms(t *testing.T) {
	// Q(1, x) = e^−x and P(1, x) = 1 − e^−x, far below the range of a float64.
	near(t, "ln Q(1, 5000)", lnGammaQ(1, 5000), -5000, 1e-14)
	// P(a, x) → x^a e^−x / Γ(a+1) for x ≪ a.
	lg, _ := math.Lgamma(2001)
	near(t, "ln P(2000, 1)", lnGammaP(2000, 1), -1-lg+math.Log1p(1.0/2001+1.0/(2001*2002)), 1e-13)
}

func TestGammaProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := math.Exp(rapid.Float64Range(-5, 25).Draw(t, "ln a"))
		x := a * math.Exp(rapid.Float64Range(-3, 3).Draw(t, "ln x/a"))
		p, q := gammaPQ(a, x)
		if !(p >= 0 && p <= 1 && q >= 0 && q <= 1 && math.Abs(p+q-1) < 1e-12) {
			t.Fatalf("P = %v and Q = %v do not add up to 1", p, q)
		}
		// P(a, x) = P(a+1, x) + pmf(a, x)
		if d := p - gammaP(a+1, x) - poissonPMF(a, x); math.Abs(d) > 1e-10 {
			t.Fatalf("a = %v, x = %v: recurrence off by %v", a, x, d)
		}
		if more := gammaP(a, x*1.001); more < p-1e-13 {
			t.Fatalf("P falls from %v to %v as x rises", p, more)
		}
	})
}

func TestPoisson(t *testing.T) {
	near(t, "pois(480; 480)", poissonPMF(480, 480), 0.0182059794756122874, 1e-13)
	near(t, "pois(0; 3)", poissonPMF(0, 3), math.Exp(-3), 1e-15)
	near(t, "pois(5; 3)", poissonPMF(5, 3), math.Exp(-3)*243/120, 1e-13)
	if poissonPMF(0, 0) != 1 || poissonPMF(2, 0) != 0 {
		t.Error("mean 0: want all weight on 0")
	}
	// Each probability times x/(n+1) is the next one, also at ten million.
	for _, n := range []float64{1, 15, 16, 17, 1000, 1e7} {
		near(t, "ratio", poissonPMF(n+1, n*1.01)/poissonPMF(n, n*1.01), n*1.01/(n+1), 1e-9)
	}
}
