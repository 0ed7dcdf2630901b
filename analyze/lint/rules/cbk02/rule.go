// Package cbk02 finds caps on retries at once that are so high that they are none.
package cbk02

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// many is from where on a cap on retries at once stops nothing in time.
const many = 100

// Rule is CBK-02.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "CBK-02", Name: "retries-uncapped", Severity: finding.Warning, Since: "0.1",
		Title: "a hundred retries or more may be under way at once",
		Why: `The cap on retries at once is what keeps a proxy from doubling the load on a callee that fails. Each proxy counts for itself: a
thousand retries from each of fifty proxies are all the load there is. A budget as a share of the requests follows the load instead.`,
		Formula: "cap ≥ 100 and no budget as a share of the requests; extra load = cap × proxies",
		Sources: []string{
			"envoyproxy/gateway api/v1alpha1: maxParallelRetries defaults to 1024, Envoy's own default is 3",
			"envoyproxy/data-plane-api circuit_breaker.proto: retry_budget, 20% with a floor of 3",
		},
		Bad:  "circuitBreaker: {maxParallelRetries: 1024}",
		Good: "circuitBreaker: {retryBudget: {percent: {numerator: 20}, minRetryConcurrency: 3}}",
		Fix:  "Set a budget of 10 to 20% of the requests with a small floor, or lower the cap.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		v := h.Caps.Retries
		if !v.Finite() || v.Amount < many || h.Budget.Ratio.Finite() || h.Budget.Ratio.IsHole() {
			return
		}
		f := p.Report(rule.At(v, h.At), h.Name, v.Key, fmt.Sprintf("%s retries may be under way at once, and no budget bounds their share", v))
		if !v.IsSet() {
			f.Severity(finding.Note)
		}
		f.Because(v).Formula("%s × 10 proxies = %s retries at once", v, model.Of(model.Count, 10*v.Amount, "")).
			Fix("set a retry budget of 20%% with a floor of 3, or %s to 3", v.Key)
	})
}
