// Package pol02 finds waits for a connection of a pool that last longer than a request.
package pol02

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is POL-02.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "POL-02", Name: "pool-wait-over-request", Severity: finding.Warning, Since: "0.1",
		Title: "a wait for a connection of the pool may outlast the request",
		Why: `A pool is empty when what is behind it is slow, and then every request waits for a connection. If that wait may be as long as the whole
request, the request ends before it has begun: threads of the caller stand in line for nothing, and when connections come free
they go to requests whose callers have left.`,
		Formula: `T limit of the request, of the hop itself, otherwise the longest that the file sets for calls
found: wait for a connection ≥ T
wait = T / 4`,
		Sources: []string{
			"alibaba/druid wiki: maxWait; zlt2000/microservices-platform: 60 s in front of requests of 30 s",
			"brettwooldridge/HikariCP README: connectionTimeout is the wait for a connection of the pool",
		},
		Bad:  "datasource.druid.max-wait: 60000\nfeign.client.config.default.readTimeout: 30000",
		Good: "datasource.druid.max-wait: 1000",
		Fix:  "Set the wait to a quarter of the request's limit or less.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	longest := map[string]limit{}
	p.Hops(func(d *model.Document, h *model.Hop) {
		if v := own(h); v.IsSet() && !h.Pool.Wait.Present() && h.Layer <= model.Library {
			if l := longest[d.File]; !l.v.Known() || v.Amount > l.v.Amount {
				longest[d.File] = limit{h, v}
			}
		}
	})
	p.Hops(func(d *model.Document, h *model.Hop) {
		wait := h.Pool.Wait
		if !wait.IsSet() || !wait.Finite() || wait.Amount <= 0 {
			return
		}
		t, whose := own(h), "of the call"
		if !t.Known() || t.Amount <= 0 {
			t = longest[d.File].v
			if t.Known() {
				whose = "of " + longest[d.File].hop.Name
			}
		}
		if !t.Finite() || t.Amount <= 0 || wait.Amount < t.Amount || !p.First(wait.At, wait.Key) {
			return
		}
		p.Report(wait.At, h.Name, wait.Key, fmt.Sprintf("a wait of up to %s for a connection outlasts the limit %s, %s", wait, whose, t)).
			Because(wait, t).Formula("%s / %s = %s", wait, t, units.Number(wait.Amount/t.Amount)).
			Fix("set %s to %s, a quarter of %s, or less", wait.Key, worst.Text(t.Amount/4), t)
	})
}

// limit is a request's limit of time, and whose it is.
type limit struct {
	hop *model.Hop
	v   model.Value
}

// own is a hop's own finite limit, absent where it has none.
func own(h *model.Hop) model.Value {
	for _, v := range []model.Value{h.Total, h.PerTry, h.GapRead} {
		if v.Finite() {
			return v
		}
	}
	return model.Value{}
}
