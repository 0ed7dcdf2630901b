package chain

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/analyze/lint/model"
)

func set(unit model.Unit, key string, amount float64) model.Value {
	return model.Value{Key: key, Unit: unit, Amount: amount, Origin: model.Set, At: model.Position{File: "f", Line: 1}}
}

func sec(key string, s float64) model.Value { return set(model.Seconds, key, s) }

// hop is a hop of the chain with these layers.
func hop(from, to *Service, layers ...*model.Hop) *Hop {
	h := &Hop{From: from, To: to}
	for _, l := range layers {
		h.Layers = append(h.Layers, Layer{Document: &model.Document{File: "f"}, Hop: l})
	}
	from.Out, to.In = append(from.Out, h), append(to.In, h)
	return h
}

func layerOf(tries, perTry, total float64) *model.Hop {
	h := &model.Hop{Retry: model.Retry{Tries: set(model.Count, "tries", tries)}}
	if perTry > 0 {
		h.PerTry = sec("try", perTry)
	}
	if total > 0 {
		h.Total = sec("total", total)
	}
	return h
}

func services(n int) []*Service {
	out := make([]*Service, n)
	for i := range out {
		out[i] = &Service{Name: fmt.Sprintf("s%d", i)}
	}
	return out
}

// Each layer's tries are whole calls of the layer under it.
func TestWait(t *testing.T) {
	for name, tt := range map[string]struct {
		layers []*model.Hop
		want   float64 // 0 for not known
	}{
		"nothing":              {nil, 0},
		"no limit anywhere":    {[]*model.Hop{layerOf(3, 0, 0)}, 0},
		"one":                  {[]*model.Hop{layerOf(3, 2, 0)}, 6},
		"cut by its whole":     {[]*model.Hop{layerOf(3, 2, 5)}, 5},
		"outer cuts":           {[]*model.Hop{layerOf(1, 0, 0.4), layerOf(1, 3.5, 0)}, 0.4},
		"inner cuts":           {[]*model.Hop{layerOf(2, 60, 0), layerOf(3, 2, 0)}, 12},
		"outer without limits": {[]*model.Hop{layerOf(2, 0, 0), layerOf(3, 2, 0)}, 12},
		"inner without limits": {[]*model.Hop{layerOf(2, 2, 0), layerOf(3, 0, 0)}, 4},
	} {
		s := services(2)
		w, ok := hop(s[0], s[1], tt.layers...).Wait()
		if ok != (tt.want > 0) || ok && math.Abs(w.Seconds-tt.want) > 1e-9 {
			t.Errorf("%s: %v %v, want %v", name, w.Seconds, ok, tt.want)
		}
	}
}

// Who gives up first is found in any layer.
func TestPatience(t *testing.T) {
	s := services(2)
	app, lib := layerOf(1, 0, 0.4), layerOf(1, 3.5, 0)
	lib.Connect, lib.PerTry, lib.GapRead = sec("connect", 0.1), model.Value{}, sec("read", 0.2)
	h := hop(s[0], s[1], app, lib)
	if l, ok := h.Patience(); !ok || math.Abs(l.Seconds-0.3) > 1e-9 || l.Value.Key != "read" || len(l.More) != 1 {
		t.Errorf("%+v", l)
	}
	if l, ok := h.Deadline(); !ok || l.Seconds != 0.4 || l.Value.Key != "total" {
		t.Errorf("%+v", l)
	}
	if l, of, ok := s[1].Patience(); !ok || of != h || l.Value.Key != "read" {
		t.Errorf("%+v", l)
	}
	if _, ok := hop(s[0], s[1]).Patience(); ok || h.Abandons() {
		t.Error("a limit of nothing")
	}
}

// Three layers of three tries are 27; budgets, deadlines and what is retried bound them.
func TestAmplification(t *testing.T) {
	budget := layerOf(3, 1, 0)
	budget.Budget.Ratio = set(model.Ratio, "ratio", 0.2)
	connects := layerOf(3, 1, 0)
	connects.Retry.On = []model.Condition{{Cause: model.ConnectFailure}}
	timeouts := layerOf(3, 1, 0)
	timeouts.Retry.On = []model.Condition{{Cause: model.TimedOut}}
	for name, tt := range map[string]struct {
		hops [][]*model.Hop
		want float64
		mode Mode
	}{
		"three hops":             {[][]*model.Hop{{layerOf(3, 1, 0)}, {layerOf(3, 1, 0)}, {layerOf(3, 1, 0)}}, 27, Fails},
		"two layers of a hop":    {[][]*model.Hop{{layerOf(2, 1, 0), layerOf(3, 1, 0)}}, 6, Fails},
		"under a budget":         {[][]*model.Hop{{budget}, {layerOf(3, 1, 0)}}, 3.6, Fails},
		"connections alone":      {[][]*model.Hop{{connects}}, 3, Fails},
		"time-outs alone":        {[][]*model.Hop{{timeouts}}, 3, Silent},
		"one bounded by its end": {[][]*model.Hop{{layerOf(10, 1, 2.5)}}, 10, Fails},
		"nothing is known":       {[][]*model.Hop{{}}, 1, Fails},
		"no bound":               {[][]*model.Hop{{layerOf(math.Inf(1), 1, 0)}}, math.Inf(1), Fails},
	} {
		var way []*Hop
		s := services(len(tt.hops) + 1)
		for i, l := range tt.hops {
			way = append(way, hop(s[i], s[i+1], l...))
		}
		p := Amplification(way)
		if p.Mode != tt.mode || math.Abs(p.Product-tt.want) > 1e-9 && !(math.IsInf(tt.want, 1) && math.IsInf(p.Product, 1)) {
			t.Errorf("%s: %v when it %s, want %v", name, p.Product, p.Mode, tt.want)
		}
	}
}

