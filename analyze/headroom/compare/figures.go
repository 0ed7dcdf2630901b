package compare

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/analyze/headroom/stat"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/internal/units"
)

func ptr[T any](v T) *T { return &v }

// estimate is an interval as a figure.
func estimate(i *headroom.Interval) *Estimate {
	return &Estimate{Value: i.Estimate, Low: ptr(i.Low), High: ptr(i.High)}
}

// relative is the change of a ratio from a difference of logarithms.
func relative(d stat.Difference) *Change {
	return NewChange(math.Expm1(d.Value), math.Expm1(d.Low), math.Expm1(d.High))
}

// capacity compares the capacities, on a logarithmic scale: what one has over the
// other is a ratio.
func (k *comparer) capacity(b, a *headroom.Answer) {
	r := Row{Name: "capacity", Unit: PerSecond, MoreIsBetter: true}
	logs := func(i *headroom.Interval) (stat.Estimate, bool) {
		return stat.Estimate{Value: math.Log(i.Estimate), Low: math.Log(max(i.Low, leastRate)), High: math.Log(i.High)},
			i.Estimate > 0 && i.High >= i.Estimate && i.Low <= i.Estimate
	}
	at := func(v float64) *headroom.Interval { return &headroom.Interval{Estimate: v, Low: v, High: v} }
	bi, ai := b.Capacity, a.Capacity
	switch {
	case b.Floor != nil && a.Floor != nil:
		r.Basis = "the objective holds at no rate, before and after"
		k.add(r)
		return
	case (b.Floor != nil) != (a.Floor != nil):
		r.Verdict, r.Basis = Better, "there was none before: the objective held at no rate"
		if a.Floor != nil {
			r.Verdict, r.Basis = Worse, "there is none after: the objective holds at no rate"
		}
		k.add(r)
		return
	case bi == nil && ai == nil:
		if b.AtLeast != nil && a.AtLeast != nil {
			r.Basis = fmt.Sprintf("not judged: it is over the highest rate offered before (%s) and after (%s)", units.Rate(*b.AtLeast), units.Rate(*a.AtLeast))
			k.add(r)
		}
		return
	case bi == nil && b.AtLeast != nil:
		bi = at(*b.AtLeast)
	case ai == nil && a.AtLeast != nil:
		ai = at(*a.AtLeast)
	}
	if bi == nil || ai == nil {
		return
	}
	x, okx := logs(bi)
	y, oky := logs(ai)
	if !okx || !oky {
		r.Basis = "not judged: an interval is none"
		k.add(r)
		return
	}
	r.Before, r.After = estimate(bi), estimate(ai)
	d := stat.Between(x, y, k.alpha)
	r.Change = relative(d)
	r.Basis = "both 95 % intervals"
	if b.Capacity == nil && d.Value >= 0 || a.Capacity == nil && d.Value <= 0 {
		r.Basis = "not judged: one of the two is over the highest rate offered, and the other is not beyond that"
		k.add(r)
		return
	}
	if b.Capacity == nil || a.Capacity == nil {
		r.Basis = "the interval of one against the highest rate offered to the other"
	}
	k.test(r, d.P)
}

const (
	// goodputMargin is the least change of goodput past capacity that counts, in
	// shares of that at capacity: where goodput collapses to nothing the scatter
	// that a test goes by collapses with it.
	goodputMargin = 0.05
	// recoveryMargin and recoveryFactor are the least change of the time to recover
	// that counts. One overload has one recovery and no scatter to test by; the
	// margin is set so that two measurements of one service stay within it in 99 %
	// of cases (docs/headroom.md).
	recoveryMargin = 3.0
	recoveryFactor = 1.5
	// leastRecovery is the time in seconds in place of a shorter one below which a
	// change has no ratio that says anything.
	leastRecovery = 0.01
	// leastRate is in place of an interval's end at 0, which has no logarithm.
	leastRate = 1e-9
)

// past compares what happens past capacity.
func (k *comparer) past(before, after *headroom.Result) {
	b, a := &before.Result, &after.Result
	if b.GoodputRatio != nil && a.GoodputRatio != nil {
		r := Row{Name: "goodput past capacity", Unit: Ratio, MoreIsBetter: true, Margin: goodputMargin}
		x, y := goodput(before), goodput(after)
		if x == nil || y == nil {
			r.Before, r.After = &Estimate{Value: *b.GoodputRatio}, &Estimate{Value: *a.GoodputRatio}
			r.Basis = "not judged: a result has no interval of it"
			k.add(r)
		} else {
			r.Before, r.After = &Estimate{x.Value, &x.Low, &x.High}, &Estimate{y.Value, &y.Low, &y.High}
			d := stat.Between(*x, *y, k.alpha)
			r.Change = NewChange(d.Value, d.Low, d.High)
			r.Basis = "the scatter between half seconds, and a margin of " + units.Share(goodputMargin)
			k.test(r, d.P)
		}
	}
	k.recovery(b, a)
}

