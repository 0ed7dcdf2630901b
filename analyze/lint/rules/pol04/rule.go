// Package pol04 finds pools that are too small for the calls that are under way.
package pol04

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/queuecalc"
)

// Rule is POL-04, whose page the audit of queues has too.
var Rule = rule.Rule{Rule: queue.Rule("POL-04"), Needs: rule.Config | rule.Defaults | rule.Topology | rule.Load, Chain: check}

func check(p *rule.Pass) {
	for _, h := range p.Chain().Hops {
		for _, l := range h.Layers {
			if v := l.Hop.Pool.Max; v.Finite() && v.Amount > 0 {
				one(p, h, l)
			}
		}
	}
}

func one(p *rule.Pass, h *chain.Hop, l chain.Layer) {
	v, hold := l.Hop.Pool.Max, h.To.MeanTime()
	at := rule.At(v, l.Hop.At)
	rate, from, ok := h.CallRate()
	switch {
	case !hold.Finite():
		p.Lacks(at, "whether "+v.Key+" of "+v.String()+" is too few", "service_time.mean", h.To.Name)
		return
	case !ok:
		p.Lacks(at, "whether "+v.Key+" of "+v.String()+" is too few", "rate", "the hop "+h.Name())
		return
	}
	if h.PerPair && h.To.Replicas.Finite() {
		rate /= h.To.Replicas.Amount
	}
	busy := rate * hold.Amount
	if v.Amount >= busy || !p.First(at, v.Key) {
		return
	}
	set := math.Ceil(busy + queuecalc.DefaultZ*math.Sqrt(busy))
	f := p.Report(at, h.Name(), v.Key, fmt.Sprintf("%s connections carry %s; a host of %s makes %s calls to %s at the peak", v, units.Rate(v.Amount/hold.Amount), h.From.Name, units.Rate(rate), h.To.Name))
	f.Because(v, hold).Because(from...).Formula("busy = %s × %s = %s > %s", units.Rate(rate), hold, units.Number(busy), v).
		Fix("set %s to %s: %s and three standard deviations", v.Key, units.Number(set), units.Number(busy))
	threads(f, h, set)
}

// threads adds how many of the caller could ask for a connection at once.
func threads(f *rule.Found, h *chain.Hop, set float64) {
	if t := h.From.Threads(); t.Finite() && t.Unit == model.Count && t.Amount > set {
		f.Because(t)
	}
}
