// Package cfg03 finds files that are wrapped in a form that their reader does not
// take.
package cfg03

import (
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is CFG-03.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "CFG-03", Name: "wrong-wrapper", Severity: finding.Warning, Since: "0.1",
		Title: "the settings are wrapped in a form that is not read there",
		Why: `A gRPC service config has two forms: the bare object, which programs pass to their client, and the list of choices that a DNS TXT
record holds. Each is nothing to the reader of the other: the settings are skipped, and calls run without limit and retries.`,
		Formula: "the outermost object is that of another way to pass the settings",
		Sources: []string{
			"grpc/grpc doc/service_config.md and proposal A2: service configs in DNS are lists of choices",
		},
		Bad:  `[{"serviceConfig": {"methodConfig": [{"name": [{}], "timeout": "2s"}]}}]`,
		Good: `{"methodConfig": [{"name": [{}], "timeout": "2s"}]}`,
		Fix:  "Take the inner object, or put the file where its form is read.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		for _, r := range d.Rejected {
			if r.Wrapper {
				p.Report(r.At, d.Format, r.Why, r.Why).Formula("form that is read ≠ form of the file").Fix("%s", r.Fix)
			}
		}
	}
}
