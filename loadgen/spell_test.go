package loadgen

import (
	"testing"
	"time"

	"example.com/kneeline/internal/outcome"
	"pgregory.net/rapid"
)

// TestSpellsProperty guards that spells lose no request and no end: whatever the
// order and however many, counts add up, the first and the last instant stay, and
// the spells are apart, in order, and few.
func TestSpellsProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ats := rapid.SliceOfN(rapid.Int64Range(0, int64(200*time.Second)), 1, 200).Draw(t, "instants")
		var one, a, b Spells
		lo, hi := ats[0], ats[0]
		for i, at := range ats {
			lo, hi = min(lo, at), max(hi, at)
			one.note(at)
			if i%2 == 0 {
				a.note(at)
			} else {
				b.note(at)
			}
		}
		a.Merge(b, 0)
		for _, s := range []Spells{one, a} {
			n := uint64(0)
			for i, p := range s {
				n += p.Count
				if p.Last < p.First || i > 0 && p.First-s[i-1].Last <= SpellGap {
					t.Fatalf("%v", s)
				}
			}
			if n != uint64(len(ats)) || len(s) > maxSpells || int64(s[0].First) != lo || int64(s[len(s)-1].Last) != hi {
				t.Fatalf("%d instants from %d to %d became %v", len(ats), lo, hi, s)
			}
		}
	})
}

func TestTroubleIsKept(t *testing.T) {
	var a, b Segment
	a.noteTrouble(outcome.Failed, CauseReset, int64(time.Second))
	a.noteTrouble(outcome.Full, "", int64(time.Second))
	b.noteTrouble(outcome.Failed, CauseReset, int64(1500*time.Millisecond))
	b.noteTrouble(outcome.TimedOut, "", int64(4*time.Second))
	b.noteTrouble(outcome.Shed, "", int64(5*time.Second))
	a.mergeTrouble(&b)
	if len(a.When) != 3 || len(*a.When["timed out"]) != 1 || len(*a.When["shed"]) != 1 {
		t.Errorf("%v", a.When)
	}
	if got, want := (*a.When[CauseReset])[0], (Spell{time.Second, 1500 * time.Millisecond, 2}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}
