package tmo06

import (
	"math"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/analyze/lint/worst"
	"example.com/kneeline/internal/units"
)

// checkChain compares the layers of each hop, whatever files they are set in: each with
// the one that it calls through.
func checkChain(p *rule.Pass) {
	for _, h := range p.Chain().Hops {
		for i := range len(h.Layers) - 1 {
			outer, inner := h.Layers[i], h.Layers[i+1]
			if outer.Hop.Streams || inner.Hop.Streams || same(outer, inner) || outer.Hop.CarriesDeadline {
				continue
			}
			if f := between(p, outer.Hop, inner.Hop); f != nil {
				abandoned(f, h, outer.Hop, inner.Hop)
			}
		}
	}
}

// same reports whether the comparison of one file has these two.
func same(outer, inner chain.Layer) bool {
	return outer.Document.File == inner.Document.File && outer.Document.Line == inner.Document.Line && outer.Document.Format != "topology"
}

// abandoned adds what the difference comes to at a host of the callee that works at its
// capacity.
func abandoned(f *rule.Found, h *chain.Hop, outer, inner *model.Hop) {
	t, w, ok := limits(outer, inner)
	c := h.To.Capacity
	if !ok || !c.Finite() || math.IsInf(w.Seconds, 1) {
		return
	}
	late := w.Seconds - t.Amount
	f.Because(c).Formula("at %s up to %s × %s = %s requests a host that nobody waits for", c, c, worst.Text(late), units.Number(c.Amount*late))
}
