// Package jvm01 finds pauses of a program that are longer than its callers or its probes
// wait.
package jvm01

import (
	"fmt"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// target is the flag that G1 aims at.
const target = "MaxGCPauseMillis"

// Rule is JVM-01.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "JVM-01", Name: "pause-over-limit", Severity: finding.Warning, Since: "0.1",
		Title: "a pause of the program is longer than a caller or a probe waits",
		Why: `While the collector stops the program no request goes on and no probe is answered. A pause over half of the callers' wait uses up what the
slower half of the requests needs, and all that are under way are late together; their callers try again into a program that has just woken up. A
pause over a probe's limit takes a healthy program out, or restarts it.`,
		Formula: `p longest pause: pause in the topology, or the goal MaxGCPauseMillis, which it may exceed
found: p > limit of a liveness or readiness probe, or p > P / 2, P the shortest wait of a caller`,
		Sources: []string{
			"openjdk HotSpot, G1: MaxGCPauseMillis is a goal, 200 ms by default",
			"kubernetes/kubernetes#110083: probes of 1 s fail in pauses",
		},
		Bad:  "pause: 1.5s; livenessProbe: {timeoutSeconds: 1}",
		Good: "pause: 150ms; livenessProbe: {timeoutSeconds: 5, failureThreshold: 6}",
		Fix:  "Shorten the pause (smaller heap, ZGC, a lower goal), or raise the limit over it; 'kneeline gc' says how long pauses are.",
	},
	Needs: rule.Config | rule.Defaults | rule.Topology | rule.Load,
	Chain: check,
}

func check(p *rule.Pass) {
	for _, s := range p.Chain().Services {
		v, at := pause(s)
		if !v.Finite() || v.Amount <= 0 {
			continue
		}
		probes(p, s, v)
		callers(p, s, v, at)
	}
}

// pause is the longest pause that is known of: measured, otherwise the collector's goal.
func pause(s *chain.Service) (model.Value, model.Position) {
	if s.Pause.Finite() {
		return s.Pause, s.Pause.At
	}
	for _, part := range s.Parts {
		if v := part.Service.Extra[target]; v.Finite() {
			return v, rule.At(v, part.Service.At)
		}
	}
	return model.Value{}, model.Position{}
}

func probes(p *rule.Pass, s *chain.Service, v model.Value) {
	for _, part := range s.Parts {
		for _, c := range part.Service.Probes {
			t := c.Timeout
			if !t.Finite() || t.Amount <= 0 || v.Amount <= t.Amount || c.Kind == "startup" {
				continue
			}
			at := rule.At(t, c.At)
			if !p.First(at, c.Kind) {
				continue
			}
			p.Report(at, s.Name, c.Kind+" "+t.Key, fmt.Sprintf("a pause of %s is longer than the %s that the %s probe waits", v, t, c.Kind)).Because(v, t).
				Formula("%s / %s = %s", v, t, units.Number(v.Amount/t.Amount)).Fix("set %s of the %s probe to %s or more, or shorten the pause", t.Key, c.Kind, worst.Text(2*v.Amount))
		}
	}
}

func callers(p *rule.Pass, s *chain.Service, v model.Value, at model.Position) {
	l, of, ok := s.Patience()
	if !ok || v.Amount <= l.Seconds/2 || !p.First(at, v.Key+" callers") {
		return
	}
	p.Report(at, s.Name, v.Key, fmt.Sprintf("a pause of %s takes %s of the %s that %s waits", v, units.Share(v.Amount/l.Seconds), worst.Text(l.Seconds), of.From.Name)).Because(v, l.Value).
		Formula("%s > %s / 2", v, worst.Text(l.Seconds)).Fix("bring pauses to %s or less, or raise %s to %s", worst.Text(l.Seconds/2), l.Value.Key, worst.Text(2*v.Amount))
}
