package gc

import (
	"strings"
	"testing"
	"time"

	"example.com/kneeline/gcparse"
	"example.com/kneeline/internal/finding"
)

// tape makes the events of a log by hand. Times are in seconds of uptime.
type tape struct {
	t      *testing.T
	cfg    Config
	res    gcparse.Result
	events []gcparse.Event
	run    int32
	coll   gcparse.Collector
	wall   int64 // of uptime 0 in nanoseconds, 0 for a log without wall clock
	line   int64
}

func newTape(t *testing.T, c gcparse.Collector) *tape {
	return &tape{t: t, coll: c, res: gcparse.Result{Complete: true, Stream: gcparse.Stream{Name: "gc.log"},
		Runs: []gcparse.Run{{Family: familyOf(c), Collector: c}}}}
}

func familyOf(c gcparse.Collector) string {
	switch c {
	case gcparse.Go:
		return "go"
	case gcparse.V8:
		return "v8"
	case gcparse.OpenJ9Gencon:
		return "openj9"
	}
	return "unified"
}

func ns(s float64) int64 { return int64(s*1e9 + 0.5) }

func (p *tape) stamp(s float64) gcparse.Stamp {
	x := gcparse.Stamp{Uptime: ns(s), HasUptime: true}
	if p.wall != 0 {
		x.Wall, x.HasWall = p.wall+x.Uptime, true
	}
	return x
}

// event adds an event, changed by the functions given.
func (p *tape) event(k gcparse.Kind, at, dur float64, change ...func(*gcparse.Event)) {
	p.line++
	e := gcparse.Event{Kind: k, Run: p.run, Line: p.line, Start: p.stamp(at), Duration: ns(dur), HasDuration: true, Collector: p.coll}
	for _, f := range change {
		f(&e)
	}
	p.events = append(p.events, e)
}

// young is a young collection that leaves after MiB of capacity MiB.
func (p *tape) young(at, dur float64, change ...func(*gcparse.Event)) {
	base := func(e *gcparse.Event) {
		e.Title, e.Cause, e.Generation = "Pause Young", "Allocation Failure", gcparse.Young
	}
	p.event(gcparse.Pause, at, dur, append([]func(*gcparse.Event){base}, change...)...)
}

// full is a full collection.
func (p *tape) full(at, dur float64, change ...func(*gcparse.Event)) {
	base := func(e *gcparse.Event) {
		e.Title, e.Cause, e.Generation, e.Flags = "Pause Full", "Ergonomics", gcparse.Whole, gcparse.Full
	}
	p.event(gcparse.Pause, at, dur, append([]func(*gcparse.Event){base}, change...)...)
}

// runtimeGC is a minute of collections of Go as its reader tells them: two short
// pauses around a concurrent mark, one cycle of the length given every so often.
func (p *tape) runtimeGC(every, length float64, f gcparse.Flags) {
	p.coll = gcparse.Go
	const stop = 0.0001
	for i := range int64(60 / every) {
		at := float64(i) * every
		base := func(e *gcparse.Event) { e.ID, e.HasID, e.Generation, e.Flags, e.Procs = i+1, true, gcparse.Whole, f, 4 }
		p.event(gcparse.Pause, at, stop, base, titled("sweep termination", ""))
		p.event(gcparse.Concurrent, at+stop, length-2*stop, base, titled("concurrent mark", ""))
		p.event(gcparse.Pause, at+length-stop, stop, base, titled("mark termination", ""), heapMiB(40, 20, 80))
	}
}

// restart begins another run.
func (p *tape) restart(why gcparse.RunReason) {
	p.run++
	p.res.Runs = append(p.res.Runs, gcparse.Run{Family: familyOf(p.coll), Collector: p.coll, Why: why})
}

// ends says when the last run was last heard of.
func (p *tape) ends(at float64) { p.res.Runs[p.run].Last = p.stamp(at) }

func heapMiB(before, after, capacity int64) func(*gcparse.Event) {
	return func(e *gcparse.Event) {
		e.Heap = gcparse.Space{Before: before << 20, After: after << 20, Capacity: capacity << 20, HasBefore: true, HasAfter: true, HasCapacity: true}
	}
}

func flags(f gcparse.Flags) func(*gcparse.Event) {
	return func(e *gcparse.Event) { e.Flags |= f }
}

func titled(title, cause string) func(*gcparse.Event) {
	return func(e *gcparse.Event) { e.Title, e.Cause = title, cause }
}

func cpuTimes(user, sys, real float64) func(*gcparse.Event) {
	return func(e *gcparse.Event) {
		e.HasCPU, e.User, e.Sys, e.Real = true, ns(user), ns(sys), ns(real)
	}
}

func waited(s float64) func(*gcparse.Event) {
	return func(e *gcparse.Event) { e.HasTimeToSafepoint, e.TimeToSafepoint = true, ns(s) }
}

func workers(n int32) func(*gcparse.Event) {
	return func(e *gcparse.Event) { e.Workers = n }
}

func procs(n int32) func(*gcparse.Event) {
	return func(e *gcparse.Event) { e.Procs = n }
}

func id(n int64) func(*gcparse.Event) {
	return func(e *gcparse.Event) { e.ID, e.HasID = n, true }
}

func promoted(mib int64) func(*gcparse.Event) {
	return func(e *gcparse.Event) { e.Promoted, e.HasPromoted = mib<<20, true }
}

// judge plays the tape.
func (p *tape) judge() *Log {
	p.t.Helper()
	a, err := New(p.cfg)
	if err != nil {
		p.t.Fatal(err)
	}
	for i := range p.events {
		a.Event(&p.events[i])
	}
	return a.Finish(&p.res)
}

// calm adds young collections of 10 ms a second, from one time to another.
func (p *tape) calm(from, to float64) {
	for at := from; at < to; at++ {
		p.young(at, 0.01)
	}
}

// busy adds young collections that take the share given, four a second.
func (p *tape) busy(from, to, share float64) {
	for at := from; at < to; at += 0.25 {
		p.young(at, share/4)
	}
}

func has(l *Log, rule string) *finding.Finding {
	for i, f := range l.Findings {
		if f.Rule == rule {
			return &l.Findings[i]
		}
	}
	return nil
}

func series(t *testing.T, l *Log, s Series) SeriesFigures {
	t.Helper()
	for _, f := range l.Overhead {
		if f.Name == s.String() {
			return f
		}
	}
	t.Fatalf("no series %s", s)
	return SeriesFigures{}
}

func wantIn(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q does not say %q", text, p)
		}
	}
}

// someDay is 2026-11-28 10:00:00 UTC.
var someDay = time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC).UnixNano()
