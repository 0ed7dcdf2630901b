// Package lsn03 finds settings of the kernel that do not fit each other.
package lsn03

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// The sysctls.
const (
	somaxconn = "net.core.somaxconn"
	synQueue  = "net.ipv4.tcp_max_syn_backlog"
	abort     = "net.ipv4.tcp_abort_on_overflow"
)

// Rule is LSN-03.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "LSN-03", Name: "kernel-queues", Severity: finding.Warning, Since: "0.1",
		Title: "the kernel's queues for new connections do not fit",
		Why: `A new connection passes two queues of the kernel: half open ones wait for the end of their handshake, whole ones for the program to
accept them. If the first is shorter than the second, a burst is dropped before the second is of any use.

With tcp_abort_on_overflow a full accept queue answers with a reset. The client would have tried again by itself a second
later; a reset is an error at once, in a moment that may be over after a pause of the collector.`,
		Formula: `found: tcp_max_syn_backlog < somaxconn, one of them set
found: tcp_abort_on_overflow = 1`,
		Sources: []string{
			"Linux kernel Documentation/networking/ip-sysctl: tcp_max_syn_backlog, tcp_abort_on_overflow",
			"listen(2) of the Linux manual pages: somaxconn is 4096 since Linux 5.4, 128 before",
		},
		Bad:  "net.core.somaxconn = 4096\nnet.ipv4.tcp_max_syn_backlog = 1280",
		Good: "net.core.somaxconn = 4096\nnet.ipv4.tcp_max_syn_backlog = 4096",
		Fix:  "Set tcp_max_syn_backlog to no less than somaxconn, and leave tcp_abort_on_overflow at 0.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	p.Services(func(_ *model.Document, s *model.Service) {
		half, whole := s.Kernel[synQueue], s.Kernel[somaxconn]
		if half.Finite() && whole.Finite() && half.Amount < whole.Amount && (half.IsSet() || whole.IsSet()) {
			at := half
			if !half.IsSet() {
				at = whole
			}
			p.Report(rule.At(at, s.At), s.Name, synQueue, fmt.Sprintf("half open connections have %s places, whole ones %s: a burst is dropped in the first queue", half, whole)).
				Because(half, whole).Formula("%s < %s", half, whole).Fix("set %s to %s", synQueue, whole.Raw).Write(half, whole.Raw)
		}
		if v := s.Kernel[abort]; v.IsSet() && v.Amount == 1 {
			p.Report(rule.At(v, s.At), s.Name, abort, "a full accept queue answers with a reset: clients fail at once where they would have tried again").
				Because(v).Formula("handshake repeated after 1s; reset after 0s").Fix("set %s to 0", abort).Write(v, "0")
		}
	})
}
