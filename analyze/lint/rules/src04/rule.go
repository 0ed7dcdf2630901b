// Package src04 finds Go code: a remote call is made on a context that never ends.
package src04

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is SRC-04.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "SRC-04", Name: "call-without-deadline", Severity: finding.Warning, Since: "0.1",
		Title: "a remote call is made on a context that never ends",
		Why: `gRPC has no limit of its own: the deadline of the context is all there is, and the callee learns it from there. A call on
context.Background() goes on after the caller's own client has left, and tells the callee that it has all the time there is.`,
		Formula: `a call of a generated gRPC client whose first argument is context.Background() or context.TODO()`,
		Sources: []string{"grpc.io, Deadlines: by default, gRPC does not set a deadline", "Google, Site Reliability Engineering, Addressing Cascading Failures: deadline propagation"},
		Bad:     `reply, err := pb.NewCartClient(conn).Get(context.Background(), req)`,
		Good:    `ctx, cancel := context.WithTimeout(ctx, 500*time.Millisecond)`,
		Fix:     `Pass the context of the request that is being served, with a limit.`,
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		for _, c := range d.Code {
			if c.Kind != model.CallNoDeadline {
				continue
			}
			f := p.Report(c.At, c.In, c.What, message(c))
			f.Formula("%s", c.Detail).Fix("%s", c.Fix)
		}
	}
}

// message says what it is, and where.
func message(c model.Code) string {
	return fmt.Sprintf("%s%s is called without a deadline", c.What, c.Place())
}
