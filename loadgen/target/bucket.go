package target

import "math"

// bucket is a token bucket on the model's clock. It keeps the instant at which
// it would be full again instead of a count of tokens, so that many small
// refills do not add up their rounding.
type bucket struct {
	gap   float64 // ns between tokens; 0 limits nothing
	slack float64 // how far off fullAt may be for one more request to pass
	// fullAt is when the bucket will be full, if it is not.
	fullAt float64
}

func newBucket(l RateLimit) bucket {
	if l.PerSecond == 0 {
		return bucket{}
	}
	gap := 1e9 / l.PerSecond
	return bucket{gap: gap, slack: (l.Burst - 1) * gap}
}

// take takes a token at an instant. Without one it returns how long, in ns, the
// next takes to come.
func (b *bucket) take(at int64) (ok bool, wait int64) {
	if b.gap == 0 {
		return true, 0
	}
	full := math.Max(b.fullAt, float64(at))
	if early := full - float64(at) - b.slack; early > 0 {
		return false, int64(math.Ceil(early))
	}
	b.fullAt = full + b.gap
	return true, 0
}
