// Package con02 finds balancers that pass on any number of requests to each server.
package con02

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is CON-02.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "CON-02", Name: "no-server-cap", Severity: finding.Warning, Since: "0.1",
		Title: "nothing caps what one server gets at once",
		Why: `A balancer that has no cap for each server hands on all that comes. A server that slows down, by a pause or a cold cache, gets more and
more requests under way, each slower for it, until it is of no use. With a cap the surplus goes to the others, or waits where it can be
refused.`,
		Formula: `under way at one server = its arrival rate × its response time, without end
cap = capacity × service time × 1.2
warning where "no limit" is written, note where it is the default`,
		Sources: []string{
			"haproxy/haproxy doc/configuration.txt, maxconn of a server: protects fragile servers",
			"nginx/nginx.org xml/en/docs/http/ngx_http_upstream_module.xml, max_conns: 0 is no limit",
		},
		Bad:  "server app1 10.0.0.1:8080 check",
		Good: "server app1 10.0.0.1:8080 check maxconn 60   # 1,000/s × 50ms × 1.2",
		Fix:  "Cap each server at capacity × service time × 1.2.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		var first *model.Hop
		hops := 0
		for _, h := range d.Hops {
			c := h.Caps.Connections
			if !h.Caps.PerServer || !c.Unlimited() {
				continue
			}
			if c.IsSet() {
				report(p, h, 1)
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

func report(p *rule.Pass, h *model.Hop, hops int) {
	c := h.Caps.Connections
	at := rule.At(c, h.At)
	if !p.First(at, c.Key) {
		return
	}
	message := fmt.Sprintf("%s is not set: one server may get any number of requests at once", c.Key)
	severity := finding.Note
	if c.IsSet() {
		message = fmt.Sprintf("%s is %s, which is no limit: one server may get any number of requests at once", c.Key, c.Raw)
		severity = finding.Warning
	}
	if hops > 1 {
		message += fmt.Sprintf("; here and in %s more", units.Number(float64(hops-1)))
	}
	p.Report(at, h.Name, c.Key, message).Severity(severity).Because(c).
		Formula("under way at one server = its arrival rate × its response time").
		Fix("set %s to capacity × service time × 1.2: for 1,000/s and 50ms, 60", c.Key)
}
