// Package tmo13 tells where a short limit is one between two reads and reads like one
// of the whole call.
package tmo13

import (
	"fmt"

	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// tight is below what limit somebody counts on it for requests, in seconds. Longer ones
// are there to let go of what hangs.
const tight = 5

// Rule is TMO-13.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "TMO-13", Name: "gap-timer-alone", Severity: finding.Note, Since: "0.1",
		Title: "a limit between two reads is all that bounds the call",
		Why: `The read timeouts of nginx, HAProxy and Kong bound the gap between two reads. A callee that sends a byte now and then never exceeds
them, and an answer may take any time. Who sets 2 s there counts on requests of 2 s, and has none.`,
		Formula: "no limit of the call or of a try; the limit between two reads is set below 5 s; a call takes up to (reads × limit)",
		Sources: []string{
			"nginx/nginx.org xml/en/docs/http/ngx_http_proxy_module.xml: proxy_read_timeout is set between two successive read operations",
			"haproxy/haproxy doc/configuration.txt: timeout server is inactivity",
		},
		Bad:  "proxy_read_timeout 2s;   # and nothing else",
		Good: "proxy_read_timeout 2s;   # and the client gives up after 3 s",
		Fix:  "Have the caller limit the whole call; the proxy cannot.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		for _, h := range d.Hops {
			v := h.GapRead
			bounded := h.Total.IsHole() || h.Total.Finite() || h.PerTry.IsHole() || h.PerTry.Finite()
			if h.Streams || bounded || !v.IsSet() || !v.Finite() || v.Amount <= 0 || v.Amount >= tight {
				continue
			}
			p.Report(v.At, h.Name, v.Key, fmt.Sprintf("%s bounds the time between two reads: an answer that comes in pieces may take longer than %s", v.Key, v)).
				Because(v).Formula("10 pieces, %s apart = up to %.3gs", v, 10*v.Amount).
				Fix("have the caller limit the whole call to %s; %s stays as it is", v, v.Key)
			break
		}
	}
}
