// Package merge makes one result of several that were measured at the same time:
// of load generators on several machines, each of which held a share of one rate.
//
// Counts, histograms and windows add up, so that the merged figures are those one
// generator would have had: counts to the last request, quantiles within the
// bucket that a single run would have put them in as well. It does not merge
// searches: each of them steered by what it saw alone.
package merge

import (
	"fmt"
	"math"
	"time"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/internal/units"
)

// Input is one result, and how much its machine's clock is known to be ahead.
type Input struct {
	Name   string
	Result *headroom.Result
	// ClockAhead is how far the clock of this machine was ahead of the reference.
	ClockAhead time.Duration
}

const (
	// maxParts bounds how many results are merged.
	maxParts = 10_000
	// apart is by how much the beginnings of parts may differ before it is said
	// that they did not load the service together.
	apart = 2 * time.Second
	// together is the share of the hold that all parts must have offered their rates
	// at the same time, for the sum of the rates to be judged.
	together = 0.5
	// unlikeDuration is the share by which the durations of two holds may differ.
	unlikeDuration = 0.02
)

// Results merges results. All must be holds with the counts behind their figures,
// of one objective.
func Results(parts []Input) (*headroom.Result, error) {
	if len(parts) < 2 || len(parts) > maxParts {
		return nil, fault.Usagef("expected 2 to %s different results to merge, found %d", units.Count(maxParts), len(parts))
	}
	first := parts[0].Result
	objective, err := slo.Parse(first.SLO)
	if err != nil {
		return nil, fault.NoAnswerf("%s: %w", parts[0].Name, err)
	}
	for _, p := range parts {
		if err := fits(first, p); err != nil {
			return nil, err
		}
	}
	m := &merger{objective: objective, parts: parts, out: &headroom.Result{
		Schema: headroom.Schema, Complete: true, Target: first.Target, SLO: first.SLO, TimeoutSeconds: first.TimeoutSeconds,
		Warnings: []string{},
	}}
	m.head()
	for i := range first.Result.Trials {
		if err := m.trial(i); err != nil {
			return nil, err
		}
	}
	m.whole()
	return m.out, m.judge()
}

// fits says why a result cannot be merged with the first, if it cannot.
func fits(first *headroom.Result, p Input) error {
	r := p.Result
	bad := func(format string, args ...any) error {
		return fault.NoAnswerf("%s: %w", p.Name, fmt.Errorf(format, args...))
	}
	switch {
	case r.Schema != headroom.Schema:
		return bad("expected a result of schema %s, found %q", headroom.Schema, r.Schema)
	case r.Settings == nil || r.Settings.HoldRate == 0:
		return fault.WithHint(bad("expected the result of a hold, found a search: each search steers by what it sees alone, so that several have no sum"),
			"run --hold RATE/N on each of N machines at the same time")
	case r.SLO != first.SLO:
		return bad("expected the objective %s of the first, found %s", first.SLO, r.SLO)
	case r.TimeoutSeconds != first.TimeoutSeconds:
		return bad("expected the timeout of the first, %s, found %s", units.Seconds(first.TimeoutSeconds), units.Seconds(r.TimeoutSeconds))
	case len(r.Result.Trials) != len(first.Result.Trials):
		return bad("expected %d trials as the first has, found %d", len(first.Result.Trials), len(r.Result.Trials))
	}
	for i, t := range r.Result.Trials {
		if want := first.Result.Trials[i].Phase; t.Phase != want {
			return bad("trial %d: expected the phase %s of the first, found %s", i+1, want, t.Phase)
		}
		if t.Kept == nil {
			return bad("trial %d has no histograms: expected a result of a hold of this version", i+1)
		}
		if n := sum(t.Account); n != t.Account.Planned {
			return bad("trial %d: expected an account that balances, found %d planned and %d with an end", i+1, t.Account.Planned, n)
		}
	}
	return nil
}

func sum(a headroom.Account) uint64 {
	return a.Full + a.Degraded + a.Shed + a.Failed + a.TimedOut + a.InFlight + a.NeverSent
}

type merger struct {
	objective slo.SLO
	parts     []Input
	out       *headroom.Result
	lag       hist.Hist
	// judged are the counts of the last trial, broken says that a part was stopped.
	judged outcome.Counts
	broken string
	void   string
	// latest is how much later than the first the last part began, in seconds.
	latest float64
}

func (m *merger) warn(format string, args ...any) {
	m.out.Warnings = append(m.out.Warnings, fmt.Sprintf(format, args...))
}

