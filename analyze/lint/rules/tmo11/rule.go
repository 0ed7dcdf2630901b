// Package tmo11 tells of calls that are made before a hop's own and take time of their
// own.
package tmo11

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

// Rule is TMO-11.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "TMO-11", Name: "side-call-uncounted", Severity: finding.Note, Since: "0.1",
		Title: "a call that is made first takes time outside of the limit",
		Why: `External authorization, rate limiting and token exchange are calls of their own, made before the request goes on. The limit of the
route begins after them, or does not cover them: the caller waits for both. One whose limit is as long as the route's doubles the wait.`,
		Formula: "caller waits up to T_side + T",
		Sources: []string{
			"envoyproxy/data-plane-api envoy/extensions/filters/http/ext_authz/v3/ext_authz.proto",
			"nginx/nginx.org xml/en/docs/http/ngx_http_auth_request_module.xml: a subrequest comes first",
		},
		Bad:  "auth_request /auth;        # waits 60 s\nproxy_read_timeout 5s;",
		Good: "location = /auth { proxy_read_timeout 500ms; }\nproxy_read_timeout 5s;",
		Fix:  "Keep the limit of the side call to a tenth of the route's, and the sum of both below the caller's.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		seen := map[model.Position]bool{}
		for _, h := range d.Hops {
			for _, side := range h.SideCalls {
				if side.Known() && side.Unit == model.Seconds && !math.IsNaN(side.Amount) && !seen[side.At] {
					seen[side.At] = true
					report(p, h, side)
				}
			}
		}
	}
}

func report(p *rule.Pass, h *model.Hop, side model.Value) {
	c, ok := worst.Whole(h)
	if !ok {
		return
	}
	own := "the call itself up to " + worst.Text(c.Seconds)
	p.Report(rule.At(side, h.At), h.Name, side.Key+" of side call", fmt.Sprintf("a call that is made first may take %s, then %s", side, own)).
		Because(side).Because(c.From...).Formula("%s + %s = %s", side, worst.Text(c.Seconds), worst.Text(side.Amount+c.Seconds)).
		Fix("set %s to a tenth of the call's own limit or less, and count both in the caller's limit", side.Key)
}
