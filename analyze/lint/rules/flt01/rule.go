// Package flt01 finds faults that are injected on purpose.
package flt01

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is FLT-01.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "FLT-01", Name: "fault-injection", Severity: finding.Warning, Since: "0.1",
		Title: "faults are injected outside of tests",
		Why: `A delay or an abort that was put in for an experiment and stayed is an outage of a part of the requests that no dashboard explains.
With retries on top it is load as well.`,
		Formula: "a delay or an abort with a share over 0, in a file that is not one of tests or examples",
		Sources: []string{"istio.io, Fault injection task: a delay of 7 s for one user of Bookinfo"},
		Bad:     "fault: {delay: {percentage: {value: 100}, fixedDelay: 7s}}",
		Good:    "no fault in the files that are deployed; the experiment has a file of its own",
		Fix:     "Remove the fault, or keep it in a file of its own that only the experiment applies.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		if h.Test {
			return
		}
		for _, fault := range h.Faults {
			if fault.Share.IsHole() || fault.Delay.IsHole() || fault.Share.Known() && !(fault.Share.Amount > 0) {
				continue
			}
			what := fault.Kind
			if fault.Delay.Known() {
				what += " of " + fault.Delay.String()
			}
			share := "all"
			if fault.Share.Finite() && fault.Share.Amount < 1 {
				share = fault.Share.String() + " of the"
			}
			f := p.Report(fault.At, h.Name, fault.Kind, fmt.Sprintf("%s is injected into %s requests", what, share))
			for _, v := range []model.Value{fault.Share, fault.Delay} {
				if v.Present() {
					f.Because(v)
				}
			}
			f.Formula("share of requests with a fault = %s", shareOf(fault.Share)).Fix("remove the fault")
		}
	})
}

func shareOf(v model.Value) string {
	if v.Finite() {
		return v.String()
	}
	return "100%"
}
