package loadgen

import (
	"slices"
	"time"

	"example.com/kneeline/internal/outcome"
)

// Hints tells whether the Retry-After hints of refusals were honest: how the
// requests fared that were planned just after a hint had run out. A request counts
// once however many hints it follows, and only where it was planned at a rate no
// higher than that of the refused request, since a hint can know of no other load.
type Hints struct {
	// Given are the refusals of planned requests that had a hint, Judged those
	// whose time ran out before the last planned request.
	Given, Judged uint64
	// After are the requests planned within [HintLook] after a hint had run out,
	// Good those that were answered in time with a success.
	After, Good uint64
}

// HintLook is how long after the end of a hint requests are held to its word.
const HintLook = time.Second

const (
	// maxHints bounds the hints that have yet to run out; more are not judged. They
	// are kept by windows, so that this is 40 seconds of unbroken refusals at least.
	maxHints = 4096
	// maxHintSeconds is the longest hint that is waited for.
	maxHintSeconds = 3600
)

// promise is the end of the hints that were given in one window.
type promise struct {
	end  int64 // ns since the run's start
	rate float64
	n    uint64
}

// hintBook is what one loop knows of hints.
type hintBook struct {
	Hints
	pending []promise // by end
	until   int64     // requests planned before this follow a hint
	rate    float64   // of the hints that they follow
}

// given notes a hint of some seconds in an answer at t to a request that was
// planned at a rate.
func (b *hintBook) given(t, seconds int64, rate float64) {
	b.Given++
	if seconds > maxHintSeconds {
		return
	}
	// Rounded up: a request must not be held to a hint that has yet to run out.
	w := int64(WindowWidth)
	end := (t + seconds*1e9 + w - 1) / w * w
	i, _ := slices.BinarySearchFunc(b.pending, end, func(p promise, end int64) int {
		switch {
		case p.end < end:
			return -1
		case p.end > end:
			return 1
		}
		return 0
	})
	if i < len(b.pending) && b.pending[i].end == end {
		b.pending[i].n++
		b.pending[i].rate = min(b.pending[i].rate, rate)
		return
	}
	if len(b.pending) < maxHints {
		b.pending = slices.Insert(b.pending, i, promise{end, rate, 1})
	}
}

// follows reports whether a request planned at p and at a rate follows a hint. It
// is asked in the order of planning.
func (b *hintBook) follows(p int64, rate float64) bool {
	done := 0
	for ; done < len(b.pending) && b.pending[done].end <= p; done++ {
		h := b.pending[done]
		b.Judged += h.n
		if until := h.end + int64(HintLook); until > p {
			if b.until > p {
				b.rate = min(b.rate, h.rate) // where hints overlap, the one that says less
			} else {
				b.rate = h.rate
			}
			b.until = until
		}
	}
	if done > 0 {
		b.pending = slices.Delete(b.pending, 0, done)
	}
	return p < b.until && rate <= b.rate
}

// fared counts the outcome of a request that follows a hint.
func (b *hintBook) fared(c outcome.Class) {
	if c == outcome.InFlight || c == outcome.NeverSent {
		return // the run's end and the generator are not the service's
	}
	b.After++
	if c == outcome.Full || c == outcome.Degraded {
		b.Good++
	}
}

// Add adds another account to h.
func (h *Hints) Add(o Hints) {
	h.Given += o.Given
	h.Judged += o.Judged
	h.After += o.After
	h.Good += o.Good
}
