// Package kal05 tells of connections that carry so many requests that load does not
// spread again.
package kal05

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

const (
	// many is from where on it is told.
	many = 100_000
	// rate is that of a busy connection, per second.
	rate = 100
)

// Rule is KAL-05.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "KAL-05", Name: "connections-never-close", Severity: finding.Note, Since: "0.1",
		Title: "a connection carries 100,000 requests and more before it closes",
		Why: `Balancers of connections spread load when a connection opens. One that lives for a hundred thousand requests stays where it is: a host
that has just come back gets nothing, the one that took over keeps all. Memory that is bound to a connection is not given back either.`,
		Formula: `life of a connection = requests per connection / its rate
found: requests per connection ≥ 100,000, set`,
		Sources: []string{"nginx/nginx.org xml/en/docs/http/ngx_http_core_module.xml, keepalive_requests: closing is needed to free memory of a connection; 1000"},
		Bad:     "keepalive_requests 100000;",
		Good:    "keepalive_requests 1000;",
		Fix:     "Set it to 1,000, or limit the age of connections.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Services(func(_ *model.Document, s *model.Service) { judge(p, s.Name, s.Listen.KeepRequests) })
	p.Hops(func(_ *model.Document, h *model.Hop) {
		if !h.Pool.Lifetime.IsSet() {
			judge(p, h.Name, h.Pool.Requests)
		}
	})
}

func judge(p *rule.Pass, object string, v model.Value) {
	if !v.IsSet() || !v.Finite() || v.Amount < many || !p.First(v.At, v.Key) {
		return
	}
	life := worst.Text(v.Amount / rate)
	p.Report(v.At, object, v.Key, fmt.Sprintf("a connection carries up to %s requests: at %d a second it stays for %s", v, rate, life)).
		Because(v).Formula("%s / %d/s = %s", v, rate, life).Fix("set %s to 1000", v.Key)
}
