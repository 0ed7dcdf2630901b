package merge

import (
	"time"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/loadgen"
)

// whole merges what is of the whole runs.
func (m *merger) whole() {
	m.byAddressAndKind()
	g := &m.out.Generator
	a := &m.out.Account
	for _, p := range m.parts {
		r := p.Result
		a.Add(&r.Account)
		m.out.Troubles = headroom.JoinTroubles(m.out.Troubles, r.Troubles, m.later(r))
		m.out.RetryAfter = m.out.RetryAfter.With(r.RetryAfter)
		g.LoadSeconds = max(g.LoadSeconds, r.Generator.LoadSeconds)
		g.Conns += r.Generator.Conns
		g.ConnsPeak += r.Generator.ConnsPeak
		g.Resent += r.Generator.Resent
		m.session(p.Name, r.Generator.Session)
		for name, n := range r.Generator.Limits {
			if g.Limits == nil {
				g.Limits = map[string]uint64{}
			}
			g.Limits[name] += n
		}
		if c := r.Generator.CPUShare; c != nil && (g.CPUShare == nil || *c > *g.CPUShare) {
			v := *c
			g.CPUShare = &v
		}
	}
	for i := range m.out.Result.Trials {
		t := &m.out.Result.Trials[i]
		if t.Void != "" {
			g.VoidTrials++
			continue
		}
		p := headroom.Point{Phase: t.Phase, OfferedPerSecond: t.Planned}
		if t.Seconds > 0 {
			p.GoodputPerSecond = goodput(t)
		}
		if q, ok := t.Latency[outcome.Full.String()]; ok {
			p.P50Seconds, p.P99Seconds = &q.P50, &q.P99
		}
		m.out.Result.Curve = append(m.out.Result.Curve, p)
	}
	if m.out.Result.Curve == nil {
		m.out.Result.Curve = []headroom.Point{}
	}
	if m.lag.Count() > 0 {
		p50, p99 := float64(m.lag.Quantile(0.5))/1e9, float64(m.lag.Quantile(0.99))/1e9
		g.SendLagP50, g.SendLagP99 = &p50, &p99
	}
}

// later is how much later than the first one a part began, in seconds; 0 where it
// does not tell.
func (m *merger) later(r *headroom.Result) float64 {
	for i, p := range m.parts {
		if o := m.out.MergedFrom[i].Offset; p.Result == r && o != nil {
			return *o
		}
	}
	return 0
}

// goodput is that of a merged trial: full answers within the last threshold.
func goodput(t *headroom.Trial) float64 {
	n := t.Account.Full
	if late := t.Kept.LateFull; len(late) > 0 {
		n -= min(n, late[len(late)-1])
	}
	return float64(n) / t.Seconds
}

// judge gives the verdict of the hold at the rate of all together.
func (m *merger) judge() error {
	a := &m.out.Result
	switch {
	case len(a.Trials) == 0 || slo.Judged(m.judged) == 0:
		m.out.Complete = false
		return fault.NoAnswerf("the parts left no request to judge")
	case m.void != "":
		m.out.Complete = false
		a.BoundBy = string(slo.LimitGenerator)
		return fault.NoAnswerf("a load generator was the limit: %s", m.void)
	case m.latest > (1-together)*m.out.Settings.HoldSeconds:
		m.out.Complete = false
		return fault.WithHint(fault.NoAnswerf("the parts did not offer their rates together: the last began %s after the first, and each held its rate for %s",
			units.Seconds(m.latest), units.Seconds(m.out.Settings.HoldSeconds)),
			"start them at the same time; --clock-ahead puts a clock right that is known to be off")
	case !m.out.Complete:
		return fault.NoAnswerf("a part did not run to its end")
	}
	s := m.out.Settings
	cfg := headroom.Config{
		SLO: m.objective, Timeout: seconds(m.out.TimeoutSeconds), Seed: s.Seed,
		Gate: headroom.Gate{HoldRate: s.HoldRate, HoldFor: seconds(s.HoldSeconds)},
	}
	if s.Arrivals == headroom.ArrivalsConstant {
		cfg.Arrivals = loadgen.Constant
	}
	a.Verdict, a.BoundByClause, a.BoundBy = headroom.JudgeHold(cfg, m.judged, m.broken != "")
	return nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
