package headroom

import (
	"math"

	"example.com/kneeline/loadgen"
)

// RetryAfter tells whether the service's hints were honest: of the requests that
// were planned within a second after a hint had run out, at a rate no higher than
// when it was given, how many succeeded.
type RetryAfter struct {
	// Hinted are the refusals with a hint, Judged those whose hint ran out while
	// load was still offered.
	Hinted uint64 `json:"hinted_count"`
	Judged uint64 `json:"judged_count"`
	// After are the requests that followed such a hint, Succeeded those that were
	// answered in time with a success.
	After     uint64   `json:"after_count"`
	Succeeded uint64   `json:"succeeded_count"`
	Share     *float64 `json:"succeeded_ratio,omitempty"`
}

// retryAfter is the account of hints, nil when the service gave none.
func retryAfter(h loadgen.Hints) *RetryAfter {
	if h.Given == 0 {
		return nil
	}
	r := &RetryAfter{Hinted: h.Given, Judged: h.Judged, After: h.After, Succeeded: h.Good}
	if h.After > 0 {
		r.Share = ptr(float64(h.Good) / float64(h.After))
	}
	return r
}

const (
	// keptShare is the share of requests after a hint that have to succeed for the
	// hint to be worth more than a coin.
	keptShare = 0.5
	// leastAfter is how many requests a judgement needs.
	leastAfter = 50
)

// broken reports whether fewer than [keptShare] of the requests after a hint
// succeed, by more than three standard deviations of a share.
func (r *RetryAfter) broken() bool {
	if r == nil || r.After < leastAfter {
		return false
	}
	sd := math.Sqrt(keptShare * (1 - keptShare) / float64(r.After))
	return *r.Share < keptShare-3*sd
}

// With returns the sum of two accounts; nil is none.
func (r *RetryAfter) With(o *RetryAfter) *RetryAfter {
	if r == nil {
		return o
	}
	if o == nil {
		return r
	}
	return retryAfter(loadgen.Hints{Given: r.Hinted + o.Hinted, Judged: r.Judged + o.Judged,
		After: r.After + o.After, Good: r.Succeeded + o.Succeeded})
}
