// Package tmo10 finds waits between tries that use up the limit of the call.
package tmo10

import (
	"fmt"
	"sort"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is TMO-10.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "TMO-10", Name: "backoff-eats-limit", Severity: finding.Warning, Since: "0.1",
		Title: "waits between tries come to the limit of the call or more",
		Why: `The limit of a call covers the waits between its tries. When these alone come to it, the last tries cannot be made, and the caller
spends its time waiting for nothing. A cap of a single wait that is as long as the whole call never acts.`,
		Formula: `T limit of the call, A tries, b(i) longest wait before try i + 1
found: b(1) + … + b(A−1) ≥ T
note: only the cap of a single wait ≥ T`,
		Sources: []string{
			"grpc/proposal A6: the deadline covers all tries and the waits between them",
			"googleapis/googleapis google/pubsub/v1/pubsub_grpc_service_config.json: waits up to 60 s in a call of 60 s",
		},
		Bad:  `"timeout": "10s", "retryPolicy": {"maxAttempts": 5, "initialBackoff": "1s", "maxBackoff": "10s", "backoffMultiplier": 2}`,
		Good: `"timeout": "10s", "retryPolicy": {"maxAttempts": 3, "initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 2}`,
		Fix:  "Lower the first wait, the cap or the tries, until the waits come to half of the limit at most.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		var capped []*model.Hop
		for _, h := range d.Hops {
			b, t := h.Backoff, h.Total
			if !t.Finite() || t.Amount <= 0 || !b.Base.Known() && !b.Max.Known() || b.Base.IsHole() || b.Multiplier.IsHole() {
				continue
			}
			tries, ok := worst.Tries(h)
			if waits := worst.Waits(b, tries); ok && h.Retry.Tries.Known() && waits >= t.Amount && (b.Base.IsSet() || t.IsSet()) {
				sum(p, h, tries, waits)
			} else if b.Max.IsSet() && b.Max.Finite() && b.Max.Amount >= t.Amount && (!h.Retry.Tries.Known() || tries > 1) {
				capped = append(capped, h)
			}
		}
		if len(capped) > 0 {
			single(p, capped[0], len(capped))
		}
	}
}

// single tells of a cap that never acts, once a document.
func single(p *rule.Pass, h *model.Hop, n int) {
	most, t := h.Backoff.Max, h.Total
	more := ""
	if n > 1 {
		more = fmt.Sprintf(", here and in %d more", n-1)
	}
	p.Report(most.At, h.Name, most.Key, fmt.Sprintf("a single wait may be %s, the whole call %s: the cap never acts%s", most, t, more)).
		Severity(finding.Note).Because(most, t).Formula("%s ≥ %s", most, t).
		Fix("set %s to %s or less, a tenth of the limit", most.Key, worst.Text(t.Amount/10))
}

func sum(p *rule.Pass, h *model.Hop, tries, waits float64) {
	b, t := h.Backoff, h.Total
	f := p.Report(rule.At(b.Base, h.At), h.Name, b.Base.Key, fmt.Sprintf("the waits between %s tries come to %s, the limit of the call is %s", units.Number(tries), worst.Text(waits), t))
	f.Because(t, b.Base)
	for _, v := range []model.Value{b.Multiplier, b.Max, b.Jitter} {
		if v.Known() {
			f.Because(v)
		}
	}
	f.Because(h.Retry.Tries).Formula("b(1) + … + b(%s) = %s ≥ %s", units.Number(tries-1), worst.Text(waits), t)
	f.Fix("set %s to %s or less, so that the waits come to half of the limit", b.Base.Key, worst.Text(shorter(b, tries, t.Amount/2)))
}

// shorter returns the longest first wait with which all waits come to so many seconds
// at most, in whole microseconds.
func shorter(b model.Backoff, tries, most float64) float64 {
	micros := sort.Search(int(min(b.Base.Amount*1e6, 1<<50)), func(i int) bool {
		b.Base.Amount = float64(i+1) / 1e6
		return worst.Waits(b, tries) > most
	})
	return float64(micros) / 1e6
}
