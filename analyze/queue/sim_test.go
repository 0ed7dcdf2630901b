package queue

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/kneeline/queuecalc"
)

// chain is M/M/c played event by event: the number of requests in the system and
// the clock.
type chain struct {
	rng        *rand.Rand
	lambda, mu float64 // arrivals, and completions of one worker, per second
	workers, n int
	now        float64
}

// step goes to the next event and says whether it was an arrival.
func (c *chain) step() (arrival bool) {
	done := c.mu * float64(min(c.n, c.workers))
	c.now += c.rng.ExpFloat64() / (c.lambda + done)
	if c.rng.Float64()*(c.lambda+done) < c.lambda {
		return true
	}
	c.n--
	return false
}

// The time to recover is that of the simulated backlog, within four standard
// errors of its mean.
func TestRecoveryAgainstSimulation(t *testing.T) {
	for _, load := range []float64{0.5, 0.8, 0.95} {
		const runs = 200
		c := Config{
			Capacity: queuecalc.Interval{Estimate: 1200}, Timeout: 400 * time.Millisecond, Workers: 12,
			Queue: &Length{Positions: 3000}, AcceptQueue: new(int64(500)), Peak: 1200 * load,
		}
		want := *audit(t, c).Today.RecoverySeconds
		sum, squares := 0.0, 0.0
		for seed := range uint64(runs) {
			s := &chain{rng: rand.New(rand.NewPCG(seed, 7)), lambda: c.Peak, mu: 100, workers: 12, n: 3512}
			for s.n > 480 {
				if s.step() {
					s.n++
				}
			}
			sum += s.now
			squares += s.now * s.now
		}
		mean := sum / runs
		spread := math.Sqrt((squares/runs - mean*mean) / runs)
		if math.Abs(mean-want) > 4*spread {
			t.Errorf("load %v: recovers in %v, simulated %v ± %v", load, want, mean, spread)
		}
	}
}

// The wait in the plots is that of simulated requests, first come, first served.
func TestWaitAgainstSimulation(t *testing.T) {
	for _, load := range []float64{0.8, 1, 1.1, 1.5} {
		q := Length{Positions: 60}
		m, err := newModel(Config{Capacity: queuecalc.Interval{Estimate: 1000}, Timeout: 100 * time.Millisecond, Workers: 5})
		if err != nil {
			t.Fatal(err)
		}
		want, err := waitQuantile(m.station(q, load), 0.99)
		if err != nil {
			t.Fatal(err)
		}
		waits, good := simulateWaits(load, 5, 60, 100_000)
		slices.Sort(waits)
		// The share of waits below the quantile is 0.99; they are correlated over
		// a queue's length, hence the width.
		below, _ := slices.BinarySearch(waits, want)
		if share := float64(below) / float64(len(waits)); math.Abs(share-0.99) > 0.005 {
			t.Errorf("load %v: %v of the waits are below the p99 of %v", load, share, want)
		}
		g, err := m.goodput(q, load)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(good-g) > 0.02 {
			t.Errorf("load %v: goodput %v, simulated %v", load, g, good)
		}
	}
}

// simulateWaits plays M/M/c/K with a capacity of 1,000/s and returns the waits of
// the requests accepted, and goodput within 100 ms as a share of the capacity.
func simulateWaits(load float64, workers, places, arrivals int) (waits []float64, goodput float64) {
	rng := rand.New(rand.NewPCG(uint64(load*1000), 11))
	free := make([]float64, workers) // when each worker is free
	var starts []float64             // of the requests that wait, ascending
	now, good := 0.0, 0
	for range arrivals {
		now += rng.ExpFloat64() / (load * 1000)
		for len(starts) > 0 && starts[0] <= now {
			starts = starts[1:]
		}
		if len(starts) >= places {
			continue
		}
		first := 0
		for i := range free {
			if free[i] < free[first] {
				first = i
			}
		}
		start := max(now, free[first])
		free[first] = start + rng.ExpFloat64()/(1000/float64(workers))
		if start > now {
			starts = append(starts, start)
		}
		waits = append(waits, start-now)
		if free[first]-now <= 0.1 {
			good++
		}
	}
	return waits, float64(good) / now / 1000
}
