// Package prb01 finds liveness probes that are given a second for an answer from a port
// that serves requests.
package prb01

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

// patient is for how long answers may be late before it is no hurry that kills, in
// seconds.
const patient = 60

// Rule is PRB-01.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "PRB-01", Name: "one-second-liveness", Severity: finding.Warning, Since: "0.1",
		Title: "a liveness probe waits a second, on the port of requests",
		Why: `The probe stands in the same queue as the requests. When the service is overloaded, or collects garbage, it answers late but lives:
the probe fails, the container is killed and starts cold, its load falls on the others, and their probes fail next.`,
		Formula: "the probe's limit is 1 s or less, set or by default, and a container is killed after period × failures < 60 s of slowness",
		Sources: []string{
			"kubernetes/ingress-nginx#5671: liveness probes kill slow pods one after the other",
			"kubernetes/api core/v1/types.go: timeoutSeconds is 1 by default",
			"Chef, Supermarket outage 2014 (danluu/post-mortems)",
		},
		Bad:  "livenessProbe: {httpGet: {path: /healthz, port: 8080}, periodSeconds: 10}   # waits 1 s, kills after 30 s",
		Good: "livenessProbe: {httpGet: {path: /livez, port: 8081}, timeoutSeconds: 5, periodSeconds: 10, failureThreshold: 6}",
		Fix:  "Give the liveness probe 5 s and 6 failures, or a port of its own that does not wait behind requests.",
	},
	Needs: rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	p.Services(func(_ *model.Document, s *model.Service) {
		for _, c := range s.Probes {
			t := c.Timeout
			if c.Kind != "liveness" || !c.Serves || !t.Finite() || t.Amount > 1 || c.Interval.Finite() && c.Failures.Finite() && c.Interval.Amount*c.Failures.Amount >= patient {
				continue
			}
			how := "is set to"
			if !t.IsSet() {
				how = "is not set and by default"
			}
			f := p.Report(rule.At(t, c.At), s.Name, "liveness "+t.Key, fmt.Sprintf("%s of the liveness probe %s %s, on a port that serves requests", t.Key, how, t)).Because(t)
			if c.Interval.Finite() && c.Failures.Finite() {
				f.Because(c.Interval, c.Failures).Formula("killed after %s of answers over %s: %s × %s", worst.Text(c.Interval.Amount*c.Failures.Amount), t, c.Interval, c.Failures)
			} else {
				f.Formula("%s ≤ 1s", t)
			}
			f.Fix("set %s to 5 and failureThreshold to 6", t.Key)
		}
	})
}
