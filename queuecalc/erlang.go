package queuecalc

import "math"

// ErlangB returns the probability that a request finds all c workers busy and
// is refused, in M/M/c/c and, since it does not depend on the law of the
// service time, in M/G/c/c:
//
//	B = (a^c / c!) / Σ_{n=0..c} a^n / n!
//
// where a = λ/μ is the offered load in workers (erlangs), a ≥ 0, and
// 1 ≤ c ≤ MaxWorkers. Source: A. K. Erlang
// (1917); L. Kleinrock, Queueing Systems I (1975), chapter 3.
func ErlangB(a float64, c int) (float64, error) {
	if err := first(notNegative("offered load", a), workerCount(c)); err != nil {
		return 0, err
	}
	return math.Exp(-lnInverseB(a, c)), nil
}

// ErlangC returns the probability that a request finds all c workers busy and
// waits, in M/M/c without a bound:
//
//	C = B / (1 − ρ(1 − B)),  ρ = a/c, B = ErlangB(a, c)
//
// for 0 ≤ a < c. Source: Kleinrock I, chapter 3.
func ErlangC(a float64, c int) (float64, error) {
	if err := first(notNegative("offered load", a), workerCount(c)); err != nil {
		return 0, err
	}
	if a >= float64(c) {
		return 0, &ArgError{"offered load", a, "below the number of workers, or the queue grows without end"}
	}
	return erlangC(a, c), nil
}

// erlangC is ErlangC for arguments that have been checked.
func erlangC(a float64, c int) float64 {
	b := math.Exp(-lnInverseB(a, c))
	return b / ((float64(c)-a)/float64(c) + a/float64(c)*b)
}

// lnInverseB returns ln(1/B(a, c)) for c ≥ 0; +Inf where a is 0 and c is not.
//
// The usual recursion over the workers, B ← aB/(i + aB), takes c steps. Since
// B is the Poisson probability of c over the probability of at most c, the
// incomplete gamma function gives it in √c steps or less, and the logarithm
// holds it where B itself is below the range of a float64.
func lnInverseB(a float64, c int) float64 {
	n := float64(c)
	switch {
	case c == 0:
		return 0
	case a == 0:
		return math.Inf(1)
	case a > n+1+tailReach(n+1):
		// Both probabilities are tiny; their quotient is a times the fraction.
		return max(math.Log(a)+math.Log(gammaFraction(n+1, a)), 0)
	}
	return max(math.Log(gammaQ(n+1, a))-lnPoissonPMF(n, a), 0)
}

// lnIdle returns ln(1/B(a, c) − 1), the weight of the states with an idle worker
// in units of the state with c requests. From 1/B(c) = 1 + (c/a)/B(c−1) it does
// not cancel where B is close to 1.
func lnIdle(a float64, c int) float64 {
	return math.Log(float64(c)) - math.Log(a) + lnInverseB(a, c-1)
}
