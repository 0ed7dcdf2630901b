// Package rty02 finds requests that are passed from server to server until all of them
// are slow.
package rty02

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

// long is from where on a bounded walk is reported, in seconds.
const long = 60

// Rule is RTY-02.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "RTY-02", Name: "walks-every-server", Severity: finding.Warning, Since: "0.1",
		Title: "a slow request is passed on from server to server without end",
		Why: `nginx passes a request on when a server does not answer in time, unless it is told not to, and the number of servers and the time
for that are not bounded unless somebody sets them. A request that is slow because of what it asks for is slow everywhere: one client
then makes every server of the group work on it, one after the other, while the client waits for the sum, or has left.

With five servers and a read timeout of 1 s, one request was seen at all five, and took 5.02 s; with a limit of 2 s for
passing on it was at two servers, and took 2.02 s.`,
		Formula: `n servers, c time to connect, r time between two reads
requests per slow request = n; time = n × (c + r)
found: a timeout passes a request on, tries are not bounded, nor the time after which no further one begins;
       or tries are bounded and tries × (c + r) > 60s
note where the number of servers is not known`,
		Sources: []string{
			"nginx/nginx.org xml/en/docs/http/ngx_http_proxy_module.xml: proxy_next_upstream error timeout, tries 0 and timeout 0 are the defaults",
			"measured: nginx 1.22.1 on loopback, five servers",
			"kubernetes/ingress-nginx#4944, NatLabRockies/api-umbrella#18",
		},
		Bad: `upstream shop { server 10.0.0.1; server 10.0.0.2; server 10.0.0.3; }
proxy_read_timeout 60s;            # 3 × 2m = 6m for one request`,
		Good: `proxy_next_upstream_tries 2;
proxy_next_upstream_timeout 3s;
proxy_read_timeout 3s;`,
		Fix: "Set the number of tries to 2, and the time after which no further try begins to less than the client waits.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		var sure, open group
		for _, h := range d.Hops {
			switch {
			case !passesOn(h):
			case h.Retry.Written.IsSet() || h.StartTry.IsSet() || h.Retry.Tries.Finite():
				bounded(p, h)
			case h.Retry.Servers > 1:
				sure.add(h)
			default:
				open.add(h)
			}
		}
		sure.report(p)
		open.report(p)
	}
}

// passesOn reports whether a slow request goes to a further server for as long as there
// are any, or for as long as the tries last.
func passesOn(h *model.Hop) bool {
	if h.Streams || !h.StartTry.Unlimited() || !h.Retry.Retries() || h.Retry.Servers == 1 {
		return false
	}
	for _, c := range h.Retry.On {
		if c.Cause == model.TimedOut {
			return true
		}
	}
	return false
}

// bounded judges a hop whose tries or times somebody has set.
func bounded(p *rule.Pass, h *model.Hop) {
	var g group
	if h.Retry.Tries.Unlimited() {
		g.add(h)
		g.report(p)
		return
	}
	c, ok := worst.Whole(h)
	if !ok || !(c.Seconds > long) || math.IsInf(c.Seconds, 1) || c.Connecting || !(h.Retry.Written.IsSet() || h.GapRead.IsSet() || h.Connect.IsSet()) {
		return
	}
	g.add(h)
	g.report(p)
}

// group is the hops of a document that one finding is for.
type group struct {
	first *model.Hop
	hops  int
}

func (g *group) add(h *model.Hop) {
	if g.first == nil {
		g.first = h
	}
	g.hops++
}

func (g *group) report(p *rule.Pass) {
	h := g.first
	if h == nil {
		return
	}
	at := rule.At(h.Retry.Written, h.At)
	if !h.Retry.Written.IsSet() && h.GapRead.IsSet() && h.Retry.Tries.Finite() {
		at = h.GapRead.At
	}
	if !p.First(at, h.Retry.Written.Key) {
		return
	}
	c, known := worst.Whole(h)
	tries, _ := worst.Tries(h)
	message, formula := "a slow request is passed on to every server that the name stands for", "requests = addresses of "+h.To
	if !math.IsInf(tries, 1) {
		message = fmt.Sprintf("a slow request is passed on to %.0f servers, one after the other", tries)
		if known && !math.IsInf(c.Sum, 1) {
			message += ": up to " + worst.Text(c.Sum)
			formula = c.Formula()
		}
	} else if known {
		formula += " × " + worst.Text(c.Try.Seconds) + " each"
	}
	if g.hops > 1 {
		message += fmt.Sprintf("; here and in %d more", g.hops-1)
	}
	f := p.Report(at, h.Name, h.Retry.Written.Key, message)
	if math.IsInf(tries, 1) && !h.Retry.Written.IsSet() {
		f.Severity(finding.Note)
	}
	f.Because(h.Retry.Written, h.StartTry).Because(c.Try.From...).Formula("%s", formula)
	f.Fix("set %s to 2 and %s to less than the client waits, such as 3s", h.Retry.Written.Key, h.StartTry.Key)
}
