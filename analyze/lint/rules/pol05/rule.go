// Package pol05 finds pools for whose connections callers wait without end.
package pol05

import (
	"fmt"

	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
)

// Rule is POL-05.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "POL-05", Name: "endless-pool-wait", Severity: finding.Warning, Since: "0.1",
		Title: "the wait for a connection of the pool has no limit",
		Why: `When all connections are out, a caller waits until one comes back, and if what holds them hangs, none does. Every thread that needs the
pool then ends there, one after the other, and the process stands still without an error or a line in its log.`,
		Formula: `wait = none; threads in line = arrival rate × time since the pool ran empty
warning where the file says so, note where it is the default`,
		Sources: []string{
			"spring-projects/spring-boot RedisProperties: max-wait, a negative value blocks without end",
			"apache/commons-pool BaseObjectPoolConfig: maxWaitMillis -1",
		},
		Bad:  "spring.redis.lettuce.pool.max-wait: -1",
		Good: "spring.redis.lettuce.pool.max-wait: 500ms",
		Fix:  "Set the wait to a quarter of the request's limit, such as 500 ms.",
	},
	Needs: rule.Config | rule.Defaults,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		told := false
		for _, h := range d.Hops {
			w := h.Pool.Wait
			if !w.Unlimited() || !w.IsSet() && (told || !h.Pool.Max.Finite()) || !p.First(rule.At(w, h.At), w.Key) {
				continue
			}
			message := fmt.Sprintf("%s is %s: callers wait for a connection without end", w.Key, w.Raw)
			if !w.IsSet() {
				told = true
				message = fmt.Sprintf("%s is not set: callers wait for a connection without end", w.Key)
			}
			f := p.Report(rule.At(w, h.At), h.Name, w.Key, message)
			if !w.IsSet() {
				f.Severity(finding.Note)
			}
			f.Because(w)
			if h.Pool.Max.Known() {
				f.Because(h.Pool.Max)
			}
			f.Formula("threads in line = arrival rate × time since the pool ran empty").Fix("set %s to 500ms, or to a quarter of the request's limit", w.Key)
		}
	}
}
