// Package hist records durations in log-linear histograms that merge exactly.
//
// A [Hist] takes one latency at a time in constant memory and constant time.
// Every histogram has the same buckets, so that merging is integer addition:
// the histogram of two halves of a run is the histogram of the run, to the
// last count, in whatever order the parts are merged.
//
// Values are nanoseconds. It is not a general-purpose sketch: it knows no
// negative values and no range beyond [Limit].
package hist

import (
	"math"
	"math/bits"
)

// Hist is a histogram of durations in nanoseconds. The zero value is ready for
// use and small; the buckets (20 KiB) come with the first sample, and nothing
// is allocated after it.
//
// A Hist has one writer at a time. A copy made by assignment shares its buckets
// with the original and must not be used beside it: use [Hist.Clone].
type Hist struct {
	buckets *[numBuckets]uint64
	count   uint64
	// sumHi and sumLo are one 128-bit integer. A float64 sum would depend on the
	// order of merges.
	sumHi, sumLo uint64
	min, max     int64
}

// Record adds one sample. A negative one counts as 0; one beyond [Limit] goes to
// the last bucket, while Sum and Max keep its exact value.
func (h *Hist) Record(ns int64) {
	if ns < 0 {
		ns = 0
	}
	if h.count == 0 {
		h.start(ns)
	}
	h.buckets[index(ns)]++
	h.count++
	if ns > h.max {
		h.max = ns
	}
	if ns < h.min {
		h.min = ns
	}
	var carry uint64
	h.sumLo, carry = bits.Add64(h.sumLo, uint64(ns), 0)
	h.sumHi += carry
}

// start prepares h for its first sample. It is apart from Record to keep the
// rare path out of the hot function.
func (h *Hist) start(ns int64) {
	if h.buckets == nil {
		h.buckets = new([numBuckets]uint64)
	}
	h.min, h.max = ns, ns
}

// Merge adds all samples of o to h. A nil o adds nothing.
func (h *Hist) Merge(o *Hist) {
	if o == nil || o.count == 0 {
		return
	}
	if h.count == 0 {
		h.start(o.min)
	}
	for i, n := range o.buckets {
		h.buckets[i] += n
	}
	h.count += o.count
	h.min = min(h.min, o.min)
	h.max = max(h.max, o.max)
	var carry uint64
	h.sumLo, carry = bits.Add64(h.sumLo, o.sumLo, 0)
	h.sumHi += o.sumHi + carry
}

// Clone returns a copy of h that shares nothing with it.
func (h *Hist) Clone() Hist {
	c := *h
	if h.buckets != nil {
		b := *h.buckets
		c.buckets = &b
	}
	return c
}

// Reset removes all samples and keeps the memory.
func (h *Hist) Reset() {
	if h.buckets != nil {
		clear(h.buckets[:])
	}
	*h = Hist{buckets: h.buckets}
}

// Count returns the number of samples.
func (h *Hist) Count() uint64 { return h.count }

// Sum returns the exact sum of all samples in nanoseconds, rounded once.
func (h *Hist) Sum() float64 {
	if h.sumHi == 0 {
		return float64(h.sumLo)
	}
	return float64(h.sumHi)*math.Exp2(64) + float64(h.sumLo)
}

// Mean returns the exact mean in nanoseconds, 0 when h is empty.
func (h *Hist) Mean() float64 {
	if h.count == 0 {
		return 0
	}
	return h.Sum() / float64(h.count)
}

// Min returns the least sample exactly, 0 when h is empty.
func (h *Hist) Min() int64 { return h.min }

// Max returns the greatest sample exactly, 0 when h is empty.
func (h *Hist) Max() int64 { return h.max }

// Quantile returns the q-quantile: the least value with at least ⌈q·n⌉ of the n
// samples at or below it, to within [RelativeError]. It answers with the
// middle of that sample's bucket, moved into [Min, Max]; the first and the last
// sample are known exactly. A q outside [0, 1] is moved into it; an empty h and
// a q that is no number give 0.
func (h *Hist) Quantile(q float64) int64 {
	if h.count == 0 || math.IsNaN(q) {
		return 0
	}
	r := rank(q, h.count)
	switch {
	case r <= 1:
		return h.min
	case r >= h.count:
		return h.max
	}
	var seen uint64
	for i, n := range h.buckets {
		seen += n
		if seen >= r {
			return min(max(middle(i), h.min), h.max)
		}
	}
	return h.max
}

// rank returns ⌈q·n⌉. The product is lowered by two roundings first, or q = 0.07
// of n = 100 would ask for the eighth sample: 0.07·100 is 7.000000000000001 in
// floating point.
func rank(q float64, n uint64) uint64 {
	const below = 1 - 0x1p-51
	r := math.Ceil(q * float64(n) * below)
	switch {
	case r <= 0:
		return 0
	case r >= float64(n):
		return n
	}
	return uint64(r)
}

// CountAbove returns how many samples lie in buckets wholly above ns. It is exact
// below Min, from Max up and where ns ends a bucket; elsewhere it leaves out the
// samples above ns in ns's own bucket, whose width is below 1.6 % of ns. Where a
// limit is known before the run, count against it exactly instead.
func (h *Hist) CountAbove(ns int64) uint64 {
	switch {
	case h.count == 0 || ns >= h.max:
		return 0
	case ns < h.min:
		return h.count
	}
	var above uint64
	for _, n := range h.buckets[index(ns)+1:] {
		above += n
	}
	return above
}
