package queuecalc

// MG1 returns the averages of M/G/1 (FIFO, no bound): Poisson arrivals, one
// worker, service times of any law with mean S and squared coefficient of
// variation cv2 (variance over squared mean: 0 fixed, 1 exponential). It is the
// formula of Pollaczek and Khinchine:
//
//	Wq = λE[S²] / (2(1 − ρ)) = ρ S (1 + CV²) / (2(1 − ρ)),  ρ = λS
//
// for 0 < λ < 1/S and cv2 ≥ 0. Source: L. Kleinrock, Queueing Systems I (1975),
// chapter 5.
func MG1(lambda, serviceTime, cv2 float64) (Measures, error) {
	if err := first(positive("service time", serviceTime),
		notNegative("squared coefficient of variation", cv2)); err != nil {
		return Measures{}, err
	}
	mu := 1 / serviceTime
	if err := checkMMc(lambda, mu, 1); err != nil {
		return Measures{}, err
	}
	rho := lambda * serviceTime
	m := Measures{Utilisation: rho, Delayed: rho, Throughput: lambda}
	m.Wait = rho * (1 + cv2) / (2 * (mu - lambda))
	m.Response = m.Wait + serviceTime
	m.Waiting = lambda * m.Wait
	m.InSystem = m.Waiting + rho
	return m, nil
}

// MD1 returns the averages of M/D/1, [MG1] with a fixed service time 1/μ:
//
//	Wq = ρ / (2μ(1 − ρ))
//
// for 0 < λ < μ, half the wait of M/M/1. Source: Kleinrock I, chapter 5.
func MD1(lambda, mu float64) (Measures, error) {
	if err := positive("service rate", mu); err != nil {
		return Measures{}, err
	}
	return MG1(lambda, 1/mu, 0)
}
