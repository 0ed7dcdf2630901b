package headroom

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen"
)

// holdWarm is the part of a hold that is left for the queue to settle and not
// judged.
const holdWarm = 1.0 / 6

// hold offers one rate and says whether the SLO holds.
//
// The rule is fixed before the trial: after the first sixth, the share of bad
// requests over the whole rest is compared with each clause's budget. Nothing is
// stopped early but a gross breach, since stopping when the figure looks right is
// how a test comes to say what one wants. How often the rule is wrong is found by
// playing it on a queue whose true share is twice, and half, the budget.
func (s *search) hold(ctx context.Context) error {
	g := s.cfg.Gate
	p := &holding{phase: PhaseHold, rate: g.HoldRate, last: g.HoldFor, warm: time.Duration(holdWarm * float64(g.HoldFor))}
	r, err := s.offer(ctx, loadgen.Offer{Arrivals: s.cfg.Arrivals}, g.HoldRate, p)
	if err != nil {
		return err
	}
	if r.stopped != "" && r.stopped != stoppedBreach {
		return fault.NoAnswerf("the hold at %s was cut short: %s", units.Rate(g.HoldRate), r.stopped)
	}
	if n := len(r.Segments); n == 0 || n < 2 && r.stopped == "" {
		return fault.NoAnswerf("the hold at %s left no account", units.Rate(g.HoldRate))
	}
	judged := &r.Segments[len(r.Segments)-1]
	if judged.Void != "" {
		s.res.Result.BoundBy = string(slo.LimitGenerator)
		return fault.NoAnswerf("the load generator was the limit at %s: %s", units.Rate(g.HoldRate), judged.Void)
	}
	if slo.Judged(judged.Counts) == 0 {
		return fault.NoAnswerf("the hold at %s left no request to judge", units.Rate(g.HoldRate))
	}
	v, worst := holdVerdict(s.cfg, judged.Counts, r.stopped != "", s.rng)
	s.res.Result.BoundByClause = worst.String()
	s.res.Result.BoundBy = string(s.cfg.SLO.Limit(judged.Counts))
	s.res.Result.Verdict = v
	return nil
}

// holdVerdict judges what a hold counted after its first part. One that was broken
// off has failed.
func holdVerdict(cfg Config, n outcome.Counts, broken bool, rng *rand.Rand) (*Verdict, slo.Clause) {
	g := cfg.Gate
	_, worst := cfg.SLO.Worst(n)
	v := &Verdict{
		Gate: GateHold, Found: worst.Share(n), Wanted: worst.Budget,
		Pass: !broken && cfg.SLO.Met(n),
	}
	pass, fail := characteristic(cfg, rng)
	v.WrongPass, v.WrongFail = &pass, &fail
	warm := time.Duration(holdWarm * float64(g.HoldFor))
	v.Rule = fmt.Sprintf("passes when, after the first %s, at most the budget of each clause is bad over the remaining %s; "+
		"a queue with twice the budget bad in the long run passes in %.0f %% of such trials, one with half fails in %.0f %%",
		round(warm), round(g.HoldFor-warm), 100*pass, 100*fail)
	return v, worst
}

// JudgeHold judges a hold by the counts of the part that is judged, as [Measure]
// does at its end: for counts that were merged from several load generators.
// cfg.Gate is the rate of all together. It returns the verdict, the clause that
// uses most of its budget and the limit that it stands for.
func JudgeHold(cfg Config, n outcome.Counts, broken bool) (v *Verdict, clause, limit string) {
	v, worst := holdVerdict(cfg, n, broken, rand.New(rand.NewPCG(cfg.Seed, 0x6b6e6565)))
	return v, worst.String(), string(cfg.SLO.Limit(n))
}

func round(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) }

// holding is the pilot of one rate, which is judged once it is warm.
type holding struct {
	phase      string
	rate       float64
	last, warm time.Duration
	judging    bool
}

func (h *holding) steer(m *meter) move {
	t := m.now()
	if t >= h.last {
		return move{stop: true}
	}
	fresh := !h.judging && t >= h.warm
	h.judging = h.judging || fresh
	return move{phase: h.phase, rate: h.rate, fresh: fresh}
}

// characteristic returns how often a hold is wrong: passed by a queue that has
// twice the budget bad, and failed by one that has half. The queue is M/M/1 at the
// rate asked for, the completions of which are a Poisson process.
func characteristic(cfg Config, rng *rand.Rand) (wrongPass, wrongFail float64) {
	g := cfg.Gate
	m := poissonModel(cfg, g.HoldRate, rng)
	sv := newSolver(cfg.SLO, m, rng)
	return sv.passes(g, 2), 1 - sv.passes(g, 0.5)
}

// poissonModel is a service without floor latency that completes a Poisson
// process of the given rate while it is busy.
func poissonModel(cfg Config, rate float64, rng *rand.Rand) *model {
	m := &model{timeout: cfg.Timeout.Seconds(), floor: []float64{0}, served: 1}
	for _, t := range cfg.SLO.Thresholds() {
		m.thresholds = append(m.thresholds, t.Seconds())
	}
	draw := newCounter(rate * windowSeconds)
	m.done = make([]float64, 100_000)
	for i := range m.done {
		m.done[i] = draw.at(rng.Float32())
	}
	m.settle()
	return m
}

// passes returns the share of holds that pass on the model at the rate at which
// so many budgets are used. Time is rescaled so that this rate is the hold's.
func (s *solver) passes(g Gate, budgets float64) float64 {
	rate := s.rateAt(budgets)
	windows := int(g.HoldFor.Seconds() / windowSeconds)
	warm := int(holdWarm * float64(windows))
	windows = min(windows, len(s.bench.u)/2)
	const plays = 400
	pass := 0
	for range plays {
		from := s.rng.IntN(len(s.bench.u) - windows)
		_, q := s.bench.play(rate, 0, from, from+warm)
		f, _ := s.bench.play(rate, q, from+warm, from+windows)
		if s.slo.Met(s.m.counts(f)) {
			pass++
		}
	}
	return float64(pass) / plays
}

// rateAt returns the rate at which so many budgets are used in steady state.
func (s *solver) rateAt(budgets float64) float64 {
	lo, hi := 0.01*s.m.rate(), s.m.rate()
	for hi/lo > 1.0005 {
		mid := (lo + hi) / 2
		if u, _ := s.used(mid); u > budgets {
			hi = mid
		} else {
			lo = mid
		}
	}
	return (lo + hi) / 2
}
