package gc

import (
	"fmt"
	"math"
	"strings"
	"time"

	"example.com/kneeline/analyze/gc/tier"
	"example.com/kneeline/gcparse"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

func secondsOf(s float64) time.Duration { return time.Duration(math.Round(s * 1e9)) }

// seriesWords says what the series of a name is of.
func seriesWords(name string) string {
	for s := range Series(numSeries) {
		if s.String() == name {
			return s.Words()
		}
	}
	return name
}

// worstIncident is the one with the worst violation, nil if there is none.
func worstIncident(all []Incident) *Incident {
	var w *Incident
	for i := range all {
		if w == nil || worse(all[i].worst, w.worst) < 0 {
			w = &all[i]
		}
	}
	return w
}

// verdict is the answer for one log.
func (f *finder) verdict() Verdict {
	if in := worstIncident(f.log.Incidents); in != nil {
		return f.guilty(in)
	}
	if v, ok := f.undecided(); ok {
		if x := f.worst(finding.Error); x != nil && len(v.Rules) == 0 {
			v.Change, v.Rules = x.Remediation, []string{x.Rule}
			v.Sentence += "; but " + x.why + ": " + x.Remediation
		}
		return v
	}
	return f.innocent()
}

// reasons are the findings that explain an incident: those of its time, or of the
// whole log, but not the overload itself or what it did to clients.
func (f *finder) reasons(in *Incident) []found {
	from := f.a.axis.origin + int64(in.Begin.Log*1e9) - int64(f.a.cfg.Window)
	to := f.a.axis.origin + int64(in.End.Log*1e9)
	var out []found
	for _, x := range f.found {
		switch x.Rule {
		case overloadRule.ID, deadlineRule.ID, blindRule.ID:
			continue
		}
		if x.Severity == finding.Note || !x.always && (x.from > to || from > x.to) {
			continue
		}
		// What stopped the program for little of the time that was lost is not why.
		if x.ns > 0 && seconds(x.ns) < reasonShare*in.Busy {
			continue
		}
		out = append(out, x)
	}
	return out
}

// reasonShare is the part of the lost time that the events of a reason must have
// taken.
const reasonShare = 0.2

// guilty says that GC was the overload.
func (f *finder) guilty(in *Incident) Verdict {
	v := in.worst
	d := Verdict{Answer: Overload, When: span(in.Begin, in.End), Rules: []string{overloadRule.ID}, Incident: in}
	if in.Open {
		d.When = in.Begin.String() + " to the end of the log"
	}
	what := fmt.Sprintf("%s peaked at %s of %s", seriesWords(v.Series), percent(v.Peak), units.ExactDuration(f.a.cfg.Window))
	reasons := f.reasons(in)
	for _, x := range reasons[:min(len(reasons), 2)] {
		d.Rules = append(d.Rules, x.Rule)
	}
	switch {
	case len(reasons) > 0:
		d.Why, d.Change = reasons[0].why, reasons[0].Remediation
	case len(v.Causes) > 0:
		d.Why = "set off by " + causes(v.Causes[:1])
		d.Change = f.general(v)
	}
	head := "GC was the overload"
	if v.Threshold < severeTier {
		head = "GC was an overload"
	}
	parts := []string{fmt.Sprintf("%s from %s: %s", head, d.When, what)}
	if d.Why != "" {
		parts = append(parts, d.Why)
	}
	if d.Change != "" {
		parts = append(parts, d.Change)
	}
	d.Sentence = strings.Join(parts, "; ")
	if n := len(f.log.Incidents); n > 1 {
		d.Sentence += fmt.Sprintf(" (the worst of %d times)", n)
	}
	return d
}

// general is what to change where the log shows no special reason.
func (f *finder) general(v Violation) string {
	switch {
	case v.Series == Assists.String() || v.Series == CPU.String() && f.platform() == goRuntime:
		return "raise GOGC or GOMEMLIMIT, or allocate less"
	case v.Full*2 > v.Events:
		return f.heapFlag(f.advised())
	case f.platform() == goRuntime:
		return "raise GOGC or GOMEMLIMIT, or allocate less"
	case f.platform() == v8:
		return "set --max-semi-space-size=64, or allocate less"
	}
	if goal := f.pauseGoal(); goal != "" && f.collector() == gcparse.G1 {
		return "take " + goal + " away, which keeps the young generation small (the default is 200), or " + f.heapFlag(f.advised())
	}
	return f.heapFlag(f.advised()) + ", allocate less, or admit less load at once"
}

// undecided says why the log cannot tell, if it cannot.
func (f *finder) undecided() (Verdict, bool) {
	unknown := func(change, format string, args ...any) (Verdict, bool) {
		d := Verdict{Answer: Unknown, Why: fmt.Sprintf(format, args...), Change: change}
		d.Sentence = "no answer: " + d.Why
		if change != "" {
			d.Sentence += "; " + change
		}
		return d, true
	}
	events := int64(0)
	for _, n := range f.a.kinds {
		events += n
	}
	judged := f.a.totals[Pauses].Judged
	p := f.log.Pauses
	switch {
	case events == 0 && f.res.Ledger.Unknown() > 0:
		return unknown("", "no garbage collection could be read from the log, though lines look like some")
	case events == 0 && (f.res.EndsInPause || f.res.Ledger.Lines[gcparse.CutLine] > 0):
		return unknown("", "no garbage collection could be read: the log ends within its first")
	case events == 0 && len(f.res.Runs) > 0:
		return unknown("", "the log has no garbage collections yet")
	case events == 0:
		return unknown("", "this is no log of a garbage collector, or an empty one")
	case f.noPauses():
		d, ok := unknown(f.loggingFix(), "the log shows collections but no pauses")
		d.Rules = []string{blindRule.ID}
		return d, ok
	case f.a.observed == 0 && f.a.unstamped > 0:
		return unknown(f.loggingFix(), "the log has no times: %s took %s, up to %s", many(p.Stops, "pause"), units.Seconds(p.Total), units.Seconds(p.Longest))
	case f.a.unfinished != nil && f.a.unfinished.Counts && judged < int64(f.a.cfg.Tiers[0].Period):
		return unknown("", "the log covers %s, and %s", units.Seconds(f.log.Observed), f.ended())
	case judged == 0:
		pauses := "no pause"
		if p.Stops > 0 {
			pauses = fmt.Sprintf("%s took %s, up to %s", many(p.Stops, "pause"), units.Seconds(p.Total), units.Seconds(p.Longest))
		}
		return unknown("", "the log covers %s, too short for a window of %s: %s", units.Seconds(f.log.Observed), units.ExactDuration(f.a.cfg.Window), pauses)
	}
	return Verdict{}, false
}

// ended says what state the record ended in, where that was on the way to a
// violation.
func (f *finder) ended() string {
	u := f.a.unfinished
	if u == nil || !u.Counts {
		return ""
	}
	how := "when the log ended"
	if u.State == tier.Cut.String() {
		how = "when the run ended"
	}
	return fmt.Sprintf("%s had been at %s of %s or more for %s of the %s that are a violation %s",
		seriesWords(u.Series), percent(u.Threshold), units.ExactDuration(f.a.cfg.Window), units.Seconds(u.Duration), units.Seconds(u.Period), how)
}

// atMost says that a share was never higher.
func atMost(share float64) string {
	if share > 0 && share < 0.0005 {
		return "below 0.1%"
	}
	return "at most " + percent(share)
}

// worst is the first of the worst findings, nil if none is as bad as least.
func (f *finder) worst(least finding.Severity) *found {
	var w *found
	for i, x := range f.found {
		if x.Severity >= least && (w == nil || x.Severity > w.Severity) {
			w = &f.found[i]
		}
	}
	return w
}

// innocent says that GC was not the overload, and what is wrong all the same.
func (f *finder) innocent() Verdict {
	d := Verdict{Answer: NoOverload}
	window := units.ExactDuration(f.a.cfg.Window)
	main := Pauses
	if f.a.goEvents > 0 {
		main = CPU
	}
	what := "no window was judged"
	for _, s := range f.log.Overhead {
		if s.Name == main.String() && s.Peak != nil {
			what = fmt.Sprintf("%s was %s of any %s", main.Words(), atMost(*s.Peak), window)
		}
	}
	if f.log.Pauses.Stops > 0 {
		what += fmt.Sprintf(" (longest pause %s)", units.Seconds(f.log.Pauses.Longest))
	}
	if f.log.Stalls == nil && (f.a.first == gcparse.ZGC || f.a.first == gcparse.GenerationalZGC) {
		what += ", and no thread waited for memory"
	}
	d.Sentence = "GC was not the overload: " + what
	if s := f.ended(); s != "" {
		d.Sentence += "; " + s
	}
	if worst := f.worst(finding.Warning); worst != nil {
		d.Why, d.Change, d.Rules = worst.why, worst.Remediation, []string{worst.Rule}
		d.Sentence += "; but " + d.Why + ": " + d.Change
	}
	return d
}
