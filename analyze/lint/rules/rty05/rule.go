// Package rty05 tells what a number of attempts counts where others count differently.
package rty05

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is RTY-05.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "RTY-05", Name: "meaning-of-attempts", Severity: finding.Note, Since: "0.1",
		Title: "the number of attempts counts the first one too",
		Why: `"attempts" means two things. In Istio, the Gateway API and Kong the number comes on top of the first try; in Traefik, gRPC, Feign and
Resilience4j the first try is one of them. A value carried over from one to the other is off by one, and 1, which is one retry
there, is none at all here.`,
		Formula: `tries = attempts, not attempts + 1
found: a setting called attempts counts all tries; or one that counts all tries is 1, so that nothing is ever tried again`,
		Sources: []string{
			"traefik/traefik pkg/middlewares/retry/retry.go: attempts counts the first request",
			"grpc/proposal A6: maxAttempts includes the original attempt",
			"istio/api networking/v1 virtual_service.proto: number of retries",
		},
		Bad:  "retry: {attempts: 1}   # Traefik: one try, no retry",
		Good: "retry: {attempts: 2}   # Traefik: one retry",
		Fix:  "Write one more than the number of retries that you want.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		v := h.Retry.Written
		if h.Retry.Dialect != model.TotalTries || !v.IsSet() || !v.Finite() || v.Amount < 1 || !p.First(v.At, v.Key) {
			return
		}
		key := strings.ToLower(v.Key[strings.LastIndexAny(v.Key, ".")+1:])
		switch {
		case v.Amount == 1 && strings.Contains(key, "attempt"):
			p.Report(v.At, h.Name, v.Key, fmt.Sprintf("%s is 1, and the first try counts: nothing is ever tried again", v.Key)).
				Because(v).Formula("tries = %s = 1; retries = 0", v.Key).Fix("set %s to 2 for one retry, or take it out", v.Key)
		case v.Amount > 1 && key == "attempts":
			n := units.Number(v.Amount)
			p.Report(v.At, h.Name, v.Key, fmt.Sprintf("%s %s is %s tries in all, not %s retries", v.Key, n, n, n)).
				Because(v).Formula("tries = %s; retries = %s − 1 = %s", n, n, units.Number(v.Amount-1)).
				Fix("set %s to %s if you want %s retries; leave it for %s", v.Key, units.Number(v.Amount+1), n, units.Number(v.Amount-1))
		}
	})
}
