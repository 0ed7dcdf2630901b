// Package cbk04 finds checks by traffic that are switched off.
package cbk04

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is CBK-04.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "CBK-04", Name: "passive-checks-off", Severity: finding.Warning, Since: "0.1",
		Title: "a host that fails is never left alone",
		Why: `With max_fails=0 or fail_timeout=0 a server of an nginx upstream counts as good whatever it answers. Each request that is sent its
way waits for the limit again, and then goes on to the next: a server that hangs costs every n-th request its full wait.`,
		Formula: "max_fails = 0 or fail_timeout = 0; requests that wait for a dead server = 1 / servers",
		Sources: []string{"nginx/nginx.org xml/en/docs/http/ngx_http_upstream_module.xml: zero switches the accounting of attempts off"},
		Bad:     "server app:8000 fail_timeout=0;",
		Good:    "server app:8000 max_fails=3 fail_timeout=10s;",
		Fix:     "Remove the setting or set max_fails=3 fail_timeout=10s; with a single server nginx does not leave it out in any case.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		v := h.Breaker.Off
		if !v.IsSet() || !v.On() {
			return
		}
		f := p.Report(rule.At(v, h.At), h.Name, v.Key, fmt.Sprintf("%s=%s: a server that fails gets its share of the requests all the same", v.Key, v.Raw)).Because(v)
		if n := h.Retry.Servers; n > 1 {
			f.Formula("1 of %d servers down: 1 request in %d waits for it", n, n)
		} else {
			f.Formula("%s = %s: failures are not counted", v.Key, v.Raw)
		}
		f.Fix("remove %s=%s, or set max_fails=3 fail_timeout=10s", v.Key, v.Raw)
	})
}
