// Package hdg01 finds second requests that are sent before the first is late.
package hdg01

import (
	"fmt"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// near is up to how many times the 99th percentile a delay is told of where the 95th is
// not known.
const near = 1.5

// few is the share of second requests that is advised, as in The Tail at Scale for BigTable.
const few = "2%"

// Rule is HDG-01.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "HDG-01", Name: "hedge-too-early", Severity: finding.Warning, Since: "0.1",
		Title: "a second request is sent before the first is late",
		Why: `A second request to another host makes the slowest answers faster, for a few percent more load, if it is sent only when the first one is
later than nearly all are. Sent at the median it doubles the load. When the callee becomes slow all requests are late: then every one is sent
twice, at the worst moment.`,
		Formula: `share of requests that are sent twice = 1 − F(delay), F the distribution of the response time
error: delay < p50, every second request and more
warning: delay < p95
note: p95 is not known and delay < 1.5 × p99: it is not early today, and is if latency rises by as much
what the second request has left = limit − delay`,
		Sources: []string{
			"J. Dean and L. A. Barroso, The Tail at Scale, CACM 56 (2013): a second request after the 95th percentile, 5% more load; 2% more were enough for BigTable",
			"LinkedIn Engineering, FollowFeed 2018-02: a second request after 150 ms doubled the load of hosts that had become slow",
		},
		Bad:  "second request after 20ms; p50 40ms, p95 90ms",
		Good: "second request after 90ms, of at most 2% of all",
		Fix:  "Send the second request after the 95th percentile or later, and cap the share of second requests.",
	},
	Needs: rule.Config | rule.Topology | rule.Load,
	Chain: check,
}

func check(p *rule.Pass) {
	for _, h := range p.Chain().Hops {
		for _, l := range h.Layers {
			if d := l.Hop.Hedge.Delay; d.Finite() && (!l.Hop.Hedge.Max.Known() || l.Hop.Hedge.Max.Amount > 1) && l.Hop.Hedge.Ignored == "" {
				one(p, h, l)
			}
		}
	}
}

func one(p *rule.Pass, h *chain.Hop, l chain.Layer) {
	d, s := l.Hop.Hedge.Delay, h.To
	at := rule.At(d, l.Hop.At)
	var f *rule.Found
	switch {
	case s.P50.Finite() && d.Amount < s.P50.Amount:
		f = p.Report(at, h.Name(), d.Key, fmt.Sprintf("a second request after %s, when more than half of the answers are still to come (p50 %s)", d, s.P50)).
			Severity(finding.Error).Because(d, s.P50).Formula("delay %s < p50 %s: the load rises by more than 50%%", d, s.P50)
	case s.P95.Finite() && d.Amount < s.P95.Amount:
		f = p.Report(at, h.Name(), d.Key, fmt.Sprintf("a second request after %s, when more than one answer in twenty is still to come (p95 %s)", d, s.P95)).
			Because(d, s.P95).Formula("delay %s < p95 %s: the load rises by more than 5%%", d, s.P95)
	case !s.P95.Known() && s.P99.Finite() && d.Amount < near*s.P99.Amount:
		f = unknown(p, h, l)
	case !s.P95.Known() && !s.P99.Known():
		p.Lacks(at, "whether "+d.Key+" of "+d.String()+" is before the 95th percentile", "service_time.p95", s.Name)
		return
	default:
		return
	}
	set := s.P95
	if !set.Known() {
		set = s.P99
	}
	switch {
	case set.Known() && d.Amount < set.Amount:
		f.Fix("set %s to %s (%s) or more, and cap second requests at %s of all", d.Key, set, set.Key, few)
	case set.Known():
		f.Fix("keep %s at %s, and cap second requests at %s of all", d.Key, d, few)
	default:
		f.Fix("set %s to the 95th percentile or more, and cap second requests at %s of all", d.Key, few)
	}
}

// unknown tells of a delay that only the 99th percentile is known for.
func unknown(p *rule.Pass, h *chain.Hop, l chain.Layer) *rule.Found {
	d, s := l.Hop.Hedge.Delay, h.To
	x := d.Amount / s.P99.Amount
	left := ""
	if t, ok := h.Patience(); ok && t.Seconds > d.Amount {
		left = fmt.Sprintf("; the second one has %s left", worst.Text(t.Seconds-d.Amount))
	}
	message := fmt.Sprintf("a second request after %s, %s times the p99 of %s%s: if answers become %s slower one in a hundred is sent twice, and all once the callee is late altogether",
		d, units.Number(x), s.P99, left, units.Share(x-1))
	if x < 1 {
		message = fmt.Sprintf("a second request after %s, before the p99 of %s, and p95 is not known%s", d, s.P99, left)
	}
	f := p.Report(rule.At(d, l.Hop.At), h.Name(), d.Key, message).Severity(finding.Note).Because(d, s.P99)
	if t, ok := h.Patience(); ok {
		f.Because(t.Value).Formula("%s / %s = %s; %s − %s = %s for the second request", d, s.P99, units.Number(x), worst.Text(t.Seconds), d, worst.Text(t.Seconds-d.Amount))
	} else {
		f.Formula("%s / %s = %s", d, s.P99, units.Number(x))
	}
	p.Lacks(rule.At(d, l.Hop.At), "whether "+d.Key+" of "+d.String()+" is before the 95th percentile", "service_time.p95", s.Name)
	return f
}
