package headroom

import (
	"math/rand/v2"
	"testing"
	"time"

	"example.com/kneeline/analyze/headroom/virtual"
	"example.com/kneeline/loadgen/target"
)

// crew is a service that works on all requests at once: the next completion comes
// after an exponential time whose rate depends on how many there are, and any of
// them may be it. Processor sharing, a lock that is fought over, and a service that
// slows down with what it has served are such crews.
type crew struct {
	rng  *rand.Rand
	rate func(n int, served uint64) float64
	in   []uint64
	now  time.Duration
	next time.Duration // of the next completion, when there is any request
	done uint64
}

func (c *crew) draw() {
	c.next = c.now + time.Duration(c.rng.ExpFloat64()/c.rate(len(c.in), c.done)*1e9)
}

func (c *crew) Arrive(at time.Duration, id uint64) {
	c.now = max(c.now, at)
	c.in = append(c.in, id)
	c.draw() // the time to the next has no memory
}

func (c *crew) Leave(uint64) {}

func (c *crew) Advance(to time.Duration, done func(uint64, time.Duration, target.Answer)) {
	for len(c.in) > 0 && c.next <= to {
		c.now = c.next
		i := c.rng.IntN(len(c.in))
		id := c.in[i]
		c.in[i] = c.in[len(c.in)-1]
		c.in = c.in[:len(c.in)-1]
		c.done++
		if len(c.in) > 0 {
			c.draw()
		}
		done(id, c.now, target.Answer{Status: 200})
	}
	c.now = max(c.now, to)
}

// crewCapacity is the capacity of a crew by long simulation.
func crewCapacity(rate func(int, uint64) float64, limit, top float64) float64 {
	lo, hi := 0.0, top
	for range 10 {
		mid := (lo + hi) / 2
		if crewLate(rate, limit, mid) > 0.01 {
			hi = mid
		} else {
			lo = mid
		}
	}
	return (lo + hi) / 2
}

func crewLate(rate func(int, uint64) float64, limit, lambda float64) float64 {
	rng := rand.New(rand.NewPCG(21, 22))
	var in []float64
	now, n, late := 0.0, 0, 0
	for n < 500_000 && len(in) < 5_000 {
		r := 0.0
		if len(in) > 0 {
			r = rate(len(in), 0)
		}
		now += rng.ExpFloat64() / (lambda + r)
		if rng.Float64()*(lambda+r) < lambda {
			in = append(in, now)
			continue
		}
		i := rng.IntN(len(in))
		if now-in[i] > limit {
			late++
		}
		n++
		in[i] = in[len(in)-1]
		in = in[:len(in)-1]
	}
	if len(in) >= 5_000 {
		return 1
	}
	return float64(late) / float64(n)
}

// Services that are no queue in order of arrival: processor sharing, of which the
// latencies give the order away, and a lock under which throughput falls with the
// requests inside.
func TestServicesThatShare(t *testing.T) {
	for _, c := range []struct {
		name   string
		rate   func(n int, served uint64) float64
		lo, hi float64 // bounds of the error
	}{
		{"processor sharing", func(n int, _ uint64) float64 { return min(float64(n)*100, 1000) }, -0.04, 0.02},
		// Such a service stays down once it is down, so that a search may find less
		// than the capacity that long luck would give; it must not find more.
		{"contended lock", func(n int, _ uint64) float64 { return min(float64(n)*100, 1000) / (1 + 0.002*float64(n)) }, -0.3, 0.05},
	} {
		truth := crewCapacity(c.rate, 0.4, 1000)
		v := &virtual.Offerer{Service: &crew{rng: rand.New(rand.NewPCG(1, 2)), rate: c.rate}, Seed: 5, NetMin: 100 * time.Microsecond, NetMax: ms}
		r := measure(t, v, subject{limit: 400 * ms}.config(7))
		a := r.Result
		if a.Capacity == nil {
			t.Errorf("%s: no capacity", c.name)
			continue
		}
		e := a.Capacity.Estimate/truth - 1
		t.Logf("%s: truth %.0f, found %.0f (%.0f to %.0f) by %s %s: %+.1f %%", c.name, truth, a.Capacity.Estimate, a.Capacity.Low, a.Capacity.High, a.Method, a.Discipline, 100*e)
		if e < c.lo || e > c.hi {
			t.Errorf("%s: error %+.1f %%, want %+.0f to %+.0f %%", c.name, 100*e, 100*c.lo, 100*c.hi)
		}
	}
}

// A service that slows down all the time is said to have no steady state.
func TestLeakingService(t *testing.T) {
	rate := func(n int, served uint64) float64 {
		return min(float64(n)*100, 1000) / (1 + float64(served)/200_000)
	}
	v := &virtual.Offerer{Service: &crew{rng: rand.New(rand.NewPCG(3, 4)), rate: rate}, Seed: 6, NetMin: 100 * time.Microsecond, NetMax: ms}
	r := measure(t, v, subject{limit: 400 * ms}.config(8))
	tr := r.Result.Trend
	if tr == nil || tr.LastPerSecond > 0.9*tr.FirstPerSecond {
		t.Fatalf("trend %+v, want a fall of more than 10 %%", tr)
	}
	for _, f := range r.Findings {
		if f.Rule == RuleTrend {
			return
		}
	}
	t.Errorf("findings %+v lack %s", r.Findings, RuleTrend)
}

// naive is the search that doubles the rate while the SLO holds and then halves
// the bracket to 1 %, with one trial of a fixed length at each rate, every one of
// them from an empty queue.
func naive(cfg target.Config, limit, trial time.Duration, seed uint64) (found float64, load time.Duration) {
	holds := func(rate float64) bool {
		seed++
		load += trial
		return naiveTrial(cfg, limit, trial, rate, seed)
	}
	lo, hi := 0.0, 0.05*cfg.RawRate()
	for holds(hi) {
		lo, hi = hi, 2*hi
	}
	for (hi-lo)/hi > 0.01 {
		if mid := (lo + hi) / 2; holds(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo, load
}

func naiveTrial(cfg target.Config, limit, trial time.Duration, rate float64, seed uint64) bool {
	s, rng := target.NewSim(cfg, seed), rand.New(rand.NewPCG(seed, 99))
	var at []time.Duration
	good := 0
	done := func(id uint64, t time.Duration, a target.Answer) {
		if a.Status == 200 && t-at[id] <= limit {
			good++
		}
	}
	now := time.Duration(0)
	for {
		now += time.Duration(rng.ExpFloat64() / rate * 1e9)
		if now > trial {
			break
		}
		s.Advance(now, done)
		at = append(at, now)
		s.Arrive(now, uint64(len(at)-1))
	}
	s.Advance(trial+2*limit, done)
	return len(at) == 0 || float64(len(at)-good) <= 0.01*float64(len(at))
}

// The rule that most searches use is unsafe by several per cent, which is why this
// package does not search by trials.
func TestNaiveSearchIsUnsafe(t *testing.T) {
	s := named("12 × exp 10ms")
	var errs []float64
	for seed := range uint64(20) {
		found, _ := naive(s.cfg, s.limit, 10*time.Second, 1000*seed)
		errs = append(errs, found/1188.5-1)
	}
	if m := quantile(errs, 0.5); m < 0.01 {
		t.Errorf("median error of doubling and halving with 10 s trials %+.1f %%: expected over +1 %%", 100*m)
	}
}
