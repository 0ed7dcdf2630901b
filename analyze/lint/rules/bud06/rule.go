// Package bud06 finds retries that are capped by a number that does not grow with the
// traffic.
package bud06

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// gap is from how many requests for each retry on a cap counts as out of proportion: a
// budget of 1 %.
const gap = 100

// Rule is BUD-06.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "BUD-06", Name: "static-retry-cap", Severity: finding.Warning, Since: "0.1",
		Title: "retries are capped by a fixed number, requests by one far larger",
		Why: `A cap on retries at once is right for one rate of traffic. Somebody has raised the cap on requests and left that on retries: three of
10,000 are no budget but an accident. When a host is replaced, more than three requests fail in the same moment, and all the others are
failed without a retry, although the other hosts have room.

A budget as a share of the requests under way grows and shrinks with them.`,
		Formula: `found: a cap on retries, no share of the requests, and cap on requests ≥ 100 × cap on retries, one of them set
share = cap on retries / cap on requests`,
		Sources: []string{
			"istio/istio#7665: max_retries of 3 starves retries while hosts are replaced",
			"envoyproxy/envoy api/envoy/config/cluster/v3/circuit_breaker.proto: retry_budget takes the place of max_retries",
		},
		Bad:  "thresholds: [{max_requests: 10000}]   # max_retries stays 3",
		Good: "thresholds: [{max_requests: 10000, retry_budget: {budget_percent: {value: 20}}}]",
		Fix:  "Set a retry budget of 20 % in place of the number.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		retries := h.Caps.Retries
		if !retries.Known() {
			retries = h.Budget.Concurrent
		}
		requests := h.Caps.Requests
		if !requests.Known() {
			requests = h.Caps.Connections
		}
		if h.Budget.Ratio.Present() || !retries.Finite() || !requests.Known() || retries.Amount < 1 || retries.Amount >= gap || requests.IsSet() && requests.Unlimited() || !retries.IsSet() && !requests.IsSet() {
			return
		}
		// A cap of 100 retries is CBK-02's, one on requests that is switched off CON-03's.
		if math.IsNaN(requests.Amount) || requests.Amount < gap*retries.Amount {
			return
		}
		at := rule.At(retries, h.At)
		if !retries.IsSet() {
			at = rule.At(requests, h.At)
		}
		if !p.First(at, retries.Key) {
			return
		}
		p.Report(at, h.Name, retries.Key, fmt.Sprintf("%s retries at once for %s", retries, many(requests))).
			Because(retries, requests).Formula("share = %s / %s%s", retries, requests, share(retries, requests)).
			Fix("set a retry budget of 20%% in place of %s", retries.Key)
	})
}

func many(requests model.Value) string {
	if requests.Unlimited() {
		return "requests without a limit"
	}
	return "up to " + requests.String() + " requests"
}

func share(retries, requests model.Value) string {
	if requests.Unlimited() {
		return ""
	}
	return " = " + units.Share(retries.Amount/requests.Amount)
}
