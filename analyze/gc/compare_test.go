package gc

import (
	"math/rand/v2"
	"testing"

	"example.com/kneeline/gcparse"
)

// drawn is a log with pauses of a mean length, one a second for an hour.
func drawn(t *testing.T, seed uint64, mean float64, length int) *Log {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 9))
	p := newTape(t, gcparse.G1)
	for i := range length {
		p.young(float64(i), mean*(0.5+r.ExpFloat64()/2), heapMiB(900, 100, 1024))
	}
	return p.judge()
}

func row(c *Comparison, name string) Row {
	for _, r := range c.Rows {
		if r.Name == name {
			return r
		}
	}
	return Row{}
}

func TestCompare(t *testing.T) {
	c := Compare(drawn(t, 1, 0.06, 3600), drawn(t, 2, 0.03, 3600))
	if c.Verdict != Better || row(c, "overhead").Verdict != Better || row(c, "pause p99").Verdict != Better {
		t.Errorf("%s: %s %+v", c.Verdict, c.Sentence, c.Rows)
	}
	wantIn(t, c.Sentence, "after is better", "overhead 6.", "to 3.0%")
	if c = Compare(drawn(t, 2, 0.03, 3600), drawn(t, 1, 0.06, 3600)); c.Verdict != Worse {
		t.Errorf("%s: %s", c.Verdict, c.Sentence)
	}
	if c = Compare(drawn(t, 1, 0.03, 60), drawn(t, 2, 0.03, 3600)); len(c.Warnings) == 0 {
		t.Error("no word of lengths that differ")
	}
	short := drawn(t, 1, 0.03, 5)
	if c = Compare(short, short); c.Verdict != CannotTell {
		t.Errorf("%s: %s", c.Verdict, c.Sentence)
	}
}

// Logs that differ by chance alone are called different no more often than the
// intervals allow: each of five figures at the least.
func TestCompareByChance(t *testing.T) {
	different := 0
	const pairs = 60
	for i := range uint64(pairs) {
		c := Compare(drawn(t, 100+2*i, 0.03, 1200), drawn(t, 101+2*i, 0.03, 1200))
		if c.Verdict != NoDifference {
			different++
			t.Logf("%s", c.Sentence)
		}
	}
	if different > pairs/10 {
		t.Errorf("%d of %d pairs without a difference are called different", different, pairs)
	}
}

// An overload that has gone is better, whatever the means say.
func TestCompareOverload(t *testing.T) {
	before, after := host(t, "before.log", 0.9, 300, 400), host(t, "after.log", 0.02, 300, 400)
	c := Compare(before, after)
	if c.Verdict != Better || row(c, "peak overhead").Verdict != Better {
		t.Errorf("%s: %s", c.Verdict, c.Sentence)
	}
	wantIn(t, row(c, "peak overhead").Basis, "80% before", "none after")
}
