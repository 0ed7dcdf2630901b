package chn01

import (
	"testing"

	"example.com/kneeline/analyze/lint/worst"
)

// The tries that a finding advises fit with the waits between them.
func TestEach(t *testing.T) {
	for _, tt := range []struct {
		call worst.Call
		room float64
		want string
	}{
		{worst.Call{Tries: 3}, 2.96, "with 3 tries, 986ms each"},
		{worst.Call{Tries: 3, Waits: 0.2}, 2.96, "with 3 tries and waits of 200ms, 920ms each"},
		{worst.Call{Tries: 3, Waits: 4}, 2.96, "the waits between 3 tries alone are 4s, so fewer of them"},
	} {
		if got := each(tt.call, tt.room); got != tt.want {
			t.Errorf("%+v in %v: %q, want %q", tt.call, tt.room, got, tt.want)
		}
	}
}
