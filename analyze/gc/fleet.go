package gc

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.com/kneeline/analyze/gc/tier"
	"example.com/kneeline/internal/units"
)

// Fleet is the judgement over several logs, those of the hosts of a service say.
type Fleet struct {
	Logs       int `json:"log_count"`
	Overloaded int `json:"overloaded_count"`
	Undecided  int `json:"undecided_count"`
	// Tiers say by tier, from the lowest, how many logs violated it or a higher one,
	// and since when.
	Tiers []FleetTier `json:"tiers"`
	// Together is when most logs were in overload at once; only logs with a wall
	// clock are compared.
	Together *Together `json:"together,omitempty"`
	// Rows are the logs, the worst first.
	Rows []Summary `json:"rows"`
}

// FleetTier is how many logs were in a tier.
type FleetTier struct {
	Threshold float64 `json:"threshold_ratio"`
	Logs      int     `json:"log_count"`
	// Since is when the first of them began, on the wall clock.
	Since string `json:"since,omitempty"`
}

// Together is a time in which several logs were in overload.
type Together struct {
	Begin string `json:"begin"`
	End   string `json:"end"`
	Logs  int    `json:"log_count"`
}

// Summary is one log in a line.
type Summary struct {
	Name      string `json:"name"`
	Collector string `json:"collector,omitempty"`
	Answer    string `json:"answer"`
	// Tier is the highest that was violated, from 1; absent without a violation.
	Tier      *int     `json:"tier,omitempty"`
	Threshold *float64 `json:"threshold_ratio,omitempty"`
	Peak      *float64 `json:"peak_ratio,omitempty"`
	Series    string   `json:"series,omitempty"`
	// Begin and End are those of the worst time of overload.
	Begin     *Moment  `json:"begin,omitempty"`
	End       *Moment  `json:"end,omitempty"`
	Busy      float64  `json:"busy_seconds"`
	Incidents int      `json:"incident_count"`
	Observed  float64  `json:"observed_seconds"`
	Overall   *float64 `json:"overall_ratio,omitempty"`
	Stops     int64    `json:"stop_count"`
	Full      int64    `json:"full_count"`
	P99       *float64 `json:"p99_seconds,omitempty"`
	Longest   float64  `json:"longest_seconds"`
	// Rules are those of the findings, the worst first.
	Rules  []string `json:"rules"`
	Change string   `json:"change,omitempty"`

	spans []wallSpan
	// firsts is when each tier was first reached by an incident, by threshold.
	firsts map[float64]string
}

// wallSpan is an incident on the wall clock, in nanoseconds since 1970.
type wallSpan struct{ from, to int64 }

// maxSpans is how many incidents of a log are compared with those of others.
const maxSpans = 64

// summarize takes a log down to a line.
func summarize(l *Log) Summary {
	s := Summary{Name: l.Name, Collector: l.Collector, Answer: l.Verdict.Answer, Incidents: len(l.Incidents), Observed: l.Observed,
		Stops: l.Pauses.Stops, Full: l.Pauses.Full, Longest: l.Pauses.Longest, Change: l.Verdict.Change, Rules: []string{}}
	if peak, series, ok := l.peak(); ok {
		s.Peak, s.Series = &peak, series
	}
	if t := l.Pauses.Throughput; t != nil {
		v := 1 - *t
		s.Overall = &v
	}
	if q := l.Pauses.Quantiles; q != nil {
		s.P99 = &q.P99
	}
	for _, f := range l.Findings {
		if !slices.Contains(s.Rules, f.Rule) {
			s.Rules = append(s.Rules, f.Rule)
		}
	}
	if in := worstIncident(l.Incidents); in != nil {
		begin, end, level, threshold := in.Begin, in.End, in.Tier, in.Threshold
		s.Begin, s.End, s.Tier, s.Threshold, s.Busy, s.Series = &begin, &end, &level, &threshold, in.Busy, in.worst.Series
		for _, o := range l.Overhead {
			if o.Name == s.Series && o.Peak != nil {
				s.Peak = o.Peak
			}
		}
	}
	for _, in := range l.Incidents {
		if t, ok := s.firsts[in.Threshold]; in.Begin.Time != "" && (!ok || in.Begin.Time < t) {
			if s.firsts == nil {
				s.firsts = map[float64]string{}
			}
			s.firsts[in.Threshold] = in.Begin.Time
		}
	}
	for _, in := range l.Incidents[:min(len(l.Incidents), maxSpans)] {
		a, ok := in.Begin.Clock()
		b, also := in.End.Clock()
		if ok && also {
			s.spans = append(s.spans, wallSpan{a.UnixNano(), b.UnixNano()})
		}
	}
	return s
}

