// Package unt02 finds times of a size that no such setting has, and pairs of which one
// looks like the other in another unit.
package unt02

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

const (
	// shortest is what a request over a network takes at least, with its answer, in
	// seconds.
	shortest = 0.005
	// busy is below what time between checks or counts of errors a second's noise
	// decides, in seconds.
	busy = 0.1
	// most is the largest number of milliseconds that is read as seconds by mistake.
	most = 60
)

// Rule is UNT-02.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "UNT-02", Name: "implausible-size", Severity: finding.Warning, Since: "0.1",
		Title: "a time is of a size that looks like a slip of the unit",
		Why: `A limit of 2 ms fails every request; an interval of 8 ms between checks is a load of its own; and where connecting is given 5 ms and
the answer 5 s, one of the two was written in the other's unit. Such values pass every check of syntax.`,
		Formula: `limit of a request < 5 ms; interval of checks or of counted errors < 100 ms
or a limit of a call is a bare number up to 60 in a format of milliseconds
or one limit of a call is exactly 1000 times another, with the same digits`,
		Sources: []string{
			"douban/libmc#96, kulala-core#17, mwiede/jsch#560: limits off by 1000",
			"istio/istio tests/testdata/config/destination-rule-all.yaml: an interval of 8 ms",
		},
		Bad:  "connectTimeout: 5ms\nreadTimeout: 5s",
		Good: "connectTimeout: 500ms\nreadTimeout: 5s",
		Fix:  "Check the unit, and write it where the format takes one.",
	},
	Needs: rule.Config,
	Check: check,
}

func check(p *rule.Pass) {
	for _, d := range p.Graph.Documents {
		doubted := map[model.Position]bool{}
		for _, s := range d.Units { // UNT-01 has said so
			doubted[s.Value.At] = true
		}
		for _, h := range d.Hops {
			limits := []model.Value{h.Total, h.PerTry, h.GapRead, h.GapSend, h.Connect}
			for _, v := range limits {
				small(p, h, v, shortest, "a request over a network takes longer", doubted)
			}
			for _, v := range []model.Value{h.Total, h.PerTry, h.GapRead} {
				bareMillis(p, h, v, doubted)
			}
			small(p, h, h.Breaker.Window, busy, "a count of errors within it sees one or two requests", doubted)
			for _, c := range h.Checks {
				small(p, h, c.Interval, busy, "checks as often are a load of their own", doubted)
				small(p, h, c.Timeout, shortest, "a check over a network takes longer", doubted)
			}
			siblings(p, h, limits, doubted)
		}
	}
}

func small(p *rule.Pass, h *model.Hop, v model.Value, least float64, why string, doubted map[model.Position]bool) {
	if !v.IsSet() || !v.Finite() || v.Unit != model.Seconds || v.Amount <= 0 || v.Amount >= least || doubted[v.At] {
		return
	}
	doubted[v.At] = true
	p.Report(v.At, h.Name, v.Key, fmt.Sprintf("%s is %s: %s", v.Key, v, why)).Because(v).
		Formula("%s < %s", v, worst.Text(least)).Fix("set %s to %s, if that was meant, or to %s at least", v.Key, worst.Text(v.Amount*1000), worst.Text(least))
}

// bareMillis finds a limit of requests without a unit that is read as milliseconds and
// is a usual number of seconds.
func bareMillis(p *rule.Pass, h *model.Hop, v model.Value, doubted map[model.Position]bool) {
	n, err := strconv.ParseFloat(strings.Trim(v.Raw, `"' `), 64)
	if err != nil || !v.Bare || !isTime(v) || doubted[v.At] || n > most || math.Abs(v.Amount*1000-n) > 1e-9*n {
		return
	}
	doubted[v.At] = true
	p.Report(v.At, h.Name, v.Key, fmt.Sprintf("%s = %s has no unit and is read as milliseconds: %s", v.Key, v.Raw, v)).Because(v).
		Formula("%s × 1ms = %s; × 1s = %s", v.Raw, v, worst.Text(n)).Fix("set %s to %.0f, if seconds were meant", v.Key, n*1000)
}

// siblings finds two limits of one call with the same digits of which one is a
// thousand times the other.
func siblings(p *rule.Pass, h *model.Hop, limits []model.Value, doubted map[model.Position]bool) {
	for _, long := range limits {
		for _, short := range limits {
			if !isTime(long) || !isTime(short) || digits(long.Raw) != digits(short.Raw) || doubted[long.At] || doubted[short.At] {
				continue
			}
			if math.Abs(long.Amount/short.Amount-1000) > 1e-6 {
				continue
			}
			doubted[short.At] = true
			p.Report(short.At, h.Name, short.Key, fmt.Sprintf("%s is %s, %s is %s: exactly 1000 times as long", short.Key, short, long.Key, long)).
				Because(short, long).Formula("%s / %s = 1000", long, short).
				Fix("set %s to %s or %s to %s, whichever was meant", short.Key, long, long.Key, short)
		}
	}
}

func isTime(v model.Value) bool {
	return v.IsSet() && v.Finite() && v.Unit == model.Seconds && v.Amount > 0
}

// digits are the significant digits of a number as it is written.
func digits(raw string) string {
	kept := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, raw)
	return strings.Trim(kept, "0")
}
