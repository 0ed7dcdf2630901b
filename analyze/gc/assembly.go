package gc

import (
	"fmt"
	"slices"

	"example.com/kneeline/internal/finding"
)

// maxDetailed is how many logs a result has in detail.
const maxDetailed = 10

// Assembly puts the judgements of logs together into one result. Of many logs it
// keeps a line each, and the worst in detail.
type Assembly struct {
	cfg      Config
	gates    Gates
	rows     []Summary
	detailed []*Log
	decided  []Gate
	findings []finding.Finding
	complete bool
}

// NewAssembly returns an empty assembly, or a usage error.
func NewAssembly(cfg Config, gates Gates) (*Assembly, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if err := gates.Validate(); err != nil {
		return nil, err
	}
	return &Assembly{cfg: cfg.withDefaults(), gates: gates, decided: gates.open(), complete: true}, nil
}

// maxFindings is how many findings a result has over all logs: the worst.
const maxFindings = 1000

// Add takes the judgement of a log.
func (s *Assembly) Add(l *Log) {
	s.gates.check(s.decided, l)
	s.rows = append(s.rows, summarize(l))
	s.complete = s.complete && l.Complete
	s.findings = append(s.findings, l.Findings...)
	if len(s.findings) > 2*maxFindings {
		s.findings = finding.Ordered(s.findings)
		s.findings = s.findings[:min(len(s.findings), maxFindings)]
	}
	s.detailed = append(s.detailed, l)
	slices.SortStableFunc(s.detailed, func(a, b *Log) int { return worseLog(summarize(a), summarize(b)) })
	s.detailed = s.detailed[:min(len(s.detailed), maxDetailed)]
}

// Result returns the answer over all logs.
func (s *Assembly) Result() *Result {
	r := &Result{Schema: Schema, Complete: s.complete, Settings: s.settings(), Logs: s.detailed, Gates: s.decided, Warnings: []string{}}
	r.Findings = finding.Ordered(s.findings)
	r.Findings = append([]finding.Finding{}, r.Findings[:min(len(r.Findings), maxFindings)]...)
	if r.Logs == nil {
		r.Logs = []*Log{}
	}
	switch len(s.rows) {
	case 0:
		r.Verdict = Verdict{Answer: Unknown, Sentence: "no answer: there is no log", Why: "there is no log"}
	case 1:
		r.Verdict = s.detailed[0].Verdict
	default:
		r.Fleet = s.fleet()
		r.Verdict = r.Fleet.verdict(s.detailed[0])
		if len(s.rows) > len(s.detailed) {
			r.Warnings = append(r.Warnings, fmt.Sprintf("of %d logs the worst %d are shown in detail", len(s.rows), len(s.detailed)))
		}
	}
	return r
}

func (s *Assembly) settings() Settings {
	c := s.cfg
	out := Settings{Window: c.Window.Seconds(), Exit: 0.8, Evaluate: "exact", CountConcurrent: c.CountConcurrent}
	if c.OnEvents {
		out.Evaluate = "event"
	}
	for _, t := range c.Tiers {
		out.Tiers = append(out.Tiers, TierSettings{t.Ratio(), t.Period.Seconds()})
	}
	if c.Timeout > 0 {
		t, v := c.Timeout.Seconds(), c.Service.Seconds()
		out.Timeout, out.Service = &t, &v
	}
	return out
}
