package queuecalc

import (
	"math"
	"math/cmplx"
)

// GoodputLIFO returns the fates of the requests when a free worker takes the
// newest request that waits, and a request that finds the system full is
// refused (the oldest are not pushed out).
//
// A request that finds n ≥ c starts once the system has come back from n+1
// requests to n, whatever waits below it: the busy period of one worker of rate
// cμ with room for K − n requests, whose Laplace transform is a recursion over
// the room,
//
//	φ_1(s) = a/(a + s),  φ_j(s) = a / (a + s + λ − λφ_{j−1}(s)),  a = cμ
//
// so that the transform of the response time is known,
//
//	goodput = λ [ Σ_{n<c} π_n (1 − e^−μT) + L⁻¹{ Σ_{n=c..K−1} π_n φ_{K−n}(s) μ/(μ+s) / s }(T) ]
//
// and is inverted numerically by the Euler method of J. Abate and W. Whitt,
// "Numerical inversion of Laplace transforms of probability distributions"
// (1995). Exact but for the error of the inversion, below 1e−8. For
// cμT ≤ 10¹⁰. Source of the busy period: L. Kleinrock, Queueing Systems I,
// chapter 5.
func GoodputLIFO(s Station) (Fates, error) {
	if err := s.check(); err != nil {
		return Fates{}, err
	}
	if x := s.Capacity() * s.Deadline; x > maxDeparturesLIFO {
		return Fates{}, &ArgError{"capacity × deadline", x, "at most 1e+10 requests for LIFO"}
	}
	st := newStates(s)
	good := st.below * s.idleInTime()
	if st.span > 0 {
		waiters := euler(s.Deadline, func(p complex128) complex128 { return lifoTransform(s, st, p) / p })
		good += min(max(waiters, 0), st.taken-st.below)
	}
	return st.fates(s.Arrivals, s.Arrivals*good), nil
}

// maxDeparturesLIFO bounds capacity × deadline for LIFO, where a transform
// costs some ten times its square root, and there are 45 of them.
const maxDeparturesLIFO = 1e10

// lifoTransform returns Σ_{j=1..K−c} π_{K−j} φ_j(p) μ/(μ+p).
func lifoTransform(s Station, st states, p complex128) complex128 {
	a, lambda := complex(s.Capacity(), 0), complex(s.Arrivals, 0)
	phi, sum := a/(a+p), complex(0, 0)
	for j := 1.0; j <= st.span; j++ {
		sum += complex(math.Exp(st.lnFromTop(j)), 0) * phi
		next := a / (a + p + lambda - lambda*phi)
		if cmplx.Abs(next-phi) <= 1e-15*cmplx.Abs(next) {
			// The room no longer matters: the rest is one geometric sum.
			if j < st.span {
				sum += complex(math.Exp(st.lnRest(j+1)), 0) * next
			}
			break
		}
		phi = next
	}
	mu := complex(s.ServiceRate, 0)
	return sum * mu / (mu + p)
}

// euler returns f(t) for the Laplace transform F of a smooth f with values in
// [0, 1]: the Bromwich integral by the trapezoidal rule, whose alternating sum
// is sped up by averaging its last partial sums with binomial weights.
// The discretisation errs by e^−A at most, rounding by e^(A/2) · 1e−16.
func euler(t float64, transform func(complex128) complex128) float64 {
	const (
		a     = 21.0
		plain = 30 // terms before the averaging
		extra = 14 // partial sums averaged
	)
	term := func(k int) float64 {
		return real(transform(complex(a/(2*t), float64(k)*math.Pi/t)))
	}
	sum := term(0) / 2
	sign := -1.0
	for k := 1; k <= plain; k++ {
		sum += sign * term(k)
		sign = -sign
	}
	average, weight := sum, 1.0 // weight is the binomial coefficient
	total := weight
	average *= weight
	for k := 1; k <= extra; k++ {
		sum += sign * term(plain+k)
		sign = -sign
		weight *= float64(extra-k+1) / float64(k)
		average += weight * sum
		total += weight
	}
	return math.Exp(a/2) / t * average / total
}