// head merges what is not of one trial: settings, clocks, warnings.
func (m *merger) head() {
	set := *m.parts[0].Result.Settings
	set.HoldRate, set.MaxRate, set.MaxRequests, set.MaxFailed = 0, 0, 0, 0
	start := math.Inf(1)
	for _, p := range m.parts {
		if u := p.Result.StartedUnix; u != nil {
			start = min(start, *u-p.ClockAhead.Seconds())
		}
	}
	latest, unknown := 0.0, 0
	seeds := map[uint64]string{}
	for _, p := range m.parts {
		r := p.Result
		part := headroom.Part{Name: p.Name, StartedUnix: r.StartedUnix, Planned: r.Account.Planned, Rate: r.Settings.HoldRate}
		if r.StartedUnix != nil {
			o := *r.StartedUnix - p.ClockAhead.Seconds() - start
			part.Offset = &o
			latest = max(latest, o)
		} else {
			unknown++
		}
		m.out.MergedFrom = append(m.out.MergedFrom, part)
		if other, ok := seeds[r.Settings.Seed]; ok {
			m.warn("%s and %s have the same seed: their arrivals come at the same instants, in pairs; give each its own --seed", other, p.Name)
		}
		seeds[r.Settings.Seed] = p.Name
		if r.Target != m.out.Target {
			m.warn("%s is of another target than the first: %s, not %s", p.Name, r.Target, m.out.Target)
		}
		s := r.Settings
		set.HoldRate += s.HoldRate
		set.MaxRate += s.MaxRate
		set.MaxRequests += s.MaxRequests
		set.MaxFailed += s.MaxFailed
		if s.Arrivals != set.Arrivals || s.Retries != set.Retries || s.RetryAfter != set.RetryAfter {
			m.warn("%s has other arrivals or retries than the first", p.Name)
		}
		if math.Abs(s.HoldSeconds-set.HoldSeconds) > unlikeDuration*set.HoldSeconds {
			m.warn("%s held its rate for %s, the first for %s: the rate was not the sum all the time", p.Name, units.Seconds(s.HoldSeconds), units.Seconds(set.HoldSeconds))
		}
		if !r.Complete {
			m.out.Complete = false
		}
		for _, w := range r.Warnings {
			m.warn("%s: %s", p.Name, w)
		}
	}
	m.latest = latest
	if latest > apart.Seconds() {
		m.warn("the last part began %s after the first: they did not load the service together for all of the time", units.Seconds(latest))
	}
	if unknown > 0 {
		m.warn("%d of %d parts do not tell when they began", unknown, len(m.parts))
	}
	if !math.IsInf(start, 1) {
		m.out.StartedUnix = &start
	}
	m.out.Settings = &set
}

// trial merges the i-th trial of all parts.
func (m *merger) trial(i int) error {
	out := headroom.Trial{Start: math.Inf(1), Kept: &headroom.Kept{}}
	k := &adder{kept: out.Kept}
	for _, p := range m.parts {
		t := &p.Result.Result.Trials[i]
		out.Phase = t.Phase
		out.Start = min(out.Start, t.Start)
		out.Seconds = max(out.Seconds, t.Seconds)
		out.Asked += t.Asked
		out.Planned += t.Planned
		out.Account.Add(&t.Account)
		if t.Void != "" && out.Void == "" {
			out.Void = p.Name + ": " + t.Void
		}
		if t.Stopped != "" && out.Stopped == "" {
			out.Stopped = p.Name + ": " + t.Stopped
		}
		if err := k.add(t.Kept); err != nil {
			return fault.NoAnswerf("%s: trial %d: %w", p.Name, i+1, err)
		}
	}
	n := k.counts(&out.Account)
	out.BadShare = map[string]float64{}
	for _, c := range m.objective.Clauses {
		out.BadShare[c.String()] = c.Share(n)
	}
	for class, h := range out.Kept.Histograms {
		if out.Latency == nil {
			out.Latency = map[string]headroom.Quantiles{}
		}
		out.Latency[class] = headroom.QuantilesOf(h)
	}
	if lag := out.Kept.SendLag; lag != nil {
		m.lag.Merge(lag)
		p99 := float64(lag.Quantile(0.99)) / 1e9
		out.SendLagP99 = &p99
	}
	m.judged, m.void = n, out.Void
	if out.Stopped != "" {
		m.broken = out.Stopped
	}
	if w := out.Kept.Windows; w != nil && k.uneven {
		m.warn("the parts' trials %d are not equally long: the windows that all have are merged", i+1)
	}
	m.out.Result.Trials = append(m.out.Result.Trials, out)
	return nil
}
