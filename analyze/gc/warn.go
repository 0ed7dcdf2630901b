package gc

import (
	"fmt"

	"example.com/kneeline/gcparse"
)

// warn says what limits the answer.
func (a *Analyzer) warn(l *Log, res *gcparse.Result) {
	say := func(format string, args ...any) { l.Warnings = append(l.Warnings, fmt.Sprintf(format, args...)) }
	if !l.Complete {
		say("the log was not read to its end")
	}
	if a.unstamped > 0 {
		say("%d events have no time: they are counted, and in no window", a.unstamped)
	}
	if a.untimed > 0 {
		say("%d pauses have no duration: they are in no figure", a.untimed)
	}
	if a.implausible > 0 {
		say("%d events have times or durations that cannot be: they are left out", a.implausible)
	}
	if n := a.kinds[gcparse.Hole]; n > 0 {
		say("the log lost lines at %d places; windows end there", n)
	}
	if n := res.Ledger.Unknown(); n > 0 {
		say("%d lines look like GC and were not understood", n)
	}
	if a.assumed > 0 {
		say("the log does not say how many processors %d concurrent phases used: a quarter is assumed", a.assumed)
	}
	if c := a.totals[Pauses].Clipped; c > 0 {
		say("%.3gs of pauses came too late in the log to be counted", seconds(c))
	}
	zoneless, rebuilt, borrowed := false, false, false
	for _, r := range res.Runs {
		zoneless, rebuilt, borrowed = zoneless || r.Zoneless, rebuilt || r.Rebuilt, borrowed || r.First.Borrowed
	}
	if zoneless {
		say("wall-clock times have no time zone and are taken as UTC")
	}
	if rebuilt {
		say("the log has no time stamps: times are rebuilt from its intervals")
	}
	if borrowed {
		say("wall-clock times are those at which the lines were collected")
	}
	if l.Violated > int64(len(l.Violations)) {
		say("of %d violations the worst %d are listed", l.Violated, len(l.Violations))
	}
}

// inputOf accounts for the lines of the log.
func inputOf(res *gcparse.Result) *Input {
	in := &Input{Bytes: res.Bytes, Lines: map[string]int64{}, Wrappers: res.Wrappers}
	for c, n := range res.Ledger.Lines {
		in.Lines[gcparse.Class(c).String()] = n
	}
	for _, s := range res.Ledger.Shapes {
		u := UnknownLines{Pattern: s.Pattern, Count: s.Count}
		if len(s.Examples) > 0 {
			u.Line, u.Example = s.Examples[0].Line, s.Examples[0].Text
		}
		in.Unknown = append(in.Unknown, u)
	}
	for _, p := range res.Problems {
		in.Problems = append(in.Problems, p.Error())
	}
	return in
}
