package hist

import (
	"iter"
	"math/bits"
)

// The buckets: values below 128 ns have one each; every octave above has 64 of
// equal width. A bucket's width is at most 1/64 of its lowest value, so that its
// middle is off by at most 1/128. A power of two keeps the index free of
// divisions and logarithms.
const (
	subBits    = 6
	subBuckets = 1 << subBits
	limitBits  = 45
	numBuckets = (limitBits - subBits + 1) * subBuckets
)

// Limit is the first value, in nanoseconds, that has no bucket of its own: 9.8
// hours. Samples from there on share the last bucket below it.
const Limit = 1 << limitBits

// RelativeError bounds the distance between a sample below [Limit] and the
// middle of its bucket, as a share of the sample.
const RelativeError = 1.0 / (2 * subBuckets)

// index returns the bucket of a value that is not negative.
func index(ns int64) int {
	v := uint64(min(ns, Limit-1))
	shift := bits.Len64(v|subBuckets) - (subBits + 1)
	return shift<<subBits + int(v>>shift)
}

// bounds returns the lowest and the highest value of bucket i.
func bounds(i int) (low, high int64) {
	if i < 2*subBuckets {
		return int64(i), int64(i)
	}
	shift := i>>subBits - 1
	low = int64(subBuckets+i&(subBuckets-1)) << shift
	return low, low + 1<<shift - 1
}

func middle(i int) int64 {
	low, high := bounds(i)
	return low + (high-low)/2
}

// Bucket is one bucket with samples: Count of them from Low to High
// nanoseconds, both included.
type Bucket struct {
	Low, High int64
	Count     uint64
}

// Buckets goes through the buckets that hold samples, in ascending order. The
// last bucket also holds the samples beyond [Limit].
func (h *Hist) Buckets() iter.Seq[Bucket] {
	return func(yield func(Bucket) bool) {
		if h.count == 0 {
			return
		}
		for i, n := range h.buckets {
			if n == 0 {
				continue
			}
			low, high := bounds(i)
			if !yield(Bucket{low, high, n}) {
				return
			}
		}
	}
}
