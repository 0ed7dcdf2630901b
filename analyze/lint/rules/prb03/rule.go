// Package prb03 finds liveness probes that kill after a few seconds of slowness.
package prb03

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

const (
	// patient is how long a container may be slow at the least, in seconds.
	patient = 30
	// wanted is how long it should be given.
	wanted = 60
)

// Rule is PRB-03.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "PRB-03", Name: "impatient-liveness", Severity: finding.Warning, Since: "0.1",
		Title: "a liveness probe kills after less than 30 s",
		Why: `Liveness is for containers that will never answer again. A pause of the collector, a full disk queue or a minute of overload is
none of these, and a restart makes it worse: caches are cold, connections are made anew, and the others carry the load meanwhile.`,
		Formula: "max(period, limit of a probe) × failures < 30 s, of a liveness probe",
		Sources: []string{
			"pydantic/logfire-helm-chart#245: probes that kill pods that are slow",
			"kubernetes/kubernetes#110083",
			"Kubernetes documentation, Liveness probes: caution against killing under load",
		},
		Bad:  "livenessProbe: {periodSeconds: 5, failureThreshold: 3}   # killed after 15 s",
		Good: "livenessProbe: {periodSeconds: 10, failureThreshold: 6}   # killed after 60 s",
		Fix:  "Let period × failures come to 60 s or more; take slow hosts out by readiness.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	p.Services(func(_ *model.Document, s *model.Service) {
		for _, c := range s.Probes {
			period, failures := c.Interval, c.Failures
			if c.Kind != "liveness" || !period.Finite() || !failures.Finite() || !period.IsSet() && !failures.IsSet() || period.Amount <= 0 {
				continue
			}
			each := period
			if c.Timeout.Finite() && c.Timeout.Amount > period.Amount {
				each = c.Timeout // the next probe waits for it
			}
			after := each.Amount * failures.Amount
			if after >= patient {
				continue
			}
			at := rule.At(failures, c.At)
			if period.IsSet() && !failures.IsSet() {
				at = period.At
			}
			p.Report(at, s.Name, "liveness failures", fmt.Sprintf("the container is killed after %s without a good answer in time", worst.Text(after))).
				Because(each, failures).Formula("%s × %s = %s < 30s", each, failures, worst.Text(after)).
				Fix("set %s to %.0f, so that it takes 60 s", failures.Key, math.Ceil(wanted/each.Amount))
		}
	})
}
