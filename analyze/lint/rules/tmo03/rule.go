// Package tmo03 finds tries that can never run, because the limit of the whole call has
// passed before they could begin.
package tmo03

import (
	"fmt"
	"math"
	"strconv"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is TMO-03.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "TMO-03", Name: "wasted-tries", Severity: finding.Warning, Since: "0.1",
		Title: "tries can never begin before the limit of the call",
		Why: `When a try is slow, and not refused at once, it uses up its own limit, and so does the next. If the limit of the whole call passes
before the last try could begin, the setting promises tries that a slow callee never gets. Worse, the call then ends in the middle of a
try: the callee works for nobody.`,
		Formula: `T limit of the call, P limit of a try, b shortest waits between tries, A tries
A_eff = most n with (n − 1) × P + b(1) + … + b(n−1) < T
found: A_eff < A
note: the format has a limit of a try and none is set, so that one slow try may take all of T
with a topology: P ≤ p99 of the callee, whose normal requests are ended and begun again; error where P ≤ p50`,
		Sources: []string{
			"istio/istio#55748: a perTryTimeout of 2 s ends normal requests after 2 s",
			"kubernetes-sigs/gateway-api GEP-1742: the limit of the request covers all tries",
			"istio/istio#21137: a timeout of 2 s, 3 retries and a service of 7 s, which is never retried",
			"spring-cloud/spring-cloud-netflix#2987: Hystrix at 20 s over 40 s of Ribbon",
		},
		Bad: `timeout: 400ms
retries: {attempts: 5, perTryTimeout: 200ms}   # 2 of 6 tries can begin`,
		Good: `timeout: 400ms
retries: {attempts: 1, perTryTimeout: 200ms}`,
		Fix: "Lower the number of tries to those that can begin, or raise the limit of the call to what all of them take, if its caller waits as long.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
	Chain: checkChain,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		tries, ok := worst.Tries(h)
		if !ok || meshImplicit(h) || !(tries > 1) || !h.Total.Finite() || h.Total.Amount <= 0 || h.Backoff.Base.IsHole() {
			return
		}
		try, bounded := worst.OneTry(h)
		if h.PerTry.IsHole() || h.GapRead.IsHole() {
			return
		}
		ownLimit := bounded && !math.IsInf(try.Seconds, 1) && (try.Gap || h.PerTry.IsSet() || h.PerTry.Amount < h.Total.Amount)
		if !ownLimit {
			oneTakesAll(p, h, tries)
			return
		}
		begin := worst.Started(h.Total.Amount, try.Seconds, h.Backoff, tries)
		if begin >= tries {
			return
		}
		report(p, h, tries, begin, try)
	})
}

func report(p *rule.Pass, h *model.Hop, tries, begin float64, try worst.Try) {
	waits := worst.LeastWaits(h.Backoff, tries)
	whole := tries*try.Seconds + waits
	at := rule.At(h.Retry.Written, h.At)
	if !h.Retry.Written.IsSet() && h.Total.IsSet() {
		at = h.Total.At
	}
	if !p.First(at, h.Retry.Written.Key) {
		return
	}
	f := p.Report(at, h.Name, h.Retry.Written.Key, fmt.Sprintf("%s of %s tries can begin within %s: %s tries of %s take %s",
		units.Number(begin), units.Number(tries), h.Total, units.Number(tries), worst.Text(try.Seconds), worst.Text(whole)))
	f.Because(h.Retry.Written, h.Total).Because(try.From...)
	sum := ""
	if waits > 0 {
		f.Because(h.Backoff.Base)
		sum = " + " + worst.Text(waits) + " shortest waits"
	}
	f.Formula("%s tries × %s%s = %s > %s; begin before %s: %s", units.Number(tries), worst.Text(try.Seconds), sum, worst.Text(whole), h.Total, h.Total, units.Number(begin))
	f.Fix("%s, or set %s to %s if the caller waits as long", written(h.Retry, begin), name(h.Total, "the limit of the call"), worst.Text(whole))
	if h.Retry.Dialect == model.ProductOf {
		f.CannotWrite("two settings multiply to the number of tries")
		return
	}
	if !alike(p, h, begin) {
		f.CannotWrite("other hops have the same setting and need another number of tries")
		return
	}
	f.Write(h.Retry.Written, strconv.FormatFloat(dialect(h.Retry, begin), 'f', -1, 64))
}

// alike reports whether all hops with the setting of tries that h has come to as many
// tries that can begin.
func alike(p *rule.Pass, h *model.Hop, begin float64) bool {
	same := true
	p.Hops(func(_ *model.Document, other *model.Hop) {
		if other == h || other.Retry.Written.At != h.Retry.Written.At {
			return
		}
		try, ok := worst.OneTry(other)
		tries, known := worst.Tries(other)
		same = same && ok && known && other.Total.Finite() && worst.Started(other.Total.Amount, try.Seconds, other.Backoff, tries) == begin
	})
	return same
}

// dialect is so many tries as the setting counts them.
func dialect(r model.Retry, tries float64) float64 {
	if r.Dialect == model.ExtraTries {
		return tries - 1
	}
	return tries
}

// oneTakesAll tells that a slow try leaves no time for another, where answers that
// come too late are among what is tried again.
func oneTakesAll(p *rule.Pass, h *model.Hop, tries float64) {
	if !h.Retry.Written.IsSet() || !h.Total.IsSet() || !late(h.Retry) || !h.PerTry.Present() {
		return
	}
	at := rule.At(h.Retry.Written, h.At)
	if !p.First(at, h.Retry.Written.Key) {
		return
	}
	p.Report(at, h.Name, h.Retry.Written.Key, fmt.Sprintf("a slow try may take all of %s: %s then begins", h.Total, none(tries-1))).
		Severity(finding.Note).Because(h.Retry.Written, h.Total).
		Formula("limit of a try = limit of the call = %s: 1 of %s tries", h.Total, units.Number(tries)).
		Fix("set a limit of each try to %s: %s / %s", worst.Text(h.Total.Amount/tries), h.Total, units.Number(tries))
}

func none(tries float64) string {
	if tries == 1 {
		return "the further try never"
	}
	return "none of the " + units.Number(tries) + " further tries"
}

// meshImplicit reports whether nobody wrote the retries of a proxy: RTY-09 tells of
// them.
func meshImplicit(h *model.Hop) bool {
	return h.Retry.Implicit && h.Layer != model.App && h.Layer != model.Library
}

// late reports whether answers that do not come are tried again, as far as is known.
func late(r model.Retry) bool {
	for _, c := range r.On {
		if c.Cause == model.TimedOut || c.Cause == model.Unavailable {
			return true
		}
	}
	return len(r.On) == 0
}

// written is so many tries in the dialect of the setting.
func written(r model.Retry, tries float64) string {
	n := dialect(r, tries)
	if r.Dialect == model.ProductOf && tries == 1 {
		return fmt.Sprintf("set %s to 0", name(r.Written, "the retries"))
	}
	if r.Dialect == model.ProductOf {
		return fmt.Sprintf("set %s so that it comes to %s tries", name(r.Written, "the retries"), units.Number(tries))
	}
	return fmt.Sprintf("set %s to %s", name(r.Written, "the number of tries"), units.Number(n))
}

func name(v model.Value, otherwise string) string {
	if v.Key != "" {
		return v.Key
	}
	return otherwise
}
