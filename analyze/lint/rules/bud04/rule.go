// Package bud04 finds budgets of retries that are larger than the headroom.
package bud04

import (
	"fmt"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/internal/units"
)

// Rule is BUD-04, whose page the audit of queues has too.
var Rule = rule.Rule{Rule: queue.Rule("BUD-04"), Needs: rule.Config | rule.Defaults | rule.Topology | rule.Load, Chain: check}

func check(p *rule.Pass) {
	for _, h := range p.Chain().Hops {
		for _, l := range h.Layers {
			b := l.Hop.Budget.Ratio
			if !b.Finite() || b.Amount <= 0 || !l.Hop.Retry.Retries() && !l.Hop.Hedge.Delay.Known() && !b.IsSet() {
				continue
			}
			one(p, h, l, b)
		}
	}
}

func one(p *rule.Pass, h *chain.Hop, l chain.Layer, b model.Value) {
	s := h.To
	for _, need := range []struct {
		v   model.Value
		key string
	}{{s.Capacity, "capacity"}, {s.Peak, "peak"}} {
		if !need.v.Finite() {
			p.Lacks(rule.At(b, h.At), "whether "+b.Key+" is over the headroom", need.key, s.Name)
			return
		}
	}
	load := s.Peak.Amount * (1 + b.Amount)
	if load <= s.Capacity.Amount {
		return
	}
	room := s.Capacity.Amount/s.Peak.Amount - 1
	at := rule.At(b, l.Hop.At)
	if !p.First(at, b.Key) {
		return
	}
	f := p.Report(at, h.Name(), b.Key, fmt.Sprintf("with the budget of %s used up %s gets %s, more than the %s that it can do", b, s.Name, units.Rate(load), s.Capacity))
	f.Because(b, s.Peak, s.Capacity).Formula("%s × (1 + %s) = %s > %s", s.Peak, b, units.Rate(load), s.Capacity)
	if room <= 0 {
		f.Fix("the peak alone is over the capacity: add hosts, and set %s to 0 until then", b.Key)
		return
	}
	f.Fix("set %s to %s or less: %s / %s − 1", b.Key, units.Share(room), s.Capacity, s.Peak)
}
