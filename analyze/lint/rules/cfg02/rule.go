// Package cfg02 tells which settings of a file could not be judged, because a template
// or the environment gives their values.
package cfg02

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// shown is how many expressions a message names.
const shown = 3

// Rule is CFG-02.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "CFG-02", Name: "unresolved-value", Severity: finding.Note, Since: "0.1",
		Title: "a value comes from a template or the environment",
		Why: `What a setting is to be is not in this file, so no rule has judged it: that nothing is found here does not mean that nothing is
wrong.`,
		Formula: "settings that are read whose value is an expression without a value of its own",
		Sources: []string{"nginx's envsubst, Helm, Jinja and ERB templates; Spring's ${NAME:default}"},
		Bad:     "proxy_read_timeout ${PROXY_READ_TIMEOUT};",
		Good:    "proxy_read_timeout ${PROXY_READ_TIMEOUT:-30s};",
		Fix:     "Give the values with --values FILE or --env-file FILE, or check what the template makes: helm template CHART | kneeline lint -",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	byFile := map[string][]model.Value{}
	var order []string
	for _, d := range p.Graph.Documents {
		if len(d.Holes) > 0 && byFile[d.File] == nil {
			order = append(order, d.File)
		}
		byFile[d.File] = append(byFile[d.File], d.Holes...)
	}
	for _, file := range order {
		report(p, byFile[file])
	}
}

func report(p *rule.Pass, holes []model.Value) {
	seen := map[model.Position]bool{}
	var names []string
	count := 0
	for _, h := range holes {
		if seen[h.At] {
			continue
		}
		seen[h.At] = true
		if count++; count <= shown {
			names = append(names, strings.TrimSpace(h.Key+" = "+h.Raw))
		}
	}
	list := strings.Join(names, ", ")
	if count > shown {
		list += fmt.Sprintf(" and %d more", count-shown)
	}
	message := fmt.Sprintf("%d values are not known and were not judged: %s", count, list)
	if count == 1 {
		message = "a value is not known and was not judged: " + list
	}
	f := p.Report(holes[0].At, "", "holes", message)
	f.Because(holes[:min(len(holes), shown)]...).Fix("give the values with --values FILE or --env-file FILE, or check the rendered file")
}
