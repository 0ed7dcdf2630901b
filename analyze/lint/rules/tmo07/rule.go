// Package tmo07 finds long waits for a connection.
package tmo07

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

const (
	// slow is a wait for a connection that no network between two services needs, in
	// seconds: the SYN packet has been
	// sent four times by then, after 1, 3 and 7 s again.
	slow = 10
	// enough is what a site needs, in seconds: one lost SYN packet costs one second.
	enough = 1
)

// Rule is TMO-07.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "TMO-07", Name: "slow-connect", Severity: finding.Warning, Since: "0.1",
		Title: "a connection is awaited for longer than it can be worth",
		Why: `Within a site a connection is there in a millisecond, or after one lost packet in a second. A host that does not answer by then is
down or its accept queue is full; to wait 30 s for it holds the caller's thread where the next host would have answered at once. A wait
for the connection that is as long as the limit of the call leaves nothing for a second try.`,
		Formula: `C wait for a connection, T limit of the call
found: C > 10 s is set, or C > 1 s and C ≥ T
note: C ≥ T, and C is a default`,
		Sources: []string{
			"linkedin/rest.li HttpClientFactory: connect 30 s, request 1 s",
			"tcp(7): the first SYN packet is sent again after 1 s, then after 2 and 4 more",
		},
		Bad:  "connect_timeout: 30s\ntimeout: 10s",
		Good: "connect_timeout: 0.5s\ntimeout: 10s",
		Fix:  "Set the wait for a connection to 250 ms to 1 s within a site, to 2 to 3 s between sites.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		doubted := map[model.Position]bool{}
		for _, s := range d.Units { // UNT-01 has said so
			doubted[s.Value.At] = true
		}
		for _, h := range d.Hops {
			c := h.Connect
			if c.Finite() && c.Amount > enough && !(c.IsSet() && (doubted[c.At] || impossible(d, c))) {
				judge(p, h)
			}
		}
	}
}

func judge(p *rule.Pass, h *model.Hop) {
	c := h.Connect
	over := h.Total.Finite() && h.Total.Amount > 0 && c.Amount >= h.Total.Amount && (c.IsSet() || h.Total.IsSet())
	switch {
	case !over && !(c.IsSet() && c.Amount > slow), !p.First(rule.At(c, h.At), c.Key):
	case over:
		f := p.Report(rule.At(c, h.At), h.Name, c.Key, fmt.Sprintf("%s of %s is no shorter than the limit of the call, %s", c.Key, c, h.Total))
		if !c.IsSet() {
			f.Severity(finding.Note)
		}
		f.Because(c, h.Total).Formula("%s ≥ %s", c, h.Total).Fix("set %s to %s", c.Key, fit(h.Total.Amount))
	default:
		p.Report(c.At, h.Name, c.Key, fmt.Sprintf("a connection is awaited for %s", c)).
			Because(c).Formula("%s > 10s; the SYN packet is sent again after 1 s, 3 s and 7 s", c).
			Fix("set %s to 1s, or to 3s between sites", c.Key)
	}
}

// impossible reports whether the number is over what the platform waits: TMO-12 says
// more.
func impossible(d *model.Document, c model.Value) bool {
	return c.Amount > 127 || strings.Contains(d.Product+d.Format, "nginx") && c.Amount > 75
}

// fit is a wait for a connection that leaves most of the call's limit.
func fit(total float64) string { return worst.Text(min(enough, total/4)) }
