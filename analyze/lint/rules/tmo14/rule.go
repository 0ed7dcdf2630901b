// Package tmo14 tells of zeros that do not switch a limit off but stand for the
// program's default.
package tmo14

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is TMO-14.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "TMO-14", Name: "zero-is-default", Severity: finding.Note, Since: "0.1",
		Title: "a zero stands for the default, not for none",
		Why: `In most formats 0 switches a limit off; in some it means that nothing is set. Whoever writes 0 there to be rid of the limit keeps it,
and whoever reads the file believes that there is none.`,
		Formula: "the setting is written as 0, and the program takes its default for it",
		Sources: []string{"hashicorp/consul service-resolver: a ConnectTimeout of 0s stands for the default of 5s"},
		Bad:     "ConnectTimeout = \"0s\"",
		Good:    "ConnectTimeout = \"5s\"",
		Fix:     "Write the default, or what is meant.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
}

// kept begins the key under which readers keep a zero beside the default that holds.
const kept = "zero "

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		for _, key := range slices.Sorted(maps.Keys(h.Extra)) {
			if strings.HasPrefix(key, kept) {
				report(p, h, h.Extra[key])
			}
		}
	})
}

func report(p *rule.Pass, h *model.Hop, zero model.Value) {
	for _, v := range []model.Value{h.Connect, h.PerTry, h.Total, h.GapRead, h.Idle, h.Pool.Wait} {
		if v.Key != zero.Key || v.Origin != model.Default || !v.Finite() || !zero.IsSet() || v.Amount == 0 {
			continue
		}
		p.Report(zero.At, h.Name, zero.Key, fmt.Sprintf("%s = %s is not none: the default of %s holds", zero.Key, zero.Raw, v)).
			Because(zero, v).Formula("%s = %s", zero.Raw, v).Fix("set %s to %s, or to what is meant", zero.Key, v)
	}
}
