// Package tmo04 finds retries whose sum nothing limits.
package tmo04

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

// Rule is TMO-04.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "TMO-04", Name: "unbounded-sum-of-tries", Severity: finding.Warning, Since: "0.1",
		Title: "each try has a limit, the call with all of its tries has none",
		Why: `A limit of each try reads like the limit of the call, and is not: the caller waits for all tries one after the other. With 4 tries of
2 s it may wait 8 s, while its own caller gave up after 3; the tries after that are work for nobody, at the time when the callee has
least to spare.`,
		Formula: `A tries, P limit of a try, b longest waits between tries, T limit of the call
found: T is none, A > 1 is set, A × P + b(1) + … + b(A−1) is what a call may take`,
		Sources: []string{
			"envoyproxy/data-plane-api envoy/config/route/v3/route_components.proto: the route's timeout covers all tries",
			"Google, Site Reliability Engineering, chapter 22: deadlines and retries",
		},
		Bad:  "retries: {attempts: 3, perTryTimeout: 2s}   # 4 tries, 8 s",
		Good: "timeout: 4s\nretries: {attempts: 1, perTryTimeout: 2s}",
		Fix:  "Set a limit of the whole call, at or below what all tries take, and below the caller's own limit.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(d *model.Document, h *model.Hop) {
		// What a file says in so many words is TMO-02's, a limiter inside of retries
		// TMO-16's.
		if h.Streams || h.Total.IsSet() || h.Total.IsHole() || h.Total.Finite() || h.StartTry.Finite() || !h.Retry.Written.IsSet() || d.Product == "resilience4j" {
			return
		}
		c, ok := worst.Whole(h)
		if !ok || !(c.Tries > 1) || math.IsInf(c.Sum, 1) || c.Connecting {
			return
		}
		at := rule.At(h.Retry.Written, h.At)
		if !p.First(at, h.Retry.Written.Key) {
			return
		}
		least := ""
		if c.Try.Gap {
			least = "at least "
		}
		f := p.Report(at, h.Name, h.Retry.Written.Key, fmt.Sprintf("no limit of the whole call: its tries may take %s%s", least, worst.Text(c.Sum)))
		if h.Retry.Written.Amount != c.Tries {
			f.Because(h.Retry.Written)
		}
		f.Because(c.From...).Formula("%s", c.Formula())
		// Where a format has no setting for the whole, its default is called total.
		if h.Total.Key != "" && h.Total.Key != "total" {
			f.Fix("set %s to %s or less", h.Total.Key, worst.Text(c.Sum))
			return
		}
		f.Fix("limit the whole call to %s or less in its caller, or set %s so that fewer tries are made", worst.Text(c.Sum), h.Retry.Written.Key)
	})
}