// worseLog orders logs: overloads by tier and time lost, then by peak.
func worseLog(a, b Summary) int {
	rank := func(s Summary) int {
		switch s.Answer {
		case Overload:
			return 2
		case Unknown:
			return 0
		}
		return 1
	}
	value := func(p *float64) float64 {
		if p == nil {
			return 0
		}
		return *p
	}
	return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(value(b.Threshold), value(a.Threshold)), cmp.Compare(b.Busy, a.Busy),
		cmp.Compare(value(b.Peak), value(a.Peak)), cmp.Compare(b.Longest, a.Longest), cmp.Compare(a.Name, b.Name))
}

func (s *Assembly) fleet() *Fleet {
	f := &Fleet{Logs: len(s.rows), Rows: slices.Clone(s.rows)}
	slices.SortStableFunc(f.Rows, worseLog)
	for _, r := range f.Rows {
		switch r.Answer {
		case Overload:
			f.Overloaded++
		case Unknown:
			f.Undecided++
		}
	}
	for _, t := range s.cfg.Tiers {
		f.Tiers = append(f.Tiers, f.tier(t))
	}
	f.Together = together(f.Rows)
	return f
}

func (f *Fleet) tier(t tier.Tier) FleetTier {
	out := FleetTier{Threshold: t.Ratio()}
	for _, r := range f.Rows {
		if r.Threshold == nil || *r.Threshold < t.Ratio() {
			continue
		}
		out.Logs++
		for threshold, first := range r.firsts {
			if threshold >= t.Ratio() && (out.Since == "" || first < out.Since) {
				out.Since = first
			}
		}
	}
	return out
}

// together finds the time in which most logs were in overload at once.
func together(rows []Summary) *Together {
	type edge struct {
		at    int64
		delta int
	}
	var edges []edge
	for _, r := range rows {
		for _, s := range r.spans {
			edges = append(edges, edge{s.from, 1}, edge{s.to, -1})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.delta, b.delta)) })
	now, best := 0, 1
	var from, to int64
	for i, e := range edges {
		now += e.delta
		if now > best && i+1 < len(edges) {
			best, from, to = now, e.at, edges[i+1].at
		}
	}
	if best < 2 {
		return nil
	}
	return &Together{Begin: stamp(from), End: stamp(to), Logs: best}
}

// verdict is the answer over all logs; worst is the worst of them.
func (f *Fleet) verdict(worst *Log) Verdict {
	v := worst.Verdict
	switch {
	case f.Overloaded == 0 && f.Undecided == f.Logs:
		return Verdict{Answer: Unknown, Sentence: fmt.Sprintf("no answer: none of %d logs can tell; %s: %s", f.Logs, worst.Name, v.Why), Why: v.Why, Change: v.Change}
	case f.Overloaded == 0:
		what := ""
		if p, _, ok := worst.peak(); ok {
			what = fmt.Sprintf(": the highest GC overhead was %s, in %s", percent(p), worst.Name)
		}
		if f.Undecided > 0 {
			what += fmt.Sprintf("; %s cannot tell", many(int64(f.Undecided), "log"))
		}
		where := fmt.Sprintf("in any of %d logs", f.Logs-f.Undecided)
		if f.Logs-f.Undecided == 1 {
			where = "in the one log that can tell"
		}
		return Verdict{Answer: NoOverload, Sentence: "GC was not the overload " + where + what, Rules: v.Rules}
	}
	t := f.Tiers[0]
	for _, x := range f.Tiers {
		// The highest tier that at least half of the overloaded logs were in.
		if 2*x.Logs >= f.Overloaded {
			t = x
		}
	}
	since := ""
	if t.Since != "" {
		since = ", first from " + Moment{Time: t.Since}.String()
	}
	parts := []string{fmt.Sprintf("GC was an overload in %d of %d logs, in %d of them in the tier of %s or higher%s",
		f.Overloaded, f.Logs, t.Logs, percent(t.Threshold), since)}
	parts = append(parts, fmt.Sprintf("worst is %s, %s", worst.Name, v.When))
	for _, s := range []string{v.Why, v.Change} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return Verdict{Answer: Overload, Sentence: strings.Join(parts, "; "), When: v.When, Why: v.Why, Change: v.Change, Rules: v.Rules, Incident: v.Incident}
}

// Failed returns the gates that do not hold.
func (r *Result) Failed() []Gate {
	var out []Gate
	for _, g := range r.Gates {
		if !g.Pass {
			out = append(out, g)
		}
	}
	return out
}

// Sentence says a gate that does not hold in words.
func (g Gate) Sentence() string {
	s := fmt.Sprintf("%s %s: found %s", g.Gate, g.Wanted, g.Found)
	if g.Log != "" {
		s += " in " + g.Log
	}
	if g.Failed > 1 {
		s += fmt.Sprintf(" and over the limit in %s logs", units.Count(g.Failed))
	}
	return s
}
