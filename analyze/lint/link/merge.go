package link

import (
	"math"
	"slices"

	"example.com/kneeline/analyze/lint/chain"
	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/worst"
)

// merge makes one layer of the objects of one program on one hop: a route has the limits
// of a call, a cluster those of connections. Where several have limits of a call, as routes
// to one cluster do, the worst stands for all. What a topology says fills in what files
// leave open. It reports false where nothing is set.
func merge(all []piece, h *chain.Hop) (chain.Layer, bool) {
	slices.SortStableFunc(all, func(a, b piece) int {
		switch {
		case a.program == b.program || a.program != own && b.program != own:
			return worse(a.Hop, b.Hop)
		case a.program == own:
			return 1
		}
		return -1
	})
	out := *all[0].Hop
	out.Layer = all[0].layer
	doc := all[0].Document
	for _, p := range all[1:] {
		fill(&out, p.Hop)
	}
	if all[0].program == own && empty(&out) {
		return chain.Layer{}, false
	}
	if out.To == "" {
		out.To = h.To.Name
	}
	return chain.Layer{Document: doc, Hop: &out}, true
}

// worse orders objects: those that tell how often and how long a call is tried before
// others, of those the one with more tries, then the longer one.
func worse(a, b *model.Hop) int {
	key := func(h *model.Hop) (limits, tries, seconds float64) {
		if h.Total.Known() || h.PerTry.Known() || h.GapRead.Known() || h.Retry.Tries.Known() {
			limits = 1
		}
		tries, _ = worst.Tries(h)
		if c, ok := worst.Whole(h); ok {
			seconds = c.Seconds
		}
		return limits, tries, seconds
	}
	al, at, as := key(a)
	bl, bt, bs := key(b)
	for _, x := range []float64{bl - al, bt - at, bs - as} {
		switch {
		case math.IsNaN(x): // both without bound
		case x < 0:
			return -1
		case x > 0:
			return 1
		}
	}
	return 0
}

// fill takes what h lacks from another object of the same program.
func fill(h, from *model.Hop) {
	take := func(to *model.Value, v model.Value) {
		if !to.Present() {
			*to = v
		}
	}
	limited := h.Total.Known() || h.PerTry.Known() || h.GapRead.Known()
	if !limited { // the limits of a call come from one object, or they are of none
		h.PerTry, h.Total, h.GapRead, h.StartTry = from.PerTry, from.Total, from.GapRead, from.StartTry
	}
	take(&h.GapSend, from.GapSend)
	take(&h.Connect, from.Connect)
	take(&h.Idle, from.Idle)
	if !h.Retry.Tries.Present() {
		h.Retry, h.Backoff = from.Retry, from.Backoff
	}
	take(&h.Hedge.Delay, from.Hedge.Delay)
	take(&h.Hedge.Max, from.Hedge.Max)
	if !h.Budget.Ratio.Present() && !h.Budget.Tokens.Present() && !h.Budget.Concurrent.Present() {
		h.Budget = from.Budget
	}
	h.CarriesDeadline = h.CarriesDeadline || from.CarriesDeadline
	p, q := &h.Pool, from.Pool
	p.PerServer = p.PerServer || q.PerServer
	for _, x := range []struct {
		to *model.Value
		v  model.Value
	}{
		{&p.Min, q.Min}, {&p.Max, q.Max}, {&p.Waiters, q.Waiters}, {&p.Wait, q.Wait}, {&p.Lifetime, q.Lifetime}, {&p.IdleEvict, q.IdleEvict}, {&p.KeepAlive, q.KeepAlive},
		{&h.Caps.Connections, from.Caps.Connections}, {&h.Caps.Pending, from.Caps.Pending}, {&h.Caps.Requests, from.Caps.Requests}, {&h.Caps.Retries, from.Caps.Retries},
		{&h.Caps.Queue, from.Caps.Queue}, {&h.Caps.QueueWait, from.Caps.QueueWait},
		{&h.Breaker.Errors, from.Breaker.Errors}, {&h.Breaker.Rate, from.Breaker.Rate}, {&h.Breaker.MinCalls, from.Breaker.MinCalls}, {&h.Breaker.Window, from.Breaker.Window}, {&h.Breaker.Open, from.Breaker.Open},
		{&h.CancelsWork, from.CancelsWork},
	} {
		take(x.to, x.v)
	}
	for k, v := range from.Extra {
		if _, ok := h.Extra[k]; !ok {
			extra := map[string]model.Value{k: v}
			for k, v := range h.Extra {
				extra[k] = v
			}
			h.Extra = extra
		}
	}
}

// empty reports whether an object of the topology says nothing.
func empty(h *model.Hop) bool {
	for _, v := range []model.Value{h.Total, h.PerTry, h.Retry.Tries, h.Hedge.Delay, h.Budget.Ratio, h.Pool.Min, h.Pool.Max, h.CancelsWork} {
		if v.Present() {
			return false
		}
	}
	return true
}
