// Package bud02 tells of budgets of retries that nobody has chosen.
package bud02

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is BUD-02.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "BUD-02", Name: "default-retry-budget", Severity: finding.Note, Since: "0.1",
		Title: "the budget of retries is a default",
		Why: `Retries are set, and what bounds them is the program's own default: three at once in Envoy, a fifth of the calls and ten a second in
Linkerd. That is better than nothing, and it is a number that nobody has held against what the callee can take: three at once starve a
busy cluster of retries, ten a second flood a quiet one.`,
		Formula: "budget = default, while retries are set",
		Sources: []string{
			"envoyproxy/envoy api/envoy/config/cluster/v3/circuit_breaker.proto: max_retries 3",
			"linkerd/website 2-edge reference, ServiceProfile: retryBudget",
		},
		Bad:  "isRetryable: true",
		Good: "isRetryable: true\nretryBudget: {retryRatio: 0.1, minRetriesPerSecond: 5, ttl: 10s}",
		Fix:  "Write the budget that the callee can take: at most capacity / peak − 1 of the calls, with a small floor.",
	},
	Needs: rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		var first *model.Hop
		hops := 0
		for _, h := range d.Hops {
			if h.Retry.Implicit || !h.Budget.Supported || !again(h.Retry) || !byDefault(h.Budget) {
				continue
			}
			if first == nil {
				first = h
			}
			hops++
		}
		if first != nil {
			report(p, first, hops)
		}
	}
}

// again reports whether further tries are made: by number, or by a budget alone.
func again(r model.Retry) bool {
	return r.Retries() || !r.Tries.Known() && !r.Tries.IsHole() && r.Written.Present()
}

func byDefault(b model.Budget) bool {
	if b.Tokens.Origin == model.Default {
		return false // a bucket of the SDK's, which no setting fills
	}
	any := false
	for _, v := range []model.Value{b.Ratio, b.Tokens, b.Concurrent, b.Floor} {
		if v.IsSet() || v.IsHole() {
			return false
		}
		any = any || v.Origin == model.Default && v.Finite()
	}
	return any
}

func report(p *rule.Pass, h *model.Hop, hops int) {
	b := h.Budget
	main := b.Ratio
	for _, v := range []model.Value{b.Tokens, b.Concurrent, b.Floor} {
		if !main.Known() {
			main = v
		}
	}
	at := rule.At(h.Retry.Written, h.At)
	what := fmt.Sprintf("%s is not set: the default of %s applies", main.Key, main)
	if b.Ratio.Known() && b.Floor.Known() {
		what = fmt.Sprintf("no budget of retries is set: the default of %s of the calls and %s applies", b.Ratio, b.Floor)
	}
	if hops > 1 {
		what += fmt.Sprintf("; here and in %s more", units.Number(float64(hops-1)))
	}
	f := p.Report(at, h.Name, main.Key, what)
	for _, v := range []model.Value{b.Ratio, b.Tokens, b.Concurrent, b.Floor} {
		if v.Known() {
			f.Because(v)
		}
	}
	f.Formula("budget = %s (%s)", main, main.Origin).Fix("write %s: at most capacity / peak − 1 of the calls, such as 10%% to 20%%", main.Key)
}
