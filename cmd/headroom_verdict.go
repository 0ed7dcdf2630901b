package cmd

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/internal/units"
)

// verdict is the answer in one sentence, and how good it is.
func (m *measurement) verdict(res *headroom.Result, failure error) report.Verdict {
	v := report.Verdict{Level: report.Good}
	var parts []string
	if text := m.capacityPhrase(res); text != "" {
		parts = append(parts, text)
	} else {
		v.Level = report.Bad
		text = "No capacity found"
		if m.cfg.Gate.HoldRate > 0 || m.cfg.Replay != nil {
			text = "No answer"
		}
		if failure != nil {
			text += ": " + failure.Error()
		}
		parts = append(parts, text)
	}
	a := &res.Result
	if a.Headroom != nil {
		parts = append(parts, headroomPhrase(*a.Headroom, m.cfg.Peak))
	}
	if text := pastPhrase(a); text != "" {
		parts = append(parts, text)
		v.Level = report.Warn
	}
	if a.PastCapacity == headroom.PastKeeps || a.PastCapacity == headroom.PastSheds {
		v.Level = report.Good
	}
	if text := m.queuePhrase(a); text != "" {
		parts = append(parts, text)
		v.Level = report.Warn
	}
	if a.Floor != nil || a.Headroom != nil && *a.Headroom < 0 || a.Verdict != nil && !a.Verdict.Pass {
		v.Level = report.Bad
	}
	v.Text = strings.Join(parts, "; ")
	return v
}

// capacityPhrase says what the capacity is, or what is known of it; empty when
// nothing is.
func (m *measurement) capacityPhrase(res *headroom.Result) string {
	a := &res.Result
	if v := a.Verdict; v != nil && offersRate(v) {
		holds := "holds"
		if !v.Pass {
			holds = "does not hold"
		}
		if v.Gate == headroom.GateReplay {
			return fmt.Sprintf("%s %s over the replay of %s%s: %s", res.SLO, holds, countOf(res.Account.Planned, "request"), m.traffic.atSpeed(), compareGate(v))
		}
		return fmt.Sprintf("%s %s at %s: %s", res.SLO, holds, units.Rate(m.cfg.Gate.HoldRate), compareGate(v))
	}
	switch {
	case a.Capacity != nil:
		c := a.Capacity
		return fmt.Sprintf("Capacity %s (95%% interval %s to %s) at %s",
			units.Rate(c.Estimate), units.Rate(c.Low), units.Rate(c.High), res.SLO)
	case a.AtLeast != nil:
		return fmt.Sprintf("Capacity over %s: %s held at the highest rate offered", units.Rate(*a.AtLeast), res.SLO)
	case a.Floor != nil:
		return fmt.Sprintf("No capacity at %s: with next to no load (%s) %s",
			res.SLO, units.Rate(a.Floor.RatePerSec), floorPhrase(res))
	}
	return ""
}

// offersRate reports whether a verdict is on load that was given, and not on a
// capacity that was searched for.
func offersRate(v *headroom.Verdict) bool {
	return v.Gate == headroom.GateHold || v.Gate == headroom.GateReplay
}

// floorPhrase says what is wrong with a service that breaks the objective
// without load.
func floorPhrase(res *headroom.Result) string {
	f := res.Result.Floor
	bad := units.Share(f.BadShare) + " of requests "
	switch slo.Limit(res.Result.BoundBy) {
	case slo.LimitErrors:
		return bad + "are bad, most of them failed: " + causes(res.Account.Causes)
	case slo.LimitShed:
		return bad + "are bad, most of them shed with 429 or 503"
	case slo.LimitDegraded:
		return bad + "are bad, most of them answered degraded"
	}
	text := bad + "break " + f.Clause
	if f.P99Seconds > 0 {
		text += ", p99 is " + units.Seconds(f.P99Seconds)
	}
	return text
}

func headroomPhrase(ratio, peak float64) string {
	if ratio < 0 {
		return fmt.Sprintf("its low end is %s under the peak of %s", units.Share(-ratio), units.Rate(peak))
	}
	return fmt.Sprintf("headroom %s over the peak of %s", units.Share(ratio), units.Rate(peak))
}

// pastPhrase says what happens past capacity, where that was measured.
func pastPhrase(a *headroom.Answer) string {
	if a.GoodputRatio == nil {
		return ""
	}
	share := units.Share(*a.GoodputRatio)
	var text string
	switch a.PastCapacity {
	case headroom.PastKeeps, headroom.PastSheds:
		text = fmt.Sprintf("past it goodput keeps up (%s of capacity)", share)
	case headroom.PastCollapses:
		text = fmt.Sprintf("past it goodput collapses to %s of capacity", share)
	default:
		text = fmt.Sprintf("past it goodput falls to %s of capacity", share)
	}
	switch {
	case a.Recovers == nil:
	case !*a.Recovers && a.Overload != nil && a.Overload.Draining != nil && *a.Overload.Draining:
		text += fmt.Sprintf(" and is not back %s later", units.Seconds(a.Overload.Allowance))
	case !*a.Recovers:
		text += " and does not recover"
	case a.RecoverySeconds != nil && *a.RecoverySeconds >= 1:
		text += fmt.Sprintf(" and is back after %s", units.Seconds(*a.RecoverySeconds))
	}
	return text
}

// queuePhrase names the queue to set, where today's is known to be too long.
func (m *measurement) queuePhrase(a *headroom.Answer) string {
	u := a.UsefulQueue
	if u == nil {
		return ""
	}
	today, seen := m.queueToday(a)
	switch {
	case today == "" || seen <= float64(u.Positions)*queueSlack:
		return ""
	case u.Positions < 1:
		return fmt.Sprintf("set no queue: %s is longer than any useful one", today)
	}
	return fmt.Sprintf("set the queue to %s waiting positions, not %s", units.Count(u.Positions), today)
}

// queueSlack is how far a queue may be over the advised one before it is called
// too long: the advice itself has an interval of a few percent.
const queueSlack = 1.05

// queueToday returns the queue that the service has now, in words and in
// waiting positions: as it is set, where that is known, else as far as it was
// seen to fill.
func (m *measurement) queueToday(a *headroom.Answer) (words string, positions float64) {
	if m.known != nil {
		if q := m.known.config.Queue; q >= 0 {
			return units.Count(q), float64(q)
		}
		return "unbounded", 1e18
	}
	workers := 0.0
	if a.UsefulQueue != nil {
		workers = float64(a.UsefulQueue.Workers)
	}
	switch {
	case a.QueueBound != nil:
		n := max(*a.QueueBound-workers, 0)
		return "about " + units.Number(n), n
	case a.Overload != nil && a.Overload.Depth != nil:
		n := max(*a.Overload.Depth-workers, 0)
		if a.Overload.Refused {
			return "about " + units.Number(n), n
		}
		return units.Number(n) + " or more", n
	}
	return "", 0
}

// compareGate says in a phrase what was found and what was wanted.
func compareGate(v *headroom.Verdict) string {
	switch v.Gate {
	case headroom.GateHold, headroom.GateReplay:
		return fmt.Sprintf("%s of requests bad, %s allowed", units.Share(v.Found), units.Share(v.Wanted))
	case headroom.GateMinHeadroom:
		return fmt.Sprintf("headroom %s, at least %s wanted", units.SignedShare(v.Found), units.Share(v.Wanted))
	}
	return fmt.Sprintf("capacity at least %s, %s wanted", units.Rate(v.Found), units.Rate(v.Wanted))
}
