package gc

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/gc/tier"
	"example.com/kneeline/gcparse"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

const (
	lateShare  = 0.001
	lateSevere = 0.01
)

// clients finds what pauses mean to clients, and logs that do not show it.
func (f *finder) clients() {
	if d := f.log.Deadline; d != nil && d.Late >= lateShare {
		f.always(deadlineRule, fmt.Sprintf("pauses are longer than the timeout of %s", units.Seconds(d.Timeout)), f.shorter(1000*d.Timeout),
			[]finding.Evidence{
				{Name: "timeout", Value: units.Seconds(d.Timeout)},
				{Name: "late", Value: fmt.Sprintf("%s (%s)", units.Share(d.Late), units.Seconds(d.LateSeconds))},
				{Name: "longest pause", Value: units.Seconds(f.log.Pauses.Longest)},
			},
			"in %s of the time a request cannot be answered within %s because of pauses", units.Share(d.Late), units.Seconds(d.Timeout))
		if d.Late >= lateSevere {
			f.found[len(f.found)-1].Severity = finding.Error
		}
	}
	if f.noPauses() {
		f.always(blindRule, "the log shows no pauses", f.loggingFix(), nil,
			"the log has %s and not one pause with a duration", many(f.a.kinds[gcparse.Cycle]+f.a.kinds[gcparse.Concurrent], "collection"))
	}
}

// noPauses says that nothing can be said of pauses.
func (f *finder) noPauses() bool {
	for _, r := range f.res.Runs {
		if r.NoPauseData {
			return true
		}
	}
	return f.a.blind()
}

// overload is the worst violation, with how many there were.
func (f *finder) overload() {
	in := worstIncident(f.log.Incidents)
	if in == nil {
		return
	}
	v := in.worst
	severity := finding.Warning
	if v.Threshold >= severeTier {
		severity = finding.Error
	}
	evidence := []finding.Evidence{
		{Name: "series", Value: v.Series},
		{Name: "tier", Value: tierName(v)},
		{Name: "entered", Value: v.Begin.String()},
		{Name: "violated", Value: v.Violated.String()},
		{Name: "knowable", Value: v.Knowable.String()},
		{Name: "peak", Value: percent(v.Peak) + " at " + v.PeakAt.String()},
		{Name: "lost", Value: units.Seconds(v.Busy)},
		{Name: "events", Value: fmt.Sprintf("%s, %s full", units.Count(v.Events), units.Count(v.Full))},
		{Name: "causes", Value: causes(v.Causes)},
	}
	if h := v.Heap; h != nil {
		evidence = append(evidence, finding.Evidence{Name: "heap after", Value: heapCourse(h)})
	}
	if n := len(f.log.Incidents); n > 1 {
		evidence = append(evidence, finding.Evidence{Name: "times of overload", Value: units.Count(n)})
	}
	fix := "see the findings beside this one"
	if why := f.reasons(in); len(why) > 0 {
		fix = why[0].Remediation
	} else if s := f.general(v); s != "" {
		fix = s
	}
	loc := f.place(v.Source, v.Line)
	loc.Span = span(v.Begin, v.End)
	x := found{Finding: overloadRule.Found(loc, v.Series, fmt.Sprintf("%s was %s at its peak and stayed in the tier of %s for %s",
		seriesWords(v.Series), percent(v.Peak), percent(v.Threshold), units.Seconds(v.Duration)))}
	x.Severity, x.Evidence, x.Remediation = severity, evidence, fix
	f.found = append(f.found, x)
}

// severeTier is the threshold from which a violation is an error: half of the
// capacity is gone.
const severeTier = 0.5

func tierName(v Violation) string {
	return tier.Tier{Threshold: int64(v.Threshold*tier.Whole + 0.5), Period: secondsOf(v.Period)}.String()
}

// causes lists the three with the most time.
func causes(all []Share) string {
	var parts []string
	for _, c := range all[:min(len(all), 3)] {
		parts = append(parts, fmt.Sprintf("%s %s × (%s)", c.Name, units.Count(c.Count), units.Seconds(c.Seconds)))
	}
	return strings.Join(parts, ", ")
}

func heapCourse(h *HeapCourse) string {
	s := fmt.Sprintf("%s to %s", units.Size(h.First), units.Size(h.Last))
	if h.Capacity != nil && *h.Capacity > 0 {
		s += " of " + units.Size(*h.Capacity)
	}
	return s
}
