// Package fov03 finds failover that puts all load on one other place.
package fov03

import (
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is FOV-03.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "FOV-03", Name: "failover-to-one", Severity: finding.Warning, Since: "0.1",
		Title: "when a region fails, all of its load goes to one other",
		Why: `Failover sends what one region had to the next in its list. With one in the list that one gets twice its load within seconds, with cold
caches and without the connections for it. If it cannot carry that it fails too, and takes on the way the next that fails over to it.`,
		Formula: `load of a target = its own + load that fails over / targets: with n = 1 twice the load, with n = 3 a third more
found: the list has one target`,
		Sources: []string{
			"hashicorp/consul service-resolver: failover, targets",
			"istio/api networking/v1 destination_rule.proto: LocalityLoadBalancerSetting.failover",
			"B. Beyer et al., Site Reliability Engineering (2016), chapter 22: cascading failures by redistribution of load",
		},
		Bad:  `failover: {"*": {datacenters: ["dc2"]}}`,
		Good: `failover: {"*": {datacenters: ["dc2", "dc3", "dc4"]}}`,
		Fix:  "Spread the load of a region over several others, keep room for it in each, and cap what they take.",
	},
	Needs: rule.Config,
	Check: check,
}

// failover is the key of [model.Hop.Extra] under which readers give the number of places
// that one fails over to.
const failover = "failover"

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		v := h.Extra[failover]
		if !v.IsSet() || v.Amount != 1 || !p.First(v.At, v.Key) {
			return
		}
		p.Report(v.At, h.Name, v.Key, "all load fails over to one other place: twice the load there").Because(v).
			Formula("load of the target = own + other's / 1 = 2 × its load, where both had the same").
			Fix("list at least 3 targets: each then gets a third more")
	})
}
