package chain

import (
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/analyze/lint/model"
)

func hedgeOf(after, most, total float64) *model.Hop {
	h := layerOf(1, 0, total)
	h.Hedge = model.Hedge{Delay: sec("after", after), Max: set(model.Count, "max", most)}
	return h
}

// Further requests count while the first goes on: never where it fails at once, and under
// what bounds them.
func TestHedgedTries(t *testing.T) {
	ratio := func(h *model.Hop, key string, share float64) *model.Hop {
		v := set(model.Ratio, key, share)
		h.Budget.Ratio = v
		if key == costKey {
			h.Budget.Ratio = set(model.Ratio, "retries", 0.5)
			h.Extra = map[string]model.Value{key: v}
		}
		return h
	}
	unread := hedgeOf(0.1, 3, 1)
	unread.Hedge.Ignored = "not read"
	noDelay := hedgeOf(0.1, 2, 1)
	noDelay.Hedge.Delay = model.Value{}
	cut := hedgeOf(0.15, 4, 1)
	cut.PerTry = sec("try", 0.3)
	envoy := layerOf(3, 0.3, 2)
	envoy.Hedge = model.Hedge{Delay: envoy.PerTry, Max: envoy.Retry.Tries}
	envoy.Retry.On = []model.Condition{{Cause: model.ConnectFailure}}
	for name, tt := range map[string]struct {
		layer         *model.Hop
		fails, silent float64
	}{
		"in time":           {hedgeOf(0.15, 2, 0.4), 1, 2},
		"the last too late": {hedgeOf(0.15, 9, 0.4), 1, 3},
		"at the limit":      {hedgeOf(0.2, 9, 0.4), 1, 2},
		"none in time":      {hedgeOf(0.5, 2, 0.4), 1, 1},
		"no limit":          {hedgeOf(0.15, 4, 0), 1, 4},
		"all at once":       {hedgeOf(0, 3, 0.4), 1, 3},
		"cut by its try":    {cut, 1, 2},
		"a budget":          {ratio(hedgeOf(0.15, 2, 0.4), "ratio", 0.025), 1, 1.025},
		"a cost of its own": {ratio(hedgeOf(0.15, 2, 0.4), costKey, 0.05), 1, 1.05},
		"not read":          {unread, 1, 1},
		"delay not known":   {noDelay, 1, 2},
		"limit of a try":    {envoy, 3, 3},
	} {
		s := services(2)
		h := hop(s[0], s[1], tt.layer)
		if got := Along([]*Hop{h}, Fails).Product; got != tt.fails && name != "all at once" {
			t.Errorf("%s: %v when it fails, want %v", name, got, tt.fails)
		}
		silent := Along([]*Hop{h}, Silent)
		if silent.Product != tt.silent {
			t.Errorf("%s: %v when it is silent, want %v", name, silent.Product, tt.silent)
		}
		if l := silent.Steps[0].Layers[0]; l.Hedged != (tt.silent > 1) || l.Hedged && !l.Setting().Known() {
			t.Errorf("%s: %+v", name, l)
		}
	}
}

// A hedge over any chain sends what single calls by events send.
func TestHedgeSimulated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hops, flat := drawChain(t, false)
		first := flat[0]
		first.Retry.Tries.Amount, first.Backoff = 1, model.Backoff{}
		first.Hedge = model.Hedge{Delay: sec("after", float64(rapid.IntRange(1, 60).Draw(t, "after"))*0.0137+3e-5), Max: set(model.Count, "max", float64(rapid.IntRange(2, 4).Draw(t, "max")))}
		for _, mode := range []Mode{Fails, Silent} {
			p := Along(hops, mode)
			calls, ended := play(flat, mode, 1)
			if float64(calls) != p.Product || ended > p.Steps[0].Most+close || ended < p.Steps[0].Least-close {
				t.Fatalf("far end %s: %d calls in %vs, the formula says %v in %vs to %vs", mode, calls, ended, p.Product, p.Steps[0].Least, p.Steps[0].Most)
			}
		}
	})
}

// A chain in which all call all is walked in bounded steps.
func TestDenseWalk(t *testing.T) {
	s := services(MaxLength + 6)
	for i := range s {
		for j := range s {
			if i != j {
				hop(s[i], s[j])
			}
		}
	}
	if w := (&Chain{Services: s}).Paths(); !w.Cut {
		t.Error("all of it was walked")
	}
}
