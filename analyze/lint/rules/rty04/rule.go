// Package rty04 finds tries that answer to a callee's cry that it is overloaded.
package rty04

import (
	"fmt"
	"math"
	"slices"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

// Rule is RTY-04.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "RTY-04", Name: "retries-shed-load", Severity: finding.Warning, Since: "0.1",
		Title: "the answer that means overloaded is tried again",
		Why: `429, 503 and RESOURCE_EXHAUSTED are how a service sheds load: it refuses cheaply so that it can serve the rest. A caller that comes
back at once takes the cheap refusal for an invitation; what was shed returns, times the number of tries, and shedding stops to help.

A callee can say when to come back, by Retry-After or by a pushback in gRPC. A retry that waits for that is no harm.`,
		Formula: `A tries, s share of requests that the callee sheds
requests at the callee = arrival rate × (1 + s + … + s^(A−1))
found: a shed answer is among what is written to be tried again, and the callee's own wish is not known to be waited for
note: the wish is waited for where the callee sends one, which is the program's default`,
		Sources: []string{
			"B. Beyer et al., Site Reliability Engineering (2016), chapter 22: an answer that says overloaded, do not retry",
			"RFC 9110, section 10.2.3, Retry-After; grpc/proposal A6, pushback",
		},
		Bad:  "retryOn: connect-failure,503",
		Good: "retryOn: connect-failure,refused-stream,502",
		Fix:  "Take the code out of what is tried again, or wait as long as the callee asks for.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		r := h.Retry
		if r.Implicit || r.Tries.IsHole() || h.Backoff.Hint.IsHole() || h.Backoff.Hint.IsSet() && h.Backoff.Hint.On() || r.Tries.Known() && r.Tries.Amount <= 1 {
			return
		}
		var words []string
		var first model.Condition
		for _, c := range r.On {
			if c.Cause != model.Shed || c.Default || slices.Contains(words, c.Word) {
				continue
			}
			if words = append(words, c.Word); len(words) == 1 {
				first = c
			}
		}
		at := first.At
		if at.Line == 0 {
			at = rule.At(r.Written, h.At)
		}
		if len(words) > 0 && p.First(at, "") {
			report(p, h, words, at)
		}
	})
}

func report(p *rule.Pass, h *model.Hop, words []string, at model.Position) {
	list := words[0]
	for _, w := range words[1:] {
		list += ", " + w
	}
	hint := h.Backoff.Hint
	f := p.Report(at, h.Name, words[0], fmt.Sprintf("retries on %s, by which a callee sheds load", list))
	if hint.On() {
		f.Severity(finding.Note)
	}
	f.Because(h.Retry.Written)
	if hint.Present() {
		f.Because(hint)
	}
	if b := h.Backoff.Base; b.Known() {
		f.Because(b)
	}
	tries := "A"
	if n, ok := worst.Tries(h); ok && n > 1 && !math.IsInf(n, 1) {
		tries = worst.TriesText(h)
	}
	f.Formula("where all is shed: %s times the arrival rate, for nothing", tries)
	if hint.On() {
		f.Fix("take %s out of what is tried again, unless the callee says when to come back", list)
		return
	}
	f.Fix("take %s out of what is tried again, or wait for the callee's Retry-After", list)
}
