// Package hdg04 finds hedges that are set and never sent.
package hdg04

import (
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is HDG-04.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "HDG-04", Name: "hedging-ignored", Severity: finding.Warning, Since: "0.1",
		Title: "hedging is set where the program does not hedge",
		Why: `The setting is read without a complaint and does nothing, so that latency is planned on a second request that is never sent. Where
clients in several languages share one file, some hedge and some do not, and the service sees two kinds of load from one setting.`,
		Formula: "found: a hedging policy, in a file for a program that does not carry it out as written",
		Sources: []string{
			"grpc/grpc-go service_config.go: parses retryPolicy and no hedgingPolicy",
			"envoyproxy/envoy api/envoy/config/route/v3/route_components.proto, HedgePolicy: initial_requests is not implemented",
		},
		Bad:  `"hedgingPolicy": {"maxAttempts": 3}   # a client in Go`,
		Good: `"retryPolicy": {"maxAttempts": 2, "initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]}`,
		Fix:  "Take it out, retry in its place, or use a client that hedges.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		e := h.Hedge
		if e.Ignored == "" {
			return
		}
		v := e.Max
		if !v.IsSet() && e.Delay.IsSet() {
			v = e.Delay
		}
		at := rule.At(v, h.At)
		if !p.First(at, v.Key) {
			return
		}
		p.Report(at, h.Name, v.Key, "hedging has no effect: "+e.Ignored).Because(v).
			Formula("hedges sent = 0").Fix("take the hedging policy out, or use a client that hedges")
	})
}
