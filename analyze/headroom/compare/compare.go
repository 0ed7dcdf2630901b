// Package compare holds two measurements of headroom against each other: before
// and after a change. It says better, worse or no difference, and how often it
// would say so of two measurements of one and the same service.
//
// It compares what both measured, by the intervals and the counts that the results
// carry. It measures nothing, and cannot know what else changed between the two:
// measurements side by side are the business of package ab.
package compare

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/units"
)

// DefaultAlpha is the chance of a wrong verdict where none is asked for.
const DefaultAlpha = 0.05

// Config says how to compare.
type Config struct {
	// Alpha is the chance of calling two measurements of one service better or
	// worse; DefaultAlpha where it is 0.
	Alpha float64
	// Before and After are the names of the results.
	Before, After string
}

// Results compares two results of headroom. A comparison comes with an error when
// there is no verdict.
func Results(before, after *headroom.Result, cfg Config) (*Comparison, error) {
	if cfg.Alpha == 0 {
		cfg.Alpha = DefaultAlpha
	}
	if !(cfg.Alpha > 0 && cfg.Alpha <= 0.5) {
		return nil, fault.Usagef("alpha: expected more than 0 and at most 50%%, found %s", units.ExactShare(cfg.Alpha))
	}
	c := &Comparison{
		Schema: Schema, Complete: true, Alpha: cfg.Alpha, Rows: []Row{}, Warnings: []string{},
		Before: side(cfg.Before, before), After: side(cfg.After, after),
		Rule: fmt.Sprintf("worse when a figure is worse, else better when one is better; the tested figures together are wrong about one and the same service "+
			"in at most %s of comparisons (Holm's correction); figures without a test are judged by a margin", units.Share(cfg.Alpha)),
	}
	if why := apart(before, after); why != "" {
		c.Complete, c.Verdict = false, NotComparable
		c.Sentence = "Not comparable: " + why
		return c, fault.NoAnswerf("the two results are not comparable: %s", why)
	}
	c.limits(before, after)
	k := &comparer{alpha: cfg.Alpha, c: c}
	k.capacity(&before.Result, &after.Result)
	k.past(before, after)
	k.hold(before, after)
	k.shown(&before.Result, &after.Result)
	return c, k.verdict()
}

func side(name string, r *headroom.Result) Side {
	return Side{Name: name, Target: r.Target, SLO: r.SLO, TimeoutSeconds: r.TimeoutSeconds, Complete: r.Complete,
		StartedUnix: r.StartedUnix, Requests: r.Account.Planned}
}

// apart says why two results measured different things; empty when they did not.
func apart(b, a *headroom.Result) string {
	switch {
	case !b.Complete:
		return "the measurement before did not run to its end"
	case !a.Complete:
		return "the measurement after did not run to its end"
	case b.SLO != a.SLO:
		return fmt.Sprintf("the objective was %s before and is %s after", b.SLO, a.SLO)
	case b.TimeoutSeconds != a.TimeoutSeconds:
		return fmt.Sprintf("clients waited %s before and wait %s after", units.Seconds(b.TimeoutSeconds), units.Seconds(a.TimeoutSeconds))
	}
	x, y := b.Settings, a.Settings
	switch {
	case x == nil || y == nil:
	case (x.HoldRate > 0) != (y.HoldRate > 0):
		return "one is a search for capacity, the other a hold of one rate"
	case math.Abs(x.HoldRate-y.HoldRate) > sameRate*max(x.HoldRate, y.HoldRate):
		return fmt.Sprintf("the rate held was %s before and is %s after", units.Rate(x.HoldRate), units.Rate(y.HoldRate))
	case x.Arrivals != y.Arrivals:
		return fmt.Sprintf("arrivals were %s before and are %s after", x.Arrivals, y.Arrivals)
	case x.Retries != y.Retries || x.RetryAfter != y.RetryAfter:
		return "the clients' retries differ"
	}
	return ""
}

// sameRate is by what share two rates that are held may differ.
const sameRate = 0.001

func (c *Comparison) warn(format string, args ...any) {
	c.Warnings = append(c.Warnings, fmt.Sprintf(format, args...))
}

