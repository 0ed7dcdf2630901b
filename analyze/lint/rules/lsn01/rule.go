// Package lsn01 finds accept queues so short that a pause overflows them.
package lsn01

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

const (
	// tiny is the backlog up to which a pause of the collector at a moderate rate
	// overflows it: the JRE's own 50.
	tiny = 50
	// rate is a moderate rate of new connections, per second.
	rate = 1000
)

// Rule is LSN-01, whose page the audit of queues has too.
var Rule = rule.Rule{Rule: queue.Rule("LSN-01"), Needs: rule.Config | rule.Defaults, Check: check, Chain: checkChain}

func check(p *rule.Pass) {
	p.Services(func(_ *model.Document, s *model.Service) {
		b := s.Listen.Backlog
		if !b.Finite() || b.Amount < 1 || b.Amount > tiny || follows(b, s.Listen.MaxConnections) {
			return
		}
		at := rule.At(b, s.At)
		if !p.First(at, b.Key) {
			return
		}
		pause := worst.Text(b.Amount / rate)
		message := fmt.Sprintf("the accept queue holds %s connections: at %s new ones a second a pause of %s overflows it", b, units.Number(rate), pause)
		f := p.Report(at, s.Name, b.Key, message).Because(b)
		if b.Origin == model.Default && b.Amount < tiny {
			f.Severity(finding.Note)
		}
		f.Formula("%s / %s/s = %s", b, units.Number(rate), pause).
			Fix("set %s to new connections per second × the longest pause, such as 128, and net.core.somaxconn to no less", b.Key)
	})
}

// follows reports whether a backlog is as long as the connections are limited to: who
// has chosen so few of them wants no more to wait.
func follows(backlog, most model.Value) bool {
	return backlog.Origin == model.Derived && most.IsSet() && most.Amount == backlog.Amount
}
