// Package prb04 finds containers that are killed for what should only take them out of
// service.
package prb04

import (
	"fmt"
	"math"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

// Rule is PRB-04.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "PRB-04", Name: "liveness-is-readiness", Severity: finding.Warning, Since: "0.1",
		Title: "liveness asks what readiness asks, and is no more patient",
		Why: `Readiness takes a slow container out of service until it has caught up; liveness kills it. If both ask the same and lose patience at
the same moment, the first never gets its chance: each overload ends in restarts, and if the answer depends on a database, an outage of
that restarts everything that uses it.`,
		Formula: "same target, and period × failures of liveness ≤ period × failures of readiness",
		Sources: []string{
			"Kubernetes documentation, Configure Probes: a higher failureThreshold for liveness where both share an endpoint",
			"kubernetes/ingress-nginx#5671",
		},
		Bad: `readinessProbe: {httpGet: {path: /health, port: 8080}}
livenessProbe: {httpGet: {path: /health, port: 8080}}`,
		Good: `readinessProbe: {httpGet: {path: /ready, port: 8080}}
livenessProbe: {httpGet: {path: /live, port: 8080}, failureThreshold: 6}`,
		Fix: "Let liveness ask whether the process runs, and nothing it depends on; or give it twice the patience of readiness.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	p.Services(func(_ *model.Document, s *model.Service) {
		for _, live := range s.Probes {
			for _, ready := range s.Probes {
				// The kernel answers a probe by TCP, however slow the program is.
				if live.Kind == "liveness" && ready.Kind == "readiness" && live.Target != "" && live.Target == ready.Target && !strings.HasPrefix(live.Target, "tcp ") {
					compare(p, s, live, ready)
				}
			}
		}
	})
}

func compare(p *rule.Pass, s *model.Service, live, ready model.Check) {
	for _, v := range []model.Value{live.Interval, live.Failures, ready.Interval, ready.Failures} {
		if !v.Finite() {
			return
		}
	}
	kill, out := live.Interval.Amount*live.Failures.Amount, ready.Interval.Amount*ready.Failures.Amount
	if kill > out {
		return
	}
	p.Report(live.At, s.Name, "liveness target", fmt.Sprintf("liveness and readiness both ask %s: it kills after %s, readiness takes out of service after %s",
		live.Target, worst.Text(kill), worst.Text(out))).
		Because(live.Interval, live.Failures, ready.Interval, ready.Failures).
		Formula("%s × %s = %s ≤ %s × %s = %s", live.Interval, live.Failures, worst.Text(kill), ready.Interval, ready.Failures, worst.Text(out)).
		Fix("set %s of the liveness probe to %.0f, or let it ask an endpoint that depends on nothing", live.Failures.Key, math.Ceil(2*out/live.Interval.Amount))
}
