// Package kal01 tells of servers that close kept connections before their balancer does.
package kal01

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// balancer is how long the usual balancers keep a silent connection to a server, in
// seconds.
const balancer = 60

// Rule is KAL-01.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "KAL-01", Name: "server-idles-out-first", Severity: finding.Note, Since: "0.1",
		Title: "a server closes kept connections before its balancer may",
		Why: `Client and server each close a connection that has been silent for long enough. If the server is first, it may close in the moment
in which the client sends the next request: the client sees a reset, cannot know whether the request was carried out, and fails a POST.
That happens rarely, without any load, and is blamed on everything else. The client's limit must be the shorter one.`,
		Formula: `found: idle limit of the server < 60s, which is what AWS's application load balancer keeps by default
idle limit of the server = idle limit of the client + 5s`,
		Sources: []string{
			"AWS, Application Load Balancers: idle timeout 60 s; keep the target's longer",
			"envoyproxy/envoy#14981, istio/istio#55138, ar-io/ar-io-node#787: 5 s behind 1 h",
		},
		Bad:  "keepalive_timeout 20s;   # behind a balancer with 60 s",
		Good: "keepalive_timeout 65s;",
		Fix:  "Set the server's idle limit to that of the balancer or client in front and 5 s more. Where clients are browsers, a short one is right.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
	Chain: checkChain,
}

func check(p *rule.Pass) {
	p.Services(func(_ *model.Document, s *model.Service) {
		v := s.Listen.Idle
		if !v.Finite() || v.Amount < 1 || v.Amount >= balancer || v.Unit != model.Seconds {
			return // none is KAL-06's, under a second KAL-03's
		}
		at := rule.At(v, s.At)
		if !p.First(at, v.Key) {
			return
		}
		message := fmt.Sprintf("kept connections are closed after %s: a balancer that keeps them for %ds sends into closed ones", v, balancer)
		p.Report(at, s.Name, v.Key, message).Because(v).
			Formula("%s / %ds = %s", v, balancer, units.Number(v.Amount/balancer)).
			Fix("set %s to %ds behind a balancer with %ds", setting(v), balancer+5, balancer)
	})
}

// setting names what sets the idle limit alone, where another one stands in for it.
func setting(v model.Value) string {
	switch v.Key {
	case "timeout client", "timeout http-request":
		return "timeout http-keep-alive"
	}
	return v.Key
}
