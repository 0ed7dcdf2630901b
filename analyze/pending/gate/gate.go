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
// queue, that the cluster of a request counts, or that goroutines stand for. One
// request may wait in several queues and is a cluster too, so these are not added.
// exact is false where the input cannot tell, or ends too early.
func Pending(res *pending.Result) (n int64, exact bool) {
	for _, q := range res.Queues {
		if q.Requests {
			n = max(n, q.Entries)
		}
	}
	for _, c := range res.Clusters {
		if c.Request {
			n = max(n, c.Count)
		}
	}
	waiting := int64(0)
	for _, g := range res.Groups {
		if g.Requests {
			waiting += g.Count
		}
	}
	exact = res.Complete && res.Verdict.Answer != pending.Unknown
	for _, in := range res.Inputs {
		exact = exact && in.Complete
	}
	return max(n, waiting), exact
}
