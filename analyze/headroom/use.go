package headroom

import (
	"fmt"
	"math"
	"time"

	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/queuecalc"
)

// headroom sets what the capacity means for the peak.
func (s *search) headroom() {
	a := &s.res.Result
	low, ok := a.safe()
	if !ok || s.cfg.Peak == 0 {
		return
	}
	a.Headroom = ptr(low/s.cfg.Peak - 1)
	less := low
	if z := float64(s.cfg.Zones); z > 1 {
		less = low * (z - 1) / z
		a.HeadroomLessZone = ptr(less/s.cfg.Peak - 1)
	}
	if g := s.cfg.Growth; g > 0 {
		a.GrowthMonths = ptr(max(0, math.Log(low/s.cfg.Peak)/math.Log1p(g)))
		if less < low {
			a.GrowthMonthsLessZone = ptr(max(0, math.Log(less/s.cfg.Peak)/math.Log1p(g)))
		}
	}
}

// safe is the rate that is surely borne: the low end of capacity, or the highest
// rate that was allowed; 0 when the SLO holds at no rate.
func (a *Answer) safe() (float64, bool) {
	switch {
	case a.Capacity != nil:
		return a.Capacity.Low, true
	case a.AtLeast != nil:
		return *a.AtLeast, true
	case a.Floor != nil:
		return 0, true
	}
	return 0, false
}

// usefulQueue sets the longest queue that is of use, by the saturated throughput:
// what waits in a full queue is served at that rate, not at the rate of capacity.
func (s *search) usefulQueue(served float64) {
	a := &s.res.Result
	if a.Saturated == nil || a.Saturated.Low <= 0 {
		return
	}
	workers := s.cfg.Workers
	if workers == 0 {
		workers = int(max(1, math.Round(served)))
	}
	u, err := queuecalc.Useful(queuecalc.UsefulInput{
		Capacity:      queuecalc.Interval{Estimate: a.Saturated.Estimate, Low: a.Saturated.Low, High: a.Saturated.High},
		ClientTimeout: s.cfg.Timeout, Workers: workers,
	})
	if err != nil {
		s.warn("the useful queue could not be computed: %v", err)
		return
	}
	a.UsefulQueue = &UsefulQueue{
		InSystem: int64(u.InSystem), Safe: int64(u.Safe), Positions: int64(u.Positions),
		PositionsLow: int64(u.Low.Positions), PositionsHigh: int64(u.High.Positions), Workers: workers,
	}
}

// judge answers the gates that the capacity decides.
func (s *search) judge() {
	g, a := s.cfg.Gate, &s.res.Result
	low, ok := a.safe()
	if !ok {
		return
	}
	const wrong = 0.025
	switch {
	case g.MinHeadroom != 0 && a.Headroom != nil:
		a.Verdict = &Verdict{Gate: GateMinHeadroom, Found: *a.Headroom, Wanted: g.MinHeadroom, Pass: *a.Headroom >= g.MinHeadroom}
	case g.SLOAt > 0:
		a.Verdict = &Verdict{Gate: GateSLOAt, Found: low, Wanted: g.SLOAt, Pass: low >= g.SLOAt}
	default:
		return
	}
	if a.Capacity != nil {
		a.Verdict.WrongPass = ptr(wrong)
		a.Verdict.Rule = fmt.Sprintf("passes when the low end of the 95 %% interval of capacity, %s, reaches what is asked for: "+
			"a service whose capacity is just below that passes in at most 2.5 %% of such measurements", units.Rate(low))
		return
	}
	a.Verdict.Rule = "there is no interval: the bound that was found is compared with what is asked for"
}

// finish fills in what is common to all ends.
func (s *search) finish(complete bool) {
	r := s.res
	r.Complete = complete
	r.Result.Trials, r.Result.Curve = s.trials, s.points
	if r.Result.Trials == nil {
		r.Result.Trials = []Trial{}
	}
	if r.Result.Curve == nil {
		r.Result.Curve = []Point{}
	}
	if r.Warnings == nil {
		r.Warnings = []string{}
	}
	r.Account = account(s.all, s.causes)
	r.Addresses = s.routes.addresses()
	if s.cfg.keeps() {
		s.routes.keepAddresses(r.Addresses)
	}
	r.Targets = s.targets()
	if s.campaign.retries.Planned > 0 {
		r.Account.Retries = ptr(account(s.campaign.retries, nil))
	}
	r.Troubles, r.RetryAfter = s.troubles.list(), retryAfter(s.hints)
	r.Generator = s.health()
	s.headroom()
	s.judge()
	r.Findings = s.findings()
}

// health is how the load generator fared over all runs.
func (c *campaign) health() Generator {
	g := Generator{LoadSeconds: c.load.Seconds(), Conns: c.gen.conns, ConnsPeak: c.gen.peak, Resent: c.gen.resent, Limits: c.gen.limits}
	for _, t := range c.trials {
		if t.Void != "" {
			g.VoidTrials++
		}
	}
	if c.gen.lag.Count() > 0 {
		g.SendLagP50 = ptr(float64(c.gen.lag.Quantile(0.5)) / 1e9)
		g.SendLagP99 = ptr(float64(c.gen.lag.Quantile(0.99)) / 1e9)
	}
	if c.gen.cpu > 0 {
		g.CPUShare = &c.gen.cpu
	}
	c.routes.tell(&g)
	return g
}

// lowLoad merges the latencies and accounts of the segments with next to no load.
func lowLoad(r *run, below float64) (h hist.Hist, n outcome.Counts, over time.Duration) {
	for i := range r.Segments {
		s := &r.Segments[i]
		if s.Void != "" || s.Duration <= 0 {
			continue
		}
		if p := r.phase(i); p != PhaseFloor && p != PhaseRamp {
			continue
		}
		if float64(s.Counts.Planned)/s.Duration.Seconds() > below && r.phase(i) == PhaseRamp {
			continue
		}
		h.Merge(&s.Latency[outcome.Full])
		n.Add(s.Counts)
		over += s.Duration
	}
	return h, n, over
}
