// Package src02 finds Go code: a Go server waits for its clients without a limit.
package src02

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is SRC-02.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "SRC-02", Name: "server-without-limits", Severity: finding.Warning, Since: "0.1",
		Title: "a Go server waits for its clients without a limit",
		Why: `A client that sends its request slowly, or not at all, holds a connection and a goroutine of the server. Without a limit a few
thousand of them, broken or hostile, use up its descriptors.`,
		Formula: `http.ListenAndServe, ListenAndServeTLS, Serve and ServeTLS, or an http.Server{} with neither ReadHeaderTimeout
nor ReadTimeout`,
		Sources: []string{"Go, net/http: Server.ReadHeaderTimeout: zero or negative with a zero ReadTimeout is no timeout", "gosec, G112 and G114"},
		Bad:     `http.ListenAndServe(":8080", mux)`,
		Good:    `srv := &http.Server{Addr: ":8080", Handler: mux, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute}`,
		Fix:     `Make the server with ReadHeaderTimeout (5 s is plenty) and IdleTimeout, longer than that of the balancer in front of it.`,
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		for _, c := range d.Code {
			if c.Kind != model.ServerNoLimit {
				continue
			}
			f := p.Report(c.At, c.In, c.What, message(c))
			f.Formula("%s", c.Detail).Fix("%s", c.Fix)
		}
	}
}

// message says what it is, and where.
func message(c model.Code) string {
	return fmt.Sprintf("%s%s waits for its clients without a limit", c.What, c.Place())
}
