// Package kal03 finds kept connections that are closed before they are used again.
package kal03

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is KAL-03.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "KAL-03", Name: "idle-churn", Severity: finding.Note, Since: "0.1",
		Title: "kept connections are closed after less than a second",
		Why: `A connection is kept to spare the next request a handshake: one round trip, with TLS two or three, and the processor time of the keys.
Closed within a second, most are gone before the next request of that client, so that the handshakes come back when they cost most,
under load and after a pause.`,
		Formula: `share of requests with a handshake = share of gaps between requests that are longer than the idle limit
found: 0 < idle limit < 1s`,
		Sources: []string{"RFC 9112, section 9.3: persistence; RFC 8446: the handshake of TLS"},
		Bad:     "common_http_protocol_options: {idle_timeout: 0.840s}",
		Good:    "common_http_protocol_options: {idle_timeout: 60s}",
		Fix:     "Keep silent connections for as long as clients pause between requests, such as 60 s.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Services(func(_ *model.Document, s *model.Service) { judge(p, s.Name, s.Listen.Idle) })
	p.Hops(func(_ *model.Document, h *model.Hop) {
		judge(p, h.Name, h.Idle)
		judge(p, h.Name, h.Pool.IdleEvict)
	})
}

func judge(p *rule.Pass, object string, v model.Value) {
	if !v.IsSet() || !v.Finite() || v.Amount <= 0 || v.Amount >= 1 || v.Unit != model.Seconds || !p.First(v.At, v.Key) {
		return
	}
	p.Report(v.At, object, v.Key, fmt.Sprintf("silent connections are closed after %s: most requests begin with a handshake", v)).
		Because(v).Formula("1s / %s = %s", v, units.Number(1/v.Amount)).Fix("set %s to 60s, less than the other side where this is the client", v.Key)
}
