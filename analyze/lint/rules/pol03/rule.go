// Package pol03 tells of long waits for a connection that nobody has chosen.
package pol03

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// long is from where on a default is worth a choice, in seconds.
const long = 10

// Rule is POL-03.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "POL-03", Name: "default-pool-wait", Severity: finding.Note, Since: "0.1",
		Title: "the wait for a connection of the pool is left to a long default",
		Why: `Pools ship with waits of half a minute. When the database is slow, each request thread stands half a minute in front of the pool; at 20
requests a second that is 600 threads, which no server has. A short wait fails those that have no chance, and leaves threads for
requests that need no database.`,
		Formula: `threads in line = arrival rate × wait
found: the wait is not set and its default is 10s or more`,
		Sources: []string{
			"brettwooldridge/HikariCP README: connectionTimeout 30000 ms",
			"dropwizard/dropwizard docs manual/configuration.rst: maxWaitForConnection 30 s",
		},
		Bad:  "maximumPoolSize: 10   # connectionTimeout is 30 s",
		Good: "maximumPoolSize: 10\nconnectionTimeout: 1000",
		Fix:  "Set the wait to 250 ms to 1 s.",
	},
	Needs: rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		var first *model.Hop
		hops := 0
		for _, h := range d.Hops {
			w := h.Pool.Wait
			if w.Origin != model.Default || !w.Finite() || w.Amount < long {
				continue
			}
			if first == nil {
				first = h
			}
			hops++
		}
		if first != nil {
			report(p, first, hops)
		}
	}
}

func report(p *rule.Pass, h *model.Hop, hops int) {
	w := h.Pool.Wait
	message := fmt.Sprintf("%s is not set: up to %s in line for a connection", w.Key, w)
	if hops > 1 {
		message += fmt.Sprintf("; here and in %s more", units.Number(float64(hops-1)))
	}
	f := p.Report(rule.At(w, h.At), h.Name, w.Key, message).Because(w)
	if h.Pool.Max.Known() {
		f.Because(h.Pool.Max)
	}
	f.Formula("threads in line at 20/s = 20/s × %s = %s", w, units.Number(20*w.Amount)).Fix("set %s to 1s or less", w.Key)
}
