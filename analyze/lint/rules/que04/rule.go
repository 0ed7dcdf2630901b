// Package que04 finds queues without a limit in settings.
package que04

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/internal/finding"
)

// Rule is QUE-04, whose page the audit of queues has too. A default is a warning here:
// what it is worth depends on a load that the file does not tell.
var Rule = rule.Rule{Rule: queue.Rule("QUE-04"), Needs: rule.Config | rule.Defaults, Check: check}

func check(p *rule.Pass) {
	p.Services(func(_ *model.Document, s *model.Service) {
		e, most := s.Exec, s.Listen.MaxConnections
		if !e.Queue.Unlimited() || e.Wait.Finite() {
			return
		}
		// A default behind a limit of connections is bounded by it.
		if most.Finite() && !e.Queue.IsSet() {
			return
		}
		report(p, s.Name, s.At, e.Queue, "requests wait for a thread in a queue without a limit", e.Threads)
	})
	p.Hops(func(d *model.Document, h *model.Hop) {
		if q := h.Caps.Queue; q.Unlimited() && !h.Caps.Connections.Unlimited() && !(h.Caps.QueueWait.IsSet() && h.Caps.QueueWait.Finite()) {
			report(p, h.Name, h.At, q, "requests wait for a free server in a queue without a limit", h.Caps.Connections, h.Caps.QueueWait)
		}
	})
	for _, d := range p.Graph.Documents {
		waiters(p, d)
	}
}

// waiters finds pools for whose connections any number may wait, once a document where
// that is the default.
func waiters(p *rule.Pass, d *model.Document) {
	defaulted := false
	for _, h := range d.Hops {
		q := h.Pool.Waiters
		if !q.Unlimited() || !h.Pool.Max.Finite() || h.Pool.Wait.Finite() || !q.IsSet() && defaulted {
			continue
		}
		defaulted = defaulted || !q.IsSet()
		report(p, h.Name, h.At, q, "any number of callers may wait for a connection of the pool", h.Pool.Max, h.Pool.Wait)
	}
}

func report(p *rule.Pass, object string, place model.Position, q model.Value, message string, because ...model.Value) {
	at := rule.At(q, place)
	if !p.First(at, q.Key) {
		return
	}
	severity := finding.Warning
	if q.IsSet() {
		message = fmt.Sprintf("%s: %s is %s", message, q.Key, q.Raw)
		severity = finding.Error
	} else {
		message = fmt.Sprintf("%s: %s is not set", message, q.Key)
	}
	f := p.Report(at, object, q.Key, message).Severity(severity).Because(q)
	for _, v := range because {
		if v.Known() {
			f.Because(v)
		}
	}
	f.Formula("growth = arrival rate − capacity, without end").
		Fix("set %s to capacity × the caller's limit, less what is in service: at 1,000/s and 400ms, 400 less the threads or connections", q.Key)
}
