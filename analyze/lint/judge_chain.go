package lint

import (
	"slices"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// spot is a place that a rule has decided on.
type spot struct {
	rule, file   string
	line, column int
}

// chain holds the rules that look at chains against one, and adds what they find to what
// files alone came to. Where a rule has decided with the chain, what it said without it
// is left out.
func (r *Result) chain(rules []rule.Rule, c *chain.Chain, all []finding.Finding) []finding.Finding {
	known, overruled := map[spot]bool{}, map[spot]bool{}
	var found []finding.Finding
	var lacks []rule.Missing
	for i := range rules {
		ru := &rules[i]
		if ru.Chain == nil {
			continue
		}
		f, m, places := rule.RunChain(ru, c)
		found, lacks = append(found, f...), append(lacks, m...)
		for _, at := range places.Known {
			known[spotOf(ru.ID, at)] = true
		}
		for _, at := range places.Overruled {
			overruled[spotOf(ru.ID, at)] = true
		}
		for _, x := range f {
			overruled[spot{ru.ID, x.Location.File, x.Location.Line, x.Location.Column}] = true
		}
	}
	all = slices.DeleteFunc(all, func(f finding.Finding) bool {
		return overruled[spot{f.Rule, f.Location.File, f.Location.Line, f.Location.Column}]
	})
	r.CouldNotCheck = slices.DeleteFunc(r.CouldNotCheck, func(m rule.Missing) bool { return known[spotOf(m.Rule, m.At)] || overruled[spotOf(m.Rule, m.At)] })
	r.CouldNotCheck = append(r.CouldNotCheck, lacks...)
	return append(all, found...)
}

func spotOf(id string, at model.Position) spot { return spot{id, at.File, at.Line, at.Column} }
