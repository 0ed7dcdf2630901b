package queuecalc

import "math"

// ErlangA returns the averages of M/M/c+M: as [MMc], but a request leaves the
// queue after an exponential patience of rate θ unless its service has begun.
// With n > c requests in the system they leave at the rate cμ + (n − c)θ, so
//
//	A = Σ_{i≥0} Π_{j=1..i} λ / (cμ + jθ),  P(delayed) = A / (A + 1/B − 1)
//	Waiting = P(delayed) · ((λ − cμ)/θ + cμ/(θA)),  Abandoned = θ·Waiting/λ
//
// where B = ErlangB(λ/μ, c), for any λ > 0 and for a patience 1/θ of at most
// 10¹² mean service times of the whole server. A is an incomplete gamma
// function. Wait and Response are averages over all arrivals, including those
// that leave. Source: O. Garnett, A. Mandelbaum and M. Reiman, "Designing
// a call center with impatient customers" (2002).
func ErlangA(lambda, mu float64, c int, theta float64) (Measures, error) {
	err := first(positive("arrival rate", lambda), positive("service rate", mu), workerCount(c),
		positive("rate of abandonment", theta))
	if err == nil {
		err = offered(lambda, mu)
	}
	if err != nil {
		return Measures{}, err
	}
	capacity := float64(c) * mu
	x, y := lambda/theta, capacity/theta
	if !(max(x, y) <= 1e12 && min(x, y) >= 1e-100) {
		return Measures{}, &ArgError{"rate of abandonment", theta,
			"at least 1e-12 of arrival rate and capacity, at most 1e+100 times either"}
	}
	lnA, mean := patience(x, y)
	delayed := math.Exp(lnA - lnAdd(lnA, lnIdle(lambda/mu, c)))

	m := Measures{Delayed: delayed, Waiting: delayed * mean}
	m.Abandoned = min(m.Waiting/x, 1)
	m.Throughput = lambda * (1 - m.Abandoned)
	m.Utilisation = min(m.Throughput/capacity, 1)
	m.InSystem = m.Waiting + m.Throughput/mu
	m.Wait = m.Waiting / lambda
	m.Response = m.InSystem / lambda
	return m, nil
}

// patience returns ln A and the average number waiting while every worker is
// busy, Σ i·a_i / A with a_i = x^i / ((y+1)…(y+i)).
//
// Below y the a_i fall from the start and are added up, the average with them;
// near y and above A is P(y, x) over the Poisson probability of y, and the
// average x − y + y/A no longer cancels.
func patience(x, y float64) (lnA, mean float64) {
	if x > y-tailReach(y) {
		lnA = lnGammaP(y, x) - lnPoissonPMF(y, x)
		return lnA, max(x-y+y*math.Exp(-lnA), 0)
	}
	term, sum, first := 1.0, 1.0, 0.0
	for i := 1.0; i*term > first*1e-17; i++ {
		term *= x / (y + i)
		sum += term
		first += i * term
	}
	return math.Log(sum), first / sum
}
