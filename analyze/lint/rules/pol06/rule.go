// Package pol06 finds pools that check a connection for longer than anyone waits for it.
package pol06

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

// shortest is the lifetime under which HikariCP takes its default of 30 min, in seconds.
const shortest = 30

// mysql is how long MySQL keeps a connection that says nothing, in seconds.
const mysql = 28800

// Rule is POL-06.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "POL-06", Name: "check-over-wait", Severity: finding.Warning, Since: "0.1",
		Title: "a pool checks or keeps connections for too long",
		Why: `Before a pool hands out a connection it asks whether it is alive. If that may take longer than callers wait for the connection, a
database that hangs uses up the whole wait with one dead connection, and a second one is never tried.

A connection that the pool keeps for longer than the database does is dead when it is used; the request that meets it fails.`,
		Formula: `found: limit of the check ≥ wait for a connection, one of them set
found: a lifetime under 30s in HikariCP, which takes 30m in its place
note:  lifetime set to 8h or more: MySQL closes silent connections after 28,800s`,
		Sources: []string{
			"brettwooldridge/HikariCP README: validationTimeout must be less than connectionTimeout; maxLifetime shorter than any limit of the database",
			"brettwooldridge/HikariCP HikariConfig.java, validateNumerics: maxLifetime under 30000 ms is set to the default of 1800000 ms",
			"brettwooldridge/HikariCP#1483: 20000, meant as seconds",
			"MySQL reference manual: wait_timeout 28800",
		},
		Bad:  "maxWaitForConnection: 1s\nvalidationQueryTimeout: 3s",
		Good: "maxWaitForConnection: 1s\nvalidationQueryTimeout: 250ms",
		Fix:  "Set the check to a quarter of the wait, and the lifetime below the database's own limit.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		v, w := h.Pool.Validation, h.Pool.Wait
		if v.Finite() && w.Finite() && w.Amount > 0 && v.Amount >= w.Amount && (v.IsSet() || w.IsSet()) {
			at := v
			if !v.IsSet() {
				at = w
			}
			if p.First(rule.At(at, h.At), v.Key) {
				p.Report(rule.At(at, h.At), h.Name, v.Key, fmt.Sprintf("the check of one connection may take %s, the wait for one is %s: one dead connection uses it up", v, w)).
					Because(v, w).Formula("%s ≥ %s", v, w).Fix("set %s to %s, a quarter of %s, or less", v.Key, worst.Text(w.Amount/4), w)
			}
		}
		short(p, h)
		if l := h.Pool.Lifetime; h.Pool.Wait.Present() && l.IsSet() && l.Finite() && l.Amount >= mysql && p.First(l.At, l.Key) {
			p.Report(l.At, h.Name, l.Key, fmt.Sprintf("connections live %s: longer than MySQL keeps a silent one", l)).Severity(finding.Note).
				Because(l).Formula("%s ≥ %ds", l, mysql).Fix("set %s to 30m, or below the database's own limit", l.Key)
		}
	})
}

// short finds a lifetime that HikariCP does not take.
func short(p *rule.Pass, h *model.Hop) {
	l := h.Pool.Lifetime
	if !strings.Contains(strings.ToLower(l.Key), "hikari") || !l.IsSet() || !l.Finite() || l.Amount <= 0 || l.Amount >= shortest || !p.First(l.At, l.Key) {
		return
	}
	p.Report(l.At, h.Name, l.Key, fmt.Sprintf("a lifetime of %s is under the 30s that HikariCP takes: it uses 30m", l)).
		Because(l).Formula("%s < %ds", l, shortest).Fix("set %s to 1800000, which is 30m, or below the database's own limit; the unit is milliseconds", l.Key)
}
