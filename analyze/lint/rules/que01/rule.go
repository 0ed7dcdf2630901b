// Package que01 finds queues that hold requests for longer than callers wait.
package que01

import (
	"fmt"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is QUE-01, whose page the audit of queues has too.
var Rule = rule.Rule{Rule: queue.Rule("QUE-01"), Needs: rule.Config | rule.Defaults | rule.Topology | rule.Load, Chain: check}

// far is how many times the break point is an error.
const far = 4

func check(p *rule.Pass) {
	for _, s := range p.Chain().Services {
		for _, part := range s.Parts {
			if q := part.Service.Exec.Queue; q.Finite() && q.Amount > 0 {
				one(p, s, q, rule.At(q, part.Service.At), s.Capacity, 1, "")
			}
		}
		for _, h := range s.In {
			waiting(p, h)
		}
	}
}

// waiting looks at queues in front of the callee, in its callers: what they may hold for
// all of its hosts is shared out among the callers' hosts.
func waiting(p *rule.Pass, h *chain.Hop) {
	for _, l := range h.Layers {
		for _, q := range []model.Value{l.Hop.Caps.Pending, l.Hop.Caps.Queue} {
			if !q.IsSet() || !q.Finite() || q.Amount <= 0 {
				continue
			}
			from, to := h.From.Replicas, h.To.Replicas
			if !from.Finite() || !to.Finite() {
				continue
			}
			one(p, h.To, q, rule.At(q, l.Hop.At), h.To.Capacity, to.Amount/from.Amount,
				fmt.Sprintf(" × %s hosts / %s callers", to, from))
		}
	}
}

// one holds a queue against what is of use of it: capacity × patience × share.
func one(p *rule.Pass, s *chain.Service, q model.Value, at model.Position, c model.Value, share float64, shares string) {
	if !c.Finite() {
		p.Lacks(at, "whether the queue of "+q.String()+" is beyond use", "capacity", s.Name)
		return
	}
	l, of, ok := s.Patience()
	if !ok {
		p.Lacks(at, "whether the queue of "+q.String()+" is beyond use", "total", "a hop to "+s.Name)
		return
	}
	u, ok := s.UsefulShare(share, l.Seconds)
	useful := float64(u.InSystem)
	if !ok || q.Amount <= useful || !p.First(at, q.Key) {
		return
	}
	over := q.Amount / max(useful, 1)
	drain := q.Amount / (c.Amount * share)
	f := p.Report(at, s.Name, q.Key, fmt.Sprintf("%s requests may wait for %s; %s of them can be answered within the %s of %s: a full queue of %s is worked off in %s, %s times as long",
		q, s.Name, units.Number(useful), l.Value, of.From.Name, q, worst.About(drain), units.Number(drain/l.Seconds)))
	if over > far {
		f.Severity(finding.Error)
	}
	f.Because(q, c, l.Value).Formula("useful = %s%s × %s = %s; %s / %s = %s; %s / %s%s = %s", c, shares, worst.Text(l.Seconds), units.Number(useful), q, units.Number(useful), units.Number(over), q, c, shares, worst.About(drain))
	set, whose := useful, fmt.Sprintf("%s × %s", c, worst.Text(l.Seconds))
	if share == 1 {
		set = float64(u.Positions)
		whose = "the safe length of queuesize: three standard deviations under " + units.Number(useful) + ", without the requests that run"
		if s.P99.Finite() && s.P99.Amount < l.Seconds {
			fits := units.Floor(c.Amount * (l.Seconds - s.P99.Amount))
			f.Because(s.P99).Formula("with the p99 still fitting: %s × (%s − %s) = %s", c, worst.Text(l.Seconds), s.P99, units.Number(fits))
			f.Fix("set %s to %s, at most %s; %s is %s", q.Key, units.Number(fits), units.Number(useful), units.Number(set), whose)
			return
		}
	}
	f.Fix("set %s to %s (%s)", q.Key, units.Number(set), whose)
}
