// Package tmo16 finds a limiter of time that counts for each try, in a library whose
// name for it promises the call.
package tmo16

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

// Rule is TMO-16.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "TMO-16", Name: "limiter-inside-retry", Severity: finding.Warning, Since: "0.1",
		Title: "the time limiter is inside of the retries",
		Why: `With Resilience4j's default order of aspects the retry is outermost and the time limiter within it: the limit counts for each try
anew, and nothing limits the call. Three tries of 2 s with waits of 500 ms may take 7 s, where the setting says 2.`,
		Formula: "Retry(CircuitBreaker(RateLimiter(TimeLimiter(Bulkhead(call))))): W = A × TL + b(1) + … + b(A−1)",
		Sources: []string{
			"resilience4j/resilience4j documentation, Getting started with resilience4j-spring-boot: aspect order",
			"resilience4j/resilience4j#515, #2062",
		},
		Bad: `resilience4j.retry.instances.storage.max-attempts: 3
resilience4j.timelimiter.instances.storage.timeout-duration: 2s   # 3 times`,
		Good: `resilience4j.retry.instances.storage.max-attempts: 2
resilience4j.timelimiter.instances.storage.timeout-duration: 800ms   # twice, with the waits under 2 s`,
		Fix: "Divide the time that the caller waits by the tries, or set resilience4j.timelimiter.time-limiter-aspect-order so that the limiter is outermost.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(d *model.Document, h *model.Hop) {
		if d.Product != "resilience4j" || h.Total.Finite() || h.Total.IsHole() || !h.PerTry.Finite() || !h.Retry.Tries.Known() {
			return
		}
		c, ok := worst.Whole(h)
		if !ok || !(c.Tries > 1) || math.IsInf(c.Sum, 1) || !h.PerTry.IsSet() && !h.Retry.Tries.IsSet() && !h.Retry.Written.IsSet() {
			return
		}
		p.Report(rule.At(h.PerTry, h.At), h.Name, h.PerTry.Key, fmt.Sprintf("the limit of %s counts for each of the tries: the call may take %s", h.PerTry, worst.Text(c.Sum))).
			Because(c.From...).Formula("%s", c.Formula()).
			Fix("%s", instead(h.PerTry, c))
	})
}

// instead is what to set: the part of the limit that each try gets once the waits are
// taken off, where they leave any.
func instead(limit model.Value, c worst.Call) string {
	if c.Waits >= limit.Amount {
		return fmt.Sprintf("put the limiter outermost, or shorten the waits: they alone are %s, and %s is %s", worst.Text(c.Waits), limit.Key, limit)
	}
	return fmt.Sprintf("set %s to %s, so that all tries and waits come to %s, or put the limiter outermost", limit.Key, worst.Text((limit.Amount-c.Waits)/c.Tries), limit)
}
