package chain

import (
	"math"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/worst"
)

// Wait is how long a call of a hop may take, its layers together.
type Wait struct {
	// Seconds is +Inf for no limit.
	Seconds float64
	// Outer is what decides: the call of the outermost layer, each of whose tries is a
	// whole call of the layer under it.
	Outer worst.Call
	// Layer is the layer of Outer.
	Layer Layer
}

// Wait returns W, the longest that a call of the hop takes: of each layer
//
//	W = min(T, A × min(P, W of the layer under it) + waits)
//
// with T the limit of the whole, A the tries, P the limit of one. A layer of which neither
// P nor T is known takes as long as the one under it lets it. It reports false where no
// layer tells.
func (h *Hop) Wait() (Wait, bool) {
	var w Wait
	known := false
	for i := len(h.Layers) - 1; i >= 0; i-- {
		l := h.Layers[i]
		hop := *l.Hop
		if known {
			hop = within(l.Hop, w)
		}
		c, ok := worst.Whole(&hop)
		if !ok {
			continue
		}
		w, known = Wait{Seconds: c.Seconds, Outer: c, Layer: l}, true
	}
	return w, known
}

// within is a layer whose tries end when the layer under it does.
func within(h *model.Hop, inner Wait) model.Hop {
	out := *h
	own, ok := worst.OneTry(h)
	if ok && own.Seconds <= inner.Seconds || math.IsInf(inner.Seconds, 1) && ok {
		return out
	}
	if worst.OnlyConnects(h.Retry) {
		out.Retry.Tries = model.Of(model.Count, 1, "what is tried again is a connection, and the layer under it takes that at once")
	}
	out.PerTry = model.Of(model.Seconds, inner.Seconds, "the longest call of the "+inner.Layer.Hop.Layer.String()+" under it")
	out.PerTry.Key = "one try"
	return out
}

// Limit is after how long a caller no longer waits.
type Limit struct {
	Seconds float64
	// Value is the setting that says so, Layer where it is.
	Value model.Value
	Layer Layer
	// More are values that add to it, such as a connect limit before one of reading.
	More []model.Value
}

// Patience returns how long the caller waits for the answer to one try: the shortest
// limit of any layer on one try or on the whole. It reports false where no layer has
// one.
func (h *Hop) Patience() (Limit, bool) {
	return h.shortest(func(m *model.Hop) []worst.Try {
		var all []worst.Try
		if t, ok := worst.OneTry(m); ok {
			all = append(all, t)
		}
		return append(all, whole(m)...)
	})
}

// Deadline returns after how long the caller has gone: the shortest limit of any layer on
// the whole of a call. It reports false where no layer has one.
func (h *Hop) Deadline() (Limit, bool) { return h.shortest(whole) }

func whole(m *model.Hop) []worst.Try {
	if !m.Total.Known() || math.IsNaN(m.Total.Amount) {
		return nil
	}
	return []worst.Try{{Seconds: m.Total.Amount, From: []model.Value{m.Total}}}
}

func (h *Hop) shortest(limits func(*model.Hop) []worst.Try) (Limit, bool) {
	var out Limit
	found := false
	for _, l := range h.Layers {
		for _, t := range limits(l.Hop) {
			if len(t.From) == 0 || math.IsInf(t.Seconds, 1) || t.Seconds <= 0 || found && t.Seconds >= out.Seconds {
				continue
			}
			last := len(t.From) - 1
			out, found = Limit{Seconds: t.Seconds, Value: t.From[last], Layer: l, More: t.From[:last]}, true
		}
	}
	return out, found
}

// carried is the key of the topology for a deadline that goes along with the call.
const carried = "deadline_carried"

// Abandons reports whether the end of the caller's wait is known to end the callee's
// work, that of its own calls included: the topology says that the deadline goes along,
// or gRPC carries it. A proxy that resets its connection, and a library that interrupts
// its own thread, stop nothing behind the callee.
func (h *Hop) Abandons() bool {
	for _, l := range h.Layers {
		if l.Hop.CarriesDeadline || l.Hop.CancelsWork.Key == carried && l.Hop.CancelsWork.On() {
			return true
		}
	}
	return false
}
