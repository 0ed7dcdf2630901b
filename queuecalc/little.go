package queuecalc

import "math"

// Little's law, L = λW, holds for every system in steady state whatever its
// arrivals, service times and order of service: the average number of requests
// inside is the rate of arrival times the average time inside. Source:
// J. D. C. Little, "A proof for the queuing formula L = λW" (1961).

// LittleInSystem returns L, the average number of requests inside, from the rate
// λ ≥ 0 of those that enter and their average time W ≥ 0 inside. With the
// service time for W it is the number of busy workers.
func LittleInSystem(rate, time float64) (float64, error) {
	if err := first(notNegative("rate", rate), notNegative("time in the system", time)); err != nil {
		return 0, err
	}
	return rate * time, nil
}

// LittleTime returns W = L/λ for L ≥ 0 and λ > 0.
func LittleTime(inSystem, rate float64) (float64, error) {
	if err := first(notNegative("requests in the system", inSystem), positive("rate", rate)); err != nil {
		return 0, err
	}
	return inSystem / rate, nil
}

// LittleRate returns λ = L/W for L ≥ 0 and W > 0: the throughput of a closed
// loop of L clients that each wait for their answer.
func LittleRate(inSystem, time float64) (float64, error) {
	if err := first(notNegative("requests in the system", inSystem), positive("time in the system", time)); err != nil {
		return 0, err
	}
	return inSystem / time, nil
}

// WorkersFor returns the fewest workers that stay below the utilisation 0 < ρ < 1
// while rate requests per second of the given mean service time arrive:
// ⌈λS/ρ⌉, at least 1.
func WorkersFor(rate, serviceTime, utilisation float64) (int, error) {
	if err := first(notNegative("rate", rate), notNegative("service time", serviceTime),
		inside("utilisation", utilisation)); err != nil {
		return 0, err
	}
	n := math.Ceil(rate * serviceTime / utilisation * (1 - 1e-12))
	if n > MaxWorkers {
		return 0, &ArgError{"rate × service time / utilisation", n, "at most MaxWorkers"}
	}
	return int(max(n, 1)), nil
}
