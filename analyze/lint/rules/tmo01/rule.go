// Package tmo01 finds calls without any limit of time, and says which default applies
// where a limit is left to one.
package tmo01

import (
	"fmt"
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
	var groups groups
	for _, d := range p.Graph.Documents {
		limits := slices.ContainsFunc(d.Hops, func(h *model.Hop) bool { return h.Total.IsSet() && h.Total.Finite() })
		for _, h := range d.Hops {
			v, none := unlimited(h)
			switch {
			case h.Streams:
			case none && h.Layer == model.Sidecar && !limits && !(h.Retry.Written.IsSet() && h.Retry.Retries()):
				// A proxy beside the program is meant to limit the call if it tries again
				// or limits others of the same object. Without that the client's own
				// limit is the one that counts.
			case none:
				groups.add(d, h, v)
			case h.Total.Origin == model.Default && h.Total.Finite():
				groups.add(d, h, h.Total)
			}
		}
	}
	for _, g := range groups.order {
		g.report(p)
	}
}

// groups are the hops of a file by the default that applies to them: one finding
// tells of all.
type groups struct {
	byDefault map[string]*group
	order     []*group
}

type group struct {
	first *model.Hop
	limit model.Value
	hops  int
}

func (gs *groups) add(d *model.Document, h *model.Hop, limit model.Value) {
	id := fmt.Sprintln(d.File, limit.Key, limit.Amount, h.Layer)
	g := gs.byDefault[id]
	if g == nil {
		if gs.byDefault == nil {
			gs.byDefault = map[string]*group{}
		}
		g = &group{first: h, limit: limit}
		gs.byDefault[id] = g
		gs.order = append(gs.order, g)
	}
	g.hops++
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
		// Where a format has no setting for the whole, its default is called total.
		if !found.Present() || found.Key == "total" {
			found = v
		}
	}
	return found, found.Present()
}

func (g *group) report(p *rule.Pass) {
	v, h, more := g.limit, g.first, ""
	if g.hops > 1 {
		more = fmt.Sprintf(", here and in %d more", g.hops-1)
	}
	if v.Finite() {
		p.Report(rule.At(v, h.At), h.Name, v.Key, fmt.Sprintf("%s is not set: the default of %s applies%s", v.Key, v, more)).Severity(finding.Note).
			Because(v).Fix("write %s, with the limit that this call needs; %s is what holds today", v.Key, v)
		return
	}
	severity := finding.Warning
	mesh := h.Layer == model.Sidecar || h.Layer == model.Gateway || h.Layer == model.Balancer
	if mesh && !h.GapRead.Unlimited() {
		severity = finding.Note
	}
	p.Report(rule.At(v, h.At), h.Name, v.Key, fmt.Sprintf("nothing limits how long a call waits: %s is not set, and its default is none%s", v.Key, more)).
		Severity(severity).Because(v).Formula("limit = %s (%s) = no limit", v.Key, v.Origin).
		Fix("set %s to 1.5 times the 99.9th percentile of the response time, below the caller's limit, such as 2s", v.Key)
}
