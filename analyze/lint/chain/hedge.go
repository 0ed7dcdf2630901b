package chain

import (
	"math"

	"example.com/kneeline/analyze/lint/model"
	"example.com/kneeline/analyze/lint/worst"
)

// hedged is how many requests a layer has under way for one call if each takes so long to
// fail, the first included: one more after each delay, up to the most that it sends. It
// is 1 where nothing is hedged.
//
// Where the delay is the limit of a try, as with Envoy's hedge_on_per_try_timeout, the
// try goes on past it; a delay over that limit is never reached.
func hedged(h *model.Hop, try float64) float64 {
	e := h.Hedge
	if e.Ignored != "" || e.Max.IsHole() || e.Delay.IsHole() || !e.Max.Known() && !e.Delay.Known() {
		return 1
	}
	n := 2.0 // a second request, where only its delay is said
	if e.Max.Known() {
		n = e.Max.Amount
	}
	until := min(try, limit(h.Total), limit(h.StartTry))
	if t, ok := worst.OneTry(h); ok && t.Seconds > 0 && t.Seconds != delay(h) {
		until = min(until, t.Seconds)
	}
	switch wait := delay(h); {
	case !(n > 1) || until <= 0 && (wait > 0 || !e.Delay.Finite()):
		return 1
	case wait > 0:
		n = min(n, math.Ceil(until/wait-hair))
	}
	return max(n, 1)
}

// delay is after how long the next request is sent, 0 where that is not known.
func delay(h *model.Hop) float64 {
	if !h.Hedge.Delay.Finite() {
		return 0
	}
	return max(h.Hedge.Delay.Amount, 0)
}

// costKey is D2's bound on the share of calls that are sent twice, which is not that on
// its retries.
const costKey = "backupRequests.cost"

// hedge takes over so many requests of a hedge in place of the tries.
func (t *LayerTries) hedge(h *Hop, n float64) {
	m := t.Layer.Hop
	share := h.budget(m)
	if cost := m.Extra[costKey]; cost.Finite() && cost.Amount >= 0 {
		share = cost.Amount
	}
	t.Hedged = true
	t.Set, t.Begun, t.Budgeted = max(t.Set, n), n, max(t.Budgeted, min(n, 1+share))
}

// Setting is what says how many tries the layer makes: the number that was written, or
// that of the hedge.
func (t LayerTries) Setting() model.Value {
	m := t.Layer.Hop
	values := []model.Value{m.Retry.Written, m.Retry.Tries}
	if t.Hedged {
		values = []model.Value{m.Hedge.Max, m.Hedge.Delay}
	}
	for _, v := range values {
		if v.Known() {
			return v
		}
	}
	return model.Value{}
}
