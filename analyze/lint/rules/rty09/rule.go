// Package rty09 tells of tries that nobody has asked for.
package rty09

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is RTY-09.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "RTY-09", Name: "implicit-retries", Severity: finding.Note, Since: "0.1",
		Title: "calls are tried again although no setting asks for it",
		Why: `Some programs and meshes try again by default. Nobody has chosen the number, nobody counts these tries when load is planned, and a
layer above that retries as well multiplies with them. Defaults change between versions, too.

Where the limit of the call is the limit of each try, such tries can never follow a try that was slow: they are inert, and read as if
they were not.`,
		Formula: `tries = default, while the file sets none
inert after a timeout: limit of a try = limit of the call`,
		Sources: []string{
			"istio/istio pilot/pkg/networking/core/route/retry/retry.go, DefaultPolicy: two retries",
			"istio/istio#13851, #27340: default retries of calls that must not be repeated",
			"Kong/kong kong/db/schema/entities/services.lua: five retries",
		},
		Bad:  "http: [{route: [{destination: {host: payouts}}]}]   # two retries by default",
		Good: "http: [{route: [{destination: {host: payouts}}], retries: {attempts: 0}}]",
		Fix:  "Write the number of tries that the call may have; one try where it must not be repeated.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		var first *model.Hop
		hops := 0
		for _, h := range d.Hops {
			if !implicit(h) {
				continue
			}
			if first == nil || inert(h) && !inert(first) {
				first = h
			}
			hops++
		}
		if first != nil {
			report(p, first, hops)
		}
	}
}

// implicit reports whether a hop has tries by default that RTY-02 does not tell of:
// walks over the servers of a group are its subject, and tries of connections alone are
// no harm.
func implicit(h *model.Hop) bool {
	return h.Retry.Implicit && h.Retry.Retries() && !h.StartTry.Present() && !worst.OnlyConnects(h.Retry)
}

// inert reports whether a slow try takes all of the call's time.
func inert(h *model.Hop) bool {
	return h.Total.IsSet() && h.Total.Finite() && (!h.PerTry.Known() || h.PerTry.Origin == model.Derived && h.PerTry.Amount >= h.Total.Amount)
}

func report(p *rule.Pass, h *model.Hop, hops int) {
	tries := h.Retry.Tries
	at := rule.At(h.Retry.Written, h.At)
	message := fmt.Sprintf("%s tries of a call by default", tries)
	formula := fmt.Sprintf("tries = %s, while the file sets none", tries)
	if inert(h) {
		message += fmt.Sprintf("; after a slow one none follows, since it may take all of %s", h.Total)
		formula = fmt.Sprintf("limit of a try = limit of the call = %s: 1 of %s tries", h.Total, tries)
	}
	if hops > 1 {
		message += fmt.Sprintf("; here and in %s more", units.Number(float64(hops-1)))
	}
	f := p.Report(at, h.Name, h.Retry.Written.Key, message).Because(tries)
	if inert(h) {
		f.Because(h.Total)
	}
	f.Formula("%s", formula).Fix("write %s, with the number that this call may have: none where it must not be repeated", key(h.Retry))
}

func key(r model.Retry) string {
	if r.Written.Key != "" {
		return r.Written.Key
	}
	return "the number of retries"
}
