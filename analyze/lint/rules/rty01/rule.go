// Package rty01 finds calls that are tried too many times.
package rty01

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

const (
	// few is how many tries are let pass, the first one included.
	few = 3
	// long is how long tries may take before a caller is sure to have gone, in seconds.
	long = 60
	// connecting is how long connections alone may be tried, in seconds: nothing was sent
	// and the callee has no work.
	connecting = 10
)

// Rule is RTY-01.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "RTY-01", Name: "many-tries", Severity: finding.Warning, Since: "0.1",
		Title: "a call is tried more than three times",
		Why: `What fails twice in a row has seldom failed by chance: the callee is slow, full or down, and each further try is one more request that
it has to refuse or, worse, to work on. When all calls fail, A tries are A times the load, at the moment when the callee can take least.
And tries take time: six of 65 s each end after six and a half minutes, when whoever asked has long gone.`,
		Formula: `A tries, the first one included; P limit of a try, b longest waits between tries, T limit of the call
load while all fail = A × arrival rate; time = min(T, A × P + b(1) + … + b(A−1))
warning: A > 3; one more is let pass where a limit of the call is set that covers all tries
error:   A > 3, P is set, and time > 60s
connections alone are tried again: nothing was sent; found only where A × time to connect > 10s`,
		Sources: []string{
			"Amazon Builders' Library, Timeouts, retries and backoff with jitter: retries multiply the load on a callee in trouble",
			"B. Beyer et al., Site Reliability Engineering (2016), chapter 22: a budget of tries for each request, such as three",
			"Square, incident of 2017-03-16: retries without a wait against a store that was down",
		},
		Bad: `retries: 5            # 6 tries
connect_timeout: 5000
read_timeout: 60000   # 6 × 65s = 6m30s`,
		Good: `retries: 1
connect_timeout: 500
read_timeout: 5000    # 2 × 5.5s = 11s`,
		Fix: "Try twice, at most three times, and limit the whole call to what its caller waits.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		tries, ok := worst.Tries(h)
		if !ok || tries <= few || math.IsInf(tries, 1) || h.Retry.Implicit || !chosen(h.Retry) {
			return
		}
		t := spend(h, tries)
		if h.Total.IsSet() && h.Total.Finite() && tries <= few+1 && t.sum <= h.Total.Amount {
			return
		}
		if worst.OnlyConnects(h.Retry) && !(t.seconds > connecting && t.known) {
			return
		}
		v := h.Retry.Written
		at := rule.At(v, h.At)
		if !p.First(at, v.Key) {
			return
		}
		report(p, h, tries, t, at)
	})
}

// chosen reports whether somebody has written how many tries there are.
func chosen(r model.Retry) bool {
	return r.Written.IsSet() || r.Tries.IsSet()
}

// time is how long all tries take.
type time struct {
	seconds, sum float64
	formula      string
	from         []model.Value
	known        bool
}

func spend(h *model.Hop, tries float64) time {
	if worst.OnlyConnects(h.Retry) && h.Connect.Finite() {
		s := tries * h.Connect.Amount
		return time{s, s, fmt.Sprintf("%s tries × %s to connect = %s", units.Number(tries), h.Connect, worst.Text(s)), []model.Value{h.Connect}, true}
	}
	c, ok := worst.Whole(h)
	if !ok || math.IsInf(c.Seconds, 1) {
		return time{seconds: math.Inf(1), sum: math.Inf(1)}
	}
	t := time{seconds: c.Seconds, sum: c.Sum, from: c.From, known: true, formula: "time = " + worst.Text(c.Seconds) + ", the limit of the call"}
	if !math.IsInf(c.Sum, 1) {
		t.formula = c.Formula()
		if c.Limit.Present() {
			t.formula += ", of which " + worst.Text(c.Seconds) + " are left by " + c.Limit.Key
		}
	}
	return t
}

func report(p *rule.Pass, h *model.Hop, tries float64, t time, at model.Position) {
	message := fmt.Sprintf("%s tries of one call", units.Number(tries))
	if t.known {
		message += ", up to " + worst.Text(t.seconds)
	}
	f := p.Report(at, h.Name, h.Retry.Written.Key, message)
	if t.known && t.seconds > long && limited(h, t) && !h.Test {
		f.Severity(finding.Error)
	}
	f.Because(h.Retry.Written).Because(t.from...)
	f.Formula("%s tries = %s times the load while all fail", units.Number(tries), units.Number(tries))
	if t.formula != "" {
		f.Formula("%s", t.formula)
	}
	f.Fix("%s", fix(h.Retry))
}

// limited reports whether the time is that of the tries, by a limit that somebody has
// written. Where one try may take all of the call, as many as are set seldom do.
func limited(h *model.Hop, t time) bool {
	written := slices.ContainsFunc(t.from, func(v model.Value) bool { return v.Unit == model.Seconds && v.IsSet() })
	return written && !math.IsInf(t.sum, 1) && h.PerTry.Origin != model.Derived
}

// fix is two tries in the dialect of the setting.
func fix(r model.Retry) string {
	key := r.Written.Key
	if key == "" {
		key = "the number of tries"
	}
	switch r.Dialect {
	case model.ExtraTries:
		return fmt.Sprintf("set %s to 1, which is 2 tries", key)
	case model.ProductOf:
		prefix, _, ribbon := strings.Cut(key, "MaxAutoRetries")
		if !ribbon {
			return fmt.Sprintf("let one of the two settings that multiply retry, with 2 tries: %s", r.Tries.Source)
		}
		return fmt.Sprintf("set %[1]sMaxAutoRetries to 0 and %[1]sMaxAutoRetriesNextServer to 1, which is 2 tries, the second on another server", prefix)
	}
	return fmt.Sprintf("set %s to 2, the first try included", key)
}
