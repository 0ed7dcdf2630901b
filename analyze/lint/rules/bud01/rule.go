// Package bud01 finds retries that no budget bounds.
package bud01

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is BUD-01, whose page the audit of queues has too.
var Rule = rule.Rule{Rule: queue.Rule("BUD-01"), Needs: rule.Config | rule.Defaults, Check: check}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		var shared *model.Hop
		hops := 0
		for _, h := range d.Hops {
			switch {
			case !unbounded(h):
			case h.Budget.Scope == model.PerService: // one budget is missing, whatever the number of policies
				if shared == nil || h.Retry.Tries.Amount > shared.Retry.Tries.Amount {
					shared = h
				}
				hops++
			default:
				report(p, d, h, 1)
			}
		}
		if shared != nil {
			report(p, d, shared, hops)
		}
	}
}

// unbounded reports whether a hop has retries that somebody has set and nothing bounds.
func unbounded(h *model.Hop) bool {
	r, b := h.Retry, h.Budget
	if r.Implicit || !r.Retries() || !(r.Written.IsSet() || r.Tries.IsSet()) || bounded(b) {
		return false
	}
	// A retry of the connection is no work for the callee, and a walk over servers may be
	// bounded in time.
	return !worst.OnlyConnects(r) && (b.Supported || !r.SameHost.Off() || !h.StartTry.Finite())
}

func report(p *rule.Pass, d *model.Document, h *model.Hop, hops int) {
	r, b := h.Retry, h.Budget
	at := rule.At(r.Written, h.At)
	if !p.First(at, r.Written.Key) {
		return
	}
	n := units.Number(r.Tries.Amount)
	if r.Tries.Unlimited() {
		n = "all"
	}
	message := fmt.Sprintf("nothing bounds retries as a share of the calls: %s tries are up to %s times the load while all fail", n, n)
	if r.Tries.Unlimited() {
		message = "nothing bounds retries as a share of the calls: each server gets the load of those that fail"
	}
	if hops > 1 {
		message += fmt.Sprintf("; here and in %d more", hops-1)
	}
	f := p.Report(at, h.Name, r.Written.Key, message)
	if !b.Supported {
		f.Severity(finding.Note)
	}
	f.Because(r.Written)
	if b.Concurrent.Known() {
		f.Because(b.Concurrent)
	}
	f.Formula("load while all fail = tries × arrival rate = %s × arrival rate; with a budget of 20%%: 1.2 × arrival rate", n)
	f.Fix("%s", fix(d.Product, b))
}

// bounded reports whether a budget holds, or may hold by what is not known.
func bounded(b model.Budget) bool {
	return b.Bounded() || b.Ratio.IsHole() || b.Tokens.IsHole() || b.Concurrent.IsHole()
}

// budgets is how the formats that have a budget write one.
var budgets = map[string]string{
	"grpc":          `add "retryThrottling": {"maxTokens": 100, "tokenRatio": 0.1} to the file`,
	"istio":         "set trafficPolicy.retryBudget to {percent: 20, minRetryConcurrency: 3} in the DestinationRule of the host",
	"gateway-api":   "add an XBackendTrafficPolicy with retryConstraint: {budget: {percent: 20, interval: 10s}, minRetryRate: {count: 10, interval: 1s}}",
	"envoy":         "set retry_budget to {budget_percent: {value: 20}} in the cluster's circuit breaker",
	"envoy-gateway": "set circuitBreaker.retryBudget to 20 percent",
	"linkerd":       "set retryBudget to {retryRatio: 0.2, minRetriesPerSecond: 10, ttl: 10s}",
}

func fix(product string, b model.Budget) string {
	switch text := budgets[product]; {
	case !b.Supported:
		return "the program has no budget of retries: set 2 tries at most, and retry in one layer of the chain alone"
	case text != "":
		return text
	}
	return "set a budget of 20% of the calls, with a small floor"
}
