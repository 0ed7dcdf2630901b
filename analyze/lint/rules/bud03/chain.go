package bud03

import (
	"fmt"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// checkChain works out what one group of hosts can get of a budget that all share.
func checkChain(p *rule.Pass) {
	for _, h := range p.Chain().Hops {
		for _, l := range h.Layers {
			b := l.Hop.Budget
			if b.Ratio.Finite() && b.Ratio.Amount > 0 && !b.Tokens.Present() && shares(b.Scope) {
				group(p, h, l)
			}
		}
	}
}

// shares reports whether a budget is kept over several hosts.
func shares(s model.Scope) bool {
	return s == model.Global || s == model.PerService || s == model.PerProcess || s == model.PerCluster
}

func group(p *rule.Pass, h *chain.Hop, l chain.Layer) {
	b, s := l.Hop.Budget, h.To
	at := rule.At(b.Ratio, l.Hop.At)
	n, size := s.Replicas, s.GroupSize
	switch {
	case !n.Finite():
		p.Lacks(at, "what one group of hosts can get of the budget of "+b.Ratio.String(), "replicas", s.Name)
		return
	case !size.Finite() || size.Amount < 1 || size.Amount >= n.Amount:
		p.Overrule(at) // one group: the budget is its own
		return
	case !p.First(at, b.Ratio.Key):
		return
	}
	groups := n.Amount / size.Amount
	add := b.Ratio.Amount * groups
	message := fmt.Sprintf("the budget of %s is kept over all hosts of the %s: all of it may hit one of %s groups, %s on that", b.Ratio, b.Scope, units.Number(groups), units.SignedShare(add))
	severity := finding.Warning
	if add >= 1 {
		severity = finding.Error
	}
	var room float64
	known := s.Capacity.Finite() && s.Peak.Finite()
	if known {
		room = s.Capacity.Amount/s.Peak.Amount - 1
		switch {
		case add > room:
			severity = finding.Error
		default:
			p.Overrule(at) // even all of it is within the headroom
			return
		}
	}
	f := p.Report(at, h.Name(), b.Ratio.Key, message).Severity(severity).Because(b.Ratio, n, size)
	if s.Peak.Finite() {
		all := b.Ratio.Amount * n.Amount * s.Peak.Amount
		own := size.Amount * s.Peak.Amount
		f.Because(s.Peak).Formula("%s × %s × %s = %s of retries; a group gets %s × %s = %s: %s = %s × %s", b.Ratio, n, s.Peak, units.Rate(all), size, s.Peak, units.Rate(own), units.SignedShare(add), b.Ratio, units.Number(groups))
	} else {
		f.Formula("%s × %s / %s = %s", b.Ratio, n, size, units.SignedShare(add))
	}
	if !known {
		p.Lacks(at, "how large a budget for each host may be", "capacity and `peak`", s.Name)
		f.Fix("keep the budget per host, below capacity / peak − 1")
		return
	}
	f.Because(s.Capacity)
	if room <= 0 {
		f.Fix("keep the budget per host; at this peak there is no room for any")
		return
	}
	f.Fix("keep the budget per host, at most %s: %s / %s − 1; where the program cannot, set %s to %s", units.Share(room), s.Capacity, s.Peak, b.Ratio.Key, units.Share(room/groups))
}
