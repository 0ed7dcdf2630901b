package queue

import (
	"fmt"
	"math"

	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// verdict is the answer in one sentence.
func (m *model) verdict(r Result) string {
	answer := m.answer(r)
	if m.Peak > m.sustained() {
		answer += fmt.Sprintf("; no queue helps against a peak of %s, over the capacity of %s", units.Rate(m.Peak), units.Rate(m.sustained()))
	}
	return answer
}

// limit says from where on a wait is of no use.
func (m *model) limit(b Basis) string {
	product := fmt.Sprintf("%s × %s", units.Rate(b.Capacity), units.Seconds(b.Wait))
	switch {
	case b.BreakPoint == 0 && m.hedged:
		return product + " is less than one request, so clients send nearly everything twice"
	case b.BreakPoint == 0:
		return product + " is less than one request, so whoever waits is answered too late"
	case m.hedged:
		return fmt.Sprintf("past %s = %s in the server clients send everything twice", product, plural(b.BreakPoint, "request", "requests"))
	}
	return fmt.Sprintf("only %s = %s in time", product, plural(b.BreakPoint, "request is answered", "requests are answered"))
}

// noQueue says why nobody is to wait.
func (m *model) noQueue(b Basis) string {
	why := "set no request queue: " + m.limit(b)
	running, tail := int64(m.workers), int64(b.Capacity*m.ServiceP99.Seconds())
	switch {
	case b.BreakPoint == 0:
		return why
	case tail > running && tail >= b.Safe:
		return why + fmt.Sprintf(", and the slowest take %s of the time alone", units.Duration(m.ServiceP99))
	case running > 1:
		return why + fmt.Sprintf(", and the %s workers hold all that are safe", units.Count(running))
	}
	return why + ", and the one that runs is all that is safe"
}

// answer is what to set, and why.
func (m *model) answer(r Result) string {
	a := r.Advice
	limit := m.limit(a.Basis)
	if a.Positions == 0 {
		return m.noQueue(a.Basis)
	}
	set := plural(a.Positions, "waiting position", "waiting positions")
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
	today, advised := m.pastCapacity(*m.Queue), m.pastCapacity(m.advised())
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
		m.pastCapacity(q) < m.pastCapacity(m.advised())-worthwhile
}

// advised is the queue to set. Where the workers are still to be subtracted, one
// request that runs is.
func (m *model) advised() Length {
	if m.advice.WorkersToSubtract {
		return Length{Positions: m.advice.Positions - 1}
	}
	return Length{Positions: m.advice.Positions}
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
