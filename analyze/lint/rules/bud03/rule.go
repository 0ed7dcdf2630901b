// Package bud03 finds budgets of retries that are kept over more than one destination.
package bud03

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is BUD-03, whose page the audit of queues has too.
var Rule = rule.Rule{Rule: queue.Rule("BUD-03"), Needs: rule.Config | rule.Defaults, Check: check, Chain: checkChain}

// partitions is the key of [model.Hop.Extra] under which readers give the number of
// groups of hosts of a service.
const partitions = "partitions"

func check(p *rule.Pass) {
	p.Hops(func(d *model.Document, h *model.Hop) {
		b := h.Budget
		if !shared(d, h) || !b.Ratio.Finite() || b.Tokens.Present() || b.Ratio.Amount <= 0 {
			return // tokens refill with answers that succeed, and dry up where none do
		}
		at := rule.At(b.Ratio, h.At)
		if !p.First(at, b.Ratio.Key) {
			return
		}
		report(p, h, at)
	})
}

// shared reports whether a budget is kept over hosts that share nothing but a name. Where
// a service is one group of hosts, one budget for it is right; D2 has one for all
// partitions.
func shared(d *model.Document, h *model.Hop) bool {
	switch h.Budget.Scope {
	case model.Global:
		return true
	case model.PerService:
		return d.Product == "d2" || h.Extra[partitions].Amount > 1
	}
	return false
}

func report(p *rule.Pass, h *model.Hop, at model.Position) {
	b := h.Budget
	groups := h.Extra[partitions]
	message := fmt.Sprintf("the budget of %s is kept over all hosts of the %s: the hosts that fail can get all of it", b.Ratio, b.Scope)
	formula := fmt.Sprintf("load of one of n groups of hosts = peak × (1 + %s × n): twice the peak from n = %s on", b.Ratio, units.Number(1/b.Ratio.Amount))
	severity := finding.Warning
	if groups.Finite() && groups.Amount > 1 {
		add := b.Ratio.Amount * groups.Amount
		message += fmt.Sprintf(", which adds up to %s to one of %s groups", units.Share(add), groups)
		formula = fmt.Sprintf("load of one group = peak × (1 + %s × %s) = peak × %s", b.Ratio, groups, units.Number(1+add))
		if add >= 1 {
			severity = finding.Error
		}
	}
	if !h.Retry.Retries() && !b.Ratio.IsSet() {
		severity = finding.Note
	}
	f := p.Report(at, h.Name, b.Ratio.Key, message).Severity(severity).Because(b.Ratio)
	if groups.Known() {
		f.Because(groups)
	}
	f.Formula("%s", formula).Fix("keep the budget per host; where the program cannot, set %s to the headroom divided by the number of groups", b.Ratio.Key)
}
