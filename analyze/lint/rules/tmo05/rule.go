// Package tmo05 finds long waits for an answer that nobody has chosen.
package tmo05

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

// long is from where on a default wait is worth a choice, in seconds.
const long = 30

// Rule is TMO-05.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "TMO-05", Name: "long-default", Severity: finding.Warning, Since: "0.1",
		Title: "a wait for an answer is left to a default of 30 s or more",
		Why: `Proxies and libraries ship with waits that fit a download, such as 60 s. A service that answers in 50 ms has failed long before that;
until the minute is over its callers hold connections and memory, and most of them have gone. Two hundred requests a second that wait
60 s are 12,000 open connections.`,
		Formula: "the wait for an answer is not set, and its default is 30 s or more; requests that are held = rate × wait",
		Sources: []string{
			"nginx/nginx.org xml/en/docs/http/ngx_http_proxy_module.xml: 60 s each to connect, read and send",
			"Google, Site Reliability Engineering, chapter 22: long deadlines consume resources in high layers of the stack",
		},
		Bad: `location /api/ {
    proxy_pass http://api;   # waits 60 s for an answer
}`,
		Good: `location /api/ {
    proxy_connect_timeout 1s;
    proxy_read_timeout 5s;
    proxy_pass http://api;
}`,
		Fix: "Set the wait for what this service needs: for most, 5 to 15 s.",
	},
	Needs: rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	held := map[string]*count{}
	var order []*count
	p.Hops(func(d *model.Document, h *model.Hop) {
		v := h.GapRead
		if v.Origin != model.Default || !v.Finite() || v.Amount < long || h.Streams || shorter(h.Total) || shorter(h.PerTry) {
			return
		}
		id := d.File + " " + v.Key + " " + v.String()
		if held[id] == nil {
			held[id] = &count{hop: h}
			order = append(order, held[id])
		}
		held[id].n++
	})
	for _, c := range order {
		c.report(p)
	}
}

// count is how many hops of a file have one default.
type count struct {
	hop *model.Hop
	n   int
}

func (c *count) report(p *rule.Pass) {
	v := c.hop.GapRead
	more := ""
	if c.n > 1 {
		more = fmt.Sprintf(", here and in %d more", c.n-1)
	}
	f := p.Report(rule.At(v, c.hop.At), c.hop.Name, v.Key, fmt.Sprintf("%s is not set: an answer is awaited for %s%s", v.Key, v, more)).Because(v)
	if c.hop.Connect.Origin == model.Default {
		f.Because(c.hop.Connect)
	}
	f.Formula("100 requests/s × %s = %.0f requests that are held when the callee hangs", v, 100*v.Amount)
	f.Fix("set %s to what the slowest good answer takes, such as %s", v.Key, worst.Text(5))
}

// shorter reports whether another limit ends the call sooner, or is switched off in so
// many words, which is TMO-02's.
func shorter(v model.Value) bool {
	return v.IsHole() || v.IsSet() && v.Unlimited() || v.Finite() && v.Amount < long
}
