// Package tmo12 finds limits that another limit cuts short in any case.
package tmo12

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

const (
	// nginxConnect is what nginx's documentation gives as the most, in seconds.
	nginxConnect = 75
	// synGivesUp is when Linux gives up a connection with tcp_syn_retries = 6, in
	// seconds: 1 + 2 + 4 + … + 64.
	synGivesUp = 127
)

// Rule is TMO-12.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "TMO-12", Name: "limit-without-effect", Severity: finding.Warning, Since: "0.1",
		Title: "a limit is longer than the platform ever waits",
		Why: `The kernel gives up a connection on its own, after 127 s with Linux's settings; nginx documents 75 s as the most. A longer limit has
no effect, so whoever wrote it meant something else: often milliseconds.`,
		Formula: "wait for a connection > 75 s (nginx), > 127 s (Linux: 1 + 2 + 4 + 8 + 16 + 32 + 64 with tcp_syn_retries 6)",
		Sources: []string{
			"nginx/nginx.org xml/en/docs/http/ngx_http_proxy_module.xml: proxy_connect_timeout cannot usually exceed 75 seconds",
			"Linux Documentation/networking/ip-sysctl.rst: tcp_syn_retries",
		},
		Bad:  "proxy_connect_timeout 5000;   # seconds",
		Good: "proxy_connect_timeout 1s;",
		Fix:  "Set the wait for a connection to about a second, and check the unit.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		seen := map[model.Position]bool{}
		for _, h := range d.Hops {
			c := h.Connect
			most, who := float64(synGivesUp), "Linux gives up a connection"
			if strings.Contains(d.Product+d.Format, "nginx") {
				most, who = nginxConnect, "nginx cannot usually wait for a connection"
			}
			if !c.IsSet() || !c.Finite() || c.Amount <= most || seen[c.At] {
				continue
			}
			seen[c.At] = true
			what := fmt.Sprintf("%s after %.0f s", who, most)
			if most == nginxConnect {
				what = fmt.Sprintf("%s longer than %.0f s", who, most)
			}
			p.Report(c.At, h.Name, c.Key, fmt.Sprintf("%s of %s has no effect: %s", c.Key, c, what)).
				Because(c).Formula("%s > %.0fs", c, most).Fix("set %s to 1s", c.Key)
		}
	}
}
