package worst

import (
	"math"
	"testing"

	"example.com/kneeline/analyze/lint/model"
	"pgregory.net/rapid"
)

func val(unit model.Unit, amount float64) model.Value {
	return model.Value{Unit: unit, Amount: amount, Origin: model.Set}
}

func sec(s float64) model.Value { return val(model.Seconds, s) }

func backoff(base, multiplier, most, jitter float64) model.Backoff {
	return model.Backoff{Base: sec(base), Multiplier: val(model.Count, multiplier), Max: sec(most), Jitter: val(model.Ratio, jitter)}
}

func TestWaits(t *testing.T) {
	for name, tt := range map[string]struct {
		b                    model.Backoff
		tries                float64
		most, least, longest float64
	}{
		"none set":       {model.Backoff{}, 5, 0, 0, 0},
		"one try":        {backoff(1, 2, 10, 0), 1, 0, 0, 0},
		"fixed":          {model.Backoff{Base: sec(0.5)}, 3, 1, 1, 0.5},
		"grows":          {backoff(0.1, 2, 10, 0), 4, 0.7, 0.7, 0.4},
		"to its cap":     {backoff(1, 2, 3, 0), 5, 1 + 2 + 3 + 3, 9, 3},
		"cap under base": {backoff(5, 2, 3, 0), 3, 6, 6, 3},
		"full jitter":    {backoff(0.1, 2, 10, 1), 4, 0.7, 0, 0.4},
		"both ways":      {backoff(1, 1, 10, 0.2), 3, 2.4, 1.6, 1.2},
		"no growth":      {backoff(1, 0.5, 10, 0), 3, 2, 2, 1},
	} {
		if got := Waits(tt.b, tt.tries); math.Abs(got-tt.most) > 1e-9 {
			t.Errorf("%s: at most %v, want %v", name, got, tt.most)
		}
		if got := LeastWaits(tt.b, tt.tries); math.Abs(got-tt.least) > 1e-9 {
			t.Errorf("%s: at least %v, want %v", name, got, tt.least)
		}
		if got := Longest(tt.b, tt.tries); math.Abs(got-tt.longest) > 1e-9 {
			t.Errorf("%s: longest %v, want %v", name, got, tt.longest)
		}
	}
}

// The closed form is the sum that one gets wait by wait.
func TestWaitsProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.Float64Range(0.001, 10).Draw(t, "base")
		m := rapid.Float64Range(1, 3).Draw(t, "multiplier")
		most := rapid.Float64Range(0.001, 100).Draw(t, "max")
		tries := rapid.IntRange(1, 12).Draw(t, "tries")
		want, wait := 0.0, base
		for range tries - 1 {
			want += min(wait, most)
			wait *= m
		}
		if got := Waits(backoff(base, m, most, 0), float64(tries)); math.Abs(got-want) > 1e-9*(1+want) {
			t.Fatalf("%v, wait by wait %v", got, want)
		}
	})
}

// Started is what one gets by letting the tries run one after the other.
func TestStartedProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Quarters of a second are exact, so that "before" has no rounding.
		limit := float64(rapid.IntRange(1, 400).Draw(t, "limit")) / 4
		try := float64(rapid.IntRange(0, 40).Draw(t, "try")) / 4
		tries := rapid.IntRange(1, 30).Draw(t, "tries")
		b := backoff(float64(rapid.IntRange(0, 8).Draw(t, "base"))/4, 2, 4, 0)
		want, clock, wait := 0, 0.0, b.Base.Amount
		for i := 0; i < tries && clock < limit; i++ {
			want++
			clock += try + min(wait, 4)
			wait *= 2
		}
		if got := Started(limit, try, b, float64(tries)); got != float64(want) {
			t.Fatalf("%v, one after the other %d", got, want)
		}
	})
}

func TestStartedEdges(t *testing.T) {
	inf := math.Inf(1)
	for _, tt := range []struct{ limit, try, tries, want float64 }{
		{0.4, 0.2, 6, 2}, {18000, 3600, 6, 5}, {20, 40, 2, 1}, {inf, 1, 6, 6}, {1, 0, inf, inf}, {1, 0.25, inf, 4}, {1, inf, 3, 1}, {1, 1, 0, 1},
	} {
		if got := Started(tt.limit, tt.try, model.Backoff{}, tt.tries); got != tt.want {
			t.Errorf("limit %v, try %v, tries %v: %v, want %v", tt.limit, tt.try, tt.tries, got, tt.want)
		}
	}
}

