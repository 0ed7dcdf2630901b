// Package shd01 finds limits that refuse requests at the normal peak, or only when it is
// too late.
package shd01

import (
	"fmt"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is SHD-01.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "SHD-01", Name: "limit-against-load", Severity: finding.Warning, Since: "0.1",
		Title: "a limit of load is below the peak or above the capacity",
		Why: `A limiter has one task: to refuse what is over the capacity, at once. One that is set below the peak refuses good requests on every
normal day. One that is above the capacity, or lets more requests in than can be answered in time, lets the overload pass and refuses nothing until
the service has become slow.`,
		Formula: `limit of rate: found below the peak, or above the capacity
limit of requests at once: found below peak × mean service time, or above capacity × the callers' wait
set: the capacity; capacity × wait`,
		Sources: []string{
			"Site Reliability Engineering (Google, 2016), chapter 21, Handling Overload",
			"J. D. C. Little, A proof for the queuing formula L = λW (1961)",
		},
		Bad:  "limit_req rate=2000r/s on a host with a capacity of 1,200/s",
		Good: "limit_req rate=1200r/s",
		Fix:  "Set a limit of rate to the capacity, one of requests at once to capacity × the callers' wait.",
	},
	Needs: rule.Config | rule.Topology | rule.Load,
	Chain: check,
}

func check(p *rule.Pass) {
	for _, s := range p.Chain().Services {
		for _, part := range s.Parts {
			for _, v := range part.Service.SheddingLimits {
				if v.Finite() && v.Amount > 0 {
					one(p, s, v, rule.At(v, part.Service.At))
				}
			}
		}
	}
}

func one(p *rule.Pass, s *chain.Service, v model.Value, at model.Position) {
	if !s.Capacity.Finite() {
		p.Lacks(at, "whether "+v.Key+" of "+v.String()+" fits the load", "capacity", s.Name)
		return
	}
	switch v.Unit {
	case model.PerSecond:
		rate(p, s, v, at)
	case model.Count:
		atOnce(p, s, v, at)
	}
}

func rate(p *rule.Pass, s *chain.Service, v model.Value, at model.Position) {
	switch {
	case s.Peak.Finite() && v.Amount < s.Peak.Amount && v.Amount < s.Capacity.Amount && p.First(at, v.Key):
		p.Report(at, s.Name, v.Key, fmt.Sprintf("the limit of %s refuses requests at the normal peak of %s, which the service can carry", v, s.Peak)).
			Because(v, s.Peak, s.Capacity).Formula("%s < %s", v, s.Peak).Fix("set %s to %s, the capacity", v.Key, s.Capacity)
	case v.Amount > s.Capacity.Amount && p.First(at, v.Key):
		p.Report(at, s.Name, v.Key, fmt.Sprintf("the limit of %s lets more in than the %s that the service can do", v, s.Capacity)).
			Because(v, s.Capacity).Formula("%s > %s", v, s.Capacity).Fix("set %s to %s, the capacity", v.Key, s.Capacity)
	}
}

func atOnce(p *rule.Pass, s *chain.Service, v model.Value, at model.Position) {
	mean := s.MeanTime()
	if s.Peak.Finite() && mean.Finite() && v.Amount < s.Peak.Amount*mean.Amount {
		if p.First(at, v.Key) {
			busy := s.Peak.Amount * mean.Amount
			set := units.Ceil(s.Capacity.Amount * mean.Amount)
			p.Report(at, s.Name, v.Key, fmt.Sprintf("the limit of %s requests at once is below the %s that the peak has under way", v, units.Number(busy))).
				Because(v, s.Peak, mean).Formula("%s × %s = %s > %s", s.Peak, mean, units.Number(busy), v).Fix("set %s to %s or more", v.Key, units.Number(set))
		}
		return
	}
	l, of, ok := s.Patience()
	if !ok {
		return
	}
	u, _ := s.Useful(l.Seconds)
	useful := float64(u.InSystem)
	if v.Amount <= useful || useful < 1 || !p.First(at, v.Key) {
		return
	}
	p.Report(at, s.Name, v.Key, fmt.Sprintf("the limit of %s requests at once lets in more than the %s that are answered within the %s of %s", v, units.Number(useful), l.Value, of.From.Name)).
		Because(v, s.Capacity, l.Value).Formula("%s × %s = %s < %s", s.Capacity, l.Value, units.Number(useful), v).Fix("set %s to %s or less", v.Key, units.Number(useful))
}
