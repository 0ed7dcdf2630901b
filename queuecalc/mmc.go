package queuecalc

import "math"

// Measures are the steady-state averages of one queue.
type Measures struct {
	Utilisation float64 // ρ, the share of time that a worker is busy, 0 to 1
	Delayed     float64 // the share of arrivals that find every worker busy and may wait
	Refused     float64 // the share of arrivals refused because the system is full
	Abandoned   float64 // the share of arrivals that leave the queue before service
	Throughput  float64 // requests served per second
	Waiting     float64 // Lq, the average number of requests that wait
	InSystem    float64 // L, the average number of requests that wait or run
	Wait        float64 // Wq, the average wait of the requests accepted, seconds
	Response    float64 // W, Wq plus the time in service, seconds
}

// MMc returns the averages of M/M/c without a bound, with Poisson arrivals of
// rate λ, exponential service of rate μ for each of c workers:
//
//	C = ErlangC(λ/μ, c),  Wq = C / (cμ − λ),  W = Wq + 1/μ,  L = λW
//
// for 0 < λ < cμ. Source: L. Kleinrock, Queueing Systems I (1975), chapter 3.
func MMc(lambda, mu float64, c int) (Measures, error) {
	if err := checkMMc(lambda, mu, c); err != nil {
		return Measures{}, err
	}
	capacity := float64(c) * mu
	delayed := erlangC(lambda/mu, c)
	m := Measures{Utilisation: lambda / capacity, Delayed: delayed, Throughput: lambda}
	m.Wait = delayed / (capacity - lambda)
	m.Response = m.Wait + 1/mu
	m.Waiting = lambda * m.Wait
	m.InSystem = m.Waiting + lambda/mu
	return m, nil
}

// checkMMc returns what is wrong with an M/M/c queue.
func checkMMc(lambda, mu float64, c int) error {
	err := first(positive("arrival rate", lambda), positive("service rate", mu), workerCount(c))
	if err == nil {
		err = first(offered(lambda, mu), stable(lambda, float64(c)*mu))
	}
	return err
}

// MMcK returns the averages of M/M/c/K: as [MMc], but an arrival that finds k
// requests in the system is refused. It is the birth and death chain with
//
//	π_n ∝ (λ/μ)^n / n! up to c,  π_n = π_c (λ/cμ)^(n−c) from c to K
//
// for any λ > 0 and c ≤ k ≤ Unbounded. Wait and Response are those of the
// requests accepted. Source: Kleinrock I, chapter 3.
func MMcK(lambda, mu float64, c int, k InSystem) (Measures, error) {
	s := Station{Arrivals: lambda, ServiceRate: mu, Workers: c, Bound: k}
	if err := s.checkQueue(); err != nil {
		return Measures{}, err
	}
	st := newStates(s)
	accepted := lambda * st.taken
	m := Measures{
		Utilisation: min(accepted/s.Capacity(), 1),
		Delayed:     max(st.delayed-st.full, 0),
		Refused:     st.full,
		Throughput:  accepted,
		Waiting:     st.delayed * meanGeometric(st.lnRho, st.span),
	}
	m.InSystem = m.Waiting + accepted/mu
	m.Wait = m.Waiting / accepted
	m.Response = m.Wait + 1/mu
	return m, nil
}

// MMcResponseTail returns the share of requests in M/M/c (FIFO, no bound) whose
// response takes longer than t ≥ 0:
//
//	P(W > t) = e^−μt + C·μ·(e^−μt − e^−δt)/(δ − μ),  δ = cμ − λ
//
// which is the exponential service alone with probability 1 − C, and preceded by
// an exponential wait of rate δ with probability C = ErlangC(λ/μ, c). For
// 0 < λ < cμ. Source: D. Gross et al., Fundamentals of Queueing Theory, waiting
// times of M/M/c.
func MMcResponseTail(lambda, mu float64, c int, t float64) (float64, error) {
	if err := first(checkMMc(lambda, mu, c), notNegative("time", t)); err != nil {
		return 0, err
	}
	return responseTail(lambda, mu, c, t), nil
}