func TestWhole(t *testing.T) {
	hole := model.Value{Origin: model.Hole}
	for name, tt := range map[string]struct {
		h       model.Hop
		ok      bool
		seconds float64
		limit   bool
		formula string
	}{
		"nothing":    {model.Hop{}, false, 0, false, ""},
		"per try":    {model.Hop{PerTry: sec(2), Retry: model.Retry{Tries: val(model.Count, 4)}}, true, 8, false, "4 tries × 2s = 8s"},
		"cut":        {model.Hop{PerTry: sec(2), Total: sec(5), Retry: model.Retry{Tries: val(model.Count, 4)}}, true, 5, true, "4 tries × 2s = 8s"},
		"not cut":    {model.Hop{PerTry: sec(2), Total: sec(9), Retry: model.Retry{Tries: val(model.Count, 4)}}, true, 8, false, "4 tries × 2s = 8s"},
		"waits":      {model.Hop{PerTry: sec(2), Backoff: model.Backoff{Base: sec(0.025)}, Retry: model.Retry{Tries: val(model.Count, 4)}}, true, 8.075, false, "4 tries × 2s + 75ms waits = 8.075s"},
		"gaps":       {model.Hop{Connect: sec(5), GapRead: sec(60), Retry: model.Retry{Tries: val(model.Count, 6)}}, true, 390, false, "6 tries × 1m5s = 6m30s"},
		"connecting": {model.Hop{Connect: sec(30), GapRead: sec(60), Retry: model.Retry{Tries: val(model.Count, 6), On: []model.Condition{{Cause: model.ConnectFailure}}}}, true, 240, false, "6 tries × 30s to connect + 1m for the answer = 4m"},
		"refused":    {model.Hop{Connect: sec(5), GapRead: sec(0.4), Backoff: model.Backoff{Base: sec(1), Refused: true}, Retry: model.Retry{Tries: val(model.Count, 4), On: []model.Condition{{Cause: model.Shed}}}}, true, 23.4, false, "4 tries × 5.4s + 1.8s waits = 23.4s"},
		"late":       {model.Hop{Connect: sec(5), GapRead: sec(2), Backoff: model.Backoff{Base: sec(1), Refused: true}, Retry: model.Retry{Tries: val(model.Count, 4), On: []model.Condition{{Cause: model.Shed}}}}, true, 28, false, "4 tries × 7s = 28s"},
		"servers":    {model.Hop{GapRead: sec(1), Retry: model.Retry{Tries: val(model.Count, math.Inf(1)), Servers: 5}}, true, 5, false, "5 tries × 1s = 5s"},
		"start":      {model.Hop{GapRead: sec(1), StartTry: sec(2), Retry: model.Retry{Tries: val(model.Count, 5)}}, true, 3, true, "5 tries × 1s = 5s"},
		"total only": {model.Hop{Total: sec(3)}, true, 3, true, "1 try × 0s = no limit"},
		"no limit":   {model.Hop{Total: sec(math.Inf(1))}, true, math.Inf(1), false, "1 try × 0s = no limit"},
		"hole":       {model.Hop{PerTry: hole, Total: sec(1)}, true, 1, true, "1 try × 0s = no limit"},
		"hole whole": {model.Hop{PerTry: sec(1), Total: hole}, false, 0, false, ""},
		"hole tries": {model.Hop{PerTry: sec(1), Retry: model.Retry{Tries: hole}}, false, 0, false, ""},
	} {
		c, ok := Whole(&tt.h)
		if ok != tt.ok {
			t.Errorf("%s: known %v", name, ok)
			continue
		}
		if ok && (math.Abs(c.Seconds-tt.seconds) > 1e-9 || math.IsInf(c.Seconds, 1) != math.IsInf(tt.seconds, 1) || c.Limit.Present() != tt.limit || c.Formula() != tt.formula) {
			t.Errorf("%s: %v %v %q", name, c.Seconds, c.Limit, c.Formula())
		}
	}
}

// No call takes longer than its limit, and none longer than all of its tries.
func TestWholeProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := model.Hop{
			PerTry: sec(rapid.Float64Range(0.001, 100).Draw(t, "try")), Total: sec(rapid.Float64Range(0.001, 1000).Draw(t, "total")),
			Backoff: backoff(rapid.Float64Range(0, 5).Draw(t, "base"), 2, 10, rapid.Float64Range(0, 1).Draw(t, "jitter")),
			Retry:   model.Retry{Tries: val(model.Count, float64(rapid.IntRange(1, 20).Draw(t, "tries")))},
		}
		c, ok := Whole(&h)
		if !ok || c.Seconds > h.Total.Amount || c.Seconds > c.Sum || c.Seconds != min(h.Total.Amount, c.Sum) {
			t.Fatalf("%+v", c)
		}
		started := Started(h.Total.Amount, h.PerTry.Amount, h.Backoff, c.Tries)
		if started < 1 || started > c.Tries || c.Sum < h.Total.Amount && started != c.Tries {
			t.Fatalf("%v tries of %v begin, %+v", started, c.Tries, c)
		}
	})
}

func TestTriesText(t *testing.T) {
	inf := val(model.Count, math.Inf(1))
	for want, r := range map[string]model.Retry{"3": {Tries: val(model.Count, 3)}, "2": {Tries: inf, Servers: 2}, "any number of": {Tries: inf}} {
		if got := TriesText(&model.Hop{Retry: r}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestText(t *testing.T) {
	for s, want := range map[float64]string{0.0301: "30.1ms", 390: "6m30s", math.Inf(1): "no limit", 1e12: "no limit"} {
		if got := Text(s); got != want {
			t.Errorf("%v is %q, want %q", s, got, want)
		}
	}
}

// A part of a try, as a file may ask for, is no try; above all the search ends.
func TestStartedCountsWholeTries(t *testing.T) {
	for tries, want := range map[float64]float64{1.5: 1, 2.5: 2, 3.999: 3, 1e12: 4} {
		if got := Started(1, 0.3, model.Backoff{}, tries); got != want {
			t.Errorf("%v tries: %v begin, want %v", tries, got, want)
		}
	}
}
