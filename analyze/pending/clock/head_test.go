package clock

import (
	"slices"
	"testing"
	"time"
)

// TestHeadOnly has stamps at the head of a queue alone.
func TestHeadOnly(t *testing.T) {
	at := millis(poisson(seeded(), 5000, 90*time.Second, 5*time.Second))
	for _, tt := range []struct {
		name      string
		from, to  int // entries with a stamp
		preferred bool
		want      bool
	}{
		{"the head", 0, 40, true, true},
		{"a few of the head", 0, 12, true, false},
		{"not the first", 1, 40, true, false},
		{"further back", 200, 900, true, false},
		{"a field that nobody knows", 0, 40, false, false},
		{"in no order", 0, 40, true, false},
	} {
		valid := make([]bool, len(at))
		for i := tt.from; i < tt.to; i++ {
			valid[i] = true
		}
		at := slices.Clone(at)
		if tt.name == "in no order" {
			for i := range 40 {
				at[i] = at[0] - 60_000*int64(i*7%40)
			}
		}
		q := Queue{Entries: 5000, Columns: []Column{{Source: "EndPoint#_created", Values: at, Valid: valid, Preferred: tt.preferred}}}
		if got, _ := (Config{Now: taken}).Ages(q); got != nil {
			t.Errorf("%s: ages of all: %+v", tt.name, got)
		}
		got, ok := Config{Now: taken}.HeadOnly(q)
		if ok != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, ok, tt.want)
		}
		if ok {
			near(t, "head", got.Age, 90*time.Second, 2*time.Millisecond)
			if got.Known != 40.0/5000 || got.Unit != EpochMillis || got.Oldest < got.Age {
				t.Errorf("%+v", got)
			}
		}
	}
}
