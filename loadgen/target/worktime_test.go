package target

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestWorktime checks the arithmetic of stalls against counting instant by
// instant.
func TestWorktime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		every := rapid.Int64Range(2, 12).Draw(t, "every")
		length := rapid.Int64Range(1, every-1).Draw(t, "length")
		w := newWorktime(Stall{Length: time.Duration(length), Every: time.Duration(every)})
		stalled := func(at int64) bool { return at >= every && at%every < length }
		worked := int64(0)
		for at := range int64(60) {
			if got := w.worked(at); got != worked {
				t.Fatalf("worked(%d) = %d, want %d", at, got, worked)
			}
			resume := at
			for stalled(resume) {
				resume++
			}
			if got := w.resume(at); got != resume {
				t.Fatalf("resume(%d) = %d, want %d", at, got, resume)
			}
			if !stalled(at) {
				worked++
			}
		}
	})
}

// TestRing checks the queue against a plain slice.
func TestRing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var r ring
		var want []request
		for i, op := range rapid.SliceOfN(rapid.IntRange(0, 4), 1, 200).Draw(t, "operations") {
			switch {
			case op >= 2: // more pushes than pops, so that it grows
				q := request{id: uint64(i), arrived: int64(i)}
				r.push(q)
				want = append(want, q)
			case len(want) == 0:
			case op == 0:
				if got := r.popOldest(); got != want[0] {
					t.Fatalf("oldest %v, want %v", got, want[0])
				}
				want = want[1:]
			default:
				last := len(want) - 1
				if got := r.popYoungest(); got != want[last] {
					t.Fatalf("youngest %v, want %v", got, want[last])
				}
				want = slices.Clone(want[:last])
			}
			if r.n != len(want) {
				t.Fatalf("%d in the queue, want %d", r.n, len(want))
			}
		}
	})
}