// goodput is goodput past capacity over that at capacity, with the errors of both.
func goodput(r *headroom.Result) *stat.Estimate {
	a := &r.Result
	if a.Overload == nil || a.Overload.Goodput == nil || a.Capacity == nil || !(a.Overload.GoodputPerSecond >= 0) {
		return nil
	}
	g, c, ratio := a.Overload.Goodput, a.Capacity, *a.GoodputRatio
	at := 0.0
	if ratio > 0 {
		at = g.Estimate / ratio
	} else if at = c.Estimate * (1 - budget(r.SLO)); at <= 0 {
		return nil
	}
	down := math.Hypot((g.Estimate-g.Low)/at, ratio*(c.High-c.Estimate)/c.Estimate)
	up := math.Hypot((g.High-g.Estimate)/at, ratio*(c.Estimate-c.Low)/c.Estimate)
	return &stat.Estimate{Value: ratio, Low: ratio - down, High: ratio + up}
}

// budget is the least budget of an objective.
func budget(text string) float64 {
	s, err := slo.Parse(text)
	if err != nil {
		return 0
	}
	least := 1.0
	for _, c := range s.Clauses {
		least = min(least, c.Budget)
	}
	return least
}

// recovery compares the ways back.
func (k *comparer) recovery(b, a *headroom.Answer) {
	if b.Recovers == nil || a.Recovers == nil {
		return
	}
	r := Row{Name: "time to recover", Unit: Seconds}
	switch {
	case !*b.Recovers && !*a.Recovers:
		r.Verdict, r.Basis = NoDifference, "did not end within the allowance, before and after"
	case *b.Recovers && !*a.Recovers:
		r.Verdict, r.Basis = Worse, "recovered before, and does not after"
		if b.RecoverySeconds != nil && a.Overload != nil && a.Overload.Allowance <= *b.RecoverySeconds*recoveryFactor+recoveryMargin {
			r.Verdict, r.Basis = "", "not judged: the allowance after is hardly longer than the recovery took before"
		}
	case !*b.Recovers && *a.Recovers:
		r.Verdict, r.Basis = Better, "did not recover before, and does after"
		if a.RecoverySeconds != nil && b.Overload != nil && b.Overload.Allowance <= *a.RecoverySeconds*recoveryFactor+recoveryMargin {
			r.Verdict, r.Basis = "", "not judged: the allowance before was hardly longer than the recovery takes after"
		}
	case b.RecoverySeconds != nil && a.RecoverySeconds != nil:
		x, y := *b.RecoverySeconds, *a.RecoverySeconds
		r.Before, r.After = &Estimate{Value: x}, &Estimate{Value: y}
		r.Change = NewChange(y/max(x, leastRecovery)-1, math.Inf(-1), math.Inf(1))
		r.Verdict = NoDifference
		if less, more := min(x, y), max(x, y); more > less*recoveryFactor+recoveryMargin {
			r.Verdict = direction(y-x, false)
		}
		r.Basis = fmt.Sprintf("by a margin: %s and half as long again", units.Seconds(recoveryMargin))
	default:
		return
	}
	k.add(r)
}

// shown are figures without an interval: they are put side by side.
func (k *comparer) shown(b, a *headroom.Answer) {
	show := func(name, unit string, x, y *float64, basis string) {
		if x == nil || y == nil {
			return
		}
		r := Row{Name: name, Unit: unit, Before: &Estimate{Value: *x}, After: &Estimate{Value: *y}, Basis: "not judged: " + basis}
		if unit != Ratio && *x > 0 {
			r.Change = NewChange(*y / *x - 1, math.Inf(-1), math.Inf(1))
		}
		k.add(r)
	}
	if b.Saturated != nil && a.Saturated != nil {
		// It is of the same completions as capacity, and tells the same again.
		k.add(Row{Name: "throughput when busy", Unit: PerSecond, Before: estimate(b.Saturated), After: estimate(a.Saturated),
			Basis: "not judged: from the same completions as capacity"})
	}
	show("response time, unloaded", Seconds, b.FloorSeconds, a.FloorSeconds, "few requests, no interval")
	if p, q, ok := commonPoint(b.Curve, a.Curve); ok {
		at := " at " + units.Rate(p.OfferedPerSecond)
		show("p50"+at, Seconds, p.P50Seconds, q.P50Seconds, "a short trial, no interval")
		show("p99"+at, Seconds, p.P99Seconds, q.P99Seconds, "a short trial, no interval")
	}
}

// commonPoint is the highest rate that both searches offered in passing.
func commonPoint(b, a []headroom.Point) (x, y headroom.Point, ok bool) {
	const near = 0.03
	for _, p := range b {
		if p.Phase != headroom.PhaseRamp || ok && p.OfferedPerSecond <= x.OfferedPerSecond {
			continue
		}
		for _, q := range a {
			if q.Phase == headroom.PhaseRamp && math.Abs(q.OfferedPerSecond/p.OfferedPerSecond-1) <= near {
				x, y, ok = p, q, true
				break
			}
		}
	}
	return x, y, ok
}
