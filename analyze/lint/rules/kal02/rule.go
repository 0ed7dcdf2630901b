// Package kal02 tells of clients that keep silent connections for as long as a default
// says.
package kal02

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// long is from where on the default outlasts common servers, in seconds.
const long = 75

// Rule is KAL-02.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "KAL-02", Name: "default-client-idle", Severity: finding.Note, Since: "0.1",
		Title: "a client keeps silent connections for a long default time",
		Why: `The client's limit must be shorter than the server's, or requests are sent into connections that the server is closing. An hour,
Envoy's default, is longer than that of nearly all servers: 5 s in Node, 20 s in Tomcat, 75 s in nginx.`,
		Formula: `idle limit of the client < idle limit of the server
found: the client's is a default of more than 75s`,
		Sources: []string{
			"envoyproxy/envoy api/envoy/config/core/v3/protocol.proto, HttpProtocolOptions.idle_timeout: 1 h",
			"envoyproxy/envoy#14981, #17432; istio/istio#55138",
		},
		Bad:  "clusters: [{name: app}]   # idle_timeout 1h",
		Good: "common_http_protocol_options: {idle_timeout: 4s}   # the server closes after 5 s",
		Fix:  "Write the client's idle limit, a second or more below the server's.",
	},
	Needs: rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		var first *model.Hop
		hops := 0
		for _, h := range d.Hops {
			if h.Match != "" {
				continue // a route: its connections are set elsewhere
			}
			if v := h.Idle; v.Origin != model.Default || !v.Known() || !(v.Amount > long) {
				continue
			}
			if first == nil {
				first = h
			}
			hops++
		}
		if first == nil {
			continue
		}
		v := first.Idle
		message := fmt.Sprintf("%s is not set: silent connections are kept for %s, longer than most servers keep theirs", v.Key, v)
		if hops > 1 {
			message += fmt.Sprintf("; here and in %s more", units.Number(float64(hops-1)))
		}
		p.Report(rule.At(v, first.At), first.Name, v.Key, message).Because(v).Formula("%s > %ds", v, long).
			Fix("set %s to less than the server's idle limit: 55s before one of 60s", v.Key)
	}
}
