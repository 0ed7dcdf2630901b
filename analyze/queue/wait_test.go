package queue

import (
	"math"
	"testing"

	"example.com/kneeline/queuecalc"
)

// TestWaitQuantile sums the law of the wait state by state: with every worker
// busy and j others waiting, j + 1 departures of rate cμ.
func TestWaitQuantile(t *testing.T) {
	for _, c := range []struct {
		load            float64
		workers, places int
	}{{0.5, 1, 4}, {0.9, 3, 10}, {1, 2, 20}, {1.1, 12, 40}, {1.5, 1, 60}, {0.2, 8, 5}} {
		const mu = 100.0 // of all workers
		s := queuecalc.Station{
			Arrivals: c.load * mu, ServiceRate: mu / float64(c.workers), Workers: c.workers,
			Bound: queuecalc.InSystem(c.workers + c.places), Deadline: 1,
		}
		got, err := waitQuantile(s, 0.99)
		if err != nil {
			t.Fatal(err)
		}
		tail := func(x float64) float64 {
			a := s.Arrivals / s.ServiceRate
			weight, total, late := 1.0, 0.0, 0.0
			for n := range c.workers + c.places { // the last state is refused
				total += weight
				if n >= c.workers {
					late += weight * erlangTail(n-c.workers+1, mu*x)
				}
				weight *= a / math.Min(float64(n+1), float64(c.workers))
			}
			return late / total
		}
		if got == 0 {
			if tail(0) > 0.01 {
				t.Errorf("%+v: no wait, but %v wait", c, tail(0))
			}
			continue
		}
		if tail(got*0.998) < 0.01 || tail(got*1.002) > 0.01 {
			t.Errorf("%+v: p99 %v, beyond which %v wait", c, got, tail(got))
		}
	}
	if w, err := waitQuantile(queuecalc.Station{Arrivals: 2, ServiceRate: 1, Workers: 3, Bound: 3, Deadline: 1}, 0.99); w != 0 || err != nil {
		t.Errorf("without a queue the wait is %v, %v", w, err)
	}
}

// erlangTail is the chance that n departures take longer than x, in units of
// their mean distance.
func erlangTail(n int, x float64) float64 {
	term, sum := math.Exp(-x), 0.0
	for k := range n {
		sum += term
		term *= x / float64(k+1)
	}
	return sum
}
