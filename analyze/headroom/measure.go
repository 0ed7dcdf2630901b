package headroom

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen"
)

// Measure finds the capacity of a service and, where asked, what happens past it,
// or judges one rate where the gate is a hold.
//
// A result comes with every error once load was offered: with Complete false, and
// what is known so far. The error is the cause of ctx when that has ended, else it
// says why there is no trustworthy answer.
func Measure(ctx context.Context, offerer loadgen.Offerer, cfg Config) (*Result, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	s := &search{
		campaign: &campaign{cfg: cfg, offerer: offerer, total: Plan(cfg).Duration},
		rng:      rand.New(rand.NewPCG(cfg.Seed, 0x6b6e6565)),
		res: &Result{
			Schema: Schema, Target: cfg.Target, SLO: cfg.SLO.String(), TimeoutSeconds: cfg.Timeout.Seconds(),
			Settings: cfg.settings(),
		},
	}
	err := s.do(ctx)
	s.finish(err == nil)
	return s.res, err
}

// search is one measurement.
type search struct {
	*campaign
	rng *rand.Rand
	res *Result
}

func (s *search) warn(format string, args ...any) {
	s.res.Warnings = append(s.res.Warnings, fmt.Sprintf(format, args...))
}

func (s *search) do(ctx context.Context) error {
	if s.cfg.Gate.HoldRate > 0 {
		return s.hold(ctx)
	}
	if s.cfg.Replay != nil {
		return s.replay(ctx)
	}
	if err := s.capacity(ctx); err != nil {
		return err
	}
	c := s.res.Result.Capacity
	if !s.cfg.Overload || c == nil {
		return nil
	}
	rate := Interval{}
	if s.res.Result.Saturated != nil {
		rate = *s.res.Result.Saturated
	}
	return s.overload(ctx, c.Estimate, rate)
}

// capacity approaches the service and measures its capacity by the method that
// its behaviour calls for.
func (s *search) capacity(ctx context.Context) error {
	sp := split(s.cfg.Budget.Search)
	k := newSeek(s.cfg, sp.ramp, sp.saturate)
	r, err := s.offer(ctx, loadgen.Offer{}, s.cfg.Caps.Rate, k)
	if r == nil {
		return err
	}
	if k.base > 0 {
		s.res.Result.FloorSeconds = &k.base
	}
	if err != nil {
		return err
	}
	left := s.cfg.Budget.Search - r.Timeline.Now
	switch k.end {
	case endSilent:
		return s.silent(r)
	case endBroken, endFloor:
		return s.noCapacity(r, k)
	case endCap:
		return s.aboveCap(ctx, r, k, left)
	case endRefusing, endFailing:
		return s.byCurve(ctx, k, []*run{r}, left)
	case endNone:
		if r.stopped != stoppedBreach || k.busyFrom == 0 {
			return s.cutShort(r)
		}
		// One breach while the service was held busy may be a long stall. What was
		// seen before stands, and the rest of the budget tells.
	}
	return s.byDepartures(ctx, k, r, sp, left)
}

// silent is the end of a service that never answered.
func (s *search) silent(r *run) error {
	if cause, n := commonest(s.causes); n > 0 {
		return fault.NoAnswerf("the service gave no answer: %d of %d requests failed with %q", n, s.all.Planned, cause)
	}
	return fault.NoAnswerf("the service gave no answer within the timeout of %s: %d requests were sent in %s",
		s.cfg.Timeout, s.all.Planned, r.Timeline.Now.Round(100*time.Millisecond))
}

func commonest(causes map[string]uint64) (cause string, n uint64) {
	for c, k := range causes {
		if k > n || k == n && c < cause {
			cause, n = c, k
		}
	}
	return cause, n
}

// cutShort is the end of a search that a cap or a breach stopped too early.
func (s *search) cutShort(r *run) error {
	if r.stopped == "" {
		return fault.NoAnswerf("the load ended before the service was known")
	}
	return fault.NoAnswerf("the load was cut short before capacity was known: %s", r.stopped)
}