// responseTail is MMcResponseTail for arguments that have been checked. Written
// with t·(1 − e^−z)/z, z = |δ − μ|t, the two exponentials do not cancel where
// δ is close to μ.
func responseTail(lambda, mu float64, c int, t float64) float64 {
	delta := float64(c)*mu - lambda
	z := math.Abs(delta-mu) * t
	spread := 1.0
	if z > 0 {
		spread = -math.Expm1(-z) / z
	}
	own := math.Exp(-mu * t)
	both := mu * t * math.Exp(-min(mu, delta)*t) * spread
	return min(own+erlangC(lambda/mu, c)*both, 1)
}

// MMcResponseQuantile returns the time within which the share 0 < p < 1 of the
// requests in M/M/c (FIFO, no bound) is answered, by bisection of
// [MMcResponseTail] to full precision.
func MMcResponseQuantile(lambda, mu float64, c int, p float64) (float64, error) {
	if err := first(checkMMc(lambda, mu, c), inside("quantile", p)); err != nil {
		return 0, err
	}
	high := 1 / mu
	for responseTail(lambda, mu, c, high) > 1-p {
		high *= 2
	}
	return bisect(0, high, func(t float64) bool { return responseTail(lambda, mu, c, t) > 1-p }), nil
}

// MMcWaitQuantile returns the time within which the share 0 < p < 1 of the
// requests in M/M/c (FIFO, no bound) starts service:
//
//	max(0, ln(C/(1 − p)) / (cμ − λ))
//
// Source: Gross et al., as for [MMcResponseTail].
func MMcWaitQuantile(lambda, mu float64, c int, p float64) (float64, error) {
	if err := first(checkMMc(lambda, mu, c), inside("quantile", p)); err != nil {
		return 0, err
	}
	return max(math.Log(erlangC(lambda/mu, c)/(1-p))/(float64(c)*mu-lambda), 0), nil
}

// HighestRate returns the highest arrival rate at which at most the share
// 0 < late < 1 of the requests in M/M/c (FIFO, no bound) takes longer than the
// limit T > 0: the capacity under an SLO. It is 0 where even an idle server
// misses, that is for e^−μT ≥ late. 12 workers of 10 ms answer 99 % within
// 400 ms up to 1,188/s, not 1,200/s.
//
// Found by bisection of [MMcResponseTail], which rises with the arrival rate.
func HighestRate(mu float64, c int, limit, late float64) (float64, error) {
	if err := first(positive("service rate", mu), workerCount(c), positive("limit", limit),
		inside("share late", late)); err != nil {
		return 0, err
	}
	if math.Exp(-mu*limit) >= late {
		return 0, nil
	}
	return bisect(0, float64(c)*mu, func(lambda float64) bool {
		return lambda == 0 || responseTail(lambda, mu, c, limit) <= late
	}), nil
}

// HeavyTrafficRate returns the approximation of [HighestRate] for a server of
// capacity μ (all workers together) and service times of squared coefficient of
// variation cv2 (0 fixed, 1 exponential):
//
//	μ − ln(1/late)(1 + CV²) / (2T)
//
// from Kingman's exponential wait in heavy traffic. It leaves out the request's
// own service and that not every request waits, so it is good for μT ≫ ln(1/late)
// and a start, not an answer, elsewhere. It is 0 where the formula is negative.
// Source: J. F. C. Kingman, "The single server queue in heavy traffic" (1961).
func HeavyTrafficRate(capacity, cv2, limit, late float64) (float64, error) {
	if err := first(positive("capacity", capacity), notNegative("squared coefficient of variation", cv2),
		positive("limit", limit), inside("share late", late)); err != nil {
		return 0, err
	}
	return max(capacity+math.Log(late)*(1+cv2)/(2*limit), 0), nil
}

// bisect returns the largest value in [low, high] for which hold is true; hold
// is true at low and false from some value on.
func bisect(low, high float64, hold func(float64) bool) float64 {
	for {
		middle := low + (high-low)/2
		if middle <= low || middle >= high {
			return low
		}
		if hold(middle) {
			low = middle
		} else {
			high = middle
		}
	}
}
