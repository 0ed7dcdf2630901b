package gc

import (
	"fmt"

	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// limits finds runtimes that have given up, and Go at its memory limit.
func (f *finder) limits() {
	if g := &f.a.signs[signTimeLimit]; g.count > 0 {
		f.seen(timeLimitRule, timeLimitRule.Severity, g, "the runtime itself found that it does little but collect",
			f.heapFlag(f.advised()), "the runtime found %s that collecting takes all the time and frees nothing", times(g.count))
	}
	f.tightGo()
}

// fullOfAdvice is the part of the capacity that must live after a full collection
// for the heap to be called small beside a third of it, as it should be.
const fullOfAdvice = 0.6

// advised is the heap to set by what lived after full collections, 0 if nothing is
// known or it was little.
func (f *finder) advised() int64 {
	if s := f.a.small; s != nil {
		return advisedHeap(s.after, s.capacity)
	}
	if m := f.a.fullest; float64(m.after) >= fullOfAdvice*float64(m.capacity) && m.capacity > 0 && f.platform() != goRuntime {
		return advisedHeap(m.after, m.capacity)
	}
	return 0
}

const (
	tightCycles = 10
	tightSpan   = int64(10e9)
	tightShare  = 0.25
)

func (f *finder) tightGo() {
	s := f.a.goHeap.worst
	if s.cycles < tightCycles || s.last.at-s.first.at < tightSpan || f.a.totals[CPU].Peak < tightShare {
		return
	}
	live, goal := units.Size(s.live), units.Size(s.goal)
	f.add(tightGoRule, tightGoRule.Severity, s.first, s.last,
		fmt.Sprintf("the heap goal of %s is hardly over the live heap of %s", goal, live),
		fmt.Sprintf("set GOMEMLIMIT=%siB and the container's memory with it, or GOGC=100 where it is lower, or hold less", mebibytes(2*s.live)),
		[]finding.Evidence{
			{Name: "collections", Value: units.Count(s.cycles)},
			{Name: "live heap", Value: live},
			{Name: "heap goal", Value: goal},
			{Name: "least goal / live", Value: fmt.Sprintf("%.2f", s.ratio)},
			{Name: "peak GC CPU share", Value: units.Share(f.a.totals[CPU].Peak)},
		},
		"%s collections in a row had a heap goal of less than %.3g × the live heap (%s over %s)", units.Count(s.cycles), tightGoal, goal, live)
}

// memory finds heaps that are full, and heaps that are filling.
func (f *finder) memory() {
	f.leak()
	f.small()
}

const (
	day = 86400.0
	// leakSure is how long a live set must have been watched for an error, in
	// seconds.
	leakSure = 3600.0
)

func (f *finder) leak() {
	l := f.a.leak
	if l == nil {
		return
	}
	hourly := func(v float64) string { return units.Size(int64(v*3600)) + "/h" }
	t := l.trend
	evidence := []finding.Evidence{
		{Name: "live set", Value: units.Size(int64(t.level))},
		{Name: "growth", Value: fmt.Sprintf("%s (%s to %s)", hourly(t.slope), hourly(t.low), hourly(t.high))},
		{Name: "watched", Value: fmt.Sprintf("%s, %d samples", units.Seconds(t.span), t.n)},
	}
	first, last := spot{run: l.run, at: l.from}, spot{run: l.run, at: l.to}
	severity, when := leakRule.Severity, ""
	if l.capacity > 0 {
		evidence = append(evidence, finding.Evidence{Name: "capacity", Value: units.Size(l.capacity)},
			finding.Evidence{Name: "until full", Value: fmt.Sprintf("%s (%s to %s)", units.Seconds(l.untilFull), units.Seconds(l.soonest), units.Seconds(l.latest))})
		if l.untilFull < day && t.span >= leakSure || t.level > fullOfLive*float64(l.capacity) {
			severity = finding.Error
		}
		when = fmt.Sprintf("; the heap of %s is full in %s (%s to %s)", units.Size(l.capacity), units.Seconds(l.untilFull), units.Seconds(l.soonest), units.Seconds(l.latest))
	}
	dump := "take a heap dump (jcmd PID GC.heap_dump FILE) and look at what there is most of; bound the queue if it is requests"
	switch f.platform() {
	case goRuntime:
		dump = "take a heap profile (/debug/pprof/heap) and look at what holds most; bound the queue if it is requests"
	case v8:
		dump = "take a heap snapshot (--heapsnapshot-signal=SIGUSR2) and look at what there is most of; bound the queue if it is requests"
	case openJ9:
		dump = "take a heap dump (jcmd PID Dump.heap) and look at what there is most of; bound the queue if it is requests"
	}
	f.add(leakRule, severity, first, last, fmt.Sprintf("the live set grows by %s", hourly(t.slope)), dump, evidence,
		"the live set grows by %s (%s to %s) and is at %s%s", hourly(t.slope), hourly(t.low), hourly(t.high), units.Size(int64(t.level)), when)
}

func (f *finder) small() {
	s := f.a.small
	if s == nil {
		return
	}
	share := float64(s.after) / float64(s.capacity)
	f.add(smallRule, smallRule.Severity, s.first, s.last,
		fmt.Sprintf("full collections left %s of the heap of %s in use", percent(share), units.Size(s.capacity)),
		f.heapFlag(advisedHeap(s.after, s.capacity)),
		[]finding.Evidence{
			{Name: "full collections", Value: atLeast(s.fulls)},
			{Name: "heap after", Value: units.Size(s.after)},
			{Name: "capacity", Value: units.Size(s.capacity)},
			{Name: "at", Value: s.worst.run.moment(s.worst.at).String()},
		},
		"%s full collections left the heap at least 90%% full, up to %s of %s", atLeast(s.fulls), units.Size(s.after), units.Size(s.capacity))
}

// atLeast marks a count that is the most that is kept.
func atLeast(n int) string {
	if n == maxFull {
		return "at least " + units.Count(n)
	}
	return units.Count(n)
}

// percent writes a share in whole percent, with one decimal below ten.
func percent(share float64) string {
	switch {
	case share == 0:
		return "0%"
	case share < 0.0005:
		return "less than 0.1%"
	case share < 0.0995:
		return fmt.Sprintf("%.1f%%", 100*share)
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}
