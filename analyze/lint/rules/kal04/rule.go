// Package kal04 finds silent connections that are kept so long that they hold what
// others need.
package kal04

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// long is from where on it is told, in seconds.
const long = 300

// Rule is KAL-04.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "KAL-04", Name: "long-keep-alive", Severity: finding.Note, Since: "0.1",
		Title: "silent connections of clients are kept for five minutes or more",
		Why: `Each kept connection holds a file descriptor, buffers and a place under the limit of connections; in a server with a thread for each
connection, a thread. With clients that come once, as browsers do, most of what is held is silent. A hundred new clients a second are
30,000 connections at 300 s.`,
		Formula: `connections held = new clients per second × idle limit
found: idle limit ≥ 300s, set; by default only where a connection holds a thread`,
		Sources: []string{
			"haproxy/haproxy doc/configuration.txt, timeout http-keep-alive",
			"RFC 9112, section 9.5",
		},
		Bad:  "timeout http-keep-alive 300s",
		Good: "timeout http-keep-alive 65s",
		Fix:  "Set it to little more than the balancer or client in front keeps, such as 65 s.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Services(func(_ *model.Document, s *model.Service) {
		v := s.Listen.Idle
		if !v.Known() || v.Unit != model.Seconds || !(v.Amount >= long) || !v.IsSet() && !s.Listen.WorkerPerConnection {
			return
		}
		at := rule.At(v, s.At)
		if !p.First(at, v.Key) {
			return
		}
		message, formula := fmt.Sprintf("silent connections are kept for %s", v), "connections held = new clients per second × no limit"
		if v.Finite() {
			formula = fmt.Sprintf("connections held at 100 new clients a second = 100/s × %s = %s", v, units.Number(100*v.Amount))
		} else {
			message = "silent connections are kept without end"
		}
		if s.Listen.WorkerPerConnection {
			message += ", each with a thread"
		}
		p.Report(at, s.Name, v.Key, message).Because(v).Formula("%s", formula).Fix("set %s to 65s, or 5s more than the balancer in front keeps them", setting(v))
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
