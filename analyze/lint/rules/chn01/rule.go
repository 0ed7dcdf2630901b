// Package chn01 finds services that work for callers that have gone.
package chn01

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is CHN-01.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "CHN-01", Name: "chain-inversion", Severity: finding.Error, Since: "0.1",
		Title: "a service waits longer for its callee than its caller for it",
		Why: `A caller that has given up does not tell. The service that it called goes on: it waits for its own callee, tries that again, holds a
thread and a connection, and answers nobody. The slower the far end, the more of the chain's work is for callers that have gone, and where they
try again each of them is worked for several times at once. Limits have to shrink from the edge inwards.`,
		Formula: `P how long the caller waits for one answer, the shortest limit of its layers
W how long the service's own call may take, min(T, A × P + waits) of its layers
s the service's own work
found: W > P; error where W is over the caller's whole wait as well, or that has no limit
W = P − s`,
		Sources: []string{
			"Site Reliability Engineering (Google, 2016), chapter 22, Latency and Deadlines: propagate deadlines",
			"grpc.io/docs/guides/deadlines: the callee keeps what is left of the caller's deadline",
			"e2b-dev/infra#617: limits of a chain in order, 600 s before 610 s",
		},
		Bad:  "edge → orders: timeout 400ms\norders → stock: timeout 1s, 3 tries",
		Good: "edge → orders: timeout 400ms\norders → stock: timeout 180ms, 2 tries, 360ms in all; or the deadline goes along",
		Fix:  "Set the limit of the service's own calls to what its caller waits less its own work, or carry the caller's deadline along.",
	},
	Needs: rule.Config | rule.Defaults | rule.Topology,
	Chain: check,
}

func check(p *rule.Pass) {
	for _, out := range p.Chain().Hops {
		if !out.Inverted() {
			continue
		}
		w, _ := out.Wait()
		l, in := out.From.Waiting()
		report(p, in, l, out, w)
	}
}

func report(p *rule.Pass, in *chain.Hop, l chain.Limit, out *chain.Hop, w chain.Wait) {
	v := decides(w)
	s := out.From
	f := p.Report(rule.At(v, or(w.Layer.Hop.At, out.At)), out.Name(), v.Key, fmt.Sprintf("%s may wait %s for %s, %s waits %s for it: up to %s of work for a caller that has gone",
		s.Name, worst.Text(w.Seconds), out.To.Name, in.From.Name, worst.Text(l.Seconds), worst.Text(w.Seconds-l.Seconds)))
	if whole, ok := in.Wait(); ok && w.Seconds <= whole.Seconds && whole.Seconds > l.Seconds {
		f.Severity(finding.Warning) // the caller is still there, with its next try
	}
	f.Because(l.More...).Because(l.Value).Because(w.Outer.From...)
	f.Formula("%s, W = %s > P = %s%s", w.Outer.Formula(), worst.Text(w.Seconds), worst.Text(l.Seconds), times(w.Seconds/l.Seconds))
	room := l.Seconds
	what := worst.Text(l.Seconds)
	if m := s.MeanTime(); m.Finite() && m.Amount < room {
		f.Because(m)
		room -= m.Amount
		what = fmt.Sprintf("%s (%s − %s of its own)", worst.Text(room), worst.Text(l.Seconds), m)
	}
	if w.Outer.Tries > 1 && !math.IsInf(w.Outer.Tries, 1) {
		f.Fix("bring the call from %s to %s to %s in all: %s; or carry the deadline of %s along", s.Name, out.To.Name, what, each(w.Outer, room), in.From.Name)
		return
	}
	f.Fix("set %s to %s, or carry the deadline of %s along", v.Key, what, in.From.Name)
}

// each is how the tries of a call fit into room, the waits between them counted in.
func each(c worst.Call, room float64) string {
	if c.Waits >= room {
		return fmt.Sprintf("the waits between %.0f tries alone are %s, so fewer of them", c.Tries, worst.Text(c.Waits))
	}
	text := fmt.Sprintf("with %.0f tries", c.Tries)
	if c.Waits > 0 {
		text += " and waits of " + worst.Text(c.Waits)
	}
	return fmt.Sprintf("%s, %s each", text, worst.AtMost((room-c.Waits)/c.Tries))
}

// decides is the setting that a wait rests on most: what cuts it, otherwise its largest
// part.
func decides(w chain.Wait) model.Value {
	if w.Outer.Limit.Present() {
		return w.Outer.Limit
	}
	var out model.Value
	for _, v := range w.Outer.From {
		if v.Unit == model.Seconds && v.At.Line > 0 && (!out.Present() || v.Amount > out.Amount) {
			out = v
		}
	}
	if !out.Present() && len(w.Outer.From) > 0 {
		out = w.Outer.From[0]
	}
	return out
}

func or(a, b model.Position) model.Position {
	if a.Line > 0 {
		return a
	}
	return b
}

func times(x float64) string {
	if math.IsInf(x, 1) {
		return ""
	}
	return ", " + units.Number(x) + " times"
}
