// Package bud05 finds budgets of retries whose floor is all that ever holds.
package bud05

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// busy is a rate of calls that most services stay below on one caller, per second.
const busy = 1000

// Rule is BUD-05.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "BUD-05", Name: "floor-over-ratio", Severity: finding.Warning, Since: "0.1",
		Title: "the floor of a retry budget outweighs its share of the calls",
		Why: `A budget lets through the larger of a share of the calls and a floor of retries a second, so that quiet services can retry at all.
With a floor that is high for the share, the share never counts: at 10 calls a second, 10 retries a second are a budget of 100 %,
whatever the share says.`,
		Formula: `budget = max(ratio × rate, floor)
the floor is what holds below rate = floor / ratio
found: floor / ratio > 1,000/s`,
		Sources: []string{
			"BuoyantIO/emojivoto: a ratio of 0.001 with 10 retries a second",
			"twitter/finagle RetryBudget: minRetriesPerSec is for low rates",
		},
		Bad:  "retryBudget: {retryRatio: 0.001, minRetriesPerSecond: 10}   # the floor holds up to 10,000/s",
		Good: "retryBudget: {retryRatio: 0.1, minRetriesPerSecond: 1}      # up to 10/s",
		Fix:  "Set the floor to ratio × the lowest rate at which retries are of use.",
	},
	Needs: rule.Config,
	Check: check,
	Chain: checkChain,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		ratio, floor := h.Budget.Ratio, h.Budget.Floor
		if !ratio.Finite() || !floor.Finite() || floor.Amount <= 0 || ratio.Amount < 0 || !ratio.IsSet() && !floor.IsSet() {
			return
		}
		at := rule.At(floor, rule.At(ratio, h.At))
		if !floor.IsSet() {
			at = ratio.At
		}
		if ratio.Amount == 0 {
			if p.First(at, floor.Key) {
				p.Report(at, h.Name, floor.Key, fmt.Sprintf("the share is 0: the floor of %s is the budget at every rate", floor)).Because(ratio, floor).
					Formula("budget = max(0, %s) = %s", floor, floor).Fix("set %s to a share such as 10%%", ratio.Key)
			}
			return
		}
		even := floor.Amount / ratio.Amount
		if even <= busy || !p.First(at, floor.Key) {
			return
		}
		fix := fmt.Sprintf("raise %s to 10%%", ratio.Key)
		if 1/ratio.Amount <= busy {
			fix += fmt.Sprintf(", or set %s to 1, which holds up to %s", floor.Key, units.ExactRate(1/ratio.Amount))
		}
		p.Report(at, h.Name, floor.Key, fmt.Sprintf("the floor of %s is the budget up to %s calls a second: the share of %s does not count before", floor, units.Number(even), ratio)).
			Because(ratio, floor).Formula("%s / %s = %s", floor, ratio, units.ExactRate(even)).
			Fix("%s", fix)
	})
}
