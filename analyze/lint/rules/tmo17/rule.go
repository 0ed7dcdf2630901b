// Package tmo17 finds limits that end the wait and not the work.
package tmo17

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is TMO-17.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "TMO-17", Name: "work-goes-on", Severity: finding.Warning, Since: "0.1",
		Title: "the end of the limit does not end the work",
		Why: `A limit that only stops waiting leaves the thread, the connection and the callee's work as they are. The caller tries again while the
first try still runs: under overload most of what runs is work that nobody waits for, and the limit has made it more.`,
		Formula: "cancelling is set to off; work that nobody waits for = rate of timeouts × (time the work takes − limit)",
		Sources: []string{
			"Google, Site Reliability Engineering, chapter 22: cancellation propagation",
			"resilience4j/resilience4j TimeLimiterConfig: cancelRunningFuture",
			"nginx/nginx.org xml/en/docs/http/ngx_http_proxy_module.xml: proxy_ignore_client_abort",
		},
		Bad:  "proxy_ignore_client_abort on;",
		Good: "proxy_ignore_client_abort off;",
		Fix:  "Switch cancelling on, except for calls that must run to their end, and bound those.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		seen := map[model.Position]bool{}
		for _, h := range d.Hops {
			v := h.CancelsWork
			if !v.IsSet() || !v.Off() || seen[v.At] {
				continue
			}
			seen[v.At] = true
			f := p.Report(v.At, h.Name, v.Key, fmt.Sprintf("%s is %s: work goes on when nobody waits for it any more", v.Key, v.Raw)).Because(v)
			limit := h.Total
			for _, l := range []model.Value{h.PerTry, h.GapRead} {
				if !limit.Finite() {
					limit = l
				}
			}
			if limit.Finite() && limit.Amount > 0 {
				f.Because(limit).Formula("100 calls/s that are given up, each running on for as long again as %s = %s calls at once for nobody", limit, units.Number(100*limit.Amount))
			} else {
				f.Formula("%s = %s", v.Key, v.Raw)
			}
			f.Fix("set %s to %s", v.Key, opposite(v.Raw)).Write(v, opposite(v.Raw))
		}
	}
}

// opposite is the other word of the pair that a flag was written in.
func opposite(raw string) string {
	switch raw {
	case "on":
		return "off"
	case "true":
		return "false"
	case "false":
		return "true"
	}
	return "on"
}
