package headroom

import (
	"context"
	"math"
	"slices"
	"time"

	"example.com/kneeline/loadgen"
)

// trial is the pilot of an unbroken load at one rate. It first fills the queue to
// where it is on average at that rate, since an empty queue would make the trial
// look better than steady state.
type trial struct {
	cfg   Config
	phase string
	rate  float64
	level float64 // requests in flight to begin with
	last  time.Duration

	began bool
	from  time.Duration
}

// primeFor bounds the time spent on filling the queue.
const primeFor = 2 * time.Second

func (t *trial) steer(m *meter) move {
	now := m.now()
	if !t.began && (now >= primeFor || now > 0 && m.inFlight() >= t.level) {
		t.began, t.from = true, now
		return move{phase: t.phase, rate: t.rate, fresh: true}
	}
	if !t.began {
		return move{phase: t.phase, rate: 1.3 * t.rate}
	}
	if now-t.from >= t.last {
		return move{stop: true}
	}
	return move{phase: t.phase, rate: t.rate}
}

// predictions is how many trials a model is asked to play before one is judged.
const predictions = 400

// outlier is the share of trials on either side beyond which one contradicts the
// model.
const outlier = 0.005

// slackShare is the part of a budget by which a trial may miss the prediction
// without contradicting it: the model knows the tail of single response times only
// from the few requests of the ramp.
const slackShare = 0.2

// check offers the low end of capacity without a break and asks whether the
// model's queue would have fared the same. A void trial agrees with nothing and
// is returned as nil.
func (s *search) check(ctx context.Context, m *model, sol solution, last time.Duration) (*Check, error) {
	sv := newSolver(s.cfg.SLO, m, s.rng)
	_, usual := sv.used(sol.low)
	p := &trial{cfg: s.cfg, phase: PhaseCheck, rate: sol.low, level: usual.inFlight, last: last}
	r, err := s.offer(ctx, loadgen.Offer{}, 2*sol.low, p)
	if err != nil {
		return nil, err
	}
	i := len(r.Segments) - 1
	if !p.began || i < 0 || r.Segments[i].Void != "" || r.Segments[i].Counts.Planned == 0 {
		return nil, nil
	}
	seg := &r.Segments[i]
	_, worst := s.cfg.SLO.Worst(seg.Counts)
	c := &Check{RatePerSecond: sol.low, Seconds: seg.Duration.Seconds(), BadShare: worst.Share(seg.Counts)}
	from, to := windowOf(seg.Start), min(windowOf(seg.Start+seg.Duration), len(r.Timeline.Windows))
	c.InFlight = meanInFlight(&r.Timeline, from, to)
	q := 0.0
	if from > 0 {
		q = float64(r.Timeline.Windows[from-1].InFlight)
	}
	actual := float64(seg.Counts.Planned) / max(seg.Duration.Seconds(), 1e-3)
	sv.predict(c, actual, q, to-from, sol)
	n := float64(seg.Counts.Planned)
	slack := 3/n + slackShare*worst.Budget
	low := c.Low - 3*math.Sqrt(c.Low/n) - slack
	high := c.High + 3*math.Sqrt(c.High/n) + slack
	c.Agrees = r.stopped == "" &&
		c.BadShare >= low && c.BadShare <= high &&
		c.InFlight >= 0.8*c.InFlightLow-1 && c.InFlight <= 1.2*c.InFlightHigh+1
	return c, nil
}

func meanInFlight(tl *loadgen.Timeline, from, to int) float64 {
	if to <= from {
		return 0
	}
	n := 0.0
	for _, w := range tl.Windows[from:to] {
		n += float64(w.InFlight)
	}
	return n / float64(to-from)
}

// predict plays many such trials on the model, each from another place of its
// synthetic time and with a throughput as uncertain as the estimate, and sets the
// ranges within which all but two outliers in a hundred lie. The planned rate is
// the one that the arrivals had: their luck is no part of the question.
func (s *solver) predict(c *Check, rate, q float64, windows int, sol solution) {
	var bad, flight []float64
	sd := (sol.saturated.High - sol.saturated.Estimate) / 2 / sol.saturated.Estimate
	for range predictions {
		from := s.rng.IntN(max(1, len(s.bench.u)-windows))
		slower := 1 + sd*s.rng.NormFloat64()
		f, _ := s.bench.play(rate/slower, q, from, min(from+windows, len(s.bench.u)))
		n := s.m.counts(f)
		_, worst := s.slo.Worst(n)
		bad = append(bad, worst.Share(n))
		flight = append(flight, f.inFlight)
	}
	slices.Sort(bad)
	slices.Sort(flight)
	lo := int(math.Floor(outlier * predictions))
	hi := predictions - 1 - lo
	c.Low, c.High = bad[lo], bad[hi]
	c.InFlightLow, c.InFlightHigh = flight[lo], flight[hi]
}
