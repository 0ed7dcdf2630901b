// Package bud01 finds retries that no budget bounds.
package bud01

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is BUD-01, whose page the audit of queues has too.
var Rule = rule.Rule{Rule: queue.Rule("BUD-01"), Needs: rule.Config | rule.Defaults, Check: check}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		r, b := h.Retry, h.Budget
		if r.Implicit || !r.Retries() || !(r.Written.IsSet() || r.Tries.IsSet() || r.Dialect == model.ProductOf) || bounded(b) {
			return
		}
		if worst.OnlyConnects(r) || !b.Supported && r.SameHost.Off() && h.StartTry.Finite() {
			return // no work for the callee; or a walk over servers that is bounded in time
		}
		at := rule.At(r.Written, h.At)
		if !p.First(at, r.Written.Key) {
			return
		}
		n := units.Number(r.Tries.Amount)
		if r.Tries.Unlimited() {
			n = "all"
		}
		f := p.Report(at, h.Name, r.Written.Key, fmt.Sprintf("nothing bounds retries as a share of the calls: %s tries are up to %s times the load while all fail", n, n))
		if !b.Supported {
			f.Severity(finding.Note)
		}
		f.Because(r.Written)
		if b.Concurrent.Known() {
			f.Because(b.Concurrent)
		}
		f.Formula("load while all fail = tries × arrival rate = %s × arrival rate; with a budget of 20%%: 1.2 × arrival rate", n)
		f.Fix("%s", fix(b))
	})
}

// bounded reports whether a budget holds, or may hold by what is not known.
func bounded(b model.Budget) bool {
	return b.Bounded() || b.Ratio.IsHole() || b.Tokens.IsHole() || b.Concurrent.IsHole()
}

func fix(b model.Budget) string {
	if !b.Supported {
		return "the program has no budget of retries: set 2 tries at most, and retry in one layer of the chain alone"
	}
	for _, v := range []model.Value{b.Ratio, b.Tokens} {
		if v.Key != "" {
			return fmt.Sprintf("set a budget of 20%% of the calls by %s", v.Key)
		}
	}
	return "set a budget of 20% of the calls, with a small floor"
}
