// Package cbk03 finds outlier detection that may leave out most of the hosts.
package cbk03

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is CBK-03.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "CBK-03", Name: "may-eject-all", Severity: finding.Warning, Since: "0.1",
		Title: "more than half of the hosts may be left out at once",
		Why: `Leaving a host out puts its share on the others. When all are slow because of load, each that is left out makes the next fail: with
100% the last host gets everything, then nobody does.`,
		Formula: "share m that may be left out > 50%; load of the hosts that are left = 1 / (1 − m)",
		Sources: []string{
			"envoyproxy/data-plane-api envoy/config/cluster/v3/outlier_detection.proto: max_ejection_percent is 10% by default",
			"Envoy documentation, Panic threshold: 50%",
		},
		Bad:  "outlierDetection: {maxEjectionPercent: 100}",
		Good: "outlierDetection: {maxEjectionPercent: 30}",
		Fix:  "Set the share to what the remaining hosts can carry: 1 − peak / capacity, 50% at most.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		v := h.Breaker.MaxEjected
		if !v.IsSet() || !v.Finite() || v.Amount <= 0.5 {
			return
		}
		load := "no host is left"
		if v.Amount < 1 {
			load = units.Number(1/(1-v.Amount)) + " times the load on each that is left"
		}
		p.Report(v.At, h.Name, v.Key, fmt.Sprintf("%s of the hosts may be left out at once: %s", v, load)).
			Because(v).Formula("1 / (1 − %s): %s", v, load).Fix("set %s to 50%% or less", v.Key)
	})
}
