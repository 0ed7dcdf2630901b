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

// Limits between the three ways to compute P and Q. Series and continued
// fraction take about √a steps near x = a, so beyond a shape of a million the
// uniform expansion takes over there; its Taylor coefficients below are exact to
// double precision while |x/a − 1| ≤ 0.02 and a is that large.
const (
	uniformShape = 1e6
	uniformReach = 0.02
)

// gammaPQ returns P and Q, the smaller one first computed and the other one as
// its complement.
func gammaPQ(a, x float64) (p, q float64) {
	switch {
	case x <= 0:
		return 0, 1
	case math.IsInf(x, 1):
		return 1, 0
	case a >= uniformShape && math.Abs(x-a) <= uniformReach*a:
		return gammaUniform(a, x)
	case x < a+1:
		p = min(gammaSeries(a, x), 1)
		return p, 1 - p
	default:
		q = min(gammaFraction(a, x), 1)
		return 1 - q, q
	}
}

// gammaSeries returns P by Σ x^n / ((a+1)…(a+n)), DLMF 8.7.1, for x < a+1.
func gammaSeries(a, x float64) float64 {
	term, sum := 1.0, 1.0
	for n := 1.0; term > sum*1e-17; n++ {
		term *= x / (a + n)
		sum += term
	}
	return poissonPMF(a, x) * sum
}

// gammaFraction returns Q by Legendre's continued fraction, DLMF 8.9.2,
// evaluated with the modified Lentz method, for x ≥ a+1.
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
			// x^a e^−x / Γ(a) = a · pmf(a, x).
			return a * poissonPMF(a, x) * h
		}
	}
}

// gammaUniform returns P and Q by Temme's expansion, DLMF 8.12.3 to 8.12.8:
//
//	Q(a, x) = ½ erfc(η√(a/2)) + e^(−aη²/2)/√(2πa) · Σ c_k(η) a^−k
//
// with ½η² = x/a − 1 − ln(x/a) and the sign of x − a. Near η = 0 the c_k are
// their Taylor series (DLMF 8.12.12 for the values at 0).
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
