// Package tmo15 tells of settings that are written twice for one call.
package tmo15

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is TMO-15.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "TMO-15", Name: "set-twice", Severity: finding.Note, Since: "0.1",
		Title: "two settings are for one thing, and one of them is not used",
		Why: `Whoever changes the setting that is not used has changed nothing, and learns so in an incident. Two libraries that can each do the
job, an annotation beside a resource, an old name beside a new one are the usual ways.`,
		Formula: "two settings for the same limit of the same call; the program takes one",
		Sources: []string{
			"spring-cloud/spring-cloud-netflix docs: zuul.host limits do not hold for routes by service name, which Ribbon serves",
			"linkerd/website 2-edge reference: a ServiceProfile takes precedence over annotations",
		},
		Bad:  "zuul.host.socket-timeout-millis: 20000\nribbon.ReadTimeout: 5000   # this one holds",
		Good: "ribbon.ReadTimeout: 5000",
		Fix:  "Remove the one that is not used.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) { report(p, h.Name, h.At, h.Doubles) })
	p.Services(func(_ *model.Document, s *model.Service) { report(p, s.Name, s.At, s.Doubles) })
}

func report(p *rule.Pass, object string, at model.Position, doubles [][2]model.Value) {
	for _, d := range doubles {
		wins, loses := d[0], d[1]
		if !wins.Present() || !loses.Present() {
			continue
		}
		p.Report(rule.At(loses, at), object, loses.Key, fmt.Sprintf("%s = %s is not used: %s = %s holds", loses.Key, loses, wins.Key, wins)).
			Because(wins, loses).Formula("%s (holds), %s (does not)", wins, loses).
			Fix("remove %s, or set it to %s where it must stay", loses.Key, wins)
	}
}
