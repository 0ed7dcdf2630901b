package lsn01

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/units"
)

// checkChain holds accept queues against what comes in during the longest pause, which
// decides in the place of what is a moderate rate.
func checkChain(p *rule.Pass) {
	for _, s := range p.Chain().Services {
		for _, part := range s.Parts {
			if b := part.Service.Listen.Backlog; b.Finite() && b.Amount >= 1 && !follows(b, part.Service.Listen.MaxConnections) {
				against(p, s, part.Service)
			}
		}
	}
}

// against holds one accept queue against peak × pause: at worst each request has a
// connection of its own. What waits for longer than its caller does is of no use.
func against(p *rule.Pass, s *chain.Service, m *model.Service) {
	b := m.Listen.Backlog
	at := rule.At(b, m.At)
	if !s.Peak.Finite() || !s.Pause.Finite() || s.Pause.Amount <= 0 {
		return
	}
	p.Overrule(at)
	wait, pause, because := s.Pause.Amount, s.Pause.String(), []model.Value{b, s.Peak, s.Pause}
	if l, of, ok := s.Patience(); ok && l.Seconds < wait {
		wait, pause, because = l.Seconds, fmt.Sprintf("%s of %s, for which %s waits,", worst.Text(l.Seconds), s.Pause, of.From.Name), append(because, l.Value)
	}
	need := s.Peak.Amount * wait
	if need <= b.Amount || kept(s) || !p.First(at, b.Key) {
		return
	}
	p.Report(at, s.Name, b.Key, fmt.Sprintf("the accept queue holds %s connections; a pause of %s at %s brings up to %s: the kernel drops the others, and their clients try again after a second", b, pause, s.Peak, units.Number(math.Ceil(need)))).
		Because(because...).Formula("%s × %s = %s > %s, where each request has a connection of its own", s.Peak, worst.Text(wait), units.Number(need), b).
		Fix("set %s to %s and net.core.somaxconn to no less, or shorten the pause", b.Key, units.Number(math.Ceil(need)))
}

// kept reports whether all callers are known to keep their connections, so that requests
// seldom bring new ones.
func kept(s *chain.Service) bool {
	for _, h := range s.In {
		on := false
		for _, l := range h.Layers {
			on = on || l.Hop.Pool.KeepAlive.On()
		}
		if !on {
			return false
		}
	}
	return len(s.In) > 0
}
