package gc

import (
	"cmp"
	"slices"

	"example.com/kneeline/gcparse"
)

// maxNames is how many titles and causes are told apart; what comes after is
// counted as others.
const maxNames = 256

// tally counts pauses by title and by cause.
type tally struct {
	titles, causes names
	full           sum
}

// names are sums by name. The names of a log come from a table, so that the one
// before is often the same string.
type names struct {
	all  map[string]*sum
	last string
	sum  *sum
}

// of returns the sum of a name.
func (n *names) of(name string) *sum {
	if n.sum != nil && n.last == name {
		return n.sum
	}
	if n.all == nil {
		n.all = map[string]*sum{}
	}
	n.last, n.sum = name, named(n.all, name)
	return n.sum
}

func (t *tally) add(e *gcparse.Event) {
	t.titles.of(e.Title).add(e.Duration)
	t.causes.of(e.Cause).add(e.Duration)
	if e.Flags.Any(gcparse.Full) {
		t.full.add(e.Duration)
	}
}

// named returns the sum of a name.
func named(in map[string]*sum, name string) *sum {
	if name == "" {
		name = "not stated"
	}
	s, ok := in[name]
	if ok {
		return s
	}
	if len(in) >= maxNames {
		name = others
		if s, ok = in[name]; ok {
			return s
		}
	}
	s = &sum{}
	in[name] = s
	return s
}

// shares lists sums, the longest in total first.
func shares(in map[string]*sum) []Share {
	out := []Share{}
	for name, s := range in {
		out = append(out, Share{Name: name, Count: s.count, Seconds: seconds(s.ns), Longest: seconds(s.longest)})
	}
	slices.SortFunc(out, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Seconds, a.Seconds), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// seconds takes nanoseconds to seconds.
func seconds(ns int64) float64 { return float64(ns) / 1e9 }

// count takes an event into what does not depend on its time.
func (a *Analyzer) count(e *gcparse.Event) {
	switch e.Kind {
	case gcparse.Pause:
		switch {
		case !e.HasDuration:
			a.untimed++
		case e.Flags.Any(gcparse.Nested):
			a.nested++
		default:
			a.pauses.hist.Record(e.Duration + e.Incremental)
			a.tally.add(e)
			a.cpu.add(e)
		}
		if e.HasTimeToSafepoint {
			a.waits.hist.Record(e.TimeToSafepoint)
		}
	case gcparse.Stall:
		if e.HasDuration {
			a.stalls.hist.Record(e.Duration)
		}
	case gcparse.Safepoint:
		if e.HasTimeToSafepoint {
			a.waits.hist.Record(e.TimeToSafepoint)
		}
	}
}
