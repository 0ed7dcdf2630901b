package gc

import (
	"fmt"

	"example.com/kneeline/gcparse"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// finder looks for all that the rules describe in what an analyzer has gathered.
type finder struct {
	a   *Analyzer
	log *Log
	res *gcparse.Result
	// found are in the order in which they explain an overload best: what comes
	// first is the reason for what comes later.
	found []found
}

// found is a finding with what a verdict says of it.
type found struct {
	finding.Finding
	// why is the reason in a few words.
	why string
	// from and to are its time on the axis of the log; always is one of all of it.
	from, to int64
	always   bool
	// ns is how long its events stopped the program, 0 where that is not its point.
	ns int64
}

// all returns the findings, the worst first.
func (f *finder) all() []finding.Finding {
	f.machine()
	f.limits()
	f.memory()
	f.failures()
	f.quota()
	f.habits()
	f.clients()
	f.overload()
	out := []finding.Finding{}
	for _, x := range f.found {
		out = append(out, x.Finding)
	}
	return finding.Ordered(out)
}

// at is the place of an event in the log.
func (f *finder) at(p spot) finding.Location {
	return f.place(int(p.source), p.line)
}

func (f *finder) place(source int, line int64) finding.Location {
	loc := finding.Location{File: f.log.Name, Line: int(line)}
	if s := f.res.Stream.Sources; source < len(s) {
		loc.File = s[source].Name
	}
	return loc
}

// add adds a finding whose events lie between two.
func (f *finder) add(r finding.Rule, s finding.Severity, first, last spot, why, fix string, evidence []finding.Evidence, message string, args ...any) {
	loc := f.at(first)
	x := found{why: why}
	if first.run != nil && last.run != nil {
		a, b := first.run.moment(first.at), last.run.moment(last.at+last.dur)
		loc.Span = span(a, b)
		x.from, x.to = first.at+first.run.shift, last.at+last.dur+last.run.shift
	} else {
		x.always = true
	}
	x.Finding = r.Found(loc, r.Name, fmt.Sprintf(message, args...))
	x.Severity, x.Remediation, x.Evidence = s, fix, evidence
	f.found = append(f.found, x)
}

// seen adds a finding of a sign.
func (f *finder) seen(r finding.Rule, s finding.Severity, g *sighting, why, fix, message string, args ...any) {
	f.add(r, s, g.first, g.last, why, fix, f.evidence(g), message, args...)
	f.found[len(f.found)-1].ns = g.ns
}

// evidence is that of a sign.
func (f *finder) evidence(g *sighting) []finding.Evidence {
	e := []finding.Evidence{
		{Name: "events", Value: units.Count(g.count)},
		{Name: "total", Value: units.Seconds(seconds(g.ns))},
		{Name: "longest", Value: units.Seconds(seconds(g.longest))},
	}
	if w := g.worst; w.run != nil {
		at := f.at(w)
		e = append(e, finding.Evidence{Name: "longest at", Value: w.run.moment(w.at).String() + ", " + at.String()})
	}
	return e
}

// times says how often: "once", "twice", "14 times".
func times(n int64) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return units.Count(n) + " times"
}

// many counts with the right form of the noun.
func many(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return units.Count(n) + " " + noun + "s"
}

// long writes nanoseconds.
func long(ns int64) string { return units.Seconds(seconds(ns)) }

// runtime says which advice fits.
type platform uint8

const (
	jvm platform = iota
	openJ9
	goRuntime
	v8
)

func (f *finder) platform() platform {
	switch f.log.Family {
	case "go":
		return goRuntime
	case "v8":
		return v8
	case "openj9":
		return openJ9
	}
	switch f.a.first {
	case gcparse.Go:
		return goRuntime
	case gcparse.V8:
		return v8
	}
	return jvm
}

// heapFlag is the setting that makes the heap larger; size is in bytes, 0 where no
// figure can be named.
func (f *finder) heapFlag(size int64) string {
	switch f.platform() {
	case goRuntime:
		if size > 0 {
			return "set GOMEMLIMIT=" + mebibytes(size) + "iB"
		}
		return "raise GOMEMLIMIT or GOGC"
	case v8:
		if size > 0 {
			return fmt.Sprintf("set --max-old-space-size=%d", max(size>>20, 1))
		}
		return "raise --max-old-space-size"
	}
	limit := f.heapLimit()
	switch {
	case size > 0:
		return "set -Xmx" + lower(mebibytes(size))
	case f.a.capacity > 0 && float64(f.a.capacity) < grownEnough*float64(limit):
		return fmt.Sprintf("set -Xms%s: -Xmx allows it, and the heap had only grown to %s", lower(exactly(limit)), lower(exactly(f.a.capacity)))
	case limit > 0:
		return fmt.Sprintf("raise -Xmx from %s to %s", lower(exactly(limit)), lower(mebibytes(limit+limit/2)))
	case f.a.capacity > 0:
		return "raise -Xmx above " + lower(exactly(f.a.capacity))
	}
	return "raise -Xmx"
}

// grownEnough is the part of its limit from which a heap is held back by that, and
// not by having to grow first.
const grownEnough = 0.7

// heapLimit is the largest heap that the process may have, 0 if it is not stated.
func (f *finder) heapLimit() int64 {
	var limit int64
	for _, r := range f.res.Runs {
		limit = max(limit, r.HeapMax)
	}
	return limit
}

// exactly writes a size as a setting has it, rounded down to mebibytes.
func exactly(size int64) string {
	if size%(1<<30) == 0 {
		return fmt.Sprintf("%dG", size>>30)
	}
	return fmt.Sprintf("%dM", size>>20)
}

// mebibytes rounds a size up as a setting has it: "1536M", "12G".
func mebibytes(size int64) string {
	const m, g = 1 << 20, 1 << 30
	switch {
	case size >= 8*g:
		return fmt.Sprintf("%dG", (size+g-1)/g)
	case size >= g:
		return fmt.Sprintf("%dM", (size+256*m-1)/(256*m)*256)
	}
	return fmt.Sprintf("%dM", max((size+16*m-1)/(16*m)*16, 16))
}

func lower(s string) string {
	b := []byte(s)
	b[len(b)-1] |= 0x20
	return string(b)
}

// advisedHeap is three times what lives, and no less than a quarter more than
// there is.
func advisedHeap(live, capacity int64) int64 { return max(3*live, capacity+capacity/4) }
