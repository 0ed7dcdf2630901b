// Package tmo14 tells of zeros that do not switch a limit off but stand for the
// program's default.
package tmo14

import (
	"fmt"
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

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		for _, v := range []model.Value{h.Connect, h.PerTry, h.Total, h.GapRead, h.Idle, h.Pool.Wait, h.Breaker.Window, h.Breaker.Open} {
			report(p, h.Name, v)
		}
	})
	p.Services(func(_ *model.Document, s *model.Service) {
		for _, v := range []model.Value{s.Listen.Header, s.Listen.GapRead, s.Listen.Idle, s.Exec.Total, s.Drain.Stop} {
			report(p, s.Name, v)
		}
	})
}

func report(p *rule.Pass, object string, v model.Value) {
	if !v.IsSet() || !v.Finite() || v.Amount <= 0 || !zero(v.Raw) {
		return
	}
	p.Report(v.At, object, v.Key, fmt.Sprintf("%s = %s is not none: the default of %s holds", v.Key, v.Raw, v)).
		Because(v).Formula("%s = %s", v.Raw, v).Fix("set %s to %s, or to what is meant", v.Key, v)
}

// zero reports whether a number is written as zero, in any unit.
func zero(raw string) bool {
	digits := strings.TrimRight(strings.Trim(strings.TrimSpace(raw), `"'`), "abcdefghijklmnopqrstuvwxyzµ ")
	return digits != "" && strings.Trim(digits, "0.") == ""
}
