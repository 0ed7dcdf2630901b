package target

import "math"

// bucket is a token bucket on the model's clock.
type bucket struct {
	perNano, size float64
	tokens        float64
	last          int64
}

func newBucket(l RateLimit) bucket {
	return bucket{perNano: l.PerSecond / 1e9, size: l.Burst, tokens: l.Burst}
}

// take takes a token at an instant. Without one it returns how long, in ns, the
// next takes to come.
func (b *bucket) take(at int64) (ok bool, wait int64) {
	if b.perNano == 0 {
		return true, 0
	}
	b.tokens = math.Min(b.size, b.tokens+float64(at-b.last)*b.perNano)
	b.last = at
	if b.tokens >= 1 {
		b.tokens--
		return true, 0
	}
	return false, int64(math.Ceil((1 - b.tokens) / b.perNano))
}
