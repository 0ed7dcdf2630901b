package queue

import (
	"fmt"
	"math"

	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// verdict is the answer in one sentence.
func (m *model) verdict(r Result) string {
	a := r.Advice
	limit := fmt.Sprintf("only %s × %s = %s in time",
		units.Rate(a.Basis.Capacity), units.Seconds(a.Basis.Wait), plural(a.Basis.BreakPoint, "request is answered", "requests are answered"))
	if m.hedged {
		limit = fmt.Sprintf("past %s × %s = %s in the server clients send everything twice",
			units.Rate(a.Basis.Capacity), units.Seconds(a.Basis.Wait), plural(a.Basis.BreakPoint, "request", "requests"))
	}
	if a.Positions == 0 {
		return "set no request queue: " + limit + ", and those that run and the margin for chance take all of them"
	}
	set := units.Count(a.Positions) + " waiting positions"
	if a.WorkersToSubtract {
		set += " less the worker threads"
	}
	if m.Queue == nil {
		return fmt.Sprintf("set the request queue to %s: %s", set, limit)
	}
	was := "unbounded"
	if !m.Queue.Unbounded {
		was = units.Count(m.Queue.Positions)
	}
	today, advised := m.pastCapacity(*m.Queue), m.pastCapacity(Length{Positions: a.Positions})
	past := fmt.Sprintf("at %s × capacity goodput is %s, with %s it is %s", units.Number(overload), percent(today), units.Count(a.Positions), percent(advised))
	switch {
	case m.tooLong():
		return fmt.Sprintf("set the request queue to %s, not %s: %s; %s", set, was, limit, past)
	case has(r.Findings, tooSmall.ID):
		return fmt.Sprintf("set the request queue to %s, not %s: it refuses %s of the requests at the peak, and up to %s positions are useful",
			set, was, units.Share(*r.Today.Refused), units.Count(a.Positions))
	case today < advised-worthwhile:
		return fmt.Sprintf("set the request queue to up to %s, not %s: it refuses what could be answered in time; %s", set, was, past)
	}
	if m.Queue.Positions > a.Positions {
		return fmt.Sprintf("keep the request queue of %s: it is over the safe %s, but below the break point of %s, and costs next to no goodput: %s at %s × capacity",
			was, units.Count(a.Positions), units.Count(a.Basis.BreakPoint), percent(today), units.Number(overload))
	}
	return fmt.Sprintf("keep the request queue of %s: up to %s are useful; at %s × capacity goodput is %s", was, set, units.Number(overload), percent(today))
}

// tooLong says whether today's queue is longer than the advised one, and does
// harm by it.
func (m *model) tooLong() bool {
	q := *m.Queue
	switch {
	case q.Unbounded:
		return true
	case q.Positions <= m.advice.Positions:
		return false
	}
	return m.hedged || int64(m.inSystem(q)) > m.breakPoint() ||
		m.pastCapacity(q) < m.pastCapacity(Length{Positions: m.advice.Positions})-worthwhile
}

// worthwhile is the gain in goodput for which a short queue is worth a change.
const worthwhile = 0.01

// pastCapacity is the goodput of a queue past capacity.
func (m *model) pastCapacity(q Length) float64 {
	g, err := m.goodput(q, overload)
	if err != nil {
		return math.NaN() // the table of goodput has computed it before
	}
	return g
}

func has(findings []finding.Finding, rule string) bool {
	for _, f := range findings {
		if f.Rule == rule {
			return true
		}
	}
	return false
}

// plural counts things.
func plural[T units.Integer](n T, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return units.Count(n) + " " + many
}

// percent writes a goodput in percent with one decimal: that 99.99997% of a model
// is not all is of no interest.
func percent(share float64) string { return units.Share(math.Round(share*1000) / 1000) }
