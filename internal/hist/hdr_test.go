package hist

import (
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"pgregory.net/rapid"
)

// TestHDRIsRead: the reference implementation for Go reads what is written, with
// every sample, and its quantiles are ours within both errors.
func TestHDRIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h Hist
		for _, v := range rapid.SliceOfN(rapid.Int64Range(0, Limit-1), 0, 30).Draw(t, "samples") {
			v >>= rapid.IntRange(0, 40).Draw(t, "shift")
			for range rapid.IntRange(1, 300).Draw(t, "times") {
				h.Record(v)
			}
		}
		o, err := hdrhistogram.Decode([]byte(h.HDR()))
		if err != nil {
			t.Fatal(err)
		}
		if o.TotalCount() != int64(h.Count()) {
			t.Fatalf("%d samples read, %d written", o.TotalCount(), h.Count())
		}
		if h.Count() == 0 {
			return
		}
		for _, q := range []float64{0, 0.5, 0.9, 0.99, 1} {
			// The two round the rank in their own ways, by at most one sample.
			one := 1 / float64(h.Count())
			low, high := float64(h.Quantile(q-one)), float64(h.Quantile(q+one))
			if theirs := float64(o.ValueAtQuantile(100 * q)); theirs < low*(1-RelativeError-0.01)-2 || theirs > high*(1+RelativeError+0.01)+2 {
				t.Fatalf("quantile %v: ours %v to %v, theirs %v", q, low, high, theirs)
			}
		}
		if most := o.Max(); !o.ValuesAreEquivalent(most, h.Max()) {
			t.Fatalf("maximum %d, read as %d", h.Max(), most)
		}
	})
}

// Counts beyond 56 bits take the ninth byte, and values beyond the range its end.
func TestHDREdges(t *testing.T) {
	var h Hist
	h.Record(5)
	h.Record(3 * Limit)
	o, err := hdrhistogram.Decode([]byte(h.HDR()))
	if err != nil || o.TotalCount() != 2 || o.Min() != 5 || o.Max() < Limit/2 {
		t.Errorf("%v: %d samples from %d to %d", err, o.TotalCount(), o.Min(), o.Max())
	}
	h.buckets[5], h.count = 1<<61, 1<<61+1
	if o, err = hdrhistogram.Decode([]byte(h.HDR())); err != nil || o.TotalCount() != 1<<61+1 {
		t.Errorf("%v: %d samples", err, o.TotalCount())
	}
	var empty Hist
	if o, err = hdrhistogram.Decode([]byte(empty.HDR())); err != nil || o.TotalCount() != 0 {
		t.Errorf("empty: %v", err)
	}
}

func FuzzHDR(f *testing.F) {
	f.Add(int64(0), int64(1), uint16(3))
	f.Add(int64(1e9), int64(Limit), uint16(1000))
	f.Fuzz(func(t *testing.T, a, b int64, times uint16) {
		var h Hist
		h.Record(a)
		for range times {
			h.Record(b)
		}
		o, err := hdrhistogram.Decode([]byte(h.HDR()))
		if err != nil || o.TotalCount() != int64(times)+1 {
			t.Fatalf("%d + %d × %d: %v", a, times, b, err)
		}
	})
}
