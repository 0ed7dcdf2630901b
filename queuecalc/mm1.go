package queuecalc

import "math"

// MM1 returns the averages of M/M/1 without a bound, one worker with
// exponential service of rate μ:
//
//	ρ = λ/μ,  Wq = ρ / (μ − λ),  W = 1 / (μ − λ),  L = ρ / (1 − ρ)
//
// for 0 < λ < μ. The averages are the same for FIFO, LIFO and processor sharing.
// Source: L. Kleinrock, Queueing Systems I (1975), chapter 3.
func MM1(lambda, mu float64) (Measures, error) {
	return MMc(lambda, mu, 1)
}

// MM1K returns the averages of M/M/1/K, where an arrival that finds k ≥ 1 requests
// in the system is refused:
//
//	π_n = ρ^n (1 − ρ) / (1 − ρ^(K+1)), and 1/(K+1) at ρ = 1
//
// for any λ > 0. Source: Kleinrock I, chapter 3.
func MM1K(lambda, mu float64, k InSystem) (Measures, error) {
	return MMcK(lambda, mu, 1, k)
}

// MM1ResponseQuantile returns the time within which the share 0 < p < 1 of the
// requests in M/M/1 (FIFO, no bound) is answered: −ln(1 − p) / (μ − λ), for
// 0 < λ < μ. Source: Kleinrock I, chapter 5.
func MM1ResponseQuantile(lambda, mu, p float64) (float64, error) {
	if err := first(checkMMc(lambda, mu, 1), inside("quantile", p)); err != nil {
		return 0, err
	}
	return -math.Log1p(-p) / (mu - lambda), nil
}
