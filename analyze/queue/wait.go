package queue

import (
	"math"

	"example.com/kneeline/queuecalc"
)

// waitAccuracy is the relative error of a wait: it is for plots.
const waitAccuracy = 1e-3

// waitQuantile returns the time within which the share p of the requests that
// are not refused starts service, in M/M/c/K.
//
// A request that finds every worker busy and j others waiting waits for j + 1
// departures, each after 1/cμ. That is the response time of the request that
// finds j others in M/M/1/N with one worker of rate cμ and N = K − c, and j has the
// same law there. So the wait of those that wait is a response time, which
// queuecalc knows, and the rest wait for nothing.
func waitQuantile(s queuecalc.Station, p float64) (float64, error) {
	places := int64(s.Bound) - int64(s.Workers)
	if places <= 0 {
		return 0, nil
	}
	got, err := queuecalc.MMcK(s.Arrivals, s.ServiceRate, s.Workers, s.Bound)
	if err != nil {
		return 0, err
	}
	waits := got.Delayed / (1 - got.Refused)
	if waits <= 1-p {
		return 0, nil
	}
	inner := queuecalc.Station{Arrivals: s.Arrivals, ServiceRate: s.Capacity(), Workers: 1, Bound: queuecalc.InSystem(places)}
	late := func(t float64) (float64, error) {
		inner.Deadline = t
		f, err := queuecalc.GoodputFIFO(inner)
		return waits * f.Late / (f.Good + f.Late), err
	}
	n := float64(places)
	low, high := 0.0, (n+12*math.Sqrt(n)+30)/s.Capacity()
	for high-low > waitAccuracy*high {
		middle := (low + high) / 2
		tail, err := late(middle)
		if err != nil {
			return 0, err
		}
		if tail > 1-p {
			low = middle
		} else {
			high = middle
		}
	}
	return high, nil
}
