package drn01

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
)

// spare is what is added to a grace, in seconds.
const spare = 5

// checkChain holds the time of grace of each service against its longest request: what
// callers wait for, which no file of the service says.
func checkChain(p *rule.Pass) {
	for _, s := range p.Chain().Services {
		l, of, ok := longest(s)
		if !ok {
			continue
		}
		for _, part := range s.Parts {
			graceFor(p, s, part.Service, l, of)
			stopFor(p, s, part.Service, l, of)
		}
	}
}

// longest is how long a request may take at most: the longest wait of a caller for one
// answer.
func longest(s *chain.Service) (chain.Limit, *chain.Hop, bool) {
	var out chain.Limit
	var of *chain.Hop
	for _, h := range s.In {
		if l, ok := h.Patience(); ok && l.Seconds > out.Seconds && !h.Streams() {
			out, of = l, h
		}
	}
	return out, of, of != nil
}

func graceFor(p *rule.Pass, s *chain.Service, m *model.Service, l chain.Limit, of *chain.Hop) {
	g, hook := m.Drain.Grace, m.Drain.PreStop
	if !g.Finite() || hook.IsHole() {
		return
	}
	left := g.Amount - amount(hook)
	at := rule.At(g, m.At)
	if left >= l.Seconds || left <= 0 || !p.First(at, g.Key) { // no time at all is found without a chain
		return
	}
	message := fmt.Sprintf("the grace is %s, %s waits %s for its answers", g, of.From.Name, worst.Text(l.Seconds))
	if amount(hook) > 0 {
		message = fmt.Sprintf("after the hook %s are left for requests that %s waits %s for", worst.Text(left), of.From.Name, worst.Text(l.Seconds))
	}
	f := p.Report(at, s.Name, g.Key, message)
	if left < l.Seconds/2 {
		f.Severity(finding.Error)
	}
	f.Because(g)
	if hook.Finite() {
		f.Because(hook)
	}
	f.Because(l.Value).Formula("%s − %s = %s < %s", g, worst.Text(amount(hook)), worst.Text(left), worst.Text(l.Seconds)).
		Fix("set %s to %.0f: hook, longest request and %d s", g.Key, math.Ceil(amount(hook)+l.Seconds+spare), spare)
}

func stopFor(p *rule.Pass, s *chain.Service, m *model.Service, l chain.Limit, of *chain.Hop) {
	d := m.Drain.Stop
	at := rule.At(d, m.At)
	if !d.Finite() || d.Amount <= 0 || d.Amount >= l.Seconds || !d.IsSet() && !l.Value.IsSet() || !p.First(at, d.Key) {
		return
	}
	f := p.Report(at, s.Name, d.Key, fmt.Sprintf("%s waits %s for its requests, %s waits %s for the answers", s.Name, d, of.From.Name, worst.Text(l.Seconds)))
	if d.Amount < l.Seconds/2 {
		f.Severity(finding.Error)
	}
	f.Because(d, l.Value).Formula("%s < %s", d, worst.Text(l.Seconds)).Fix("set %s to %s", d.Key, worst.Text(l.Seconds+spare))
}
