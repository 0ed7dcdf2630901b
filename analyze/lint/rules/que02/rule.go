// Package que02 finds waits in a queue that last as long as the service itself, or
// longer than any caller.
package que02

import (
	"fmt"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// patience is how long a caller waits at the very most, in seconds: the shortest limit of
// idle time of the usual load balancers.
const patience = 60

// Rule is QUE-02.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "QUE-02", Name: "queue-wait", Severity: finding.Warning, Since: "0.1",
		Title: "a request may wait in the queue as long as for its answer",
		Why: `A wait in a queue and the wait for the answer add up for the caller. Who has waited as long for a free place as the whole answer may
take has waited twice what was planned, and has mostly gone: the server then works on requests of callers that are not there any more,
and the next in the queue wait for that.`,
		Formula: `wait of the caller = wait in the queue + limit of the answer
found: wait in the queue ≥ limit of the answer; or ≥ 60s, longer than balancers in front keep a silent connection`,
		Sources: []string{
			"haproxy/haproxy doc/configuration.txt: timeout queue, timeout connect holds where it is not set",
			"cloudfoundry/haproxy-boshrelease: 30 s in the queue before 30 s for the server",
			"B. Beyer et al., Site Reliability Engineering (2016), chapter 22: queues that are short against the limit",
		},
		Bad:  "timeout queue  30s\ntimeout server 30s   # 1m for the caller",
		Good: "timeout queue  1s\ntimeout server 30s",
		Fix:  "Set the wait to what the caller has left after the service time: its limit less the 99th percentile.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	p.Hops(func(_ *model.Document, h *model.Hop) {
		limit := h.Total
		for _, v := range []model.Value{h.PerTry, h.GapRead} {
			if !limit.Finite() {
				limit = v
			}
		}
		judge(p, h.Name, h.At, h.Caps.QueueWait, limit)
	})
	p.Services(func(_ *model.Document, s *model.Service) {
		judge(p, s.Name, s.At, s.Exec.Wait, s.Exec.Total)
	})
}

func judge(p *rule.Pass, object string, at model.Position, wait, limit model.Value) {
	if !wait.IsSet() || !wait.Finite() || wait.Amount <= 0 {
		return
	}
	over := limit.Finite() && limit.Amount > 0 && wait.Amount >= limit.Amount
	if !over && wait.Amount < patience {
		return
	}
	if !p.First(rule.At(wait, at), wait.Key) {
		return
	}
	message := fmt.Sprintf("a request may wait %s for a free place: longer than callers do", wait)
	if over {
		message = fmt.Sprintf("a request may wait %s for a free place, as long as the %s that its answer may take, or longer", wait, limit)
	}
	f := p.Report(rule.At(wait, at), object, wait.Key, message).Because(wait)
	if limit.Finite() {
		f.Because(limit).Formula("wait of the caller = %s + %s = %s", wait, limit, worst.Text(wait.Amount+limit.Amount))
	} else {
		f.Formula("%s / %ds = %s", wait, patience, units.Number(wait.Amount/patience))
	}
	f.Fix("set %s to the caller's limit less the 99th percentile of the service time, such as %s", wait.Key, worst.Text(suggested(limit)))
}

// suggested is a quarter of the limit, at most a second.
func suggested(limit model.Value) float64 {
	if !limit.Finite() || limit.Amount <= 0 {
		return 1
	}
	return min(limit.Amount/4, 1)
}
