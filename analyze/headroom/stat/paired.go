package stat

import (
	"math"
	"math/rand/v2"
)

// exactPairs is up to how many pairs all signs are gone through; with more, a
// sample of them is.
const (
	exactPairs = 16
	flips      = 1 << 16
)

// SignFlip returns the two-sided p-value of the differences within pairs being
// symmetric about 0, by the mean: how often the mean with signs at random is as far
// from 0 (R. A. Fisher, The design of experiments, 1935, section 21). Where the
// order within each pair was drawn at random and the two sides are alike, the test
// is exact whatever the distribution: no more than a share α of such comparisons
// has p ≤ α. rng is used with more than 16 pairs only.
func SignFlip(d []float64, rng *rand.Rand) float64 {
	seen, scale := 0.0, 0.0
	for _, v := range d {
		seen += v
		scale += math.Abs(v)
	}
	if scale == 0 || math.IsNaN(seen) {
		return 1
	}
	// What differs by rounding alone is as far.
	seen = math.Abs(seen) - 1e-12*scale
	if len(d) <= exactPairs {
		far := 0
		for signs := range 1 << len(d) {
			if math.Abs(flipped(d, uint64(signs))) >= seen {
				far++
			}
		}
		return float64(far) / float64(int(1)<<len(d))
	}
	far := 1 // the signs as seen are one of those that could have been
	for range flips {
		sum := 0.0
		for from := 0; from < len(d); from += 64 {
			sum += flipped(d[from:min(from+64, len(d))], rng.Uint64())
		}
		if math.Abs(sum) >= seen {
			far++
		}
	}
	return float64(far) / (flips + 1)
}

// flipped sums up with the signs that the bits say.
func flipped(d []float64, signs uint64) float64 {
	sum := 0.0
	for i, v := range d {
		if signs>>i&1 == 1 {
			v = -v
		}
		sum += v
	}
	return sum
}

// PairedMean is the mean of differences within pairs with its interval by
// Student's t, and the p-value of [SignFlip]. The p-value decides; the interval
// says how large the difference may be.
func PairedMean(d []float64, alpha float64, rng *rand.Rand) Difference {
	mean, v := meanVar(d)
	out := Difference{Value: mean, Low: math.Inf(-1), High: math.Inf(1), P: SignFlip(d, rng)}
	if n := float64(len(d)); n >= 2 {
		half := TQuantile(alpha/2, n-1) * math.Sqrt(v/n)
		out.Low, out.High = mean-half, mean+half
	}
	return out
}

// LeastP is the least p-value that [SignFlip] can give for so many pairs.
func LeastP(pairs int) float64 {
	if pairs > exactPairs {
		return 1.0 / (flips + 1)
	}
	return math.Exp2(float64(1 - pairs))
}