// limits warns of what differs and may explain a difference.
func (c *Comparison) limits(b, a *headroom.Result) {
	if x, y := b.StartedUnix, a.StartedUnix; x != nil && y != nil && *x == *y && b.Target == a.Target && b.Account.Planned == a.Account.Planned {
		c.warn("both are one and the same measurement: that they do not differ says nothing")
	}
	if b.Target != a.Target {
		c.warn("the targets differ: %q before, %q after", b.Target, a.Target)
	}
	if x, y := b.Settings, a.Settings; x != nil && y != nil {
		if x.MaxRate != y.MaxRate || x.MaxRequests != y.MaxRequests || x.MaxFailed != y.MaxFailed {
			c.warn("the caps differ: %s, %s, %s before; %s, %s, %s after",
				units.Rate(x.MaxRate), requests(x.MaxRequests), failed(x.MaxFailed), units.Rate(y.MaxRate), requests(y.MaxRequests), failed(y.MaxFailed))
		}
		if x.SearchSeconds != y.SearchSeconds {
			c.warn("the budgets of the searches differ: %s before, %s after", units.Seconds(x.SearchSeconds), units.Seconds(y.SearchSeconds))
		}
		if x.HoldSeconds != y.HoldSeconds {
			c.warn("the rate was held for %s before and for %s after", units.Seconds(x.HoldSeconds), units.Seconds(y.HoldSeconds))
		}
	} else {
		c.warn("a result of an older version does not carry its settings: whether both were measured alike is not known")
	}
	for _, s := range []struct {
		when string
		r    *headroom.Result
	}{{"before", b}, {"after", a}} {
		g := &s.r.Generator
		if g.VoidTrials > 0 {
			c.warn("%s: the load generator was the limit in %d of %d trials", s.when, g.VoidTrials, len(s.r.Result.Trials))
		}
		if len(g.Limits) > 0 {
			c.warn("%s: the load generator met its own limits", s.when)
		}
		if s.r.Result.Trend != nil {
			c.warn("%s: the service had no steady state (%s to %s): the interval of its capacity does not tell how it goes on",
				s.when, units.Rate(s.r.Result.Trend.FirstPerSecond), units.Rate(s.r.Result.Trend.LastPerSecond))
		}
		if k := s.r.Result.Check; k != nil && !k.Agrees {
			c.warn("%s: the check contradicted the model of the service, and capacity is read from the measured curve", s.when)
		}
	}
}

func requests(n uint64) string { return units.Count(n) + " requests" }
func failed(n uint64) string   { return units.Count(n) + " failed" }

// comparer collects the figures.
type comparer struct {
	alpha float64
	c     *Comparison
	// tested are the rows that have a p-value.
	tested []int
}

// test adds a figure that is judged by a p-value.
func (k *comparer) test(r Row, p float64) {
	r.P = &p
	k.tested = append(k.tested, len(k.c.Rows))
	k.c.Rows = append(k.c.Rows, r)
}

// add adds a figure that is judged already, or not at all.
func (k *comparer) add(r Row) { k.c.Rows = append(k.c.Rows, r) }

// verdict judges the tested figures together, and all.
func (k *comparer) verdict() error {
	c := k.c
	var tested []*Row
	for _, i := range k.tested {
		tested = append(tested, &c.Rows[i])
	}
	Judge(tested, k.alpha)
	var figures string
	switch c.Verdict, figures = Overall(c.Rows, (*Row).words); c.Verdict {
	case NotComparable:
		c.Complete = false
		c.Sentence = "Not comparable: there is no figure that both measured well enough to judge"
		return fault.NoAnswerf("there is no figure that both results have and that can be judged")
	case Worse:
		c.Sentence = "Worse: " + figures
	case Better:
		c.Sentence = "Better: " + figures
	default:
		c.Sentence = "No difference: " + figures
	}
	return nil
}

// words are a row as a part of the sentence.
func (r *Row) words() string {
	if r.Before == nil || r.After == nil {
		return r.Name + " " + r.Basis
	}
	text := fmt.Sprintf("%s %s before, %s after", r.Name, r.Value(r.Before.Value), r.Value(r.After.Value))
	if change := r.ChangeRange(); change != "" {
		text += " (change " + change + ")"
	}
	return text
}
