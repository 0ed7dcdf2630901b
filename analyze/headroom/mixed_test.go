package headroom

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/kneeline/analyze/headroom/virtual"
	"example.com/kneeline/loadgen/target"
)

// cost is one kind of request of a mix: how often it comes and how long a worker has
// to do with it.
type cost struct {
	share float64
	work  time.Duration
}

// clerks is a service of several workers in order of arrival whose requests are of
// different cost, as those of a mix are.
type clerks struct {
	rng   *rand.Rand
	costs []cost
	free  []time.Duration // when each worker is free
	ends  endHeap
}

type end struct {
	at time.Duration
	id uint64
}

type endHeap []end

func (h endHeap) Len() int           { return len(h) }
func (h endHeap) Less(i, j int) bool { return h[i].at < h[j].at }
func (h endHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *endHeap) Push(x any)        { *h = append(*h, x.(end)) }
func (h *endHeap) Pop() any {
	e := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return e
}

// serve takes in a request and returns when it will be done.
func (c *clerks) serve(at time.Duration) time.Duration {
	u := c.rng.Float64()
	i := 0
	for ; i < len(c.costs)-1 && u >= c.costs[i].share; i++ {
		u -= c.costs[i].share
	}
	first := 0
	for w := range c.free {
		if c.free[w] < c.free[first] {
			first = w
		}
	}
	c.free[first] = max(c.free[first], at) + c.costs[i].work
	return c.free[first]
}

func (c *clerks) Arrive(at time.Duration, id uint64) { heap.Push(&c.ends, end{c.serve(at), id}) }

func (c *clerks) Leave(uint64) {}

func (c *clerks) Advance(to time.Duration, done func(uint64, time.Duration, target.Answer)) {
	for len(c.ends) > 0 && c.ends[0].at <= to {
		e := heap.Pop(&c.ends).(end)
		done(e.id, e.at, target.Answer{Status: 200})
	}
}

func newClerks(workers int, costs []cost, seed uint64) *clerks {
	return &clerks{rng: rand.New(rand.NewPCG(seed, 31)), costs: costs, free: make([]time.Duration, workers)}
}

// clerksCapacity is the highest rate at which at most one request in a hundred is
// later than the limit, by long simulation with the same draws at every rate.
func clerksCapacity(workers int, costs []cost, limit time.Duration) float64 {
	mean := 0.0
	for _, c := range costs {
		mean += c.share * c.work.Seconds()
	}
	lo, hi := 0.9*float64(workers)/mean, float64(workers)/mean
	for range 5 {
		rate := (lo + hi) / 2
		c, gaps := newClerks(workers, costs, 77), rand.New(rand.NewPCG(78, 79))
		at, late := 0.0, 0
		const n = 1_500_000 // twenty minutes: near capacity the queue remembers ten seconds
		for range n {
			at += gaps.ExpFloat64() / rate
			now := time.Duration(at * 1e9)
			if c.serve(now)-now > limit {
				late++
			}
		}
		if late > n/100 {
			hi = rate
		} else {
			lo = rate
		}
	}
	return (lo + hi) / 2
}

// TestCapacityOfAMix: of a service whose requests are of very different cost, so that
// one in twenty makes half of its work, the search finds the capacity: the truth lies
// in the interval as often as it says, and the estimates are not off in the mean.
func TestCapacityOfAMix(t *testing.T) {
	costs := []cost{{0.70, 2 * ms}, {0.25, 8 * ms}, {0.05, 60 * ms}}
	const workers, runs = 8, 5
	truth := clerksCapacity(workers, costs, 400*ms)
	held, off := 0, make([]float64, 0, runs)
	for seed := range uint64(runs) {
		v := &virtual.Offerer{Service: newClerks(workers, costs, seed), Seed: seed, NetMin: 100 * time.Microsecond, NetMax: ms, Gap: 100 * ms}
		a := measure(t, v, subject{limit: 400 * ms}.config(seed)).Result
		if a.Capacity == nil {
			t.Errorf("seed %d: no capacity", seed)
			continue
		}
		t.Logf("truth %.0f, found %.0f (%.0f to %.0f) by %s", truth, a.Capacity.Estimate, a.Capacity.Low, a.Capacity.High, a.Method)
		if a.Capacity.Low <= truth && truth <= a.Capacity.High {
			held++
		}
		off = append(off, a.Capacity.Estimate/truth-1)
	}
	sum := 0.0
	for _, e := range off {
		sum += e
	}
	if mean := sum / float64(len(off)); held < runs-1 || math.Abs(mean) > 0.02 {
		t.Errorf("the truth, %.0f/s, is in %d of %d intervals, the mean error is %+.1f %% (%+.3f to %+.3f)", truth, held, runs, 100*mean, slices.Min(off), slices.Max(off))
	}
}
