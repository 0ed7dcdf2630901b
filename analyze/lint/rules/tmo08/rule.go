// Package tmo08 finds limits of requests that are so long that they are none.
package tmo08

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

// long is the limit of a request from which on nobody waits for it, in seconds.
const long = 600

// Rule is TMO-08.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "TMO-08", Name: "very-long-limit", Severity: finding.Warning, Since: "0.1",
		Title: "a request may take ten minutes or more",
		Why: `No person and no balancer waits ten minutes. What takes as long is a job, an upload or a stream, and a limit that fits them protects
no request on the same path: one that hangs is held for all of that time, and a deployment must wait for it or cut it. Tries multiply it.`,
		Formula: "the limit of a call, of a try or of the wait for an answer is set to 10 min or more; with tries: A × P",
		Sources: []string{
			"Google, Site Reliability Engineering, chapter 22: deadlines that are too high",
			"kubernetes/ingress-nginx docs/examples/docker-registry: reads of 600 s, three tries",
		},
		Bad:  "proxy_read_timeout 18000s;",
		Good: "location /jobs { proxy_read_timeout 30s; }   # begins the job; its state is asked for",
		Fix:  "Begin long work with one request and ask for its state with others, or give uploads and streams a route of their own with an idle limit.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		// A number that is in doubt stands for something shorter.
		skip := map[model.Position]bool{}
		for _, s := range d.Units {
			skip[s.Value.At] = !s.Refused
		}
		for _, h := range d.Hops {
			v := limit(h)
			if h.Streams || !v.IsSet() || !v.Finite() || v.Amount < long || skip[v.At] {
				continue
			}
			skip[v.At] = true
			report(p, h, v)
		}
	}
}

// limit is what bounds the hop's request: the shortest of its limits.
func limit(h *model.Hop) model.Value {
	out := model.Value{Amount: math.Inf(1)}
	for _, v := range []model.Value{h.Total, h.PerTry, h.GapRead} {
		if v.IsHole() {
			return v
		}
		if v.Finite() && v.Amount < out.Amount {
			out = v
		}
	}
	return out
}

func report(p *rule.Pass, h *model.Hop, v model.Value) {
	message := fmt.Sprintf("a request may take %s", v)
	f := p.Report(v.At, h.Name, v.Key, message).Because(v)
	if c, ok := worst.Whole(h); ok && c.Tries > 1 && !c.Connecting && !math.IsInf(c.Seconds, 1) && c.Seconds > v.Amount {
		f.Because(h.Retry.Tries).Formula("%s ≥ 10m", c.Formula())
	} else {
		f.Formula("%s ≥ 10m", v)
	}
	f.Fix("set %s to a minute or less for requests, and give uploads, jobs and streams a route of their own", v.Key)
}
