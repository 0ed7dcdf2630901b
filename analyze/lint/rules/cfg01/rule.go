// Package cfg01 finds what the program that a file is for would not take.
package cfg01

import (
	"fmt"

	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is CFG-01.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "CFG-01", Name: "rejected", Severity: finding.Error, Since: "0.1",
		Title: "the program that the file is for does not take it",
		Why: `A program that refuses a file at its start is the better case. Several drop what they cannot use and go on: a gRPC client with a
retry policy that lacks one of its fields throws the whole service config away, limits included, and calls without any.`,
		Formula: `the program's own rules for its settings, as its source has them
error: refused; warning: left out without a word`,
		Sources: []string{
			"grpc/grpc-go service_config.go: a retry policy needs maxAttempts, initialBackoff, maxBackoff, backoffMultiplier and retryableStatusCodes",
			"kubernetes-sigs/gateway-api: the schema refuses backendRequest over request",
		},
		Bad:  `"retryPolicy": {"initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]}`,
		Good: `"retryPolicy": {"maxAttempts": 3, "initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]}`,
		Fix:  "Write what the program takes; the finding names it.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		said := map[string]int{}
		for _, r := range d.Rejected {
			if r.Wrapper { // CFG-03
				continue
			}
			said[r.Why]++ // tells findings with one text apart
			f := p.Report(r.At, d.Format, fmt.Sprint(r.Why, said[r.Why]), r.Why)
			if r.Ignored {
				f.Severity(finding.Warning)
			}
			f.Formula("%s", outcome(r.Ignored))
			f.Fix("%s", fix(r.Fix))
		}
	}
}

func outcome(ignored bool) string {
	if ignored {
		return "left out without a word"
	}
	return "refused"
}

func fix(text string) string {
	if text == "" {
		return "write what the program takes"
	}
	return text
}
