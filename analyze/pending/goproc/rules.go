package goproc

import (
	"slices"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/finding"
)

// Rules returns the rules that hold for processes of Go alone; the others are
// those of pending.
func Rules() []finding.Rule {
	return slices.Clone([]finding.Rule{stuckRule, abandonedRule, noLimitRule})
}

const (
	methodSource = "docs/methods/heap-go.md"
	littleSource = "J. D. C. Little, A proof for the queuing formula L = λW (1961)"
)

var stuckRule = finding.Rule{
	ID: "HEP-21", Name: "goroutines-pile-up", Severity: finding.Warning, Since: "0.1",
	Title: "goroutines pile up that serve no request",
	Why: `Goroutines that stand at a channel, a lock or a pool and serve no connection are work that nobody waits for any more, or
work that was started faster than it ends. Each keeps its stack and all it refers to, and none is ever collected while it stands there.`,
	Formula: `goroutines at one place that serve no known request, 10 × min-entries or more, and one of:
  they wait to send, for a lock, for a place or a connection
  they were started by many different goroutines (text of debug=2)
  they have grown by a tenth since the base`,
	Sources: []string{"Go, runtime: a goroutine that is blocked is never collected", methodSource},
	Bad:     "48,112 goroutines wait to send at main.notify.func1 (notify.go:31)",
	Good:    "what starts a goroutine also ends it: a buffered channel, a select with the context",
	Fix: `Give the channel room for the one value, or select on the context beside it; bound how many are started (errgroup.SetLimit, a
semaphore). Take a second profile and compare with --base to see whether they grow.`,
}

var abandonedRule = finding.Rule{
	ID: "HEP-22", Name: "handlers-work-on", Severity: finding.Warning, Since: "0.1",
	Title: "handlers work on after the request was answered",
	Why: `http.TimeoutHandler answers 503 at its deadline and leaves the handler running. A handler that does not look at the context
of its request goes on to the end, so that what is in service is not bounded by the timeout, and under overload all of it may be for nobody.`,
	Formula: "goroutines of the handler − goroutines that wait for them, at least min-entries",
	Sources: []string{"Go, net/http.TimeoutHandler", methodSource},
	Bad:     "3,120 handlers work behind http.TimeoutHandler, and 410 requests wait for them",
	Good:    "as many handlers as requests that wait for them",
	Fix:     "Pass r.Context() to everything the handler waits for, and take slots in a select with it.",
}

var noLimitRule = finding.Rule{
	ID: "HEP-23", Name: "wait-without-deadline", Severity: finding.Warning, Since: "0.1",
	Title: "requests wait without a limit or a deadline",
	Why: `A send on a channel or a lock waits for as long as it takes. A server of Go starts a goroutine for each connection and sets no
limit to them, so what waits grows until the clients give up or the memory ends.`,
	Formula: "requests at a send on a channel or a lock, outside of a select, min-entries or more",
	Sources: []string{"Go, net/http.Server: no limit of connections", "golang.org/x/net/netutil.LimitListener", methodSource, littleSource},
	Bad:     "slots <- struct{}{}",
	Good:    "select { case slots <- struct{}{}: … case <-ctx.Done(): http.Error(w, …, 503) }",
	Fix:     "Take the slot in a select with a deadline, bound how many may wait for it, and answer 503 with Retry-After to the rest.",
}

// Rules of pending that hold for Go too.
const (
	rulePile    = "HEP-01" // requests pile up in a queue
	ruleDead    = "HEP-02" // requests wait longer than their clients do
	ruleWaiters = "HEP-09" // many callers wait for a connection, permit or future
)

// ruleOf is a rule of pending by its ID.
func ruleOf(id string) finding.Rule {
	for _, r := range pending.Rules() {
		if r.ID == id {
			return r
		}
	}
	panic("no rule " + id) // the IDs are constants, and tested
}
