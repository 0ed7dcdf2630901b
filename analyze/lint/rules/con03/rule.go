// Package con03 finds caps that are written so large that they are none.
package con03

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// huge is from where on a cap holds nothing back: a million requests under way are more
// than any proxy has connections for.
const huge = 1e6

// Rule is CON-03.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "CON-03", Name: "cap-switched-off", Severity: finding.Warning, Since: "0.1",
		Title: "a cap on concurrency is set to a number that is none",
		Why: `A circuit breaker caps what is under way, so that a callee in trouble costs only so much. When its default has refused requests at a
peak, the quick way out is 4294967295. The cap is then gone for the next outage, too: connections, memory and waiting requests
grow until the proxy itself falls over.`,
		Formula: `found: a cap of connections, requests or waiting requests ≥ 1,000,000
cap = capacity × service time × 1.2 × hosts`,
		Sources: []string{
			"envoyproxy/envoy api/envoy/config/cluster/v3/circuit_breaker.proto",
			"envoyproxy/envoy#11908: defaults of 1,024 that overflow at load",
		},
		Bad:  "maxParallelRequests: 4294967295",
		Good: "maxParallelRequests: 3000   # 1,000/s × 250ms × 1.2 × 10 hosts",
		Fix:  "Set the cap to capacity × service time × 1.2 × hosts.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		for _, v := range []model.Value{h.Caps.Connections, h.Caps.Requests, h.Caps.Pending} {
			if !v.IsSet() || v.Unit != model.Count || !(v.Amount >= huge) || h.Caps.PerServer && v.Unlimited() {
				continue // CON-02 speaks of servers without a cap, CBK-02 of retries
			}
			if !p.First(v.At, v.Key) {
				continue
			}
			p.Report(v.At, h.Name, v.Key, fmt.Sprintf("%s is %s: the cap holds nothing back", v.Key, v.Raw)).
				Because(v).Formula("%s ≥ 1,000,000", v.Raw).
				Fix("set %s to capacity × service time × 1.2 × hosts: for 1,000/s, 250ms and 10 hosts, 3000", v.Key)
		}
	})
}
