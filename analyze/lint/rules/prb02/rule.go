// Package prb02 finds probes that may take longer than the time between two.
package prb02

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

// Rule is PRB-02.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "PRB-02", Name: "probe-over-period", Severity: finding.Warning, Since: "0.1",
		Title: "a probe may take longer than the time between two",
		Why: `The next probe is not sent while one runs, so the period that is written does not hold: a container that hangs is found after
failures × limit, later than the settings say, and one that answers just in time is asked without a break.`,
		Formula: "limit > period; found after failures × max(limit, period)",
		Sources: []string{
			"GoogleCloudPlatform/bank-of-anthos kubernetes-manifests: 30 s in 15 s, 10 s in 5 s",
			"Kubernetes documentation, Configure Probes: periodSeconds, timeoutSeconds",
		},
		Bad:  "periodSeconds: 5\ntimeoutSeconds: 10",
		Good: "periodSeconds: 10\ntimeoutSeconds: 5",
		Fix:  "Set the limit to the period at most.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Services(func(_ *model.Document, s *model.Service) {
		for _, c := range s.Probes {
			t, period := c.Timeout, c.Interval
			if c.Kind == "health" || !t.Finite() || !period.Finite() || period.Amount <= 0 || t.Amount <= period.Amount {
				continue
			}
			f := p.Report(rule.At(t, c.At), s.Name, c.Kind+" "+t.Key, fmt.Sprintf("the %s probe may take %s, and one is due every %s", c.Kind, t, period)).Because(t, period)
			if c.Failures.Finite() {
				f.Because(c.Failures).Formula("a hang is found after %s × %s = %s instead of %s × %s = %s", c.Failures, t, worst.Text(c.Failures.Amount*t.Amount),
					c.Failures, period, worst.Text(c.Failures.Amount*period.Amount))
			} else {
				f.Formula("%s > %s", t, period)
			}
			f.Fix("set %s to %.0f or less, or %s to %.0f", t.Key, period.Amount, period.Key, t.Amount)
		}
	})
}
