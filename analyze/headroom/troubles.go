package headroom

import (
	"cmp"
	"slices"
	"time"

	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/loadgen"
)

// Trouble is a stretch of time in which requests went wrong in one and the same
// way, no two in a row further apart than [loadgen.SpellGap].
type Trouble struct {
	// What is the cause of a failure, or the class of requests that were shed or
	// timed out.
	What  string `json:"what"`
	Class string `json:"class"`
	Phase string `json:"phase"`
	Count uint64 `json:"count"`
	// First and Last are when the first and the last of the requests ended, in
	// seconds of load since the measurement began, as the trials' start is.
	First float64 `json:"first_seconds"`
	Last  float64 `json:"last_seconds"`
}

// troubleKey tells troubles apart: what happens in different phases is not the
// same, even at the same time.
type troubleKey struct{ what, phase string }

// troubles gathers when requests went wrong over all runs.
type troubles map[troubleKey]*loadgen.Spells

// add takes in a segment of a run that began so long after the first one.
func (t *troubles) add(s *loadgen.Segment, phase string, began time.Duration) {
	for what, spells := range s.When {
		if usual(what, phase) {
			continue
		}
		if *t == nil {
			*t = troubles{}
		}
		key := troubleKey{what, phase}
		if (*t)[key] == nil {
			(*t)[key] = &loadgen.Spells{}
		}
		(*t)[key].Merge(*spells, began)
	}
}

// usual reports whether what went wrong is what the phase is for: one that goes to
// capacity and past it makes the service refuse and be late.
func usual(what, phase string) bool {
	if what != outcome.Shed.String() && what != outcome.TimedOut.String() {
		return false
	}
	switch phase {
	case PhaseFloor, PhaseCheck, PhaseCap, PhaseHold:
		return false
	}
	return true
}

// list returns the troubles in the order in which they began.
func (t troubles) list() []Trouble {
	var all []Trouble
	for key, spells := range t {
		class := key.what
		if class != outcome.Shed.String() && class != outcome.TimedOut.String() {
			class = outcome.Failed.String()
		}
		for _, s := range *spells {
			all = append(all, Trouble{What: key.what, Class: class, Phase: key.phase, Count: s.Count,
				First: s.First.Seconds(), Last: s.Last.Seconds()})
		}
	}
	slices.SortFunc(all, func(a, b Trouble) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.What, b.What), cmp.Compare(a.Phase, b.Phase))
	})
	return all
}

// JoinTroubles adds the troubles of a result to those of another one of the same
// service, which began so many seconds earlier: stretches that touch become one.
func JoinTroubles(list, more []Trouble, later float64) []Trouble {
	var t troubles
	take := func(list []Trouble, shift float64) {
		for _, x := range list {
			s := loadgen.Spells{{First: time.Duration(x.First * 1e9), Last: time.Duration(x.Last * 1e9), Count: x.Count}}
			t.add(&loadgen.Segment{When: map[string]*loadgen.Spells{x.What: &s}}, x.Phase, time.Duration(shift*1e9))
		}
	}
	take(list, 0)
	take(more, later)
	return t.list()
}
