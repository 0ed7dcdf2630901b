// Package tmo02 finds limits that are switched off in so many words.
package tmo02

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

// Rule is TMO-02.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "TMO-02", Name: "limit-switched-off", Severity: finding.Warning, Since: "0.1",
		Title: "a limit is set to a value that means none",
		Why: `0, -1 or a word such as "infinity" looks like a short limit, or none of importance, and takes the limit away. A call that hangs then
holds its connection and thread until one of the two programs ends. Where a route does carry streams or long polls, an idle limit is
what bounds it.`,
		Formula: "a limit of a call, of a try, of connecting or of an answer is set, and the program takes the value as none",
		Sources: []string{
			"envoyproxy/data-plane-api envoy/config/route/v3/route_components.proto: a route timeout of 0 disables it",
			"Amazon Builders' Library, Timeouts, retries and backoff with jitter",
		},
		Bad:  "route: {cluster: storage, timeout: 0s}",
		Good: "route: {cluster: storage, timeout: 2s}",
		Fix:  "Set a finite limit, or, for streams, an idle limit.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		if h.Streams {
			return
		}
		for _, v := range []model.Value{h.Total, h.PerTry, h.GapRead, h.GapSend, h.Connect, h.CallerOverrides} {
			if v.Unit != model.Seconds || !v.IsSet() || !v.Unlimited() || !p.First(v.At, v.Key) {
				continue
			}
			f := p.Report(v.At, h.Name, v.Key, fmt.Sprintf("%s is set to %s, which is no limit", v.Key, v.Raw)).Because(v)
			c, ok := worst.Whole(h)
			if ok && c.Seconds == c.Sum && h.PerTry.Finite() && c.Tries > 1 {
				f.Formula("what is left: %s", c.Formula()).Fix("set %s to %s or less", v.Key, worst.Text(c.Sum))
				continue
			}
			f.Formula("%s = %s = no limit", v.Key, v.Raw)
			f.Fix("set %s to 1.5 times the 99.9th percentile of the response time, or mark the route as one of streams with an idle limit", v.Key)
		}
	})
	p.Services(func(_ *model.Document, s *model.Service) {
		for _, v := range []model.Value{s.Exec.Total, s.Listen.Header, s.Listen.GapRead} {
			if v.IsSet() && v.Unlimited() && p.First(v.At, v.Key) {
				p.Report(v.At, s.Name, v.Key, fmt.Sprintf("%s is set to %s, which is no limit: a client that sends nothing keeps its connection", v.Key, v.Raw)).
					Because(v).Formula("%s = %s = no limit", v.Key, v.Raw).Fix("set %s to a finite time, such as 30s", v.Key)
			}
		}
	})
}
