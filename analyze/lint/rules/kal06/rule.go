// Package kal06 finds connections that are not kept.
package kal06

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// few is the number of requests a connection below which it is told.
const few = 100

// Rule is KAL-06.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "KAL-06", Name: "keep-alive-off", Severity: finding.Warning, Since: "0.1",
		Title: "connections are closed after one request, or after few",
		Why: `Each request then begins with a handshake, with TLS several round trips and the work of the keys on both sides. Under overload that
is work that a server cannot refuse cheaply: the handshake comes before any limit of requests. Retries open further connections, and
closed ones hold their port for a minute.`,
		Formula: `handshakes per second = arrival rate / requests per connection
warning: 1 request per connection, or keep-alive off, set
note:    less than 100`,
		Sources: []string{
			"envoyproxy/envoy api/envoy/config/core/v3/protocol.proto: max_requests_per_connection 1 switches keep-alive off",
			"nginx/nginx.org xml/en/docs/http/ngx_http_core_module.xml: keepalive_timeout 0",
		},
		Bad:  "maxRequestsPerConnection: 1",
		Good: "maxRequestsPerConnection: 1000",
		Fix:  "Keep connections, and close them by age or after 1,000 requests where load must spread again.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		requests(p, h.Name, h.Pool.Requests)
		if v := h.Pool.KeepAlive; v.IsSet() && v.Off() && p.First(v.At, v.Key) {
			off(p, h.Name, v)
		}
	})
	p.Services(func(_ *model.Document, s *model.Service) {
		requests(p, s.Name, s.Listen.KeepRequests)
		if v := s.Listen.Idle; v.IsSet() && v.Unit == model.Seconds && v.Amount == 0 && p.First(v.At, v.Key) {
			off(p, s.Name, v)
		}
	})
}

func off(p *rule.Pass, object string, v model.Value) {
	setting := v.Key
	if !strings.HasSuffix(v.Key, v.Raw) { // an option is its own value
		setting += " " + v.Raw
	}
	p.Report(v.At, object, v.Key, setting+": no connection is kept, each request begins with a handshake").
		Because(v).Formula("handshakes per second = arrival rate").Fix("keep connections: take %s out or set it to keep them", v.Key)
}

func requests(p *rule.Pass, object string, v model.Value) {
	if !v.IsSet() || !v.Finite() || v.Unit != model.Count || v.Amount < 0 || v.Amount >= few || !p.First(v.At, v.Key) {
		return
	}
	if v.Amount <= 1 {
		off(p, object, v)
		return
	}
	p.Report(v.At, object, v.Key, fmt.Sprintf("a connection is closed after %s requests", v)).Severity(finding.Note).
		Because(v).Formula("handshakes per second = arrival rate / %s = %s of it", v, units.Share(1/v.Amount)).Fix("set %s to 1000", v.Key)
}
