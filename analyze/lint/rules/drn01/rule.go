// Package drn01 finds programs that are killed before their requests are done.
package drn01

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

// short is the grace below which requests of a few seconds and the removal from
// balancers do not fit, in seconds.
const short = 10

// Rule is DRN-01.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "DRN-01", Name: "grace-too-short", Severity: finding.Warning, Since: "0.1",
		Title: "a program is killed before its requests are done",
		Why: `From the order to end until it is killed a program has a time of grace, in which a hook runs first, balancers learn that it goes,
and requests under way end. If the time is shorter than the hook, the program is killed before it has been told; if it is shorter than
hook and longest request, every deployment loses requests.`,
		Formula: `G grace, H hook that runs first, D time that the program waits itself, T longest request
error: H ≥ G, or D < T / 2
warning: H + D > G, or D < T, or G < 10 s is set`,
		Sources: []string{
			"kubernetes/kubernetes#23515: a hook of 60 s under a grace of 30 s; #20473",
			"kubernetes/api core/v1/types.go: terminationGracePeriodSeconds counts from the hook on, 30 s by default",
		},
		Bad:  "terminationGracePeriodSeconds: 5\nlifecycle: {preStop: {exec: {command: [sleep, \"15\"]}}}",
		Good: "terminationGracePeriodSeconds: 50\nlifecycle: {preStop: {exec: {command: [sleep, \"15\"]}}}   # requests of 30 s and 5 s to spare",
		Fix:  "Set the grace to hook + longest request + 5 s.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
	Chain: checkChain,
}

func check(p *rule.Pass) {
	p.Services(func(_ *model.Document, s *model.Service) {
		d := s.Drain
		if d.Grace.Finite() {
			grace(p, s)
		}
		if t := s.Exec.Total; d.Stop.Finite() && d.Stop.Amount > 0 && t.Finite() && d.Stop.Amount < t.Amount && (d.Stop.IsSet() || t.IsSet()) {
			f := p.Report(rule.At(d.Stop, s.At), s.Name, d.Stop.Key, fmt.Sprintf("the program waits %s for its requests, which may take %s", d.Stop, t))
			if d.Stop.Amount < t.Amount/2 {
				f.Severity(finding.Error)
			}
			f.Because(d.Stop, t).Formula("%s < %s", d.Stop, t).Fix("set %s to %s", d.Stop.Key, worst.Text(t.Amount+5))
		}
	})
}

func grace(p *rule.Pass, s *model.Service) {
	g, hook, stop := s.Drain.Grace, s.Drain.PreStop, s.Drain.Stop
	if hook.IsHole() || stop.IsHole() {
		return
	}
	at := rule.At(g, s.At)
	if !g.IsSet() && hook.IsSet() {
		at = hook.At // what somebody has written
	}
	need := amount(hook) + amount(stop)
	switch {
	case hook.Finite() && hook.Amount >= g.Amount && hook.Amount > 0:
		p.Report(at, s.Name, g.Key, fmt.Sprintf("the hook that runs first takes %s, the grace is %s: the program is killed before it is told to end", hook, g)).
			Severity(finding.Error).Because(hook, g).Formula("%s ≥ %s", hook, g).
			Fix("set %s to %.0f: the hook, requests of 30 s and 5 s to spare", g.Key, hook.Amount+35)
	case need > g.Amount && stop.IsSet():
		f := p.Report(at, s.Name, g.Key, fmt.Sprintf("hook and the program's own wait take %s, the grace is %s", worst.Text(need), g))
		if hook.Finite() {
			f.Because(hook)
		}
		f.Because(stop, g).Formula("%s + %s = %s > %s", worst.Text(amount(hook)), stop, worst.Text(need), g).
			Fix("set %s to %.0f, or %s to %s", g.Key, need+5, stop.Key, worst.Text(max(0, g.Amount-amount(hook)-5)))
	case g.IsSet() && g.Amount < short:
		f := p.Report(at, s.Name, g.Key, fmt.Sprintf("the grace is %s: balancers that have not heard yet and requests of a few seconds do not fit into it", g))
		f.Because(g).Formula("%s < 5s until balancers know + 5s for requests", g).
			Fix("set %s to 30, or to hook + longest request + 5 s", g.Key)
	}
}

func amount(v model.Value) float64 {
	if v.Finite() {
		return max(v.Amount, 0)
	}
	return 0
}
