// Package drn03 tells of balancers that cut connections at once when a host goes.
package drn03

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is DRN-03.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "DRN-03", Name: "balancer-not-drained", Severity: finding.Note, Since: "0.1",
		Title: "the balancer does not wait when a host goes",
		Why: `The program may wait for its requests as long as it likes: if the balancer in front of it cuts their connections the moment that the
host leaves, they are lost at every deployment.`,
		Formula: "connection draining of the balancer is not set, and off by default, or set to 0",
		Sources: []string{
			"Google Cloud documentation, BackendConfig: connectionDraining.drainingTimeoutSec, off where it is not set",
			"kubernetes/kubernetes#20473",
		},
		Bad:  "kind: BackendConfig\nspec: {timeoutSec: 90}",
		Good: "kind: BackendConfig\nspec: {timeoutSec: 90, connectionDraining: {drainingTimeoutSec: 90}}",
		Fix:  "Set the balancer's draining to the longest request.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	p.Services(func(_ *model.Document, s *model.Service) {
		v := s.Drain.Balancer
		if !v.Finite() || v.Amount > 0 {
			return
		}
		f := p.Report(rule.At(v, s.At), s.Name, v.Key, fmt.Sprintf("%s is %s: connections are cut when a host goes", v.Key, v)).Because(v)
		longest := s.Exec.Total
		if longest.Finite() {
			f.Because(longest).Formula("%s < %s, the longest request", v, longest).Fix("set %s to %.0f", v.Key, longest.Amount)
			return
		}
		f.Formula("wait = %s", v).Fix("set %s to the longest request, such as 60", v.Key)
	})
}
