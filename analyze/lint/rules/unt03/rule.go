// Package unt03 finds settings whose name is nearly that of one that exists.
package unt03

import (
	"fmt"

	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is UNT-03.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "UNT-03", Name: "near-miss-key", Severity: finding.Warning, Since: "0.1",
		Title: "a setting is spelt nearly like one that exists",
		Why: `Many programs skip a name that they do not know without a word. A limit with one letter wrong is no limit, and the file reads as
if it were one.`,
		Formula: "the name is not one of the object's, and one or two letters away from one that is",
		Sources: []string{"Damerau, A technique for computer detection and correction of spelling errors, CACM 7 (1964): most errors are one letter"},
		Bad:     "retries: {attempts: 2, perTryTimout: 2s}",
		Good:    "retries: {attempts: 2, perTryTimeout: 2s}",
		Fix:     "Write the name that is meant, or remove the setting.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		for _, u := range d.Unknown {
			if u.Nearest == "" {
				continue
			}
			f := p.Report(u.At, u.In, u.Key, fmt.Sprintf("%s is no setting of %s: %s is", u.Key, u.In, u.Nearest))
			f.Formula("%s ≈ %s", u.Key, u.Nearest).Fix("write %s", u.Nearest)
		}
	}
}
