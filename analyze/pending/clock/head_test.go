package clock

import (
	"testing"
	"time"
)

// TestHeadOnly has stamps at the head of a queue alone.
func TestHeadOnly(t *testing.T) {
	rng := seeded()
	at := millis(poisson(rng, 5000, 90*time.Second, 5*time.Second))
	anyTime := mapped(at, func(int, int64) int64 { return taken.UnixMilli() - 1000 - rng.Int64N(3_600_000) })
	for _, tt := range []struct {
		name      string
		values    []int64
		from, to  int // entries with a stamp
		preferred bool
		want      bool
	}{
		{"the head", at, 0, 40, true, true},
		{"a few of the head", at, 0, 12, true, false},
		{"all but the first", at, 1, 41, true, true},
		{"further back", at, 200, 900, true, false},
		{"opened at any time", anyTime, 0, 40, true, false},
		{"all, in another order", anyTime, 0, 5000, true, false},
		{"a field that nobody knows", at, 0, 40, false, false},
	} {
		valid := make([]bool, len(at))
		for i := tt.from; i < tt.to; i++ {
			valid[i] = true
		}
		q := Queue{Entries: 5000, Columns: []Column{{Source: "EndPoint#_created", Values: tt.values, Valid: valid, Preferred: tt.preferred}}}
		if got, _ := (Config{Now: taken}).Ages(q); got != nil {
			t.Errorf("%s: ages of all: %+v", tt.name, got)
		}
		got, ok := Config{Now: taken}.HeadOnly(q)
		if ok != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, ok, tt.want)
		}
		if ok {
			near(t, tt.name, got.Age, 90*time.Second, 20*time.Millisecond)
			if got.Known != float64(tt.to-tt.from)/5000 || got.Unit != EpochMillis || got.Oldest < got.Age {
				t.Errorf("%+v", got)
			}
		}
	}
}
