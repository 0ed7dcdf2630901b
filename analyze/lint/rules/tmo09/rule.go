// Package tmo09 finds health checks that begin before the last one has ended.
package tmo09

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

// Rule is TMO-09.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "TMO-09", Name: "check-overlap", Severity: finding.Warning, Since: "0.1",
		Title: "a health check may take as long as the time between two",
		Why: `When a host is slow, checks that wait longer than the interval run into the next one: they pile up on a host that is in trouble, or
the next one is put off, so that the host is found down later than the settings say.`,
		Formula: "found: limit of a check ≥ interval of the checks; a host is found down after failures × max(limit, interval)",
		Sources: []string{
			"envoyproxy/data-plane-api envoy/config/core/v3/health_check.proto: timeout and interval",
			"envoyproxy/examples locality-load-balancing/envoy.yaml: 3 s in 2 s",
		},
		Bad:  "interval: 2s\ntimeout: 3s",
		Good: "interval: 5s\ntimeout: 1s",
		Fix:  "Set the limit of a check to half of the interval or less.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		for _, c := range h.Checks {
			t, every := c.Timeout, c.Interval
			if c.Kind != "health" || !t.Finite() || !every.Finite() || every.Amount <= 0 || t.Amount < every.Amount || !t.IsSet() && !every.IsSet() {
				continue
			}
			if t.Amount == every.Amount && !(t.IsSet() && every.IsSet()) {
				continue
			}
			if !p.First(c.At, t.Key) {
				continue
			}
			what := t
			if !t.IsSet() {
				what = every
			}
			f := p.Report(rule.At(what, c.At), h.Name, t.Key+" of check", fmt.Sprintf("a health check may take %s, and one begins every %s", t, every)).Because(t, every)
			if c.Failures.Finite() {
				f.Because(c.Failures).Formula("%s ≥ %s; found down after up to %s × %s = %s", t, every, c.Failures, t, worst.Text(c.Failures.Amount*t.Amount))
			} else {
				f.Formula("%s ≥ %s", t, every)
			}
			f.Fix("set %s of the check to %s or less", t.Key, worst.Text(every.Amount/2))
		}
	})
}
