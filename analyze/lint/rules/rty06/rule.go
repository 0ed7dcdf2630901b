// Package rty06 finds tries after the deadline of the whole call has passed.
package rty06

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is RTY-06.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "RTY-06", Name: "retries-spent-deadline", Severity: finding.Warning, Since: "0.1",
		Title: "a call is tried again after its deadline has passed",
		Why: `One deadline covers a call with all of its tries. When DEADLINE_EXCEEDED comes back that deadline is spent, so nobody can use what a
further try would bring. Where the answer comes from a service further down whose own limit has passed, it is a service that is
already too slow, and the retry makes it work once more.`,
		Formula: `left = deadline − time used = 0
found: DEADLINE_EXCEEDED, or its like, is written among what is tried again`,
		Sources: []string{
			"grpc/proposal A6: the deadline covers the original call and all retries",
			"B. Beyer et al., Site Reliability Engineering (2016), chapter 22: deadlines",
		},
		Bad:  `"retryableStatusCodes": ["UNAVAILABLE", "DEADLINE_EXCEEDED"]`,
		Good: `"retryableStatusCodes": ["UNAVAILABLE"]`,
		Fix:  "Take it out of what is tried again.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		if h.Retry.Tries.Known() && h.Retry.Tries.Amount <= 1 {
			return
		}
		for _, c := range h.Retry.On {
			if c.Cause != model.DeadlineSpent || c.Default || !p.First(c.At, c.Word) {
				continue
			}
			deadline := "the deadline"
			f := p.Report(c.At, h.Name, c.Word, fmt.Sprintf("%s is tried again: the deadline covers all tries and has passed", c.Word))
			if h.Total.Finite() {
				deadline = h.Total.String()
				f.Because(h.Total)
			}
			f.Because(h.Retry.Written).Formula("left = %s − %s = 0", deadline, deadline).Fix("take %s out of what is tried again", c.Word)
		}
	})
}
