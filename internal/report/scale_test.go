package report

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float64
		log    bool
		n      int
		want   []float64
	}{
		{"from zero", []float64{100, 1190}, false, 6, []float64{0, 200, 400, 600, 800, 1000}},
		{"far from zero", []float64{1171, 1203}, false, 4, []float64{1180, 1190, 1200}},
		{"below zero", []float64{-0.3, 0.5}, false, 4, []float64{-0.2, 0, 0.2, 0.4}},
		{"all zero", []float64{0, 0}, false, 4, []float64{0, 0.25, 0.5, 0.75, 1}},
		{"one value", []float64{7}, false, 4, []float64{0, 2, 4, 6}},
		{"decades with 1, 2, 5", []float64{0.0077, 0.418}, true, 5, []float64{0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5}},
		{"many decades", []float64{1e-6, 1e6}, true, 4, []float64{1e-6, 1e-2, 1e2, 1e6}},
		{"log leaves out what is not positive", []float64{-5, 0, 1, 10}, true, 6, []float64{1, 2, 5, 10}},
	} {
		s, ok := newScale(c.values, c.log)
		if !ok {
			t.Errorf("%s: no scale", c.name)
			continue
		}
		if diff := cmp.Diff(c.want, s.ticks(c.n), cmpopts.EquateApprox(1e-9, 0)); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.name, diff)
		}
	}
	if _, ok := newScale([]float64{nan, inf, 1e301}, false); ok {
		t.Error("nothing that can be drawn, yet a scale")
	}
}

// Any values give a scale that holds them, and a few ascending ticks on it.
func TestScaleHoldsItsValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(anyNumber(), 1, 10).Draw(t, "values")
		log := rapid.Bool().Draw(t, "log")
		n := rapid.IntRange(1, 12).Draw(t, "n")
		s, ok := newScale(values, log)
		if !ok {
			for _, v := range values {
				if (scale{log: log}).has(v) {
					t.Fatalf("%g can be drawn, yet there is no scale", v)
				}
			}
			return
		}
		for _, s := range []scale{s, s.nice(n)} {
			for _, v := range values {
				if at := s.at(v); s.has(v) && v > 1e-290 && !(at > -1e-6 && at < 1+1e-6) {
					t.Fatalf("%g is at %g of [%g, %g]", v, at, s.lo, s.hi)
				}
			}
			ticks := s.ticks(n)
			if len(ticks) > 3*n+6 {
				t.Fatalf("%d ticks, about %d asked for", len(ticks), n)
			}
			if !slices.IsSorted(ticks) || slices.ContainsFunc(ticks, math.IsNaN) {
				t.Fatalf("ticks %v", ticks)
			}
			for _, v := range ticks {
				if at := s.at(v); !(at > -1e-6 && at < 1+1e-6) {
					t.Fatalf("tick %g is at %g", v, at)
				}
			}
		}
	})
}

func TestSpark(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{[]float64{0, 1, 2, 3, 4, 5, 6, 7}, "▁▂▃▄▅▆▇█"},
		{[]float64{1188, nan, 24}, "█ ▁"},
		{[]float64{-1, 0, 1}, "▁▅█"},
		{[]float64{0, 0}, "▁▁"},
		{[]float64{5, 5}, "██"},
		{nil, ""},
	} {
		if got := unicodeGlyphs.spark(c.values); got != c.want {
			t.Errorf("spark(%v) = %q, want %q", c.values, got, c.want)
		}
	}
	long := make([]float64, 1000)
	for i := range long {
		long[i] = float64(i)
	}
	if got := []rune(unicodeGlyphs.spark(long)); len(got) != maxSpark || got[0] != '▁' || got[maxSpark-1] != '█' {
		t.Errorf("a long series is condensed to %d, got %q", maxSpark, string(got))
	}
}

// Means of runs keep the mean of the whole when the runs are equal.
func TestCondenseKeepsTheMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		k := rapid.IntRange(1, 20).Draw(t, "k")
		values := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), n*k, n*k).Draw(t, "values")
		mean := func(v []float64) (m float64) {
			for _, x := range v {
				m += x / float64(len(v))
			}
			return m
		}
		if a, b := mean(values), mean(condense(values, n)); math.Abs(a-b) > 1e-6 {
			t.Fatalf("mean %g became %g", a, b)
		}
	})
}
