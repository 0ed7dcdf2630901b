package gc

import (
	"fmt"

	"example.com/kneeline/gcparse"
	"example.com/kneeline/internal/units"
)

// warn says what limits the answer.
func (a *Analyzer) warn(l *Log, res *gcparse.Result) {
	say := func(format string, args ...any) { l.Warnings = append(l.Warnings, fmt.Sprintf(format, args...)) }
	// count says one of two sentences, the second with the number.
	count := func(n int64, one, more string) {
		switch {
		case n == 1:
			say("%s", one)
		case n > 1:
			say(more, units.Count(n))
		}
	}
	if !l.Complete {
		say("the log was not read to its end")
	}
	count(a.unstamped, "1 event has no time: it is counted, and in no window", "%s events have no time: they are counted, and in no window")
	count(a.untimed, "1 pause has no duration: it is in no figure", "%s pauses have no duration: they are in no figure")
	count(a.implausible, "1 event has a time or duration that cannot be: it is left out", "%s events have times or durations that cannot be: they are left out")
	count(a.kinds[gcparse.Hole], "the log lost lines at 1 place; windows end there", "the log lost lines at %s places; windows end there")
	count(res.Ledger.Unknown(), "1 line looks like GC and was not understood", "%s lines look like GC and were not understood")
	unclosed := res.Unclosed
	switch {
	case res.EndsInPause:
		unclosed--
		say("the log ends within a pause, which is in no figure: it was copied while it was written, or the process ended there")
	case res.Ledger.Lines[gcparse.CutLine] > 0:
		say("the log ends within a line or an event, which is left out")
	}
	count(unclosed, "1 pause begins and does not end in the log: it is in no figure", "%s pauses begin and do not end in the log: they are in no figure")
	count(a.assumed, "the log does not say how many processors 1 concurrent phase used: a quarter is assumed",
		"the log does not say how many processors %s concurrent phases used: a quarter is assumed")
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
		say("of %s violations the worst %s are listed", units.Count(l.Violated), units.Count(len(l.Violations)))
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
