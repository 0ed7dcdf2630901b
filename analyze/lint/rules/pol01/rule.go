// Package pol01 finds pools that together open more connections than the callee has, or
// than are of use.
package pol01

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/queuecalc"
)

// Rule is POL-01, whose page the audit of queues has too.
var Rule = rule.Rule{Rule: queue.Rule("POL-01"), Needs: rule.Config | rule.Defaults | rule.Topology, Chain: check}

// share is what one caller's hosts may open to one host of the callee.
type share struct {
	hop *chain.Hop
	max model.Value
	at  model.Position
	// clients are the hosts of the caller, each of which opens each connections to one
	// host of the callee.
	clients, each float64
}

func (s share) total() float64 { return s.clients * s.each }

func check(p *rule.Pass) {
	for _, s := range p.Chain().Services {
		var all []share
		for _, h := range s.In {
			if one, ok := shareOf(p, h); ok {
				all = append(all, one)
			}
		}
		if len(all) == 0 {
			continue
		}
		if most, reserved, ok := limit(s); ok {
			sum(p, s, all, most, reserved)
		} else {
			useful(p, s, all)
		}
	}
}

// shareOf is what a caller's pool comes to at one host of the callee.
func shareOf(p *rule.Pass, h *chain.Hop) (share, bool) {
	for i := len(h.Layers) - 1; i >= 0; i-- { // the layer that opens the connections is the innermost
		l := h.Layers[i].Hop
		v := l.Pool.Max
		if !v.Finite() {
			v = l.Caps.Connections
		}
		if !v.Finite() || v.Amount <= 0 {
			continue
		}
		at := rule.At(v, l.At)
		if !h.From.Replicas.Finite() {
			p.Lacks(at, "what "+v.Key+" of "+v.String()+" comes to at "+h.To.Name, "replicas", h.From.Name)
			return share{}, false
		}
		each := v.Amount
		if n := h.To.Replicas; !h.PerPair && n.Finite() && n.Amount > 1 {
			each = v.Amount / n.Amount
		}
		return share{hop: h, max: v, at: at, clients: h.From.Replicas.Amount, each: each}, true
	}
	return share{}, false
}

// limit is how many connections one host of a service takes, and how many of those are
// not for callers.
func limit(s *chain.Service) (most, reserved model.Value, ok bool) {
	if s.MaxConnections.Finite() {
		return s.MaxConnections, s.Reserved, true
	}
	for _, part := range s.Parts {
		if v := part.Service.Listen.MaxConnections; v.Finite() && v.Amount > 0 {
			return v, s.Reserved, true
		}
	}
	return model.Value{}, model.Value{}, false
}

// sum holds all pools against the connections that the callee has.
func sum(p *rule.Pass, s *chain.Service, all []share, most, reserved model.Value) {
	room := most.Amount
	if reserved.Finite() {
		room -= reserved.Amount
	}
	total, clients := 0.0, 0.0
	worstOf := all[0]
	for _, a := range all {
		total += a.total()
		clients += a.clients
		if a.total() > worstOf.total() {
			worstOf = a
		}
	}
	if total <= room || !p.First(worstOf.at, worstOf.max.Key) {
		return
	}
	f := p.Report(worstOf.at, worstOf.hop.Name(), worstOf.max.Key, fmt.Sprintf("the pools of all callers come to %s connections at a host of %s, which takes %s", units.Number(total), s.Name, units.Number(room)))
	f.Severity(finding.Error)
	for _, a := range all {
		f.Because(a.max, a.hop.From.Replicas)
	}
	f.Because(most)
	if reserved.Known() {
		f.Because(reserved)
	}
	f.Formula("%s = %s > %s", terms(all), units.Number(total), units.Number(room))
	each := math.Floor(room / clients)
	if !worstOf.hop.PerPair && s.Replicas.Finite() && s.Replicas.Amount > 1 {
		each = math.Floor(room * s.Replicas.Amount / clients)
	}
	if each < 1 {
		f.Fix("put a pooler between: %s hosts share %s connections", units.Number(clients), units.Number(room))
		return
	}
	f.Fix("set %s to %s: %s connections for %s hosts of callers; leave room for the hosts of a rollout", worstOf.max.Key, units.Number(each), units.Number(room), units.Number(clients))
}

func terms(all []share) string {
	text := ""
	for i, a := range all {
		if i > 0 {
			text += " + "
		}
		text += fmt.Sprintf("%s × %s", units.Number(a.clients), units.Number(a.each))
	}
	return text
}

// useful holds each pool against what its client can have under way in time.
func useful(p *rule.Pass, s *chain.Service, all []share) {
	for _, a := range all {
		l, ok := a.hop.Patience()
		if !s.Capacity.Finite() || !ok || len(all) > 1 || !(a.hop.PerPair || !s.Replicas.Finite() || s.Replicas.Amount == 1) {
			if !s.Capacity.Finite() {
				p.Lacks(a.at, "whether "+a.max.Key+" of "+a.max.String()+" is too many for "+s.Name, "max_connections", s.Name)
			}
			continue
		}
		u, ok := s.Useful(l.Seconds)
		if !ok {
			continue
		}
		// Of what is under way each client has its part, which varies by its root.
		under := float64(u.InSystem) / a.clients
		most := under + queuecalc.DefaultZ*math.Sqrt(under)
		if a.each <= 2*most || !p.First(a.at, a.max.Key) {
			continue
		}
		set := math.Ceil(most)
		least := 1.0
		if t := s.MeanTime(); t.Finite() {
			least = max(1, units.Ceil(s.Capacity.Amount*t.Amount/a.clients))
		}
		f := p.Report(a.at, a.hop.Name(), a.max.Key, fmt.Sprintf("%s hosts of %s may open %s connections to one host of %s; at most %s requests under way are of use there",
			a.hop.From.Replicas, a.hop.From.Name, units.Number(a.total()), s.Name, units.Count(u.InSystem)))
		f.Because(a.max, a.hop.From.Replicas, s.Capacity, l.Value)
		f.Formula("%s = %s; useful per client: a = %s × %s / %s = %s, a + 3√a = %s; %s × %s = %s", terms([]share{a}), units.Number(a.total()), s.Capacity, worst.Text(l.Seconds), units.Number(a.clients),
			units.Number(under), units.Number(most), units.Number(a.clients), units.Number(set), units.Number(a.clients*set))
		f.Fix("set %s to %s and the least to %s", a.max.Key, units.Number(set), units.Number(min(least, set)))
	}
}
