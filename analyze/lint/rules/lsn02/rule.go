// Package lsn02 finds accept queues that the kernel cuts.
package lsn02

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/internal/finding"
)

// somaxconn is the sysctl that cuts accept queues.
const somaxconn = "net.core.somaxconn"

// linux is its value where no file of the run sets it.
var linux = model.Value{
	Key: somaxconn, Raw: "4096", Unit: model.Count, Amount: 4096, Origin: model.Default,
	Source: "torvalds/linux include/linux/socket.h, SOMAXCONN; 128 before 5.4",
}

// Rule is LSN-02, whose page the audit of queues has too. Without a capacity it can only
// find what the kernel cuts.
var Rule = rule.Rule{Rule: queue.Rule("LSN-02"), Needs: rule.Config | rule.Defaults, Check: check, Across: listens, Chain: checkChain}

// listens leaves of a document the services with an accept queue, or with the kernel's
// limit of one.
func listens(d *model.Document) *model.Document {
	out := model.Document{File: d.File, Line: d.Line, Format: d.Format}
	for _, s := range d.Services {
		if s.Listen.Backlog.Finite() || s.Kernel[somaxconn].Present() {
			out.Services = append(out.Services, s)
		}
	}
	if len(out.Services) == 0 {
		return nil
	}
	return &out
}

func check(p *rule.Pass) {
	kernel, set := limit(p)
	p.Services(func(_ *model.Document, s *model.Service) {
		b := s.Listen.Backlog
		if b.Finite() && b.Key != somaxconn && s.Exec.Threads.Finite() {
			p.CouldNot(rule.At(b, s.At), "whether "+b.Key+" is beyond use (add `capacity` of the service to a topology)")
		}
		if !b.Finite() || !b.IsSet() && !set || b.Amount <= kernel.Amount {
			return
		}
		if !b.IsSet() && b.Key == somaxconn {
			return // a backlog that follows the kernel's limit
		}
		at := rule.At(b, s.At)
		if !p.First(at, b.Key) {
			return
		}
		message := fmt.Sprintf("the accept queue of %s is cut to %s", b, kernel)
		if !set {
			message += " unless " + somaxconn + " is raised"
		}
		f := p.Report(at, s.Name, b.Key, message).Because(b, kernel)
		if !set || !b.IsSet() {
			f.Severity(finding.Note)
		}
		f.Formula("accept queue = min(%s, %s) = %s", b, kernel, kernel).
			Fix("set %s to what can be answered in time, at most %s", b.Key, kernel)
	})
}

// limit is the kernel's limit of the run: the smallest that a file sets, otherwise
// Linux's own.
func limit(p *rule.Pass) (model.Value, bool) {
	out, found := linux, false
	p.Services(func(_ *model.Document, s *model.Service) {
		if v := s.Kernel[somaxconn]; v.IsSet() && v.Finite() && (!found || v.Amount < out.Amount) {
			out, found = v, true
		}
	})
	return out, found
}