// noCapacity is the answer for a service that breaks the SLO with next to no load.
func (s *search) noCapacity(r *run, k *seek) error {
	h, n, over := lowLoad(r, max(k.rate*1.1, 1.2*floorRate))
	s.setFloor(&h, n, over)
	s.res.Result.Method = MethodFloor
	return nil
}

func (s *search) setFloor(h *hist.Hist, n outcome.Counts, over time.Duration) {
	_, worst := s.cfg.SLO.Worst(n)
	a := &s.res.Result
	a.Floor = &Floor{
		Clause: worst.String(), BadShare: worst.Share(n), BudgetShare: worst.Budget,
		P50Seconds: float64(h.Quantile(0.5)) / 1e9, P99Seconds: float64(h.Quantile(0.99)) / 1e9,
		RatePerSec: float64(n.Planned) / max(over.Seconds(), 1e-9), RequestCount: n.Planned,
	}
	a.BoundBy, a.BoundByClause = string(s.cfg.SLO.Limit(n)), worst.String()
}

// aboveCap is the answer for a service that bears the highest rate allowed.
func (s *search) aboveCap(ctx context.Context, r *run, k *seek, left time.Duration) error {
	i := len(r.Segments) - 1
	for i >= 0 && r.phase(i) != PhaseCap {
		i--
	}
	if i < 0 {
		return s.cutShort(r)
	}
	seg := &r.Segments[i]
	if seg.Void != "" {
		return s.generatorLimit(seg.Void, k)
	}
	if !s.cfg.SLO.Met(seg.Counts) {
		return s.byCurve(ctx, k, []*run{r}, left) // it is borne, but not within the SLO
	}
	a := &s.res.Result
	rate := min(float64(seg.Counts.Planned)/seg.Duration.Seconds(), s.cfg.Caps.Rate)
	a.AtLeast = &rate
	a.BoundBy, a.Method = BoundByRateCap, MethodCap
	s.warn("the SLO held at the rate cap of %s: capacity is above that, and how far above is not known", units.Rate(s.cfg.Caps.Rate))
	return nil
}

func (s *search) generatorLimit(why string, k *seek) error {
	s.res.Result.BoundBy = string(slo.LimitGenerator)
	return fault.WithHint(
		fault.NoAnswerf("the load generator was the limit near %s: %s", units.Rate(max(k.x, k.rate)), why),
		"give it more of a machine, or lower the rate cap")
}

// Methods by which a capacity is come by, and the limit that is none of the SLO's.
const (
	MethodDepartures = "departures"
	MethodCurve      = "share against rate"
	MethodFloor      = "floor"
	MethodCap        = "rate cap"

	BoundByRateCap = "rate cap"
)

// leastSaturated is how many seconds of a busy service an answer needs at least.
const leastSaturated = 3.0

