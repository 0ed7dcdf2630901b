// Package src03 finds Go code: a context's limit is made and thrown away.
package src03

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is SRC-03.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "SRC-03", Name: "limit-thrown-away", Severity: finding.Error, Since: "0.1",
		Title: "a context's limit is made and thrown away",
		Why: `The limit holds for the context that is returned. Assigned to _, it limits nothing: the call goes on with the context from before, and
whoever reads the code believes that it has a limit.`,
		Formula: `_, cancel := context.WithTimeout(…), or WithDeadline`,
		Sources: []string{"Go, context: WithTimeout returns a copy of the parent; canceling it releases the resources of the copy"},
		Bad:     `_, cancel := context.WithTimeout(ctx, 3*time.Second)`,
		Good:    `ctx, cancel := context.WithTimeout(ctx, 3*time.Second)`,
		Fix:     `Keep the context that is returned and pass it on to the call.`,
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		for _, c := range d.Code {
			if c.Kind != model.LimitDropped {
				continue
			}
			f := p.Report(c.At, c.In, c.What, message(c))
			if c.Wait.Known() {
				f.Because(c.Wait)
			}
			f.Formula("%s", c.Detail).Fix("%s", c.Fix)
		}
	}
}

// message says what is thrown away, and where.
func message(c model.Code) string {
	limit := "a limit"
	if c.Wait.Known() {
		limit = "the limit of " + c.Wait.String()
	}
	return fmt.Sprintf("%s of %s%s is thrown away", limit, c.What, c.Place())
}
