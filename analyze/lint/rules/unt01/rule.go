// Package unt01 finds numbers whose unit is not the one that was meant.
package unt01

import (
	"fmt"

	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is UNT-01.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "UNT-01", Name: "wrong-unit", Severity: finding.Error, Since: "0.1",
		Title: "a number lacks its unit, or has one where none is read",
		Why: `A number without a unit means seconds to one program and milliseconds to the next. Whoever writes 5000 for nginx and thinks of
milliseconds gets 83 minutes, which is no limit at all; nothing says so until the callee hangs. The other way, a program that reads
plain seconds drops "30s" and goes on with its default.`,
		Formula: `bare number × the format's unit, against the same number × 1/1000
found: a whole number of thousands that is no whole number of half hours, in a format of seconds; a number with a unit where none is read`,
		Sources: []string{
			"delimitrou/DeathStarBench socialNetwork/helm-chart: proxy_read_timeout 5000 in nginx",
			"kubernetes/ingress-nginx docs/user-guide/nginx-configuration/annotations.md: numbers of seconds without a unit",
			"HikariCP#1483: milliseconds beside a database's seconds",
		},
		Bad:  "proxy_read_timeout 5000;",
		Good: "proxy_read_timeout 5s;",
		Fix:  "Write the unit where the format takes one, and the plain number of its unit where it does not.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		said := map[string]int{}
		for _, s := range d.Units {
			v := s.Value
			said[v.Key]++ // tells findings of one setting apart
			f := p.Report(v.At, d.Format, fmt.Sprint(v.Key, said[v.Key]), s.Why).Because(v)
			if s.Refused {
				f.Formula("%s is not read as %s", v.Raw, v)
			} else {
				f.Formula("%s = %s as the format reads it", v.Raw, v)
			}
			f.Fix("%s", s.Fix)
			if s.Write == "" {
				f.CannotWrite("the number may have been meant in one unit or another")
				continue
			}
			f.Write(v, s.Write)
		}
	}
}
