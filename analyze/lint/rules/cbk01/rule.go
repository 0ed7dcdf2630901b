// Package cbk01 tells where the caps on what is under way to a callee are defaults.
package cbk01

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is CBK-01.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "CBK-01", Name: "default-circuit-breaker", Severity: finding.Note, Since: "0.1",
		Title: "the caps on connections and requests are defaults",
		Why: `Envoy caps what is under way to a cluster whether anybody asks for it or not: 1,024 connections, waiting requests and requests.
For a small callee that is no cap, and 1,024 requests wait where 50 could be served in time; for a large one it overflows at its normal
load and answers 503 that the callee never sent.`,
		Formula: "none of the caps is set; useful cap of requests = capacity × response time (Little's law)",
		Sources: []string{
			"envoyproxy/data-plane-api envoy/config/cluster/v3/circuit_breaker.proto: defaults of 1024, 1024, 1024 and 3",
			"envoyproxy/envoy#11908, #16610: the defaults overflow under load",
		},
		Bad:  "clusters: [{name: storage}]   # 1,024 connections, 1,024 waiting requests",
		Good: "circuit_breakers: {thresholds: [{max_connections: 200, max_pending_requests: 50, max_requests: 200}]}",
		Fix:  "Set the caps for this callee: requests = capacity × response time × 1.5, waiting requests = capacity × (limit − response time).",
	},
	Needs: rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	first, n := map[string]*model.Hop{}, map[string]int{}
	var files []string
	p.Hops(func(d *model.Document, h *model.Hop) {
		if !byDefault(h.Caps) {
			return
		}
		if first[d.File] == nil {
			first[d.File] = h
			files = append(files, d.File)
		}
		n[d.File]++
	})
	for _, file := range files {
		report(p, first[file], n[file])
	}
}

func byDefault(c model.Caps) bool {
	one := false
	for _, v := range []model.Value{c.Connections, c.Pending, c.Requests} {
		if v.Present() && v.Origin != model.Default {
			return false
		}
		one = one || v.Finite()
	}
	return one && c.Pending.Present()
}

func report(p *rule.Pass, h *model.Hop, n int) {
	c := h.Caps
	more := ""
	if n > 1 {
		more = fmt.Sprintf(", here and in %d more", n-1)
	}
	f := p.Report(rule.At(c.Pending, h.At), h.Name, "caps", fmt.Sprintf("no caps are set: the defaults of %s connections, %s waiting requests and %s requests hold%s",
		c.Connections, c.Pending, c.Requests, more))
	for _, v := range []model.Value{c.Connections, c.Pending, c.Requests, c.Retries} {
		if v.Present() {
			f.Because(v)
		}
	}
	f.Formula("a callee of 100/s with a limit of 1 s serves 100 of %s waiting requests in time", c.Pending)
	f.Fix("set %s, %s and %s for this callee", c.Connections.Key, c.Pending.Key, c.Requests.Key)
}
