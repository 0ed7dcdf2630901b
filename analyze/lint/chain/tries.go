package chain

import (
	"math"
	"slices"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/worst"
)

// Mode is what the far end of a path does.
type Mode uint8

// The modes.
const (
	// Fails answers each try with an error at once.
	Fails Mode = iota
	// Silent takes each try and never answers it.
	Silent
)

var modeNames = [...]string{"fails at once", "does not answer"}

// String says it of the far end.
func (m Mode) String() string {
	if int(m) < len(modeNames) {
		return modeNames[m]
	}
	return "unknown"
}

// Step is what one hop does with one call while the far end fails.
type Step struct {
	Hop *Hop
	// Tries is how many calls its callee gets at most for one of its own: those that its
	// layers can begin in time, multiplied, each under its budget. +Inf is no bound.
	Tries float64
	// Least and Most are how long the call takes in seconds, with the shortest and the
	// longest waits. Most may be less than [Hop.Wait], which bounds whatever the callee
	// does, such as to answer at the last moment.
	Least, Most float64
	// Layers are the tries of each layer.
	Layers []LayerTries
}

// LayerTries is what one layer does with one call.
type LayerTries struct {
	Layer Layer
	// Set is the number of its setting, Begun how many of them can begin in time.
	Set, Begun float64
	// Budgeted is Begun under the budget, as a mean over many calls.
	Budgeted float64
	// Hedged says that they are further requests that do not wait for the first to fail.
	Hedged bool
}

// Step returns what the hop does with one call if its callee takes between least and most
// seconds to fail, +Inf for one that does not answer.
func (h *Hop) Step(mode Mode, least, most float64) Step {
	s := Step{Hop: h, Tries: 1, Least: least, Most: most}
	for i := len(h.Layers) - 1; i >= 0; i-- {
		l := h.Layers[i]
		t := LayerTries{Layer: l, Set: 1}
		under := s.Most
		t.Set, t.Begun, s.Least, s.Most = layer(l.Hop, mode, s.Least, s.Most)
		t.Budgeted = min(t.Begun, 1+h.budget(l.Hop))
		if n := hedged(l.Hop, under); n > t.Begun {
			t.hedge(h, n)
			s.Most = min(limit(l.Hop.Total), s.Most+worst.Product(n-1, delay(l.Hop)))
		}
		s.Tries *= t.Budgeted
		s.Layers = append(s.Layers, t)
	}
	slices.Reverse(s.Layers)
	return s
}

// layer returns what one layer does with a call whose tries take from least to most: how
// many it may make, how many begin in time, and how long the call takes.
func layer(h *model.Hop, mode Mode, least, most float64) (set, begun, shortest, longest float64) {
	set = 1
	if n, ok := worst.Tries(h); ok {
		set = n
	}
	may := set
	if !answers(h.Retry, mode) {
		may = 1
	}
	p := math.Inf(1)
	if t, ok := worst.OneTry(h); ok && t.Seconds > 0 {
		p = t.Seconds
	}
	total, start := limit(h.Total), limit(h.StartTry)
	least, most = min(least, p), min(most, p)
	until := min(total, start)
	if begun = 1; !math.IsInf(least, 1) {
		begun = worst.Started(until, least, h.Backoff, may)
	}
	// With the longest waits fewer tries may begin.
	slow := begun
	if slow > 1 && !math.IsInf(slow, 1) && (slow-1)*most+worst.Waits(h.Backoff, slow) >= until {
		slow = later(h, slow, most, until)
	}
	shortest = ends(total, start, may, begun, least, func(n float64) float64 { return worst.LeastWaits(h.Backoff, n) })
	longest = max(ends(total, start, may, slow, most, func(n float64) float64 { return worst.Waits(h.Backoff, n) }), shortest)
	if slow < may && !math.IsInf(start, 1) && (slow < begun || least < most || h.Backoff.Jitter.Finite()) {
		// Of the tries that begin with short waits only, the last may begin just in time;
		// with long ones the call is given up without them.
		longest = min(total, max(longest, start+most))
		shortest = min(shortest, worst.Product(slow, least)+worst.LeastWaits(h.Backoff, slow))
	}
	return set, begun, shortest, longest
}

// ends is when a call ends of whose tries so many begin: with the last one, or with its
// limit where that cuts the rest. A call whose next try would begin after the limit for
// that ends at once.
func ends(total, start, may, begun, try float64, waits func(tries float64) float64) float64 {
	if last := worst.Product(begun, try); begun >= may || last+waits(begun+1) >= start {
		return min(total, last+waits(begun))
	}
	return total
}

// later is how many tries begin before a limit with the longest waits.
func later(h *model.Hop, n, try, limit float64) float64 {
	lo, hi := 1.0, n // lo begins in time, hi does not
	for hi-lo > 1 {
		mid := math.Floor((lo + hi) / 2)
		if mid <= lo || mid >= hi {
			break // so many that the next number cannot be told from them
		}
		if (mid-1)*try+worst.Waits(h.Backoff, mid) < limit {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

func limit(v model.Value) float64 {
	if v.Finite() && v.Amount > 0 {
		return v.Amount
	}
	return math.Inf(1)
}

// answers reports whether a layer tries again after what the far end does. Conditions
// that are not listed count as all.
func answers(r model.Retry, mode Mode) bool {
	if len(r.On) == 0 {
		return true
	}
	if mode == Silent && worst.OnlyConnects(r) {
		return false
	}
	return slices.ContainsFunc(r.On, func(c model.Condition) bool {
		switch c.Cause {
		case model.TimedOut, model.DeadlineSpent:
			return mode == Silent
		case model.ConnectFailure, model.Refused, model.Shed, model.ClientFault:
			return mode == Fails
		}
		return true // an error of the server, or a broken connection: as the layer under it says
	})
}

// budget is the share of further tries that a layer may make; +Inf for no bound that is a
// share. A floor counts where the rate of calls is known.
func (h *Hop) budget(m *model.Hop) float64 {
	b := m.Budget
	if !b.Ratio.Finite() || b.Ratio.Amount < 0 {
		return math.Inf(1)
	}
	share := b.Ratio.Amount
	if b.Floor.Finite() && h.Rate.Finite() && h.Rate.Amount > 0 {
		share = max(share, b.Floor.Amount/h.Rate.Amount)
	}
	return share
}
