// Package rty08 finds waits between tries that do not grow, or are the same for all.
package rty08

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// Rule is RTY-08.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "RTY-08", Name: "no-growth-or-jitter", Severity: finding.Warning, Since: "0.1",
		Title: "waits between tries are none, do not grow, or have no jitter",
		Why: `When a callee fails, all of its callers fail at one moment. If each waits the same time, all come back at one moment too, and so again
after the next wait: waves, with nothing between them. Jitter spreads them; waits that grow let the callee get up first. A wait of
none is the worst: all tries hit the same fault within milliseconds.`,
		Formula: `b(i) = base × multiplier^(i−1), at random between 0 and that
found: base 0; or no jitter and multiplier ≤ 1; or no jitter where waits grow
not found where a budget bounds tries that begin at once by default
note:  jitter, but multiplier ≤ 1 over more than two tries; or nothing is set and the program decides`,
		Sources: []string{
			"Amazon Architecture Blog, Exponential backoff and jitter (2015)",
			"Google Cloud, incident report of 2025-06-12: a restart without randomised backoff overloaded what it depended on",
			"Spotify, incident of 2013: reconnects without a wait",
		},
		Bad: `waitDuration: 500ms
# the same 500 ms, for each try and each client`,
		Good: `waitDuration: 100ms
enableExponentialBackoff: true
exponentialBackoffMultiplier: 2
enableRandomizedWait: true`,
		Fix: "Wait 100 ms at first, twice as long each time, and at random between none and that.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		b, tries := h.Backoff, h.Retry.Tries
		if h.Retry.Implicit || !h.Retry.Retries() || !(h.Retry.Written.IsSet() || tries.IsSet() || tries.Origin == model.Derived && b.Base.IsSet()) {
			return
		}
		if b.Base.IsHole() || b.Multiplier.IsHole() || b.Jitter.IsHole() || b.Hint.On() && b.Hint.IsSet() {
			return
		}
		at := rule.At(b.Base, rule.At(h.Retry.Written, h.At))
		if !b.Base.IsSet() {
			at = rule.At(h.Retry.Written, h.At)
		}
		wrong, severity := judge(h, tries.Amount)
		if wrong == "" || !p.First(at, h.Retry.Written.Key) {
			return
		}
		f := p.Report(at, h.Name, key(b), wrong).Severity(severity).Because(h.Retry.Written)
		for _, v := range []model.Value{b.Base, b.Multiplier, b.Jitter} {
			if v.Known() {
				f.Because(v)
			}
		}
		f.Formula("%s", formula(b, tries.Amount)).Fix("%s", fix(b))
	})
}

// judge says what is wrong with the waits, or nothing.
func judge(h *model.Hop, tries float64) (string, finding.Severity) {
	b := h.Backoff
	jittered := b.Jitter.Finite() && b.Jitter.Amount > 0
	grows := b.Multiplier.Finite() && b.Multiplier.Amount > 1
	switch {
	case b.None:
		if h.Retry.SameHost.Off() || h.Budget.Bounded() || worst.OnlyConnects(h.Retry) || b.Base.Known() {
			return "", 0 // goes to another server, is bounded as a share, or has not got through
		}
		return "further tries begin at once: the program has no setting for a wait", finding.Note
	case !b.Base.Known():
		if b.Base.Key == "" {
			return "", 0
		}
		return b.Base.Key + " is not set: the program decides whether tries wait for each other", finding.Note
	case b.Base.Amount <= 0 && !b.Base.IsSet() && h.Budget.Bounded():
		return "", 0 // at once by design, within a share of the calls
	case b.Base.Amount <= 0:
		return "further tries begin at once", finding.Warning
	case !jittered && !grows:
		return fmt.Sprintf("each wait is %s, for every try of every client at once", b.Base), finding.Warning
	case !jittered:
		return fmt.Sprintf("waits grow from %s, but without jitter: all clients come back at one moment", b.Base), finding.Warning
	case !grows && tries > 2:
		return fmt.Sprintf("waits do not grow: each is around %s", b.Base), finding.Note
	}
	return "", 0
}

func key(b model.Backoff) string {
	if b.Base.Key != "" {
		return b.Base.Key
	}
	return "backoff"
}

func formula(b model.Backoff, tries float64) string {
	if !b.Base.Finite() || b.Base.Amount <= 0 {
		return "wait = 0 before each further try"
	}
	m := 1.0
	if b.Multiplier.Finite() && b.Multiplier.Amount > 0 {
		m = b.Multiplier.Amount
	}
	j := 0.0
	if b.Jitter.Finite() {
		j = b.Jitter.Amount
	}
	return fmt.Sprintf("b(i) = %s × %s^(i−1), %s of it at random; all %s tries wait %s in sum", b.Base, units.Number(m), units.ExactShare(j), units.Number(tries), worst.Text(worst.Waits(b, tries)))
}

func fix(b model.Backoff) string {
	first := "100ms"
	if b.Base.Finite() && b.Base.Amount > 0 {
		first = worst.Text(b.Base.Amount)
	}
	if b.None {
		return "lower the number of tries to 2, or retry where a wait can be set"
	}
	text := fmt.Sprintf("set %s to %s", key(b), first)
	if b.Multiplier.Key != "" {
		text += ", " + b.Multiplier.Key + " to 2"
	} else {
		text += " that doubles"
	}
	if b.Jitter.Key != "" {
		return text + " and switch " + b.Jitter.Key + " on"
	}
	return text + " and is at random between 0 and that"
}
