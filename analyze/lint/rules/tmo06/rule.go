// Package tmo06 finds a library that goes on waiting after the application has given
// up.
package tmo06

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is TMO-06.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "TMO-06", Name: "inner-limit-over-outer", Severity: finding.Warning, Since: "0.1",
		Title: "an inner limit is longer than the outer one of the same call",
		Why: `One call passes through several layers of one program: the application's limit, the library's, the proxy's beside it. The outermost
limit decides how long the caller waits; an inner one that is longer decides how long the slot, the connection and the callee's work stay
taken for a caller that has gone. With 3.5 s under 400 ms each call that is given up costs 8.75 times the slot time that anybody
waited for, and just when the callee is slow.`,
		Formula: `T_outer limit of the outer layer, W_inner = min(T, A × P + waits) of the inner one
found: W_inner > T_outer
error: a single try of the inner layer waits 2 × T_outer or more for its answer
after the caller has gone: W_inner − T_outer
also: a latency over which the client spares a host is longer than its calls may be`,
		Sources: []string{
			"LinkedIn Engineering, FollowFeed 2018-02: a library at 3.5 s under an application at 400 ms",
			"spring-cloud/spring-cloud-netflix#2987, #2606: Hystrix below Ribbon",
			"spring-cloud/spring-cloud-circuitbreaker#90: a TimeLimiter of 1 s over Feign",
		},
		Bad:  "application: timeout 400ms\nlibrary:     requestTimeout 3500ms",
		Good: "application: timeout 400ms\nlibrary:     requestTimeout 450ms",
		Fix:  "Set the inner limit a little over the outer one, or below it; never a multiple of it.",
	},
	Needs: rule.Config,
	Check: check,
	Chain: checkChain,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		within(p, h)
		library(p, h)
		unreached(p, h)
	})
	// The settings of several libraries that stand together are documents with one
	// beginning.
	inners := map[callee][]*model.Hop{}
	p.Hops(func(d *model.Document, h *model.Hop) {
		if h.Layer == model.Library || h.Layer == model.Sidecar {
			k := callee{d.File, d.Line, h.To}
			inners[k] = append(inners[k], h)
		}
	})
	p.Hops(func(d *model.Document, outer *model.Hop) {
		if outer.Layer != model.App && outer.Layer != model.Library {
			return
		}
		for _, inner := range inners[callee{d.File, d.Line, outer.To}] {
			if stacked(outer, inner) {
				between(p, outer, inner)
			}
		}
	})
}

// callee is whom the hops that are set in one place lead to.
type callee struct {
	file string
	line int
	to   string
}

// within finds a limit of a try that is over that of the whole call. With more than one
// try TMO-03 says so.
func within(p *rule.Pass, h *model.Hop) {
	tries, ok := worst.Tries(h)
	if !ok || tries > 1 && !h.Retry.Implicit || !h.PerTry.IsSet() || !h.PerTry.Finite() || !h.Total.IsSet() || !h.Total.Finite() || h.PerTry.Amount <= h.Total.Amount {
		return
	}
	if !p.First(h.PerTry.At, h.PerTry.Key) {
		return
	}
	p.Report(h.PerTry.At, h.Name, h.PerTry.Key, fmt.Sprintf("a try may take %s, the whole call %s: %s has no effect", h.PerTry, h.Total, h.PerTry.Key)).
		Because(h.PerTry, h.Total).Formula("%s / %s = %s", h.PerTry, h.Total, ratio(h.PerTry.Amount/h.Total.Amount)).
		Fix("set %s to %s or less", h.PerTry.Key, h.Total)
}

// library finds a library that waits longer for an answer than the application's limit
// around it, where a file sets both for one call, as Hystrix around Ribbon. With more
// than one try TMO-03 says so.
func library(p *rule.Pass, h *model.Hop) {
	tries, ok := worst.Tries(h)
	t, read := h.Total, h.GapRead
	if !ok || tries > 1 || h.Layer != model.App || h.Streams || !t.Finite() || t.Amount <= 0 || !read.Finite() || read.Amount <= t.Amount || !t.IsSet() && !read.IsSet() {
		return
	}
	x := read.Amount / t.Amount
	f := p.Report(rule.At(read, rule.At(t, h.At)), h.Name, read.Key, fmt.Sprintf("the library waits %s for an answer, %s times the %s of the application: the call goes on for %s after that",
		read, units.Number(x), t, worst.Text(read.Amount-t.Amount)))
	if x >= 2 {
		f.Severity(finding.Error)
	}
	f.Because(t, read).Formula("%s / %s = %s", read, t, ratio(x)).Fix("set %s to %s", read.Key, t)
}

