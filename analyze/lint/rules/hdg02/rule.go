// Package hdg02 finds hedged calls that must not be made twice.
package hdg02

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/writes"
	"example.com/kneeline/internal/finding"
)

// Rule is HDG-02.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "HDG-02", Name: "hedged-writes", Severity: finding.Error, Since: "0.1",
		Title: "a call that may change something twice is hedged",
		Why: `A hedge is sent while the first request is still running, so both are carried out as a rule, not by accident. That is fine for a read.
A call that places an order places two.`,
		Formula: `requests carried out = up to the number of hedges + 1
error:   POST or PATCH is hedged
warning: a procedure whose name begins with a verb that changes something, or a GET of such a path`,
		Sources: []string{
			"grpc/proposal A6: hedging is for methods that are safe to be executed more than once",
			"J. Dean, L. A. Barroso, The tail at scale, CACM 56(2) (2013)",
		},
		Bad:  `"name": [{"service": "shop.Orders", "method": "CreateOrder"}], "hedgingPolicy": {"maxAttempts": 3}`,
		Good: `"name": [{"service": "shop.Orders", "method": "GetOrder"}], "hedgingPolicy": {"maxAttempts": 2, "hedgingDelay": "0.5s"}`,
		Fix:  "Hedge only methods that may be carried out twice.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		if !h.Hedge.Max.Known() && !h.Hedge.Delay.Known() || h.Hedge.Max.Known() && h.Hedge.Max.Amount <= 1 {
			return
		}
		for _, m := range h.Retry.Methods {
			severity := finding.Error
			switch writes.Call(m.Name) {
			case writes.Twice:
			case writes.Likely:
				severity = finding.Warning
			default:
				continue
			}
			at := m.At
			if at.Line == 0 {
				at = rule.At(h.Hedge.Max, h.At)
			}
			if !p.First(at, m.Name) {
				continue
			}
			f := p.Report(at, h.Name, m.Name, fmt.Sprintf("%s is sent again while the first request is running: its effect may come twice", m.Name)).Severity(severity)
			f.Because(h.Hedge.Delay)
			n := "2"
			if h.Hedge.Max.Finite() {
				n = h.Hedge.Max.String()
				f.Because(h.Hedge.Max)
			}
			f.Formula("up to %s requests of %s are carried out", n, m.Name).Fix("take %s out of what is hedged", m.Name)
		}
	})
}
