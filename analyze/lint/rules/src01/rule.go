// Package src01 finds Go code: a Go client waits for its answer without a limit.
package src01

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is SRC-01.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "SRC-01", Name: "client-without-limit", Severity: finding.Warning, Since: "0.1",
		Title: "a Go client waits for its answer without a limit",
		Why: `A call without a limit holds its goroutine, its connection and what the caller holds for it for as long as the callee likes. When the
callee is overloaded, that is for ever: the callers pile up, and the overload spreads to them.`,
		Formula: `http.Get, Post, PostForm and Head, or an http.Client{} whose Timeout is not set, in a file that does not
give its requests a context with a limit`,
		Sources: []string{"Go, net/http: A Timeout of zero means no timeout", "AWS Builders' Library, Timeouts, retries, and backoff with jitter"},
		Bad:     `resp, err := http.Get(url)`,
		Good:    `client := &http.Client{Timeout: 2 * time.Second}`,
		Fix:     `Set Timeout on the client to what the caller can wait, or give each request a context with a limit (http.NewRequestWithContext).`,
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		for _, c := range d.Code {
			if c.Kind != model.ClientNoLimit {
				continue
			}
			f := p.Report(c.At, c.In, c.What, message(c))
			f.Formula("%s", c.Detail).Fix("%s", c.Fix)
		}
	}
}

// message says what it is, and where.
func message(c model.Code) string {
	return fmt.Sprintf("%s%s has no limit of time", c.What, c.Place())
}
