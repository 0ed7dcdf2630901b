package queuecalc

import "math"

// gammaP returns the regularised lower incomplete gamma function
//
//	P(a, x) = 1/Γ(a) ∫₀ˣ t^(a−1) e^−t dt
//
// for a > 0 and x ≥ 0: the probability that an Erlang(a, 1) time is at most x,
// and that a Poisson(x) count is at least a.
func gammaP(a, x float64) float64 {
	p, _ := gammaPQ(a, x)
	return p
}

// gammaQ returns 1 − P(a, x), with its own relative accuracy where it is small.
func gammaQ(a, x float64) float64 {
	_, q := gammaPQ(a, x)
	return q
}

// lnGammaP returns ln P(a, x) for x > 0, also where P is below the range of a
// float64.
func lnGammaP(a, x float64) float64 {
	if x < a+1 && (!uniform(a, x) || x < a-tailReach(a)) {
		return lnPoissonPMF(a, x) + math.Log(gammaSeries(a, x))
	}
	return math.Log(gammaP(a, x))
}

// lnGammaQ returns ln Q(a, x), also where Q is below the range of a float64.
func lnGammaQ(a, x float64) float64 {
	if x >= a+1 && (!uniform(a, x) || x > a+tailReach(a)) {
		return math.Log(a) + lnPoissonPMF(a, x) + math.Log(gammaFraction(a, x))
	}
	return math.Log(gammaQ(a, x))
}

// tailReach is how far from its mean y a Poisson sum is 0 or 1 to double
// precision: ten standard deviations, and more where y is small.
func tailReach(y float64) float64 { return 10*math.Sqrt(y) + 40 }

// Limits between the three ways to compute P and Q. Series and continued
// fraction take about √a steps near x = a, so beyond a shape of a million the
// uniform expansion takes over there; its Taylor coefficients below are exact to
// double precision while |x/a − 1| ≤ 0.02 and a is that large.
const (
	uniformShape = 1e6
	uniformReach = 0.02
)

// uniform reports whether the uniform expansion is the way.
func uniform(a, x float64) bool {
	return a >= uniformShape && math.Abs(x-a) <= uniformReach*a
}

// gammaPQ returns P and Q, the smaller one first computed and the other one as
// its complement.
func gammaPQ(a, x float64) (p, q float64) {
	switch {
	case x <= 0:
		return 0, 1
	case math.IsInf(x, 1):
		return 1, 0
	case uniform(a, x):
		return gammaUniform(a, x)
	case x < a+1:
		p = min(poissonPMF(a, x)*gammaSeries(a, x), 1)
		return p, 1 - p
	default:
		q = min(a*poissonPMF(a, x)*gammaFraction(a, x), 1)
		return 1 - q, q
	}
}

// gammaSeries returns P over the Poisson probability of a, for any x but
// quickly for x < a+1: Σ_{n≥0} x^n / ((a+1)…(a+n)), DLMF 8.7.1.
func gammaSeries(a, x float64) float64 {
	term, sum := 1.0, 1.0
	for n := 1.0; term > sum*1e-17; n++ {
		term *= x / (a + n)
		sum += term
	}
	return sum
}

// gammaFraction returns Q over x^a e^−x / Γ(a), which is a times the Poisson
// probability of a, for x ≥ a+1: Legendre's continued fraction, DLMF 8.9,
// evaluated with the modified Lentz method.
func gammaFraction(a, x float64) float64 {
	const tiny = 1e-300
	b := x + 1 - a
	c := 1 / tiny
	d := 1 / b
	h := d
	for i := 1.0; ; i++ {
		an := i * (a - i)
		b += 2
		if d = an*d + b; math.Abs(d) < tiny {
			d = tiny
		}
		if c = b + an/c; math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		h *= d * c
		if math.Abs(d*c-1) < 1e-15 {
			return h
		}
	}
}

// gammaUniform returns P and Q by Temme's expansion, DLMF 8.12:
//
//	Q(a, x) = ½ erfc(η√(a/2)) + e^(−aη²/2)/√(2πa) · Σ c_k(η) a^−k
//
// with ½η² = x/a − 1 − ln(x/a) and the sign of x − a. Near η = 0 the c_k are
// their Taylor series.
func gammaUniform(a, x float64) (p, q float64) {
	half := deviance(a, x) // = a·½η²
	eta := math.Copysign(math.Sqrt(2*half/a), x-a)
	c0 := -1.0/3 + eta*(1.0/12+eta*(-2.0/135+eta*(1.0/864+eta*(1.0/2835+eta*(-139.0/777600)))))
	c1 := -1.0/540 + eta*(-1.0/288+eta*(1.0/378+eta*(-77.0/77760)))
	c2 := 25.0/6048 + eta*(-139.0/51840)
	s := math.Exp(-half) / math.Sqrt(2*math.Pi*a) * (c0 + (c1+c2/a)/a)
	root := math.Copysign(math.Sqrt(half), x-a) // = η√(a/2)
	if x >= a {
		q = max(0.5*math.Erfc(root)+s, 0)
		return 1 - q, q
	}
	p = max(0.5*math.Erfc(-root)-s, 0)
	return p, 1 - p
}
