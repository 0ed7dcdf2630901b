// Package tmo18 tells where callers may change the limits.
package tmo18

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is TMO-18.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "TMO-18", Name: "caller-may-override", Severity: finding.Note, Since: "0.1",
		Title: "callers may change the limits",
		Why: `A limit that callers may raise holds for those that do not. One team's client with a minute takes the threads that the others
need, and the file that everybody reads says two seconds.`,
		Formula: "a setting lets callers or their headers change limits or retries",
		Sources: []string{
			"linkedin/rest.li D2: allowedClientOverrideKeys",
			"envoyproxy/data-plane-api: x-envoy-upstream-rq-timeout-ms and x-envoy-max-retries of trusted callers",
		},
		Bad:  `"allowedClientOverrideKeys": ["http.requestTimeout"]`,
		Good: `"http.requestTimeout": 1000   and no override`,
		Fix:  "Remove the limits from what callers may change, or have the server keep a limit of its own over them.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		v := h.CallerOverrides
		if !v.IsSet() || v.Off() || v.Unit == model.Seconds { // a bound, or TMO-02
			return
		}
		f := p.Report(rule.At(v, h.At), h.Name, v.Key, fmt.Sprintf("callers may change limits of this call: %s = %s", v.Key, v.Raw)).Because(v)
		if h.Total.Known() {
			f.Because(h.Total)
		}
		f.Formula("limit = what the caller says, %s where it says nothing", said(h.Total)).
			Fix("take the limits out of %s, or keep a limit in the server that is over every caller's", v.Key)
	})
}

func said(v model.Value) string {
	if v.Known() {
		return v.String()
	}
	return "the program's own"
}
