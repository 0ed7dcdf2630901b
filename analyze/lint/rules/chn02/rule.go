// Package chn02 finds paths along which tries multiply.
package chn02

import (
	"fmt"
	"math"
	"strings"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is CHN-02.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "CHN-02", Name: "retry-amplification", Severity: finding.Warning, Since: "0.1",
		Title: "tries multiply along a path",
		Why: `Each layer that tries again does so with whole calls of the layer under it. Three layers with three tries send 27 calls to a far end that
fails, because it fails: a short fault becomes an overload that lasts, since each of the 27 is as likely to fail as the first. One layer that
tries again repairs what can be repaired.`,
		Formula: `product over all layers of all hops of a path of min(tries that begin before the limit, 1 + budget)
for a far end that fails at once, or one that does not answer, whichever is more
warning from 4 on, error from 9 on; one layer alone is RTY-01's`,
		Sources: []string{
			"Site Reliability Engineering (Google, 2016), chapter 22, Retries: three layers with 4 tries make 64",
			"Amazon Builders' Library, Timeouts, retries, and backoff with jitter: retry at a single point in the stack",
			"datarobot/datarobot-user-models#1954: a client with 3 tries over a proxy with 3 makes 9 calls",
		},
		Bad:  "edge → orders: 3 tries\norders → stock: 3 tries\nstock → database: 3 tries",
		Good: "edge → orders: 1 try\norders → stock: 1 try\nstock → database: 3 tries and a budget of 10%",
		Fix:  "Keep retries in one layer, with a budget, and set the others to one try.",
	},
	Needs: rule.Config | rule.Defaults | rule.Topology,
	Chain: check,
}

func check(p *rule.Pass) {
	w := p.Chain().Paths()
	told := map[*chain.Service]bool{}
	for _, path := range w.Paths { // the worst first
		far := path.Hops[len(path.Hops)-1].To
		if path.Product < chain.Amplifies || told[far] {
			continue
		}
		if again := retrying(path); len(again) > 1 {
			told[far] = true
			report(p, path, again)
		}
	}
	if w.Cut {
		p.CouldNot(p.Chain().Services[0].At, "paths beyond the first "+units.Count(chain.MaxPaths)+", or longer than "+units.Count(chain.MaxLength)+" hops")
	}
}

// retrying are the layers of a path that call more than once.
func retrying(path chain.Path) []chain.LayerTries {
	var out []chain.LayerTries
	for _, s := range path.Steps {
		for _, l := range s.Layers {
			if l.Budgeted > 1 {
				out = append(out, l)
			}
		}
	}
	return out
}

func report(p *rule.Pass, path chain.Path, again []chain.LayerTries) {
	first := again[0].Layer.Hop
	v := again[0].Setting()
	far := path.Hops[len(path.Hops)-1].To
	f := p.Report(rule.At(v, first.At), path.Name(), v.Key, fmt.Sprintf("one call becomes up to %s at %s if that %s, along %s", number(path.Product), far.Name, path.Mode, path.Name()))
	if path.Product >= chain.AmplifiesMuch {
		f.Severity(finding.Error)
	}
	var factors, names []string
	for _, l := range again {
		if l.Hedged {
			f.Because(l.Setting())
		} else {
			f.Because(l.Layer.Hop.Retry.Tries)
		}
		if l.Budgeted < l.Begun && !l.Hedged {
			f.Because(l.Layer.Hop.Budget.Ratio)
		}
		factors = append(factors, number(l.Budgeted))
		names = append(names, fmt.Sprintf("%s (%s)", l.Layer.Hop.Name, l.Layer.Hop.Layer))
	}
	f.Formula("%s = %s, by %s", strings.Join(factors, " × "), number(path.Product), strings.Join(names, ", "))
	last := again[len(again)-1].Layer.Hop
	f.Fix("keep the retries of %s, next to %s, and set the others to one try: %s", last.Name, far.Name, others(again))
}

// others are the settings of all layers but the last.
func others(again []chain.LayerTries) string {
	var out []string
	for _, l := range again[:len(again)-1] {
		v := l.Setting()
		key := v.Key
		if v.At.Line > 0 {
			key = fmt.Sprintf("%s (%s:%d)", key, v.At.File, v.At.Line)
		}
		out = append(out, key)
	}
	return strings.Join(out, ", ")
}

func number(x float64) string {
	if math.IsInf(x, 1) {
		return "any number"
	}
	return units.Number(x)
}
