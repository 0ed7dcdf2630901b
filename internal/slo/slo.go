package slo

import (
	"math"
	"slices"
	"strings"
	"time"

	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/internal/units"
)

// SLO is a service level objective: all of its clauses hold. It comes from
// [Parse] or [Default]; the zero value has no clause and is always met.
type SLO struct {
	// Clauses are in canonical order: latency by quantile, errors, degraded.
	Clauses []Clause

	thresholds []time.Duration
}

// Default returns the objective that holds when the user sets none: at most 1 %
// of the planned requests later than the client's timeout, at most 1 % errors.
func Default(timeout time.Duration) SLO {
	return build([]Clause{
		{Kind: Latency, Quantile: 0.99, Threshold: timeout, Budget: 0.01},
		{Kind: Errors, Budget: 0.01},
	})
}

// build puts clauses into canonical order and fills in what depends on the
// others: the threshold's index and whether a degraded clause relaxes them.
func build(clauses []Clause) SLO {
	var s SLO
	relaxed := false
	for _, c := range clauses {
		if c.Kind == Latency {
			s.thresholds = append(s.thresholds, c.Threshold)
		}
		relaxed = relaxed || c.Kind == Degraded
	}
	slices.Sort(s.thresholds)
	s.thresholds = slices.Compact(s.thresholds)
	for _, c := range clauses {
		if c.Kind == Latency {
			c.Index, _ = slices.BinarySearch(s.thresholds, c.Threshold)
		}
		c.relaxed = relaxed
		s.Clauses = append(s.Clauses, c)
	}
	slices.SortFunc(s.Clauses, compareClauses)
	return s
}

// Thresholds returns the different latency thresholds in ascending order. Their
// indexes are those of LateFull and LateDegraded in [outcome.Counts].
func (s SLO) Thresholds() []time.Duration { return slices.Clone(s.thresholds) }

// IsZero reports whether s has no clause.
func (s SLO) IsZero() bool { return len(s.Clauses) == 0 }

// String returns s in canonical form, which [Parse] reads back as s.
func (s SLO) String() string {
	parts := make([]string, len(s.Clauses))
	for i, c := range s.Clauses {
		parts[i] = c.String()
	}
	return strings.Join(parts, ",")
}

// Set makes *SLO the value of a command-line flag.
func (s *SLO) Set(text string) error {
	v, err := Parse(text)
	if err == nil {
		*s = v
	}
	return err
}

// Type returns the word that stands for the value in help.
func (*SLO) Type() string { return "slo" }

// Check reports whether s can be judged with a client that gives up after
// timeout: a latency over it is never seen.
func (s SLO) Check(timeout time.Duration) error {
	for _, c := range s.Clauses {
		if c.Kind == Latency && c.Threshold > timeout {
			return fault.Usagef("slo clause %s: the client gives up after %s and sees no later answer; expected a latency of at most that, or a longer timeout, found %s",
				c, units.ExactDuration(timeout), units.ExactDuration(c.Threshold))
		}
	}
	return nil
}

// Judged returns how many requests of c an objective judges: all that ended.
// Those in flight at the end of a run are in no share, neither as good nor as bad.
func Judged(c outcome.Counts) uint64 {
	var n uint64
	for class := range outcome.NumClasses {
		if class != outcome.InFlight {
			n += c.By[class]
		}
	}
	return n
}

// Met reports whether every clause holds in c. An account of no request meets
// every objective; ask [Judged] first.
func (s SLO) Met(c outcome.Counts) bool {
	for _, cl := range s.Clauses {
		if cl.Share(c) > cl.Budget {
			return false
		}
	}
	return true
}

// Worst returns the clause that used up most of its budget in c, and how much: 1
// is all of it, more is a breach. Between equals the first in canonical order is
// returned, so a latency clause before errors: a late answer alone is bad under
// the one only, an error under both. Where that leaves nothing between them,
// since most of what is bad failed or was shed, errors is what the reader has to
// hear of. The zero SLO gives 0 and no clause.
func (s SLO) Worst(c outcome.Counts) (used float64, worst Clause) {
	used = math.Inf(-1)
	for _, cl := range s.Clauses {
		u := cl.Share(c) / cl.Budget
		if u > used || u == used && cl.Kind == Errors && worst.mostlyFailed(c) {
			used, worst = u, cl
		}
	}
	return max(used, 0), worst
}

// mostlyFailed reports whether more requests of n failed or were shed than were
// late.
func (c Clause) mostlyFailed(n outcome.Counts) bool {
	return n.By[outcome.Failed]+n.By[outcome.Shed] > n.By[outcome.TimedOut]+c.late(n)
}
