package headroom

import (
	"fmt"

	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// findings judges the result by the rules.
func (s *search) findings() []finding.Finding {
	var fs []finding.Finding
	add := func(r finding.Rule, fix, format string, args ...any) {
		f := r.Found(finding.Location{Object: s.cfg.Target}, r.Name, fmt.Sprintf(format, args...))
		f.Remediation = fix
		fs = append(fs, f)
	}
	s.pastFindings(add)
	s.peakFindings(add)
	a := &s.res.Result
	if f := a.Floor; f != nil {
		add(floorBreaks, "make single requests faster or more reliable, or relax "+f.Clause,
			"%s does not hold at any rate: %s of requests are bad at %s, the budget is %s",
			f.Clause, share(f.BadShare), rate(f.RatePerSec), share(f.BudgetShare))
	}
	if h := s.res.RetryAfter; h.broken() {
		add(hintBroken, "send a Retry-After at whose end the service takes requests again, such as the time in which its queue empties, with some scatter",
			"of %s requests planned within a second after a Retry-After hint had run out, at the same rate or less, %s succeeded",
			units.Count(h.After), share(*h.Share))
	}
	fs = append(fs, s.addressFindings()...)
	if t := a.Trend; t != nil {
		add(trendRule, "warm the service up before measuring, or find what fills up, and measure for longer",
			"completions went from %s to %s in %s under constant pressure", rate(t.FirstPerSecond), rate(t.LastPerSecond), seconds(t.Seconds))
	}
	if t := a.Stalls; t != nil && t.matter(s.cfg.limit().Seconds()) {
		msg := fmt.Sprintf("no completion for %s, %d times in %s", seconds(t.LengthSeconds), t.Count, seconds(t.OverSeconds))
		if t.EverySeconds > 0 {
			msg += ", about every " + seconds(t.EverySeconds)
		}
		add(stallsRule, "look for what runs at that interval: garbage collection, log flushes, compactions", "%s", msg)
	}
	return finding.Ordered(fs)
}

// matter reports whether stalls are long beside the tightest limit, or take a share
// of the time that counts.
func (t *Stalls) matter(limit float64) bool {
	return t.LengthSeconds >= limit/10 || float64(t.Count)*t.LengthSeconds >= 0.005*t.OverSeconds
}

type addFinding func(r finding.Rule, fix, format string, args ...any)

// queueFix names the queue to set.
func (a *Answer) queueFix() string {
	if a.UsefulQueue == nil {
		return "bound the queue to what is answered within the client timeout, and refuse the rest"
	}
	return fmt.Sprintf("set the queue to %d positions", a.UsefulQueue.Positions)
}

func (s *search) pastFindings(add addFinding) {
	a := &s.res.Result
	o := a.Overload
	if o == nil {
		return
	}
	if a.PastCapacity == PastCollapses {
		add(collapse, a.queueFix(), "at %s, %.2g × capacity, goodput is %s: %s of that at capacity",
			rate(o.OfferedPerSecond), overloadFactor, rate(o.GoodputPerSecond), share(*a.GoodputRatio))
	}
	if u := a.UsefulQueue; u != nil && o.Depth != nil && *o.Depth > 1.1*float64(u.InSystem) {
		most := "at least "
		if o.Refused {
			most = "about "
		}
		most += units.Count(int64(*o.Depth))
		add(queueDepth, fmt.Sprintf("set the queue to %s positions; %s requests were in the system", units.Count(u.Positions), most),
			"past capacity requests waited %s: %s in the system, of which %s can be answered within the client timeout",
			seconds(*o.QueueWait), most, units.Count(u.InSystem))
	}
	switch {
	case a.Recovers == nil:
	case !*a.Recovers:
		how := ""
		if o.Draining != nil && *o.Draining {
			how = "; the queue was getting shorter, so that it would have later"
		}
		add(noRecovery, a.queueFix(), "at %s after the overload the SLO did not hold again within %s%s",
			rate(o.RecoveryRate), seconds(o.Allowance), how)
	case *a.RecoverySeconds > 5*s.cfg.Timeout.Seconds():
		add(slowReturn, a.queueFix(), "at %s after the overload it took %s until the SLO held again",
			rate(o.RecoveryRate), seconds(*a.RecoverySeconds))
	}
	if o.HintShare != nil && *o.HintShare < 0.5 {
		add(noHint, "send Retry-After with every 429 and 503", "%s of the refusals past capacity carried a Retry-After hint", share(*o.HintShare))
	}
}

func (s *search) peakFindings(add addFinding) {
	a := &s.res.Result
	low, ok := a.safe()
	if !ok || a.Headroom == nil {
		return
	}
	if *a.Headroom < 0 {
		add(peak, fmt.Sprintf("add %s of capacity, or admit at most %s", share(s.cfg.Peak/max(low, 1e-9)-1), rate(low)),
			"the peak of %s is over the safe capacity of %s: headroom %s", rate(s.cfg.Peak), rate(low), units.SignedShare(*a.Headroom))
	} else if h := a.HeadroomLessZone; h != nil && *h < 0 {
		add(zone, fmt.Sprintf("add %s of capacity to bear the loss of a zone", share(1/(1+*h)-1)),
			"with one of %d zones lost the peak of %s is over what is left: headroom %s", s.cfg.Zones, rate(s.cfg.Peak), units.SignedShare(*h))
	}
	if m := a.GrowthMonths; m != nil && *m < 6 {
		add(growth, fmt.Sprintf("have more capacity within %.1f months", *m),
			"at %s a month the peak of %s reaches the safe capacity of %s in %.1f months", share(s.cfg.Growth), rate(s.cfg.Peak), rate(low), *m)
	}
}

func rate(x float64) string    { return units.Rate(x) }
func share(x float64) string   { return units.Share(x) }
func seconds(x float64) string { return units.Seconds(x) }
