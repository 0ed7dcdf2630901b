// Package con01 finds numbers of threads that do not fit the rate and the time of service.
package con01

import (
	"fmt"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/internal/units"
)

// Rule is CON-01, whose page the audit of queues has too.
var Rule = rule.Rule{Rule: queue.Rule("CON-01"), Needs: rule.Config | rule.Defaults | rule.Topology | rule.Load, Chain: check}

const (
	// many is how many times the threads that are busy at capacity are too many.
	many = 2
	// spare is what is left free of those that are set.
	spare = 1.2
)

func check(p *rule.Pass) {
	for _, s := range p.Chain().Services {
		for _, part := range s.Parts {
			if t := part.Service.Exec.Threads; t.Finite() && t.Amount > 0 {
				one(p, s, part.Service)
			}
		}
	}
}

func one(p *rule.Pass, s *chain.Service, m *model.Service) {
	t, mean := m.Exec.Threads, s.MeanTime()
	at := rule.At(t, m.At)
	switch {
	case !s.Capacity.Finite():
		p.Lacks(at, "whether "+t.Key+" of "+t.String()+" fits", "capacity", s.Name)
		return
	case !mean.Finite():
		p.Lacks(at, "whether "+t.Key+" of "+t.String()+" fits", "service_time.mean", s.Name)
		return
	}
	busy := s.Capacity.Amount * mean.Amount
	set := units.Ceil(busy * spare)
	switch {
	case s.Peak.Finite() && t.Amount < s.Peak.Amount*mean.Amount:
		need := s.Peak.Amount * mean.Amount
		p.Report(at, s.Name, t.Key, fmt.Sprintf("%s threads carry %s at most, the peak is %s", t, units.Rate(t.Amount/mean.Amount), s.Peak)).
			Because(t, s.Peak, mean).Formula("busy at the peak = %s × %s = %s > %s", s.Peak, mean, units.Number(need), t).
			Fix("set %s to %s: %s × %s × %v", t.Key, units.Number(set), s.Capacity, mean, spare)
	case t.Amount > many*busy:
		f := p.Report(at, s.Name, t.Key, fmt.Sprintf("%s threads, of which %s are busy at capacity: the others hold requests that wait inside of the service, where nothing refuses them", t, units.Number(busy)))
		f.Because(t, s.Capacity, mean)
		if s.P99.Finite() {
			f.Because(s.P99).Formula("busy = %s × %s = %s; %s × %s = %s if all requests took the p99", s.Capacity, mean, units.Number(busy), s.Capacity, s.P99, units.Number(s.Capacity.Amount*s.P99.Amount))
		} else {
			f.Formula("busy = %s × %s = %s", s.Capacity, mean, units.Number(busy))
		}
		f.Fix("set %s to %s: %s × %s × %v", t.Key, units.Number(set), s.Capacity, mean, spare)
	}
}
