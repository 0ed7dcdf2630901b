package hprof

import (
	"testing"

	"pgregory.net/rapid"
)

// Whatever the values are, they come back as they were.
func TestColumnKeepsValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.SampledFrom([]uint64{0, 1, 0x7f0000000000, 1 << 63, 1<<64 - 9}).Draw(t, "base")
		step := rapid.SampledFrom([]uint64{0, 1, 8, 256, 1 << 20, 1 << 40}).Draw(t, "step")
		var values []uint64
		for _, k := range rapid.SliceOf(rapid.Uint64Range(0, 300)).Draw(t, "values") {
			if k == 0 {
				values = append(values, 0)
			} else {
				values = append(values, base+k*step)
			}
		}
		blob := make([]byte, 3+columnHead, 64)
		blob = appendColumn(blob, 3, values, reachOf(values))
		for i, want := range values {
			if got := columnAt(blob, 3, i); got != want {
				t.Fatalf("value %d is %#x, want %#x (of %#x)", i, got, want, values)
			}
		}
	})
}

// References close to each other take four bytes each, equal numbers none.
func TestColumnWidths(t *testing.T) {
	for _, c := range []struct {
		values []uint64
		width  uint8
	}{
		{nil, 0},
		{[]uint64{0, 0}, 0},
		{[]uint64{7, 7}, 0},
		{[]uint64{0, 1}, 1},
		{[]uint64{0, 0x7f0000000008}, 0 + 1},
		{[]uint64{0, 0x7f0000000000, 0x7f0000000000 + 8*70001}, 4},
		{[]uint64{1, 1 << 40}, 8},
	} {
		r := reachOf(c.values)
		if got, _, _, _ := r.fit(); got != c.width {
			t.Errorf("%#x takes %d bytes each, want %d", c.values, got, c.width)
		}
	}
}
