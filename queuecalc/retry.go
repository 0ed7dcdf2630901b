package queuecalc

import "math"

// Attempts returns the average number of attempts per request when an attempt
// fails with probability p, independently of the others, and is sent again
// until it succeeds or tries ≥ 1 attempts were made:
//
//	(1 − p^n) / (1 − p), and n at p = 1
//
// With p = 0.5 and 4 tries 1.875. Under overload failures are not independent:
// take p = 1 for the worst case. Source: the geometric series.
func Attempts(tries int, p float64) (float64, error) {
	if err := first(tryCount(tries), probability("probability of failure", p)); err != nil {
		return 0, err
	}
	switch p {
	case 0:
		return 1, nil
	case 1:
		return float64(tries), nil
	}
	return math.Expm1(float64(tries)*math.Log(p)) / (p - 1), nil
}

// maxTries bounds tries and retries, so that their squares are exact.
const maxTries = 1e6

func tryCount(tries int) error {
	if tries >= 1 && tries <= maxTries {
		return nil
	}
	return &ArgError{"tries", float64(tries), "between 1 and 1000000"}
}

func retryCount(retries int) error {
	if retries >= 0 && retries < maxTries {
		return nil
	}
	return &ArgError{"retries", float64(retries), "between 0 and 999999"}
}

// Amplification returns the calls that reach the bottom of a call chain for one
// request at the top when each layer makes that many attempts per call: their
// product. Three layers that each try up to 4 times make 64. It is 1 without
// layers; attempts are averages of at least 1, such as [Attempts] returns.
// Source: B. Beyer et al., Site Reliability Engineering (2016), chapter 22.
func Amplification(attemptsPerLayer ...float64) (float64, error) {
	product := 1.0
	for _, a := range attemptsPerLayer {
		if !(a >= 1 && a <= maxTries) {
			return 0, &ArgError{"attempts of a layer", a, "between 1 and 1000000"}
		}
		product *= a
		if product > extreme {
			return 0, &ArgError{"amplification", product, "at most 1e+100"}
		}
	}
	return product, nil
}

// BudgetedLoad returns the load of a destination whose clients may send retries
// up to a share budget ≥ 0 of their requests: L(1 + budget), whatever fails. It
// holds for a budget kept per destination; a budget kept over all destinations
// can be spent on a single one.
func BudgetedLoad(load, budget float64) (float64, error) {
	if err := first(notNegative("load", load), notNegative("retry budget", budget)); err != nil {
		return 0, err
	}
	return load * (1 + budget), nil
}

// HiddenCapacity returns μ/(1 + retries): the load up to which a server of
// capacity μ recovers by itself from any stall when clients send each request
// up to retries more times. Above it a stall can leave every request timed out
// for good, for the retries alone keep the server busy. 300/s is worth 150/s with
// one retry. Source: N. Bronson et al., "Metastable failures in distributed
// systems", HotOS 2021.
func HiddenCapacity(capacity float64, retries int) (float64, error) {
	if err := first(positive("capacity", capacity), retryCount(retries)); err != nil {
		return 0, err
	}
	return capacity / float64(1+retries), nil
}

// HealingBudget returns the rate of retries below which a server of capacity μ
// recovers under a load L of first attempts: μ − L, 0 where the load alone is too
// much. As a share of the load, as budgets are set, it is that over L. Source: as
// for [HiddenCapacity].
func HealingBudget(capacity, load float64) (float64, error) {
	if err := first(positive("capacity", capacity), notNegative("load", load)); err != nil {
		return 0, err
	}
	return max(capacity-load, 0), nil
}

// Drain is how long something takes that may never end.
type Drain struct {
	Ends    bool    // false where it never ends; Seconds is then 0
	Seconds float64 // from the start of the drain
}

// DrainTime returns how long a backlog takes to drain while new requests arrive:
// backlog / (μ − λ), without end for λ ≥ μ and a backlog above 0. The backlog
// and both rates are taken as a fluid, good for backlogs well above √backlog.
func DrainTime(backlog, capacity, load float64) (Drain, error) {
	if err := first(notNegative("backlog", backlog), positive("capacity", capacity),
		notNegative("load", load)); err != nil {
		return Drain{}, err
	}
	switch {
	case backlog == 0:
		return Drain{Ends: true}, nil
	case load >= capacity:
		return Drain{}, nil
	}
	return Drain{Ends: true, Seconds: backlog / (capacity - load)}, nil
}

// Stall is a server that answers nothing for a while, and its clients.
type Stall struct {
	Load     float64 // L, first attempts per second, > 0
	Capacity float64 // μ, requests per second outside the stall, > 0
	Outage   float64 // T, length of the stall in seconds, at least Retries × Timeout
	Timeout  float64 // τ, after which a client sends its request again, > 0
	Retries  int     // r ≥ 0, how often
}

// StallRecovery returns how long after its end a stall goes on to hurt: until
// the queue is shorter than a timeout, so that no more retries are made. With an
// unbounded FIFO queue and clients that leave their timed-out requests in it,
//
//	seconds = (L[(1+r)T − τ r(r+1)/2] − μτ) / (μ − (1+r)L)
//
// which is the backlog at the end of the stall less the μτ requests of one
// timeout, over what the server gains on it while every request is sent 1 + r
// times. For one retry it is (L(2T − τ) − μτ)/(μ − 2L). It is 0 where the backlog
// is below one timeout, and never ends for (1+r)L ≥ μ, above [HiddenCapacity]. A
// fluid approximation, within some seconds of simulation unless μ − (1+r)L is
// small, where chance decides. Derived from the set-up of Bronson et al. (2021).
func StallRecovery(s Stall) (Drain, error) {
	if err := first(positive("load", s.Load), positive("capacity", s.Capacity),
		positive("outage", s.Outage), positive("timeout", s.Timeout), retryCount(s.Retries)); err != nil {
		return Drain{}, err
	}
	r := float64(s.Retries)
	if s.Outage < r*s.Timeout {
		return Drain{}, &ArgError{"outage", s.Outage, "at least retries × timeout"}
	}
	backlog := s.Load * ((1+r)*s.Outage - s.Timeout*r*(r+1)/2)
	excess := backlog - s.Capacity*s.Timeout
	if excess <= 0 {
		return Drain{Ends: true}, nil
	}
	return DrainTime(excess, s.Capacity, (1+r)*s.Load)
}
