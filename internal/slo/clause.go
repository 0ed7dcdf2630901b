package slo

import (
	"cmp"
	"time"

	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/internal/units"
)

// Kind is what a clause bounds.
type Kind uint8

const (
	// Latency bounds a quantile of the latency from the planned instant.
	Latency Kind = iota
	// Errors bounds the share of requests without a usable answer.
	Errors
	// Degraded bounds the share of degraded answers.
	Degraded
)

// String returns the kind as the grammar and reports name it.
func (k Kind) String() string {
	switch k {
	case Latency:
		return "latency"
	case Errors:
		return "errors"
	case Degraded:
		return "degraded"
	}
	return "unknown"
}

// Clause is one bound of an objective. Clauses come from [Parse] or [Default],
// which fill in what depends on the other clauses.
type Clause struct {
	Kind Kind
	// Quantile in (0, 1) and Threshold are those of a latency clause.
	Quantile  float64
	Threshold time.Duration
	// Index is the threshold's place among [SLO.Thresholds].
	Index int
	// Budget is the share of planned requests that may be bad, in (0, 1).
	Budget float64

	// relaxed is set when the objective has a degraded clause.
	relaxed bool
}

// String returns the clause in canonical form.
func (c Clause) String() string {
	if c.Kind == Latency {
		return c.Name() + "<" + units.ExactDuration(c.Threshold)
	}
	return c.Name() + "<" + units.ExactShare(c.Budget)
}

// Name returns what the clause bounds as users write it: "p99", "errors".
func (c Clause) Name() string {
	if c.Kind == Latency {
		s := units.ExactShare(c.Quantile)
		return "p" + s[:len(s)-1]
	}
	return c.Kind.String()
}

// Bad returns how many requests of n are bad under the clause.
func (c Clause) Bad(n outcome.Counts) uint64 {
	if c.Kind == Degraded {
		return n.By[outcome.Degraded]
	}
	bad := n.By[outcome.Shed] + n.By[outcome.Failed] + n.By[outcome.TimedOut] + n.By[outcome.NeverSent]
	if !c.relaxed {
		bad += n.By[outcome.Degraded]
	}
	return bad + c.late(n)
}

// late returns how many answers of n are bad for their latency alone.
func (c Clause) late(n outcome.Counts) uint64 {
	if c.Kind != Latency {
		return 0
	}
	late := n.LateFull[c.Index]
	if c.relaxed {
		late += n.LateDegraded[c.Index]
	}
	return late
}

// Share returns the share of the judged requests of n that are bad under the
// clause, 0 when none is judged.
func (c Clause) Share(n outcome.Counts) float64 {
	judged := Judged(n)
	if judged == 0 {
		return 0
	}
	return float64(c.Bad(n)) / float64(judged)
}

func compareClauses(a, b Clause) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Quantile, b.Quantile))
}
