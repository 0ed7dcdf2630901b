package queuecalc

import "math"

// lnSqrt2Pi is ln √(2π).
const lnSqrt2Pi = 0.918938533204672741780329736405617639861

// poissonPMF returns e^−x x^n / n! for n ≥ 0 and x ≥ 0, also for n that are no
// integers (with Γ(n+1) for n!).
//
// Taken as exp(n ln x − x − ln n!) the three terms cancel: at n = 10⁷ eight
// digits are lost. The saddle-point form of C. Loader, "Fast and accurate
// computation of binomial probabilities" (2000), adds small terms instead.
func poissonPMF(n, x float64) float64 {
	return math.Exp(lnPoissonPMF(n, x))
}

// lnPoissonPMF is the natural logarithm of poissonPMF, −Inf where that is 0.
func lnPoissonPMF(n, x float64) float64 {
	switch {
	case x == 0 && n == 0:
		return 0
	case x == 0:
		return math.Inf(-1)
	case n == 0:
		return -x
	}
	return -stirlingError(n) - deviance(n, x) - lnSqrt2Pi - 0.5*math.Log(n)
}

// stirlingError returns ln Γ(n+1) − [½ ln(2πn) + n ln n − n], what Stirling's
// formula leaves out, for n > 0.
func stirlingError(n float64) float64 {
	if n < 16 {
		lg, _ := math.Lgamma(n + 1)
		return lg - (lnSqrt2Pi + 0.5*math.Log(n) + n*math.Log(n) - n)
	}
	// The asymptotic series; six terms leave less than 1e−17 from 16 on.
	r := 1 / n
	q := r * r
	return r * (1.0/12 - q*(1.0/360-q*(1.0/1260-q*(1.0/1680-q*(1.0/1188-q*691.0/360360)))))
}

// deviance returns n ln(n/x) + x − n, which is ≥ 0, for n, x > 0, without
// cancellation near n = x.
func deviance(n, x float64) float64 {
	d := (n - x) / x
	if math.Abs(d) > 0.1 {
		return n*math.Log(n/x) + (x - n)
	}
	// With r = n/x = 1+d and v = d/(2+d): ln r = 2 atanh v, hence
	// r ln r − d = d·v + 2r Σ v^(2i+1)/(2i+1), i ≥ 1.
	v := d / (2 + d)
	sum, term := d*v, 2*(1+d)*v
	for i := 3.0; ; i += 2 {
		term *= v * v
		next := sum + term/i
		if next == sum {
			return x * sum
		}
		sum = next
	}
}
