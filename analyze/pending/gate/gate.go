// Package gate holds a judgement of a heap against limits that were asked for: how
// many requests may be pending, and how bad its findings may be.
//
// It judges no heap, and knows of no flags or exit codes.
package gate

import (
	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/finding"
)

// Limits are what a heap must hold to pass; the zero value asks for nothing.
type Limits struct {
	// MaxPending is how many requests may be pending; nil is no limit.
	MaxPending *int64
	// FailOn is the severity from which on a finding fails; 0 is no limit.
	FailOn finding.Severity
}

// Names of gates, as they stand in results.
const (
	MaxPending = "max-pending"
	FailOn     = "fail-on"
)

// Units of gates.
const (
	Requests = "requests"
	Severity = "severity"
)

// Set says whether anything is asked for.
func (l Limits) Set() bool { return l.MaxPending != nil || l.FailOn > 0 }

// Judge holds a judgement against the limits. A gate without a value cannot be
// decided, and has not passed.
func (l Limits) Judge(res *pending.Result) []pending.Gate {
	var gates []pending.Gate
	if l.MaxPending != nil {
		g := pending.Gate{Name: MaxPending, Limit: float64(*l.MaxPending), Unit: Requests}
		n, exact := Pending(res)
		if exact || n > *l.MaxPending {
			v := float64(n)
			g.Value, g.Passed = &v, n <= *l.MaxPending
		}
		gates = append(gates, g)
	}
	if l.FailOn > 0 {
		worst := finding.MaxSeverity(res.Findings)
		g := pending.Gate{Name: FailOn, Limit: float64(l.FailOn), Unit: Severity, Passed: worst < l.FailOn}
		if v := float64(worst); g.Passed && res.Verdict.Answer != pending.Unknown || !g.Passed {
			g.Value = &v
		} else {
			g.Passed = false // what cannot be told has no findings
		}
		gates = append(gates, g)
	}
	return gates
}

// Pending is how many requests are pending at least: the most that wait in one
// queue of requests, or in the one that a pile-up is named by, whatever its entries
// are; where a pile-up has no queue, the number of its requests; in Go those that wait
// for their turn. One request may wait in several queues, so these are not added.
// Connections that are merely open do not count. exact is false where the input
// cannot tell, or ends too early.
func Pending(res *pending.Result) (n int64, exact bool) {
	for _, q := range res.Queues {
		if q.Requests && q.Role != pending.RoleTimers {
			n = max(n, q.Entries)
		}
	}
	if res.Go != nil {
		n = max(n, res.Go.Requests.Waiting)
	}
	if res.Verdict.Answer == pending.PileUp {
		n = max(n, piledUp(res))
	}
	exact = res.Complete && res.Verdict.Answer != pending.Unknown
	for _, in := range res.Inputs {
		exact = exact && in.Complete
	}
	return n, exact
}

// piledUp is how many the pile-up is of.
func piledUp(res *pending.Result) int64 {
	if i := res.Verdict.Queue; i != nil && *i >= 0 && *i < len(res.Queues) {
		return res.Queues[*i].Entries
	}
	n := int64(0)
	for _, c := range res.Clusters {
		if c.Request {
			n = max(n, c.Count)
		}
	}
	return n
}
