// Package cbk06 finds hosts that are left out after a single error.
package cbk06

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

// Rule is CBK-06.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "CBK-06", Name: "hair-trigger", Severity: finding.Warning, Since: "0.1",
		Title: "one error, or less than a second of them, takes a host out",
		Why: `Every service loses a request now and then. If that takes the host out, its share falls on the others, which lose a request each in
turn: under overload the hosts leave one by one, and come back all at once.`,
		Formula: `errors in a row = 1, or failed checks = 1, or errors are counted over less than 1 s
hosts that are out in steady state = error rate of a host × time that it is left out`,
		Sources: []string{
			"envoyproxy/data-plane-api envoy/config/cluster/v3/outlier_detection.proto: 5 errors, counted over 10 s",
			"Chef, Supermarket outage 2014 (danluu/post-mortems): very low thresholds of health checks",
		},
		Bad:  "outlierDetection: {consecutive5xxErrors: 1, interval: 8ms}",
		Good: "outlierDetection: {consecutive5xxErrors: 5, interval: 10s}",
		Fix:  "Set 5 errors over 10 s, and 3 failed checks.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		b := h.Breaker
		switch {
		case b.Errors.IsSet() && b.Errors.Finite() && b.Errors.Unit == model.Count && b.Errors.Amount == 1:
			f := p.Report(b.Errors.At, h.Name, b.Errors.Key, "a single error takes a host out").Because(b.Errors)
			if b.Open.Finite() {
				f.Because(b.Open).Formula("at 1 error per %s and host, every host is out all of the time", b.Open)
			} else {
				f.Formula("%s = 1", b.Errors.Key)
			}
			f.Fix("set %s to 5, or 3 where hosts are few", b.Errors.Key)
		case b.Window.IsSet() && b.Window.Finite() && b.Window.Amount > 0 && b.Window.Amount < 1:
			p.Report(b.Window.At, h.Name, b.Window.Key, fmt.Sprintf("hosts are judged over %s", b.Window)).Because(b.Window).
				Formula("at 100 requests/s a host is judged by %s", requests(b.Window.Amount)).Fix("set %s to 10s", b.Window.Key)
		}
		for _, c := range h.Checks {
			if c.Kind != "health" || !c.Failures.IsSet() || !c.Failures.Finite() || c.Failures.Amount != 1 {
				continue
			}
			f := p.Report(c.Failures.At, h.Name, c.Failures.Key+" of check", "a single failed check takes a host out").Because(c.Failures)
			if c.Interval.Finite() {
				f.Because(c.Interval).Formula("1 failure × %s: a host is out after one lost packet; with 3, after %s", c.Interval, worst.Text(3*c.Interval.Amount))
			} else {
				f.Formula("%s = 1", c.Failures.Key)
			}
			f.Fix("set %s to 3", c.Failures.Key)
		}
	})
}

func requests(seconds float64) string {
	n := 100 * seconds
	if n < 1.5 {
		return "one request"
	}
	return fmt.Sprintf("%.0f requests", n)
}
