// Package tmo01 finds calls without any limit of time, and says which default applies
// where a limit is left to one.
package tmo01

import (
	"fmt"
	"math"
	"slices"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is TMO-01.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "TMO-01", Name: "no-limit", Severity: finding.Warning, Since: "0.1",
		Title: "nothing limits how long a call waits",
		Why: `A call without a limit waits as long as its callee likes. When the callee hangs, each such call holds a thread, a connection and
memory of the caller, until the caller has none left and hangs as well: one slow service takes down all that call it.

A limit that comes from a default alone is told as a note: it holds, but nobody has chosen it, and it changes with the program's version.`,
		Formula: `no limit of the call, of a try or of the wait for an answer is set, and the default is none
warning: in a client, or in a proxy that waits without limit for an answer
note: in a gateway, where the client may have a limit of its own, and in a mesh that tries again or limits other routes of the object
note: the limit of the call is finite, but a default`,
		Sources: []string{
			"Amazon Builders' Library, Timeouts, retries and backoff with jitter: a timeout on any remote call",
			"LinkedIn Engineering, FollowFeed 2018-02: calls that outlived their callers filled the queue",
			"fleetdm/fleet#52758: a Go client without limit",
		},
		Bad: `retry: {attempts: 2}
# no timeout, and the default is none`,
		Good: `timeout: 2s
retry: {attempts: 2}`,
		Fix: "Set a limit: one and a half times the 99.9th percentile of the response time, and below the caller's own limit.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		defaulted := map[string]*group{}
		var order []*group
		for _, h := range d.Hops {
			if h.Streams {
				continue
			}
			if v, none := unlimited(h); none {
				if h.Layer != model.Sidecar || counted(d, h) {
					report(p, h, v)
				}
				continue
			}
			v := h.Total
			if v.Origin != model.Default || !v.Finite() {
				continue
			}
			id := fmt.Sprint(v.Key, v.Amount)
			if defaulted[id] == nil {
				defaulted[id] = &group{first: h, limit: v}
				order = append(order, defaulted[id])
			}
			defaulted[id].hops++
		}
		for _, g := range order {
			g.report(p)
		}
	}
}

// counted reports whether a proxy beside the program is meant to limit the call: it
// tries again, or limits others of the same object. Without that the client's own limit
// is the one that counts.
func counted(d *model.Document, h *model.Hop) bool {
	if h.Retry.Written.IsSet() && h.Retry.Retries() {
		return true
	}
	return slices.ContainsFunc(d.Hops, func(o *model.Hop) bool { return o.Total.IsSet() && o.Total.Finite() })
}

// group is the hops of a document to which one default applies.
type group struct {
	first *model.Hop
	limit model.Value
	hops  int
}

func (g *group) report(p *rule.Pass) {
	message := fmt.Sprintf("%s is not set: the default of %s applies", g.limit.Key, g.limit)
	if g.hops > 1 {
		message += fmt.Sprintf(", here and in %d more", g.hops-1)
	}
	p.Report(rule.At(g.limit, g.first.At), g.first.Name, g.limit.Key, message).Severity(finding.Note).
		Because(g.limit).Fix("write %s, with the limit that this call needs; %s is what holds today", g.limit.Key, g.limit)
}

// unlimited returns the setting by which a hop would have a limit, if all that could
// limit it are known to be none and nobody has written so.
func unlimited(h *model.Hop) (model.Value, bool) {
	var found model.Value
	for _, v := range []model.Value{h.Total, h.PerTry, h.GapRead} {
		switch {
		case !v.Present():
			continue
		case !v.Unlimited(), v.IsSet():
			return v, false
		}
		if !found.Present() {
			found = v
		}
	}
	return found, found.Present()
}

func report(p *rule.Pass, h *model.Hop, v model.Value) {
	severity := finding.Warning
	mesh := h.Layer == model.Sidecar || h.Layer == model.Gateway || h.Layer == model.Balancer
	if mesh && !math.IsInf(h.GapRead.Amount, 1) {
		severity = finding.Note
	}
	p.Report(rule.At(v, h.At), h.Name, v.Key, fmt.Sprintf("nothing limits how long a call waits: %s is not set, and its default is none", v.Key)).
		Severity(severity).Because(v).Formula("limit = %s (%s) = no limit", v.Key, v.Origin).
		Fix("set %s to 1.5 times the 99.9th percentile of the response time, below the caller's limit, such as 2s", v.Key)
}
