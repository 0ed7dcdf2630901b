// Package src05 finds Go code: a loop tries again at a fixed pace.
package src05

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is SRC-05.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "SRC-05", Name: "retry-at-fixed-pace", Severity: finding.Warning, Since: "0.1",
		Title: "a loop tries again at a fixed pace",
		Why: `A callee that fails because it is overloaded gets the same load again from every caller, at the same pace and often at the same
moment, for as long as it fails: it cannot recover. Waits that grow, with a random part, and an end after a few tries let it.`,
		Formula: `a loop that ends when there is no error, or goes on when there is one, and sleeps for a time that does not
change from try to try`,
		Sources: []string{"AWS Builders' Library, Timeouts, retries, and backoff with jitter", "WASABI, SOSP 2024: bugs of retries in application code"},
		Bad:     `for { if err := call(); err == nil { return }; time.Sleep(time.Second) }`,
		Good:    `wait for backoff with jitter, 5 tries at most, and stop when ctx is done`,
		Fix:     `Let the wait double up to a limit, take a random part of it, end after a few tries and when the context ends.`,
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		for _, c := range d.Code {
			if c.Kind != model.RetryLoop {
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

// message says how often is tried, and where.
func message(c model.Code) string {
	return fmt.Sprintf("the loop%s tries again every %s%s", c.Place(), c.Wait, c.End())
}
