// Package cbk05 finds circuit breakers that never see enough calls to open.
package cbk05

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

const (
	// slow is how long a breaker over a number of calls may take to see them, in seconds.
	slow = 60
	// quick is in how many seconds the calls that are advised come twice, the window that
	// Hystrix has by default.
	quick = 10
)

// Rule is CBK-05.
var Rule = rule.Rule{
	Rule: finding.Rule{
		ID: "CBK-05", Name: "breaker-cannot-trip", Severity: finding.Warning, Since: "0.1",
		Title: "a circuit breaker waits for more calls than there are",
		Why: `A breaker judges nothing before it has seen a least number of calls. Where a caller makes fewer in the time that the breaker looks at, it
stays closed however many of them fail; where it counts calls without a time, it opens minutes after the fault began.`,
		Formula: `calls in the window = rate × window
found: least number of calls > calls in the window
without a window: least number of calls / rate > 60 s`,
		Sources: []string{
			"resilience4j/resilience4j CircuitBreakerConfig: minimumNumberOfCalls 100",
			"Netflix/Hystrix HystrixCommandProperties: requestVolumeThreshold 20 in 10 s",
		},
		Bad:  "minimumNumberOfCalls: 100, slidingWindowType: TIME_BASED, slidingWindowSize: 10; 2 calls/s: 20 in the window",
		Good: "minimumNumberOfCalls: 10",
		Fix:  "Set the least number of calls to half of rate × window or less.",
	},
	Needs: rule.Config | rule.Defaults | rule.Topology | rule.Load,
	Chain: check,
}

func check(p *rule.Pass) {
	for _, h := range p.Chain().Hops {
		for _, l := range h.Layers {
			if b := l.Hop.Breaker; b.MinCalls.Finite() && b.MinCalls.Amount > 1 {
				one(p, h, l)
			}
		}
	}
}

func one(p *rule.Pass, h *chain.Hop, l chain.Layer) {
	b := l.Hop.Breaker
	at := rule.At(b.MinCalls, l.Hop.At)
	rate, from, ok := h.CallRate()
	if !ok || rate <= 0 {
		p.Lacks(at, "whether "+b.MinCalls.Key+" of "+b.MinCalls.String()+" is ever reached", "rate", "the hop "+h.Name())
		return
	}
	window := float64(slow)
	text := worst.About(b.MinCalls.Amount / rate)
	message := fmt.Sprintf("at %s the breaker waits %s for its first %s calls", units.Rate(rate), text, b.MinCalls)
	formula := fmt.Sprintf("%s / %s = %s > 1m", b.MinCalls, units.Rate(rate), text)
	timed := b.Window.Finite() && b.Window.Unit == model.Seconds && b.Window.Amount > 0
	if timed {
		window = b.Window.Amount
		message = fmt.Sprintf("the breaker waits for %s calls in %s, in which there are %s: it never opens", b.MinCalls, b.Window, units.Number(rate*window))
		formula = fmt.Sprintf("%s × %s = %s < %s", units.Rate(rate), b.Window, units.Number(rate*window), b.MinCalls)
	}
	if b.MinCalls.Amount <= rate*window || !p.First(at, b.MinCalls.Key) {
		return
	}
	f := p.Report(at, h.Name(), b.MinCalls.Key, message).Because(b.MinCalls).Because(from...)
	if timed {
		f.Because(b.Window)
	}
	f.Formula("%s", formula).Fix("set %s to %s", b.MinCalls.Key, units.Number(max(1, math.Floor(rate*min(window, quick)/2))))
}
