package bud05

import (
	"fmt"

	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/units"
)

// checkChain finds floors that outweigh the share at the rate of calls that there is.
func checkChain(p *rule.Pass) {
	for _, h := range p.Chain().Hops {
		for _, l := range h.Layers {
			ratio, floor := l.Hop.Budget.Ratio, l.Hop.Budget.Floor
			rate, from, ok := h.CallRate()
			if !ok || !ratio.Finite() || !floor.Finite() || ratio.Amount <= 0 || floor.Amount <= 0 || !ratio.IsSet() && !floor.IsSet() {
				continue
			}
			at := rule.At(floor, rule.At(ratio, l.Hop.At))
			p.Overrule(at)
			if floor.Amount <= ratio.Amount*rate || !p.First(at, floor.Key) {
				continue
			}
			p.Report(at, h.Name(), floor.Key, fmt.Sprintf("at %s the share of %s is %s, the floor is %s: the floor is the budget, %s of the calls", units.Rate(rate), ratio, units.Rate(ratio.Amount*rate), floor, units.Share(floor.Amount/rate))).
				Because(ratio, floor).Because(from...).Formula("max(%s × %s, %s) = %s", ratio, units.Rate(rate), floor, floor).
				Fix("set %s to %s or less", floor.Key, units.Number(ratio.Amount*rate))
		}
	}
}