// A walk ends on cycles, and begins where nobody calls.
func TestPaths(t *testing.T) {
	s := services(4)
	hop(s[0], s[1], layerOf(2, 1, 0))
	hop(s[1], s[2], layerOf(3, 1, 0))
	hop(s[2], s[1], layerOf(1, 1, 0))
	hop(s[0], s[3])
	w := (&Chain{Services: s}).Paths()
	if len(w.Paths) != 2 || w.Paths[0].Name() != "s0 → s1 → s2" || w.Paths[0].Product != 6 || len(w.Cycle) != 2 || w.Cut {
		t.Errorf("%+v", w)
	}
	ring := services(2)
	hop(ring[0], ring[1])
	hop(ring[1], ring[0])
	if w := (&Chain{Services: ring}).Paths(); len(w.Paths) != 1 || w.Cycle == nil {
		t.Errorf("%+v", w)
	}
	long := services(MaxLength + 2)
	for i := range MaxLength + 1 {
		hop(long[i], long[i+1])
	}
	if w := (&Chain{Services: long}).Paths(); !w.Cut {
		t.Error("a path of any length")
	}
}

// drawChain draws a path of up to four hops of up to three layers.
func drawChain(t *rapid.T, jitter bool) ([]*Hop, []*model.Hop) {
	// Odd lengths keep sums off each other: whether an event at a limit is before it is
	// no question of the formula.
	drawn := 0
	length := func(what string, most int) float64 {
		drawn++
		return float64(rapid.IntRange(1, most).Draw(t, what))*0.0137 + math.Sqrt(float64(7+drawn))*1e-4
	}
	s := services(rapid.IntRange(1, 4).Draw(t, "hops") + 1)
	var hops []*Hop
	var flat []*model.Hop
	for i := range len(s) - 1 {
		var layers []*model.Hop
		for range rapid.IntRange(1, 3).Draw(t, "layers") {
			h := layerOf(float64(rapid.IntRange(1, 3).Draw(t, "tries")), length("per try", 100), 0)
			if rapid.Bool().Draw(t, "whole") {
				h.Total = sec("total", length("total", 300))
			}
			if rapid.IntRange(0, 4).Draw(t, "start") == 0 {
				h.StartTry = sec("start", length("start limit", 200))
			}
			if rapid.Bool().Draw(t, "waits") {
				h.Backoff = model.Backoff{Base: sec("base", length("base", 30)), Multiplier: set(model.Count, "m", 1+rapid.Float64Range(0, 1.5).Draw(t, "growth"))}
				if jitter {
					h.Backoff.Jitter = set(model.Ratio, "j", rapid.SampledFrom([]float64{0.1, 0.5, 1}).Draw(t, "jitter"))
				}
			}
			layers = append(layers, h)
		}
		hops = append(hops, hop(s[i], s[i+1], layers...))
		flat = append(flat, layers...)
	}
	return hops, flat
}

const close = 1e-6

// Without chance in it, the formulas are what happens: calls to the far end and the time
// of the caller's call, when the far end fails and when it does not answer.
func TestSimulationExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hops, flat := drawChain(t, false)
		for _, mode := range []Mode{Fails, Silent} {
			p := Along(hops, mode)
			calls, ended := play(flat, mode, 1)
			if float64(calls) != p.Product || math.Abs(ended-p.Steps[0].Most) > close || math.Abs(ended-p.Steps[0].Least) > close {
				t.Fatalf("far end %s: %d calls in %vs, the formula says %v in %vs to %vs", mode, calls, ended, p.Product, p.Steps[0].Least, p.Steps[0].Most)
			}
		}
	})
}

// With random waits, no call is outside the interval of the formulas.
func TestSimulationInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hops, flat := drawChain(t, true)
		for _, mode := range []Mode{Fails, Silent} {
			p := Along(hops, mode)
			for seed := range uint64(20) {
				calls, ended := play(flat, mode, seed)
				if float64(calls) > p.Product || ended > p.Steps[0].Most+close || ended < p.Steps[0].Least-close {
					t.Fatalf("far end %s, seed %d: %d calls in %vs, the formula says at most %v, in %vs to %vs", mode, seed, calls, ended, p.Product, p.Steps[0].Least, p.Steps[0].Most)
				}
			}
		}
	})
}

