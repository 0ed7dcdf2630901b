package model

import (
	"math"
	"testing"
)

func TestString(t *testing.T) {
	for _, tt := range []struct {
		v    Value
		want string
	}{
		{Value{}, "not set"},
		{Value{Origin: Hole, Raw: "${X}"}, "${X}"},
		{Value{Origin: Set, Unit: Seconds, Amount: 1.5}, "1.5s"},
		{Value{Origin: Set, Unit: Seconds, Amount: math.Inf(1)}, "no limit"},
		{Value{Origin: Set, Unit: Seconds, Raw: "soon", Amount: math.NaN()}, "soon"},
		{Value{Origin: Set, Unit: Flag}, "off"},
		{Value{Origin: Set, Text: "G1"}, "G1"},
	} {
		if got := tt.v.String(); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.v, got, tt.want)
		}
	}
}
