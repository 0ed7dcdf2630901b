package hist

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"pgregory.net/rapid"
)

// drawSamples draws latencies over all magnitudes, with repetitions.
func drawSamples(t *rapid.T, name string) []int64 {
	one := rapid.Custom(func(t *rapid.T) int64 {
		return rapid.Int64Range(0, 1<<rapid.IntRange(0, limitBits).Draw(t, "magnitude")-1).Draw(t, "ns")
	})
	return rapid.SliceOfN(one, 0, 300).Draw(t, name)
}

func record(samples []int64) *Hist {
	var h Hist
	for _, v := range samples {
		h.Record(v)
	}
	return &h
}

// exactRank is ⌈q·n⌉ with q as the decimal that was drawn, in whole numbers.
func exactRank(millionths, n int64) int64 {
	return (millionths*n + 999_999) / 1_000_000
}

// TestAgainstSortedSlice guards count, sum, extremes, quantiles and tail counts
// against the samples themselves.
func TestAgainstSortedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := drawSamples(t, "samples")
		h := record(samples)
		sorted := slices.Sorted(slices.Values(samples))
		n := int64(len(sorted))
		if h.Count() != uint64(n) {
			t.Fatalf("count %d of %d", h.Count(), n)
		}
		if n == 0 {
			return
		}
		sum := new(big.Int)
		for _, v := range sorted {
			sum.Add(sum, big.NewInt(v))
		}
		want, _ := new(big.Float).SetInt(sum).Float64()
		if h.Sum() != want || h.Mean() != want/float64(n) || h.Min() != sorted[0] || h.Max() != sorted[n-1] {
			t.Fatalf("sum %v (want %v), min %d, max %d", h.Sum(), want, h.Min(), h.Max())
		}
		millionths := rapid.Int64Range(0, 1_000_000).Draw(t, "q in millionths")
		sample := sorted[max(exactRank(millionths, n), 1)-1]
		got := h.Quantile(float64(millionths) / 1e6)
		if math.Abs(float64(got-sample)) > RelativeError*float64(sample) {
			t.Fatalf("quantile %d/1e6 of %d samples is %d, the sample is %d", millionths, n, got, sample)
		}
		limit := rapid.SampledFrom(sorted).Draw(t, "limit") + rapid.Int64Range(-2, 2).Draw(t, "offset")
		if limit < 0 || limit >= Limit {
			return
		}
		_, end := bounds(index(limit))
		if got := h.CountAbove(limit); got > countAbove(sorted, limit) || got < countAbove(sorted, end) {
			t.Fatalf("%d above %d, want %d to %d", got, limit, countAbove(sorted, end), countAbove(sorted, limit))
		}
		if got := h.CountAbove(end); got != countAbove(sorted, end) {
			t.Fatalf("%d above the bucket's end %d, want exactly %d", got, end, countAbove(sorted, end))
		}
	})
}

func countAbove(sorted []int64, limit int64) uint64 {
	i, _ := slices.BinarySearch(sorted, limit+1)
	return uint64(len(sorted) - i)
}

// TestMergeIsExact guards that parts add up to the whole, in any order and any
// grouping, down to the last field.
func TestMergeIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := drawSamples(t, "a"), drawSamples(t, "b"), drawSamples(t, "c")
		whole := record(slices.Concat(a, b, c))
		left := record(a)
		left.Merge(record(b))
		left.Merge(record(c))
		inner := record(c)
		inner.Merge(record(b))
		right := new(Hist)
		right.Merge(inner)
		right.Merge(record(a))
		for _, h := range []*Hist{left, right} {
			if !same(h, whole) {
				t.Fatalf("parts add up to %d samples, sum %v, [%d, %d]; the whole has %d, %v, [%d, %d], or buckets differ",
					h.Count(), h.Sum(), h.Min(), h.Max(), whole.Count(), whole.Sum(), whole.Min(), whole.Max())
			}
		}
	})
}

func same(a, b *Hist) bool {
	x, y := *a, *b
	x.buckets, y.buckets = nil, nil
	return x == y && slices.Equal(slices.Collect(a.Buckets()), slices.Collect(b.Buckets()))
}

// TestMergeOfItselfDoubles guards the one case in which source and target share
// their buckets.
func TestMergeOfItselfDoubles(t *testing.T) {
	h, want := record([]int64{1, 500, 1 << 40}), record([]int64{1, 500, 1 << 40, 1, 500, 1 << 40})
	h.Merge(h)
	if !same(h, want) {
		t.Fatalf("merged with itself: %d samples, sum %v", h.Count(), h.Sum())
	}
}

// TestAgainstHDR compares with an independent histogram of three significant
// digits. The two may differ by both errors together.
func TestAgainstHDR(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := drawSamples(t, "samples")
		if len(samples) == 0 {
			return
		}
		h := record(samples)
		oracle := hdrhistogram.New(1, Limit, 3)
		for _, v := range samples {
			if err := oracle.RecordValue(v); err != nil {
				t.Fatalf("oracle refuses %d: %v", v, err)
			}
		}
		if h.Count() != uint64(oracle.TotalCount()) {
			t.Fatalf("count %d, oracle %d", h.Count(), oracle.TotalCount())
		}
		n := int64(len(samples))
		for _, millionths := range []int64{500_000, 900_000, 990_000, 999_000, 1_000_000} {
			// The oracle rounds q·n to the nearest rank: what is a quarter below r, it
			// answers for r.
			r := exactRank(millionths, n)
			want := oracle.ValueAtQuantile(100 * (float64(r) - 0.25) / float64(n))
			got := h.Quantile(float64(millionths) / 1e6)
			if math.Abs(float64(got-want)) > (RelativeError+0.001)*float64(want) {
				t.Fatalf("quantile %d/1e6 is %d, oracle says %d", millionths, got, want)
			}
		}
	})
}

func TestBucketsStopWhenAsked(t *testing.T) {
	h := record([]int64{1, 2, 1000, 1000})
	var got []Bucket
	for b := range h.Buckets() {
		got = append(got, b)
		if len(got) == 3 {
			break
		}
	}
	if want := []Bucket{{1, 1, 1}, {2, 2, 1}, {1000, 1007, 2}}; !slices.Equal(got, want) {
		t.Fatalf("buckets %v, want %v", got, want)
	}
}

func TestMemory(t *testing.T) {
	if size := 8 * numBuckets; size > 20<<10 {
		t.Errorf("buckets take %d bytes, promised 20 KiB", size)
	}
	var h, o Hist
	h.Record(1)
	o.Record(1 << 40)
	if n := testing.AllocsPerRun(1000, func() { h.Record(1 << 30); h.Merge(&o); _ = h.Quantile(0.99) }); n != 0 {
		t.Errorf("%v allocations after the first sample", n)
	}
}
