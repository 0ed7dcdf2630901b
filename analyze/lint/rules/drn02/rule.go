// Package drn02 finds programs that end without waiting for their requests, or wait for
// ever.
package drn02

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is DRN-02.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "DRN-02", Name: "no-drain-limit", Severity: finding.Warning, Since: "0.1",
		Title: "the end of the program waits for no request, or for ever",
		Why: `A program that does not wait cuts all requests under way at each deployment. One that waits without limit is ended by whatever
kills it: one client with a stream keeps the old version, and its memory, until then.`,
		Formula: "the wait for requests at the end is set to 0, to none, or to no limit",
		Sources: []string{
			"spring-projects/spring-boot documentation, Graceful shutdown",
			"openzipkin/zipkin zipkin-server-shared.yml: gracefulShutdownTimeoutMillis -1",
		},
		Bad:  "server.shutdown: immediate",
		Good: "server.shutdown: graceful\nspring.lifecycle.timeout-per-shutdown-phase: 20s",
		Fix:  "Set a finite wait: the longest request and a little more, below the grace after which the program is killed.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Services(func(_ *model.Document, s *model.Service) {
		stop, graceful := s.Drain.Stop, s.Drain.Graceful
		var v model.Value
		what := ""
		switch {
		case graceful.IsSet() && graceful.Off():
			v, what = graceful, "requests under way are cut when the program ends"
		case stop.IsSet() && stop.Unlimited():
			v, what = stop, "the program waits for its requests without limit when it ends"
		case stop.IsSet() && stop.Unit == model.Seconds && stop.Amount <= 0:
			v, what = stop, "requests under way are cut when the program ends"
		default:
			return
		}
		p.Report(v.At, s.Name, v.Key, fmt.Sprintf("%s = %s: %s", v.Key, v.Raw, what)).Because(v).
			Formula("wait at the end = %s", v).Fix("%s", fix(s, v))
	})
}

func fix(s *model.Service, v model.Value) string {
	if v.Unit == model.Flag || v.Text == "immediate" {
		return "switch it on, with a wait of the longest request and 5 s"
	}
	if s.Exec.Total.Finite() {
		return fmt.Sprintf("set %s to a little over %s, the longest request", v.Key, s.Exec.Total)
	}
	return fmt.Sprintf("set %s to the longest request and 5 s, such as 20s", v.Key)
}
