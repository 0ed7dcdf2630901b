// Package que03 finds queues that refuse requests although the service could carry them.
package que03

import (
	"fmt"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/queuecalc"
)

// Rule is QUE-03, whose page the audit of queues has too.
var Rule = rule.Rule{Rule: queue.Rule("QUE-03"), Needs: rule.Config | rule.Defaults | rule.Topology | rule.Load, Chain: check}

// tolerable is the share of refused requests up to which a queue is long enough.
const tolerable = 0.001

func check(p *rule.Pass) {
	for _, s := range p.Chain().Services {
		for _, part := range s.Parts {
			if e := part.Service.Exec; e.Queue.Finite() && e.Queue.Amount >= 0 && e.Threads.Finite() && e.Threads.Amount >= 1 {
				one(p, s, part.Service)
			}
		}
	}
}

func one(p *rule.Pass, s *chain.Service, m *model.Service) {
	q, c := m.Exec.Queue, m.Exec.Threads
	at := rule.At(q, m.At)
	for _, need := range []struct {
		v   model.Value
		key string
	}{{s.Capacity, "capacity"}, {s.Peak, "peak"}} {
		if !need.v.Finite() {
			p.Lacks(at, "whether the queue of "+q.String()+" is too short", need.key, s.Name)
			return
		}
	}
	l, _, ok := s.Patience()
	u, known := s.Useful(l.Seconds)
	if !ok || !known || s.Peak.Amount >= s.Capacity.Amount || c.Amount+q.Amount >= float64(u.InSystem) {
		return // a longer queue would not be of use
	}
	// Threads beyond capacity × service time wait for what limits the service.
	busy := c.Amount
	if t := s.MeanTime(); t.Finite() {
		busy = min(busy, units.Ceil(s.Capacity.Amount*t.Amount))
	}
	if busy > queuecalc.MaxWorkers {
		return
	}
	inSystem := queuecalc.InSystem(c.Amount + q.Amount)
	got, err := queuecalc.MMcK(s.Peak.Amount, s.Capacity.Amount/busy, int(busy), inSystem)
	if err != nil || got.Refused <= tolerable || float64(u.Positions) <= q.Amount || !p.First(at, q.Key) {
		return
	}
	p.Report(at, s.Name, q.Key, fmt.Sprintf("with %s waiting and %s running %s of the requests are refused at the peak of %s, which the service could carry", q, c, units.Share(got.Refused), s.Peak)).
		Because(q, c, s.Peak, s.Capacity).Formula("refused by M/M/%.0f/%d at %s of %s = %s", busy, inSystem, s.Peak, s.Capacity, units.Share(got.Refused)).
		Fix("set %s to %s, the safe length", q.Key, units.Count(int64(u.Positions)))
}