// W of one hop is the time of a call that nobody answers.
func TestWaitSimulated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hops, _ := drawChain(t, false)
		var flat []*model.Hop
		for _, l := range hops[0].Layers {
			flat = append(flat, l.Hop)
		}
		w, ok := hops[0].Wait()
		_, ended := play(flat, Silent, 1)
		starts := false
		for _, l := range flat {
			starts = starts || l.StartTry.Known()
		}
		// A limit on beginning tries may also end a call before it: W is then a bound.
		if !ok || ended > w.Seconds+close || !starts && math.Abs(ended-w.Seconds) > close {
			t.Fatalf("a call takes %vs, W is %vs", ended, w.Seconds)
		}
	})
}

// A budget of a share holds on average over many calls.
func TestBudgetSimulated(t *testing.T) {
	const calls = 20000
	for _, ratio := range []float64{0, 0.025, 0.2, 5} {
		l := layerOf(3, 1, 0)
		l.Budget.Ratio = set(model.Ratio, "ratio", ratio)
		s := services(2)
		want := Along([]*Hop{hop(s[0], s[1], l)}, Fails).Product
		tokens, tries := 0.0, 0
		for range calls {
			tokens += ratio
			for n := 1; n <= 3; n++ {
				if tries++; n == 3 || tokens < 1-1e-9 {
					break
				}
				tokens--
			}
		}
		got := float64(tries) / calls
		if math.Abs(got-want) > 0.01 {
			t.Errorf("ratio %v: %v tries a call, the formula says %v", ratio, got, want)
		}
	}
}

// The useful queue is the calculator's.
func TestUseful(t *testing.T) {
	s := &Service{Capacity: set(model.PerSecond, "capacity", 1200), P50: sec("p50", 0.04), P99: sec("p99", 0.14)}
	if u, ok := s.Useful(0.4); !ok || u.InSystem != 480 || u.Positions != 246 {
		t.Errorf("%+v", u.Sizes)
	}
	for _, patience := range []float64{0, math.Inf(1)} {
		if _, ok := s.Useful(patience); ok {
			t.Errorf("a useful queue for %v", patience)
		}
	}
	if _, ok := (&Service{}).Useful(1); ok {
		t.Error("a useful queue without a capacity")
	}
}

// More tries than numbers can tell apart end no later.
func TestVeryManyTries(t *testing.T) {
	l := layerOf(1e300, 1e-3, 10)
	l.Backoff = model.Backoff{Base: sec("base", 1e-9), Jitter: set(model.Ratio, "jitter", 1)}
	s := services(2)
	h := hop(s[0], s[1], l)
	for _, mode := range []Mode{Fails, Silent} {
		if p := Along([]*Hop{h}, mode); p.Steps[0].Most > 10 || !(p.Product >= 1) {
			t.Errorf("%+v", p)
		}
	}
}

// A deadline that goes along ends the callee's work; a proxy that resets does not.
func TestAbandons(t *testing.T) {
	on := set(model.Flag, "deadline_carried", 1)
	for want, change := range map[bool]func(*Layer){
		true:  func(l *Layer) { l.Hop.CancelsWork = on },
		false: func(l *Layer) { l.Hop.CancelsWork = set(model.Flag, "cancels_work", 1) },
	} {
		s := services(3)
		in, out := hop(s[0], s[1], layerOf(1, 1, 0)), hop(s[1], s[2], layerOf(1, 2, 0))
		change(&in.Layers[0])
		if in.Abandons() != want || out.Inverted() == want {
			t.Errorf("carried %v: abandons %v, inverted %v", want, in.Abandons(), out.Inverted())
		}
	}
	s := services(2)
	h := hop(s[0], s[1], layerOf(1, 1, 0))
	h.Layers[0].Hop.CarriesDeadline = true
	if !h.Abandons() {
		t.Error("gRPC carries its deadline")
	}
}

// The rate of a hop is what is given, then what follows from the caller, then from the
// callee.
func TestCallRate(t *testing.T) {
	s := services(2)
	h := hop(s[0], s[1])
	if _, _, ok := h.CallRate(); ok {
		t.Error("a rate of nothing")
	}
	s[1].Peak, s[1].Replicas, s[0].Replicas = set(model.PerSecond, "peak", 100), set(model.Count, "replicas", 6), set(model.Count, "replicas", 3)
	want := func(rate float64) {
		t.Helper()
		if got, from, ok := h.CallRate(); !ok || got != rate || len(from) == 0 {
			t.Errorf("%v %v, want %v", got, ok, rate)
		}
	}
	want(200)
	s[0].Peak, h.Fan = set(model.PerSecond, "peak", 50), set(model.Count, "fan", 5)
	want(250)
	h.Rate = set(model.PerSecond, "rate", 7)
	want(7)
}
