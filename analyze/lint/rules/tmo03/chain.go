package tmo03

import (
	"fmt"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/units"
)

// roomy is by how much a limit of one try is to be over the p99.
const roomy = 1.5

// checkChain finds limits of one try that end normal requests, whose further tries are
// ended in the same way.
func checkChain(p *rule.Pass) {
	for _, h := range p.Chain().Hops {
		if h.Streams() {
			continue
		}
		for _, l := range h.Layers {
			cut(p, h, l)
		}
	}
}

func cut(p *rule.Pass, h *chain.Hop, l chain.Layer) {
	try, p50, p99 := l.Hop.PerTry, h.To.P50, h.To.P99
	if n, ok := worst.Tries(l.Hop); !ok || !(n > 1) || !try.IsSet() || !try.Finite() || try.Amount <= 0 {
		return
	}
	at := rule.At(try, l.Hop.At)
	normal, share, severity := p99, "one in a hundred", finding.Warning
	if p50.Finite() && p50.Amount >= try.Amount {
		normal, share, severity = p50, "one in two", finding.Error
	}
	if !normal.Finite() || normal.Amount < try.Amount || !p.First(at, try.Key) {
		return
	}
	then, way := "those fail, and nothing tries them again", ""
	if again(l.Hop.Retry) {
		then, way = "those are begun again and ended again", ", or leave it away and let only refused and failed calls be tried again"
	}
	f := p.Report(at, h.Name(), try.Key, fmt.Sprintf("a try to %s is ended after %s, %s takes %s and more: %s", h.To.Name, try, share, normal, then))
	f.Severity(severity).Because(try, normal)
	if way != "" && l.Hop.Retry.Written.Known() {
		f.Because(l.Hop.Retry.Written)
	}
	set := normal
	if p99.Finite() && p99.Amount > normal.Amount {
		set = p99
		f.Because(p99)
	}
	f.Formula("%s ≤ %s", try, normal).
		Fix("set %s to %s, %s × %s%s", try.Key, worst.Text(set.Amount*roomy), set.Key, units.Number(roomy), way)
}

// again reports whether a try that its limit has ended is tried again, as far as is known:
// by Envoy, a try that is ended is one without an answer, which 5xx and reset stand for too.
func again(r model.Retry) bool {
	for _, c := range r.On {
		if c.Word == "5xx" || c.Word == "reset" {
			return true
		}
	}
	return late(r)
}
