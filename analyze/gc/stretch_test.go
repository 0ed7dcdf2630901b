package gc

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/gcparse"
)

// The highest rate over ten seconds or more is no lower than any such stretch
// whose ends the parts keep, and no higher than the highest of one interval.
func TestStretch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "n")
		var s stretch
		var total, length int64
		fastest := 0.0
		for range n {
			bytes, took := rapid.Int64Range(0, 1<<30).Draw(t, "bytes"), rapid.Int64Range(1e6, 2e9).Draw(t, "ns")
			s.add(bytes, took)
			total, length = total+bytes, length+took
			fastest = max(fastest, float64(bytes)/seconds(took))
		}
		if s.hasHighest != (length >= peakSpan) {
			t.Fatalf("%d ns: has a highest: %v", length, s.hasHighest)
		}
		if s.highest > fastest*(1+1e-9) {
			t.Fatalf("highest %v, of one interval %v", s.highest, fastest)
		}
		if s.n > slots || s.ns > length || s.bytes > total {
			t.Fatalf("%d parts, %d bytes of %d in %d ns of %d", s.n, s.bytes, total, s.ns, length)
		}
	})
}

// A burst of ten seconds is found wherever it lies, and pauses are no part of the
// time, as they are none of that of the mean.
func TestAllocationPeak(t *testing.T) {
	p := newTape(t, gcparse.Parallel)
	at := 0.0
	for i := range 120 {
		mib := int64(100)
		if i >= 47 && i < 58 {
			mib = 400
		}
		p.young(at+1, 3, heapMiB(1000+mib, 1000, 4096))
		at += 4
	}
	l := p.judge()
	if mean := *l.Rates.Allocation / (1 << 20); math.Abs(mean-(119*100+11*300)/119.0) > 0.01 {
		t.Errorf("mean %v MiB/s", mean)
	}
	if peak := *l.Rates.AllocationPeak / (1 << 20); math.Abs(peak-400) > 1 {
		t.Errorf("peak %v MiB/s", peak)
	}
}

// Where the intervals are such that each stretch of ten seconds has a slow one, all
// of the log is the fastest.
func TestAllocationPeakIsNotBelowTheMean(t *testing.T) {
	p := newTape(t, gcparse.Parallel)
	for i, mib := range []int64{0, 900, 1, 900} {
		p.young(float64(9*i)+1, 0.01, heapMiB(1000+mib, 1000, 4096))
	}
	l := p.judge()
	if *l.Rates.AllocationPeak < *l.Rates.Allocation {
		t.Errorf("peak %v, mean %v", *l.Rates.AllocationPeak, *l.Rates.Allocation)
	}
}
