package goproc

import (
	"fmt"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// findings judges what was found by the rules.
func (a *analysis) findings() {
	for i := range a.res.Queues {
		if p := a.waits[i]; p.pilesUp() {
			a.judgeQueue(p, &a.res.Queues[i])
		}
	}
	if p := a.stuckPlace(); p != nil {
		f := stuckRule.Found(finding.Location{Object: p.name()}, "", fmt.Sprintf("%s that serve no request pile up at %s, waiting for %s",
			counted(p.count, "goroutine", "goroutines"), p.name(), waitsFor(p.wait, p.how, p.state)))
		f.Remediation = "bound how many are started, and let each end with its context"
		a.res.Findings = append(a.res.Findings, f)
	}
	if n := a.g.Requests.Abandoned; n >= a.o.MinEntries {
		f := abandonedRule.Found(finding.Location{Object: "http.TimeoutHandler"}, "",
			counted(n, "handler works", "handlers work")+" on for requests that were answered with 503")
		f.Remediation = "pass r.Context() to everything the handler waits for"
		a.res.Findings = append(a.res.Findings, f)
	}
	a.res.Findings = finding.Ordered(a.res.Findings)
}

func (a *analysis) judgeQueue(p *place, q *pending.Queue) {
	rule := ruleOf(rulePile)
	if p.how == howPool || p.how == howRate || p.how == howShared {
		rule = ruleOf(ruleWaiters)
	}
	pile := a.found(rule, q, fmt.Sprintf("%s wait at %s %s", counted(p.count, "request", "requests"), p.name(), p.turn()))
	switch late := q.Age != nil && a.o.Timeout != nil && q.Age.Head > *a.o.Timeout; {
	case late:
		a.res.Findings = append(a.res.Findings, a.found(ruleOf(ruleDead), q, fmt.Sprintf("the first at %s has been waiting for %s, its client waits for %s",
			p.name(), units.Seconds(q.Age.Head), units.Seconds(*a.o.Timeout))))
	case q.Dead != nil && *q.Dead > 0:
		a.res.Findings = append(a.res.Findings, a.found(ruleOf(ruleDead), q, fmt.Sprintf("%s of %s that wait at %s will be served after their clients have gone",
			units.Count(*q.Dead), units.Count(q.Entries), p.name())))
	case q.UsefulPositions != nil:
		// all of them can be answered in time
		pile.Severity = finding.Warning
	}
	a.res.Findings = append(a.res.Findings, pile)
	if p.wait == nil && (p.how == howLimit || p.how == howLock) {
		a.res.Findings = append(a.res.Findings, a.found(noLimitRule, q, fmt.Sprintf("requests wait at %s for %s, without a limit or a deadline", p.name(), waitsFor(p.wait, p.how, p.state))))
	}
}

// found makes a finding about a queue.
func (a *analysis) found(r finding.Rule, q *pending.Queue, message string) finding.Finding {
	f := r.Found(finding.Location{Object: q.Name}, "", message)
	add := func(name, value string) {
		f.Evidence = append(f.Evidence, finding.Evidence{Name: name, Value: value})
	}
	add("waiting", units.Count(q.Entries))
	if q.UsefulPositions != nil {
		add("useful", units.Count(*q.UsefulPositions))
	}
	if q.Age != nil {
		add("first waits", units.Seconds(q.Age.Head))
	}
	if q.BytesEach != nil {
		add("bytes each", bytesWords(*q.BytesEach))
		add("bytes", units.Size(*q.Bytes))
	}
	if q.Setting != nil {
		f.Remediation = q.Setting.Name
		if q.Setting.Value != "" {
			f.Remediation += ": " + q.Setting.Value
		}
	}
	return f
}

// unsaid says what the profiles do not tell.
func (a *analysis) unsaid() {
	add := func(text string) { a.res.CouldNotSay = append(a.res.CouldNotSay, text) }
	if a.set == nil {
		add("Where requests wait, and how many: that needs the goroutine profile (/debug/pprof/goroutine).")
	}
	if a.heap == nil {
		add("What a request costs in memory: that needs the heap profile (/debug/pprof/heap).")
	} else {
		if !a.sized {
			add("What a request costs in memory: the heap profile has too few samples of requests and connections.")
		}
		add("The heap profile is as of the last garbage collection that ended, and lacks the stacks of goroutines, 2 KiB or more each.")
	}
	if a.set != nil && a.texts == nil {
		add("How long requests have been waiting: that needs the text of all goroutines (/debug/pprof/goroutine?debug=2), for which the process stops while it is written.")
	}
	if a.texts != nil && a.set != nil {
		add("How long requests have been waiting is known in whole minutes alone.")
	}
	if a.hidden {
		add("What goroutines wait for: the text form of the profile (debug=1) leaves out the runtime's frames; the form without debug has them.")
	}
	if a.o.Capacity == nil && a.o.ServiceTime == nil || a.o.Timeout == nil {
		add("How many may usefully wait: that needs the capacity of the service (--capacity) and the timeout of its clients (--timeout).")
	}
	if len(a.sets) > 1 {
		a.res.Warnings = append(a.res.Warnings, fmt.Sprintf("%d goroutine profiles were added up as those of as many processes; of one process give one", len(a.sets)))
	}
}
