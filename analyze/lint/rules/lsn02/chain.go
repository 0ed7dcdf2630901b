package lsn02

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/units"
	"example.com/kneeline/queuecalc"
)

// checkChain finds accept queues that hold connections for longer than callers wait.
func checkChain(p *rule.Pass) {
	for _, s := range p.Chain().Services {
		for _, part := range s.Parts {
			if b := part.Service.Listen.Backlog; b.Finite() && b.Amount > 0 && b.Key != somaxconn {
				beyond(p, s, part.Service)
			}
		}
	}
}

func beyond(p *rule.Pass, s *chain.Service, m *model.Service) {
	b := m.Listen.Backlog
	at := rule.At(b, m.At)
	if !s.Capacity.Finite() {
		if m.Exec.Threads.Finite() {
			p.Settle(at)
			p.Lacks(at, "whether "+b.Key+" of "+b.String()+" is beyond use", "capacity", s.Name)
		}
		return
	}
	l, of, ok := s.Patience()
	u, known := s.Useful(l.Seconds)
	if !ok || !known {
		return
	}
	p.Settle(at)
	useful := float64(u.InSystem)
	queue := 0.0
	if q := m.Exec.Queue; q.Finite() {
		queue = q.Amount
	}
	margin := useful - float64(u.Safe)
	if s.P99.Finite() { // the safe length with many threads is far below; the margin is of the arrivals
		margin = min(margin, math.Ceil(queuecalc.DefaultZ*math.Sqrt(useful)))
	}
	room := max(useful-queue-s.Capacity.Amount*mean(s), margin)
	if b.Amount <= room || !b.IsSet() && b.Origin != model.Derived || !p.First(at, b.Key) {
		return
	}
	wait := (b.Amount + queue) / s.Capacity.Amount
	message := fmt.Sprintf("%s connections may wait in the kernel, %s at %s, before %s sees them", b, worst.About(b.Amount/s.Capacity.Amount), s.Capacity, s.Name)
	if queue > 0 {
		message += fmt.Sprintf("; with the %s of the request queue %s, where %s waits %s", units.Number(queue), worst.About(wait), of.From.Name, l.Value)
	}
	f := p.Report(at, s.Name, b.Key, message).Because(b, s.Capacity, l.Value)
	if queue > 0 {
		f.Because(m.Exec.Queue).Formula("%s / %s + %s / %s = %s > %s", b, s.Capacity, m.Exec.Queue, s.Capacity, worst.About(wait), l.Value)
	} else {
		f.Formula("%s / %s = %s; room for %s", b, s.Capacity, worst.About(wait), units.Number(math.Floor(room)))
	}
	f.Fix("set %s to %s, the margin between the requests that can be answered in time and those that are let in", b.Key, units.Number(math.Ceil(margin)))
}

// mean is the mean time of service, 0 where it is not known.
func mean(s *chain.Service) float64 {
	if t := s.MeanTime(); t.Finite() {
		return t.Amount
	}
	return 0
}
