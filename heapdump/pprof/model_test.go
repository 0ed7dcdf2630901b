package pprof

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.com/kneeline/heapdump/goroutines"
)

// drawn is a profile as Read leaves one.
func drawn(t *rapid.T, kind Kind) *Profile {
	var samples []Sample
	for range rapid.IntRange(0, 12).Draw(t, "samples") {
		s := Sample{Count: rapid.Int64Range(0, 9).Draw(t, "count"), InuseBytes: rapid.Int64Range(0, 9).Draw(t, "bytes"), Size: rapid.Int64Range(0, 2).Draw(t, "size")}
		for range rapid.IntRange(0, 3).Draw(t, "depth") {
			s.Frames = append(s.Frames, goroutines.Frame{Func: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "func"), Line: rapid.IntRange(0, 2).Draw(t, "line")})
		}
		samples = append(samples, s)
	}
	return &Profile{
		Kind: kind, Processes: 1, Samples: sum(samples, nil),
		Taken:  time.Unix(rapid.Int64Range(1, 100).Draw(t, "taken"), 0),
		Period: rapid.Int64Range(0, 4).Draw(t, "period"),
		Stats:  map[string]int64{"Stack": rapid.Int64Range(0, 5).Draw(t, "stack")},
	}
}

// A fleet's profiles add up to the same in any order and in any grouping.
func TestMergeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawn(t, Heap), drawn(t, Heap), drawn(t, Heap)
		merge := func(ps ...*Profile) *Profile {
			m, err := Merge(ps...)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		want := merge(a, b, c)
		for _, got := range []*Profile{merge(c, a, b), merge(merge(a, b), c), merge(a, merge(c, b))} {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatal(diff)
			}
		}
		d, err := Diff(merge(a, b), a)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(b.Samples, d.Samples); diff != "" {
			t.Fatal("a + b - a is not b: ", diff)
		}
	})
}

func TestKindsDoNotMix(t *testing.T) {
	a, b := &Profile{Kind: Heap}, &Profile{Kind: Goroutine}
	const want = "expected profiles of one kind, found goroutine and heap"
	for _, order := range [][]*Profile{{a, b}, {b, a}} {
		if _, err := Merge(order...); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, err := Diff(a, b); err == nil {
		t.Error("a base of another kind was taken")
	}
	if _, err := Merge(); err == nil {
		t.Error("nothing was merged")
	}
}
