package target

import (
	"math"
	"math/rand/v2"
	"time"
)

// trial is the outcome of one long run at one rate.
type trial struct {
	rate, missed float64
	batches      []float64 // share missed in equal pieces of the run
}

// streamArrivals is the random stream of the arrivals, apart from the
// station's own.
const streamArrivals = 0xa221fe

// stopEvery is after how many requests a trial asks whether it is to end.
const stopEvery = 10_000

// pieces is how many batches a run is cut into. At the default horizon one is
// 250 s long, several times as long as a queue near capacity remembers.
const pieces = 32

// runTrial offers Poisson arrivals at a rate for a time and counts the share
// missed after a twentieth of it, so that the empty start does not count.
// It ends early, and counts for nothing, when e is stopped.
func runTrial(cfg Config, g Goal, rate float64, horizon time.Duration, e Effort) trial {
	rng := rand.New(rand.NewPCG(e.Seed, streamArrivals))
	sim := NewSim(cfg, e.Seed)
	warm := horizon / 20
	var arrived, missed [pieces]float64
	piece := func(at time.Duration) int {
		return min(int(int64(at-warm)*pieces/int64(horizon-warm)), pieces-1)
	}
	done := func(_ uint64, at time.Duration, a Answer) {
		came := at - a.Wait - a.Service
		good := a.Kind == Full || a.Kind == Degraded && g.AllowDegraded
		if came >= warm && (!good || at-came > g.Threshold) {
			missed[piece(came)]++
		}
	}
	end := horizon.Seconds()
	n := 0
	for t := rng.ExpFloat64() / rate; t < end; t += rng.ExpFloat64() / rate {
		if n++; n%stopEvery == 0 && e.stopped() {
			return trial{rate: rate}
		}
		at := time.Duration(t * 1e9)
		sim.Advance(at, done)
		sim.Arrive(at, 0)
		if at >= warm {
			arrived[piece(at)]++
		}
	}
	// What is still pending came at most this long ago, or is late anyhow.
	sim.Advance(horizon+1000*time.Hour, done)
	out := trial{rate: rate}
	var all, bad float64
	for i := range pieces {
		all, bad = all+arrived[i], bad+missed[i]
		if arrived[i] > 0 {
			out.batches = append(out.batches, missed[i]/arrived[i])
		}
	}
	if all > 0 {
		out.missed = bad / all
	}
	return out
}

// stdErr returns the standard error of the share missed, by batch means.
func (t trial) stdErr() float64 {
	n := float64(len(t.batches))
	if n < 2 {
		return 0
	}
	var mean, sq float64
	for _, b := range t.batches {
		mean += b / n
	}
	for _, b := range t.batches {
		sq += (b - mean) * (b - mean)
	}
	return math.Sqrt(sq / (n - 1) / n)
}

// distance says how far a trial is from the goal on the scale on which the
// share missed is nearly straight in the rate: its logarithm. The share is kept
// off 0 by a hundredth of the budget.
func (t trial) distance(g Goal) float64 {
	return math.Log((t.missed + g.Budget/100) / (g.Budget * 1.01))
}

// The search brackets the capacity with short runs to bracketWidth of the
// highest rate in question. It ends with long runs that are closeEnough to the
// goal: a share missed within 2 % of the budget, far below its sampling error.
const (
	bracketWidth = 0.004
	closeEnough  = 0.02
	maxLongRuns  = 20
)

// simulatedTruth brackets the capacity with short runs and closes in on it with
// long ones.
func simulatedTruth(cfg Config, g Goal, e Effort, ceiling float64) Capacity {
	short := max(e.Horizon/20, time.Second)
	lo, hi := 0.0, ceiling
	for hi-lo > bracketWidth*ceiling && !e.stopped() {
		mid := (lo + hi) / 2
		if runTrial(cfg, g, mid, short, e).missed > g.Budget {
			hi = mid
		} else {
			lo = mid
		}
	}
	if lo == 0 {
		return Capacity{Method: Simulated, Seconds: short.Seconds()}
	}
	s := search{cfg: cfg, goal: g, effort: e, ceiling: ceiling}
	s.bracket(lo, hi)
	return s.close()
}

// search narrows a bracket of long runs.
type search struct {
	cfg          Config
	goal         Goal
	effort       Effort
	ceiling      float64
	below, above trial
	runs         []trial
}

func (s *search) run(rate float64) trial {
	t := runTrial(s.cfg, s.goal, rate, s.effort.Horizon, s.effort)
	s.runs = append(s.runs, t)
	return t
}

// bracket finds long runs on either side, since the short ones may have erred.
func (s *search) bracket(lo, hi float64) {
	step := hi - lo
	s.below, s.above = s.run(lo), s.run(hi)
	for s.below.missed > s.goal.Budget && s.below.rate > step {
		s.above, s.below = s.below, s.run(s.below.rate-step)
		step *= 2
	}
	for s.above.missed <= s.goal.Budget && s.above.rate < s.ceiling {
		s.below, s.above = s.above, s.run(math.Min(s.above.rate+step, s.ceiling))
		step *= 2
	}
}

// close narrows the bracket by regula falsi with the Illinois rule (an end that
// stays twice counts half), which needs few of the dear long runs.
func (s *search) close() Capacity {
	yb, ya := s.below.distance(s.goal), s.above.distance(s.goal)
	at := s.below
	for kept := 0; len(s.runs) < maxLongRuns && s.above.rate-s.below.rate > 1e-5*s.ceiling; {
		part := 0.5
		if yb < 0 && ya > 0 {
			part = math.Min(math.Max(yb/(yb-ya), 0.05), 0.95)
		}
		at = s.run(s.below.rate + part*(s.above.rate-s.below.rate))
		y := at.distance(s.goal)
		if math.Abs(y) < closeEnough {
			break
		}
		if at.missed > s.goal.Budget {
			if s.above, ya = at, y; kept == 1 {
				yb /= 2
			}
			kept = 1
		} else {
			if s.below, yb = at, y; kept == -1 {
				ya /= 2
			}
			kept = -1
		}
	}
	c := Capacity{PerSecond: at.rate, Method: Simulated, Seconds: s.effort.Horizon.Seconds()}
	if slope := s.slope(); slope > 0 && at.missed > 0 {
		c.PerSecond -= at.distance(s.goal) / slope
		c.StdErr = at.stdErr() / at.missed / slope
	} else {
		c.StdErr = (s.above.rate - s.below.rate) / 2
	}
	return c
}

// slope returns how fast the distance grows with the rate near the goal, by
// least squares over the long runs within a factor of about 3 of the budget.
func (s *search) slope() float64 {
	var n, sx, sy, sxx, sxy float64
	for _, t := range s.runs {
		y := t.distance(s.goal)
		if math.Abs(y) > 1.2 {
			continue
		}
		x := t.rate - s.runs[0].rate
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	if d := n*sxx - sx*sx; n >= 2 && d > 0 {
		return (n*sxy - sx*sy) / d
	}
	return (s.above.distance(s.goal) - s.below.distance(s.goal)) / (s.above.rate - s.below.rate)
}
