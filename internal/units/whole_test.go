package units

import "testing"

func TestWhole(t *testing.T) {
	hundred, tenths := 100.0, 1.1 // variables: constants are multiplied without rounding
	for _, tt := range []struct{ x, floor, ceil float64 }{
		{0, 0, 0}, {480, 480, 480}, {479.4, 479, 480},
		{0.29 * hundred, 29, 29},              // 28.999999999999996
		{tenths * tenths * hundred, 121, 121}, // 121.00000000000001
	} {
		if floor, ceil := Floor(tt.x), Ceil(tt.x); floor != tt.floor || ceil != tt.ceil {
			t.Errorf("%v: %v and %v, want %v and %v", tt.x, floor, ceil, tt.floor, tt.ceil)
		}
	}
}
