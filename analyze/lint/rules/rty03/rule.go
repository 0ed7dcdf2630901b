// Package rty03 finds calls that change something and are made again.
package rty03

import (
	"fmt"
	"slices"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/analyze/lint/writes"
	"example.com/kneeline/internal/finding"
)

// Rule is RTY-03.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "RTY-03", Name: "repeats-writes", Severity: finding.Error, Since: "0.1",
		Title: "a call that may change something twice is tried again",
		Why: `A reset, a timeout or a 503 says nothing about whether the callee has done the work: often it has, and only the answer got lost. A
POST that is sent again then places the order, the payout or the mail twice. HTTP promises that GET, PUT and DELETE may be repeated, and
promises nothing of the kind for POST and PATCH.

Errors of the connection alone are safe: nothing was sent.`,
		Formula: `found: tries > 1, a cause other than a failed connection is tried again, and one of
error:   POST or PATCH is among the methods, or a switch that takes in all methods is on
warning: a GET whose path ends in a verb that changes something, such as /vote
note:    a procedure with such a verb in its name; all methods by default, in a mesh or gateway, with causes that are written`,
		Sources: []string{
			"RFC 9110, section 9.2.2: which methods are idempotent, and who may repeat them",
			"istio/istio#50506: payouts made twice by retries that nobody had asked for",
			"measured: HAProxy 2.6 with retry-on 503 sends a POST four times",
		},
		Bad: `filters:
- name: Retry
  args: {methods: POST, statuses: SERVICE_UNAVAILABLE}`,
		Good: `filters:
- name: Retry
  args: {methods: GET, statuses: BAD_GATEWAY}`,
		Fix: "Retry only methods that may be repeated, or only failed connections; or have the callee know a request again by a key that the client sends.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(d *model.Document, h *model.Hop) {
		if !again(h.Retry) || worst.OnlyConnects(h.Retry) {
			return
		}
		if d.Product == "grpc" {
			procedures(p, h)
		} else {
			for _, m := range h.Retry.Methods {
				method(p, h, m)
			}
		}
		all(p, d, h)
	})
}

// again reports whether further tries are made, as far as is known: by number, or by a
// budget without one.
func again(r model.Retry) bool {
	return !r.Implicit && !r.Tries.IsHole() && (r.Retries() || !r.Tries.Known() && r.Written.Present())
}

func method(p *rule.Pass, h *model.Hop, m model.Method) {
	message, severity := "", finding.Error
	switch writes.Call(m.Name) {
	case writes.Twice:
		message = fmt.Sprintf("%s is tried again: what it does may be done twice", m.Name)
	case writes.Likely:
		message = fmt.Sprintf("%s is tried again, and its name says that it changes something each time", m.Name)
		severity = finding.Warning
	default:
		return
	}
	at := m.At
	if at.Line == 0 {
		at = rule.At(h.Retry.Written, h.At)
	}
	if !p.First(at, m.Name) {
		return
	}
	f := p.Report(at, h.Name, m.Name, message).Severity(severity).Because(h.Retry.Written, h.Retry.Tries).
		Formula("%s tries of %s = up to %s times its effect", worst.TriesText(h), m.Name, worst.TriesText(h)).
		Fix("take %s out of what is tried again, or retry connection failures alone", m.Name)
	if h.Retry.MethodList {
		f.TakeOut(m.At, m.Name)
	}
}

// procedures tells of those of one policy whose names say that they change something,
// together: what a name says is a guess.
func procedures(p *rule.Pass, h *model.Hop) {
	var first model.Method
	more := 0
	for _, m := range h.Retry.Methods {
		switch {
		case writes.Call(m.Name) != writes.Likely:
		case first.Name == "":
			first = m
		default:
			more++
		}
	}
	if first.Name == "" || !p.First(first.At, first.Name) {
		return
	}
	message := fmt.Sprintf("%s is tried again, and its name says that it changes something each time", first.Name)
	if more > 0 {
		message += fmt.Sprintf("; so do the names of %d more", more)
	}
	p.Report(first.At, h.Name, first.Name, message).Severity(finding.Note).Because(h.Retry.Written, h.Retry.Tries).
		Formula("%s tries of %s = up to %s times its effect", worst.TriesText(h), first.Name, worst.TriesText(h)).
		Fix("take what must not be repeated out of what is tried again, or have the callee know a request again by a key")
}

// byDefault reports whether nobody has written on what a call is tried again: programs
// choose causes that are mostly safe.
func byDefault(on []model.Condition) bool {
	return !slices.ContainsFunc(on, func(c model.Condition) bool { return !c.Default })
}

// all judges a switch that takes in every method.
func all(p *rule.Pass, d *model.Document, h *model.Hop) {
	v := h.Retry.AllMethods
	if !v.On() || h.Retry.Methods != nil || !v.IsSet() && byDefault(h.Retry.On) {
		return
	}
	at := rule.At(v, h.At)
	if !v.IsSet() {
		at = rule.At(h.Retry.Written, h.At)
	}
	if !p.First(at, v.Key) {
		return
	}
	message := fmt.Sprintf("%s has requests of all methods tried again, POST too", v.Key)
	switch {
	case d.Product == "grpc":
		message = "all methods of " + v.Text + " are tried again, those that write too"
	case !v.IsSet():
		message = "requests of all methods are tried again, POST too"
	}
	f := p.Report(at, h.Name, v.Key, message)
	if !v.IsSet() || d.Product == "grpc" { // a whole service: which of its methods write is not said
		f.Severity(finding.Note)
	}
	f.Because(v, h.Retry.Written).Formula("%s tries of one that writes = up to %s times its effect", worst.TriesText(h), worst.TriesText(h))
	switch {
	case d.Product == "grpc":
		f.Fix("name the methods that may be repeated")
		return
	case v.IsSet():
		f.Fix("switch %s off, or retry connection failures alone", v.Key)
		switch {
		case v.Raw == "true" && v.Unit == model.Flag:
			f.Write(v, "false")
		case v.Raw == "non_idempotent":
			f.TakeOut(v.At, v.Raw)
		}
		return
	}
	f.Fix("match the methods that may be repeated, such as GET, or retry on connection failures alone")
}
