package hist

import (
	"math"
	"testing"
)

func TestZeroValueIsEmpty(t *testing.T) {
	var h Hist
	if h.Count() != 0 || h.Sum() != 0 || h.Mean() != 0 || h.Min() != 0 || h.Max() != 0 || h.Quantile(0.5) != 0 || h.CountAbove(0) != 0 {
		t.Fatalf("an empty histogram answers with something: %+v", h)
	}
	for b := range h.Buckets() {
		t.Fatalf("an empty histogram has bucket %+v", b)
	}
	h.Merge(nil)
	h.Merge(&Hist{})
	h.Reset()
	if c := h.Clone(); c.buckets != nil || h.buckets != nil {
		t.Fatal("an unused histogram took memory for buckets")
	}
}

func TestBucketsTileTheRange(t *testing.T) {
	next := int64(0)
	for i := range numBuckets {
		low, high := bounds(i)
		if low != next || high < low {
			t.Fatalf("bucket %d is [%d, %d], want it to begin at %d", i, low, high, next)
		}
		if index(low) != i || index(high) != i {
			t.Fatalf("bucket %d holds %d..%d, yet they go to %d and %d", i, low, high, index(low), index(high))
		}
		for _, v := range []int64{low, high} {
			if off := math.Abs(float64(v - middle(i))); off > RelativeError*float64(v) {
				t.Fatalf("bucket %d: middle %d is off %d by %g", i, middle(i), v, off)
			}
		}
		next = high + 1
	}
	if next != Limit {
		t.Fatalf("buckets end at %d, want %d", next, int64(Limit))
	}
	if RelativeError > 0.008 {
		t.Fatalf("relative error is %g, promised 0.008", RelativeError)
	}
}

func TestSamplesAtTheEdges(t *testing.T) {
	var h Hist
	for _, v := range []int64{-5, 0, Limit - 1, Limit, math.MaxInt64, math.MaxInt64} {
		h.Record(v)
	}
	if h.Min() != 0 || h.Max() != math.MaxInt64 || h.Count() != 6 {
		t.Fatalf("min %d max %d count %d", h.Min(), h.Max(), h.Count())
	}
	if want := 2*float64(math.MaxInt64) + 2*float64(Limit); math.Abs(h.Sum()/want-1) > 1e-15 {
		t.Fatalf("sum %g, want %g: it must not wrap", h.Sum(), want)
	}
	if got := h.Quantile(1); got != math.MaxInt64 {
		t.Fatalf("Quantile(1) = %d", got)
	}
	if got := h.CountAbove(1); got != 4 {
		t.Fatalf("CountAbove(1) = %d, want 4", got)
	}
}

func TestMergedSumsDoNotWrap(t *testing.T) {
	var h Hist
	for range 5 {
		var part Hist
		part.Record(math.MaxInt64)
		h.Merge(&part)
	}
	if want := 5 * float64(math.MaxInt64); h.Sum() != want {
		t.Fatalf("sum %g, want %g", h.Sum(), want)
	}
}

func TestQuantileRanks(t *testing.T) {
	var h Hist
	for v := int64(1); v <= 100; v++ {
		h.Record(v)
	}
	for _, c := range []struct {
		q    float64
		want int64
	}{
		{-1, 1}, {0, 1}, {0.001, 1}, {0.01, 1}, {0.0101, 2}, {0.07, 7}, {0.5, 50}, {0.501, 51},
		{0.9, 90}, {0.99, 99}, {0.999, 100}, {1, 100}, {2, 100}, {math.Inf(1), 100}, {math.NaN(), 0},
	} {
		if got := h.Quantile(c.q); got != c.want {
			t.Errorf("Quantile(%v) = %d, want %d", c.q, got, c.want)
		}
	}
}

func TestResetKeepsMemoryAndForgetsSamples(t *testing.T) {
	var h Hist
	h.Record(1 << 30)
	h.Record(7)
	h.Reset()
	if h.Count() != 0 || h.Max() != 0 || h.Min() != 0 || h.Sum() != 0 {
		t.Fatalf("after Reset: %+v", h)
	}
	if n := testing.AllocsPerRun(100, func() { h.Reset(); h.Record(40) }); n != 0 {
		t.Fatalf("Record after Reset allocates %v times", n)
	}
	if h.Quantile(0.5) != 40 || h.Min() != 40 || h.Max() != 40 {
		t.Fatalf("after Reset and Record(40): min %d p50 %d max %d", h.Min(), h.Quantile(0.5), h.Max())
	}
}

func TestCloneSharesNothing(t *testing.T) {
	var h Hist
	h.Record(10)
	c := h.Clone()
	c.Record(20)
	h.Record(30)
	if h.CountAbove(25) != 1 || c.CountAbove(25) != 0 || c.Count() != 2 || h.CountAbove(15) != 1 {
		t.Fatal("clone and original see each other's samples")
	}
}
