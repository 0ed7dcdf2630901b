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
	limit := fmt.Sprintf("only %s × %s = %s requests are answered in time",
		units.Rate(a.Basis.Capacity), units.Seconds(a.Basis.Wait), units.Count(a.Basis.BreakPoint))
	if m.hedged {
		limit = fmt.Sprintf("past %s × %s = %s requests in the server clients send everything twice",
			units.Rate(a.Basis.Capacity), units.Seconds(a.Basis.Wait), units.Count(a.Basis.BreakPoint))
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
	worst := func(q Length) string {
		g, err := m.goodput(q, overload)
		if err != nil {
			return units.NotAvailable // the table of goodput has computed it before
		}
		return percent(g)
	}
	switch {
	case m.Queue.Unbounded || m.Queue.Positions > a.Positions:
		return fmt.Sprintf("set the request queue to %s, not %s: %s; at %s × capacity goodput is %s, with %s it is %s",
			set, was, limit, units.Number(overload), worst(*m.Queue), units.Count(a.Positions), worst(Length{Positions: a.Positions}))
	case has(r.Findings, tooSmall.ID):
		return fmt.Sprintf("set the request queue to %s, not %s: it refuses %s of the requests at the peak, and up to %s positions are useful",
			set, was, units.Share(*r.Today.Refused), units.Count(a.Positions))
	}
	return fmt.Sprintf("keep the request queue of %s: up to %s are useful; at %s × capacity goodput is %s",
		was, set, units.Number(overload), worst(*m.Queue))
}

func has(findings []finding.Finding, rule string) bool {
	for _, f := range findings {
		if f.Rule == rule {
			return true
		}
	}
	return false
}

// percent writes a goodput in percent with one decimal: that 99.99997% of a model
// is not all is of no interest.
func percent(share float64) string { return units.Share(math.Round(share*1000) / 1000) }
