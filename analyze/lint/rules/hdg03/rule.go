// Package hdg03 finds hedges that nothing bounds.
package hdg03

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is HDG-03.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "HDG-03", Name: "hedges-without-budget", Severity: finding.Warning, Since: "0.1",
		Title: "hedges have no budget",
		Why: `A hedge is sent when an answer takes longer than a delay. That is meant for the slowest few of a hundred. When the callee slows down
as a whole, every request is slower than the delay, every one is hedged, and the load is doubled at the time when it is already too much.
The slowness that hedges make keeps them coming.`,
		Formula: `share of hedges = share of answers slower than the delay; 1 while the callee is slow as a whole
load = arrival rate × (1 + (hedges − 1) × share)
found: no share, token bucket or number bounds the hedges`,
		Sources: []string{
			"J. Dean, L. A. Barroso, The tail at scale, CACM 56(2) (2013): hedges limited to about 5 % more load",
			"linkedin/rest.li BoundedCostBackupRequests: a cost in percent; grpc/proposal A6: throttling",
		},
		Bad:  `"hedgingPolicy": {"maxAttempts": 3, "hedgingDelay": "0.1s"}`,
		Good: `"hedgingPolicy": {"maxAttempts": 2, "hedgingDelay": "0.5s"}` + "\n" + `"retryThrottling": {"maxTokens": 100, "tokenRatio": 0.1}`,
		Fix:  "Bound hedges to 2 % to 5 % of the calls.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		e, b := h.Hedge, h.Budget
		if !e.Max.Known() && !e.Delay.IsSet() || e.Max.Known() && e.Max.Amount <= 1 || b.Bounded() || b.Ratio.IsHole() || b.Tokens.IsHole() {
			return
		}
		at := rule.At(e.Max, rule.At(e.Delay, h.At))
		key := e.Max.Key
		n := "2"
		if e.Max.Finite() {
			n = units.Number(e.Max.Amount)
		}
		if !p.First(at, key) {
			return
		}
		f := p.Report(at, h.Name, key, fmt.Sprintf("nothing bounds hedges: %s times the load while answers are slower than %s", n, delay(e)))
		if e.Max.Known() {
			f.Because(e.Max)
		}
		if e.Delay.Known() {
			f.Because(e.Delay)
		}
		f.Formula("load while all answers are slow = %s × arrival rate", n)
		f.Fix("bound hedges to 5%% of the calls: %s", how(b))
	})
}

func delay(e model.Hedge) string {
	if e.Delay.Known() {
		return e.Delay.String()
	}
	return "the delay"
}

func how(b model.Budget) string {
	for _, v := range []model.Value{b.Tokens, b.Ratio, b.Concurrent} {
		if v.Key != "" {
			return "set " + v.Key
		}
	}
	return "set a budget where the program has one, otherwise do not hedge"
}
