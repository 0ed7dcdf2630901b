package hprof

import (
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/layout"
)

// However the arrays are spread over the workers, each length is counted as
// often as it is there.
func TestSpansCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type key struct {
			class  int32
			length uint32
		}
		want := map[key]int64{}
		total := newSpans()
		for range rapid.IntRange(1, 3).Draw(t, "workers") {
			one := newSpans()
			for range rapid.IntRange(0, 40).Draw(t, "kinds") {
				k := key{rapid.Int32Range(0, 3).Draw(t, "class"), rapid.Uint32().Draw(t, "length")}
				n := rapid.IntRange(1, 250).Draw(t, "arrays")
				for range n {
					one.note(k.class, k.length, 1)
				}
				want[k] += int64(n)
			}
			total.merge(one)
		}
		classes := []*heapdump.Class{{Element: 8}, {Element: 8}, {Element: 8}, {Element: 8}}
		total.lengths(classes, &layout.Layout{})
		for i, c := range classes {
			for _, l := range c.Lengths {
				k := key{int32(i), uint32(l.Length)}
				if want[k] != l.Count {
					t.Fatalf("%d arrays of class %d and length %d, not %d", l.Count, i, l.Length, want[k])
				}
				delete(want, k)
			}
		}
		for k, n := range want {
			if n >= minRepeated {
				t.Fatalf("%d arrays of class %d and length %d are missing", n, k.class, k.length)
			}
		}
	})
}

// Beyond the bound nothing is said rather than what depends on order.
func TestSpansLost(t *testing.T) {
	s := newSpans()
	for n := range uint32(maxSpans + 1) {
		s.add(uint64(n)+1, minRepeated)
	}
	classes := []*heapdump.Class{{Element: 8}}
	s.lengths(classes, &layout.Layout{})
	if !s.lost || len(classes[0].Lengths) != 0 {
		t.Errorf("lost %v, %d lengths", s.lost, len(classes[0].Lengths))
	}
}