// unreached finds a latency from which on the client sends a host less, and which no
// call can have, because its limit ends it sooner.
func unreached(p *rule.Pass, h *model.Hop) {
	const key = "degrader.highLatency"
	high, t := h.Extra[key], h.Total
	if !high.IsSet() || !high.Finite() || !t.Finite() || t.Amount <= 0 || high.Amount <= t.Amount || !p.First(high.At, key) {
		return
	}
	p.Report(high.At, h.Name, key, fmt.Sprintf("%s of %s is never reached: %s ends a call after %s", key, high, t.Key, t)).
		Because(high, t).Formula("%s / %s = %s", high, t, ratio(high.Amount/t.Amount)).
		Fix("set %s to %s or less, or %s to over %s if answers take as long", key, worst.Text(t.Amount*0.8), t.Key, high)
}

// stacked reports whether two hops are layers of one call: same callee, one inside of
// the other.
func stacked(outer, inner *model.Hop) bool {
	return outer.Layer < inner.Layer && outer.To == inner.To && (outer.From == "" || inner.From == "" || outer.From == inner.From) && !outer.Streams && !inner.Streams
}

// between compares two layers of one call and returns what it has found, nil for nothing.
func between(p *rule.Pass, outer, inner *model.Hop) *rule.Found {
	t, c, ok := limits(outer, inner)
	if !ok || c.Seconds <= t.Amount {
		return nil
	}
	at := inner.At
	if len(c.From) > 0 {
		at = rule.At(c.From[len(c.From)-1], inner.At)
		if v := longest(inner); v.Known() {
			at = rule.At(v, inner.At)
		}
	}
	severity := finding.Warning
	if single(inner) >= 2*t.Amount && inner.To != "" {
		severity = finding.Error
	}
	x := c.Seconds / t.Amount
	f := p.Report(at, inner.Name, t.Key, fmt.Sprintf("the %s waits up to %s, %s times the %s of %s: work goes on for %s after the caller has gone",
		inner.Layer, worst.Text(c.Seconds), units.Number(x), t, name(outer), worst.Text(c.Seconds-t.Amount)))
	f.Severity(severity).Because(t).Because(c.From...)
	f.Formula("%s; / %s = %s", formula(c), t, ratio(x))
	f.Fix("set the limits of %s so that they come to %s or less, or raise %s", name(inner), t, t.Key)
	if v := longest(inner); v.IsSet() && c.Tries <= 1 && t.IsSet() && inner.Layer == model.Library {
		f.Fix("set %s to %s, as %s has it; a little over it is enough to see who gave up", v.Key, t, name(outer))
	}
	return f
}

// limits returns the limit of the outer layer and the longest wait of the inner one.
func limits(outer, inner *model.Hop) (model.Value, worst.Call, bool) {
	t := outer.Total
	if !t.Known() {
		t = outer.PerTry
	}
	c, ok := worst.Whole(inner)
	return t, c, ok && t.Finite() && t.Amount > 0 && c.Seconds > 0 && t.Unit == model.Seconds && (t.IsSet() || anySet(c.From))
}

func anySet(values []model.Value) bool {
	for _, v := range values {
		if v.IsSet() {
			return true
		}
	}
	return false
}

// longest is the largest limit of a hop, which is the one to lower: that of the whole
// where the file sets it, since it cuts the others.
func longest(h *model.Hop) model.Value {
	if h.Total.IsSet() {
		return h.Total
	}
	var out model.Value
	for _, v := range []model.Value{h.Total, h.PerTry, h.GapRead, h.Connect} {
		if v.Known() && (!out.Known() || v.Amount > out.Amount) {
			out = v
		}
	}
	return out
}

// single is how long one try waits for its answer: without retries and connecting, how
// far the layer is off.
func single(h *model.Hop) float64 {
	out := math.Inf(1)
	for _, v := range []model.Value{h.PerTry, h.Total, h.GapRead} {
		if v.Known() && (v.Unit == model.Seconds) {
			out = min(out, v.Amount)
		}
	}
	if math.IsInf(out, 1) && !h.PerTry.Known() && !h.Total.Known() && !h.GapRead.Known() {
		return 0
	}
	return out
}

func formula(c worst.Call) string {
	if c.Seconds == c.Sum {
		return c.Formula()
	}
	return "limit of the call = " + worst.Text(c.Seconds)
}

func name(h *model.Hop) string {
	if h.Name != "" {
		return h.Name
	}
	return "the " + h.Layer.String()
}

func ratio(x float64) string { return units.Number(x) + " times" }
