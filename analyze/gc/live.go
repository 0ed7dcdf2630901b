package gc

import (
	"time"

	"example.com/kneeline/analyze/gc/tier"
	"example.com/kneeline/gcparse"
)

// Live is the state of a log that is still being written.
type Live struct {
	Series Series
	// Counts says whether a violation of this series is an overload.
	Counts bool
	tier.Now
	// Run is the run that the times belong to.
	Run int
	// Begin is when each occupied tier was entered, in the order of the tiers.
	Begin []*Moment
}

// Live returns the state of all series of the latest run at an instant. It is
// cheap enough to be called every second.
func (a *Analyzer) Live(now gcparse.Stamp) []Live {
	if len(a.order) == 0 {
		return nil
	}
	r := a.order[len(a.order)-1]
	at, ok := r.at(now)
	if !ok {
		at = r.newest
	}
	var out []Live
	for s, c := range r.courses {
		if c == nil || !a.reports(Series(s)) {
			continue
		}
		l := Live{Series: Series(s), Counts: a.counts(Series(s)), Now: c.meter.Peek(at), Run: int(r.index) + 1}
		for k, in := range l.Occupied {
			var m *Moment
			if in {
				x := r.moment(l.Tiers[k].Enter)
				m = &x
			}
			l.Begin = append(l.Begin, m)
		}
		out = append(out, l)
	}
	return out
}

// Newest is the latest time that the log has told of, on the clock of its latest
// run, with the time since given added: where a log that is followed stands now.
func (a *Analyzer) Newest(since time.Duration) gcparse.Stamp {
	if len(a.order) == 0 {
		return gcparse.Stamp{}
	}
	r := a.order[len(a.order)-1]
	at := r.newest + int64(since)
	s := gcparse.Stamp{}
	if r.uptime {
		s.Uptime, s.HasUptime = at, true
	}
	s.Wall, s.HasWall = r.wall(at)
	return s
}
