package worst

import (
	"math"

	"example.com/kneeline/analyze/lint/model"
)

// Waits returns the sum of the longest waits between so many tries, in seconds. Each
// wait is the multiplier times the one before, up to the cap. A jitter of 1 takes the
// wait anywhere between 0 and its length (full jitter); a smaller share moves it both
// ways, so that the longest is over its length.
//
// Settings that are absent count for no wait, no growth, no cap and no jitter; a
// multiplier below 1 counts for no growth.
func Waits(b model.Backoff, tries float64) float64 {
	stretch := 1.0
	if j := jitter(b); j < 1 {
		stretch = 1 + j
	}
	return stretch * waits(b, tries)
}

// LeastWaits is the sum of the shortest waits between so many tries.
func LeastWaits(b model.Backoff, tries float64) float64 {
	if jitter(b) == 1 {
		return 0
	}
	return (1 - jitter(b)) * waits(b, tries)
}

// Longest returns the longest single wait between so many tries.
func Longest(b model.Backoff, tries float64) float64 {
	n := tries - 1
	if n < 1 || base(b) == 0 {
		return 0
	}
	last := base(b)
	if m := multiplier(b); m > 1 {
		last *= math.Pow(m, n-1)
	}
	if last > limit(b) {
		last = limit(b)
	}
	if j := jitter(b); j < 1 {
		last *= 1 + j
	}
	return last
}

// waits is the sum without jitter: a geometric series up to the cap, constant after.
func waits(b model.Backoff, tries float64) float64 {
	n, first, m, most := tries-1, base(b), multiplier(b), limit(b)
	switch {
	case !(n > 0) || first == 0:
		return 0
	case first >= most:
		return n * most
	case m == 1:
		return n * first
	}
	growing := n
	if !math.IsInf(most, 1) {
		growing = min(n, math.Ceil(math.Log(most/first)/math.Log(m)))
	}
	sum := first * (math.Pow(m, growing) - 1) / (m - 1)
	if n > growing {
		sum += (n - growing) * most
	}
	return sum
}

func base(b model.Backoff) float64 {
	if !b.Base.Finite() {
		return 0
	}
	return max(b.Base.Amount, 0)
}

func multiplier(b model.Backoff) float64 {
	if !b.Multiplier.Finite() {
		return 1
	}
	return max(b.Multiplier.Amount, 1)
}

func limit(b model.Backoff) float64 {
	if !b.Max.Finite() || b.Max.Amount <= 0 {
		return math.Inf(1)
	}
	return b.Max.Amount
}

func jitter(b model.Backoff) float64 {
	if !b.Jitter.Finite() {
		return 0
	}
	return min(max(b.Jitter.Amount, 0), 1)
}