// byDepartures measures capacity from the completions of the busy service, checks
// the model by a trial, and goes over to the measured curve when it fails.
func (s *search) byDepartures(ctx context.Context, k *seek, first *run, sp splits, left time.Duration) error {
	ev := &evidence{runs: []*run{first}, seek: k}
	m := ev.learn(s.cfg, s.rng)
	if void := voidOf(ev.runs); void != "" && m.busy < sp.saturate.Seconds()/2 {
		// The generator spoilt it: once more, out of what is left.
		again := k.again(min(sp.saturate, left-sp.check))
		r, err := s.more(ctx, again, k.x)
		if err != nil {
			return err
		}
		left -= r.Timeline.Now
		ev.runs = append(ev.runs, r)
		ev.seek.x = again.x
		if m = ev.learn(s.cfg, s.rng); m.busy < leastSaturated {
			return s.generatorLimit(void, k)
		}
	}
	if m.busy < leastSaturated {
		return s.byCurve(ctx, k, ev.runs, left)
	}
	sol := solve(s.cfg.SLO, m, s.cfg.budget(), s.rng)
	if sol.none {
		return s.noneByModel(first, k, m, sol)
	}
	s.set(m, sol, ev)
	var check *Check
	if sol.low > 0 { // else there is no rate to try yet
		var err error
		if check, err = s.check(ctx, m, sol, min(sp.check, left)); err != nil {
			return err
		}
	}
	if check != nil {
		s.res.Result.Check = check
		left -= time.Duration((check.Seconds + 1) * 1e9)
	}
	if left < 2*time.Second {
		return s.certain(sol)
	}
	if check != nil && !check.Agrees {
		s.warn("the trial at %s contradicts the virtual queue (%.3g %% bad, predicted %.3g to %.3g %%): capacity is read from the measured curve instead",
			units.Rate(check.RatePerSecond), 100*check.BadShare, 100*check.Low, 100*check.High)
		return s.aboutCurve(ctx, k, ev.runs, sol, left)
	}
	r, err := s.more(ctx, k.again(left), k.x)
	if r == nil || err != nil {
		return err
	}
	ev.runs = append(ev.runs, r)
	m = ev.learn(s.cfg, s.rng)
	if sol = solve(s.cfg.SLO, m, s.cfg.budget(), s.rng); sol.none {
		return s.noneByModel(first, k, m, sol)
	}
	s.set(m, sol, ev)
	return s.certain(sol)
}

// certain refuses an interval that reaches down to nothing: it is no answer, unless
// the service has no steady state and that is what the answer says.
func (s *search) certain(sol solution) error {
	if sol.low > 0 || s.res.Result.Trend != nil {
		return nil
	}
	s.res.Result.Capacity = nil
	return fault.WithHint(
		fault.NoAnswerf("the service completed requests so unevenly that its capacity may be anything up to %s", units.Rate(sol.high)),
		"a longer --budget tells more")
}

// more holds the service busy once more.
func (s *search) more(ctx context.Context, k *seek, x float64) (*run, error) {
	return s.offer(ctx, loadgen.Offer{}, 3*x+10, k)
}

// voidOf returns why segments in which the service was to be busy are void; empty
// when none is.
func voidOf(runs []*run) string {
	for _, r := range runs {
		for i := range r.Segments {
			if v := r.Segments[i].Void; v != "" && r.phase(i) == PhaseSaturate {
				return v
			}
		}
	}
	return ""
}

// set takes over the capacity of a model.
func (s *search) set(m *model, sol solution, ev *evidence) {
	a := &s.res.Result
	a.Capacity = &Interval{sol.rate, sol.low, sol.high}
	a.Saturated = &sol.saturated
	a.Dispersion = &sol.dispersion
	a.Method, a.Discipline = MethodDepartures, m.discipline.String()
	a.BoundBy, a.BoundByClause = string(sol.limit), sol.clause.String()
	if m.bound > 0 {
		a.QueueBound = &m.bound
	}
	a.Trend, a.Stalls = m.trend(), m.stalled()
	a.USL = fitUSL(loads(ev.runs), m.served)
	s.usefulQueue(m.served)
}

// noneByModel is the answer for a service whose own slowness, stalls or failures
// spend the budget whatever the rate.
func (s *search) noneByModel(r *run, k *seek, m *model, sol solution) error {
	h, n, over := lowLoad(r, 0.5*k.x)
	s.setFloor(&h, n, over)
	sv := newSolver(s.cfg.SLO, m, s.rng)
	_, f := sv.used(0.02 * m.rate())
	counts := m.counts(f)
	_, worst := s.cfg.SLO.Worst(counts)
	a := &s.res.Result
	a.Floor.Clause, a.Floor.BadShare, a.Floor.BudgetShare = worst.String(), worst.Share(counts), worst.Budget
	a.BoundBy, a.BoundByClause = string(s.cfg.SLO.Limit(counts)), worst.String()
	a.Method, a.Capacity, a.Saturated = MethodFloor, nil, &sol.saturated
	return nil
}
