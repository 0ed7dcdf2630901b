// Package rty07 finds tries that answer to what will fail again.
package rty07

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

// Rule is RTY-07.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "RTY-07", Name: "retries-lasting-faults", Severity: finding.Note, Since: "0.1",
		Title: "an error that will not go away is tried again",
		Why: `A retry is for what chance has broken: a host that has just gone, a connection that was reset. 500, INTERNAL, UNKNOWN and most of 4xx
come from the request or from the program, and come again on every host. Trying again costs as much as a request that succeeds, and a
request that crashes its server then crashes the next.`,
		Formula: "found: 500, 5xx, INTERNAL, UNKNOWN, DATA_LOSS or a 4xx other than 408, 425 and 429 is written among what is tried again",
		Sources: []string{
			"haproxy/haproxy doc/configuration.txt, retry-on: some failures, such as those of the application, should not be retried",
			"B. Beyer et al., Site Reliability Engineering (2016), chapter 22: tell errors that may pass from those that do not",
		},
		Bad:  "codes: [500, 502]",
		Good: "codes: [502, 504]",
		Fix:  "Retry on 502, 504 or UNAVAILABLE, and on failed connections.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		if h.Retry.Tries.Known() && h.Retry.Tries.Amount <= 1 {
			return
		}
		var words []string
		var at model.Position
		for _, c := range h.Retry.On {
			if c.At == h.Retry.Written.At {
				continue // a switch for retries as such, not a choice of causes
			}
			if c.Default || c.Cause != model.ServerFault && c.Cause != model.ClientFault {
				continue
			}
			if at.Line == 0 {
				at = c.At
			}
			words = append(words, c.Word)
		}
		if len(words) == 0 || !p.First(at, words[0]) {
			return
		}
		list := strings.Join(words, ", ")
		p.Report(at, h.Name, words[0], fmt.Sprintf("retries on %s: such errors come from the request or the program, and come again", list)).
			Because(h.Retry.Written).Formula("%s tries of a request that fails each time", worst.TriesText(h)).
			Fix("take %s out of what is tried again; retry on 502, 504 or UNAVAILABLE", list)
	})
}
