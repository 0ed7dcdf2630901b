package report

import (
	"math"
	"strings"
)

// maxSpark is how many columns a sparkline takes at most.
const maxSpark = 24

// spark draws values as one character each, from zero or the least value up to
// the largest.
func (g glyphs) spark(values []float64) string {
	values = condense(values, maxSpark)
	lo, hi := 0.0, 0.0
	for _, v := range values {
		if drawable(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	var b strings.Builder
	for _, v := range values {
		switch {
		case !drawable(v):
			b.WriteByte(' ')
		case hi == lo:
			b.WriteString(g.sparks[0])
		default:
			i := int(math.Round((v/2 - lo/2) / (hi/2 - lo/2) * float64(len(g.sparks)-1)))
			b.WriteString(g.sparks[min(max(i, 0), len(g.sparks)-1)])
		}
	}
	return b.String()
}

// condense returns the means of at most n equal runs of values.
func condense(values []float64, n int) []float64 {
	if len(values) <= n {
		return values
	}
	out := make([]float64, n)
	for i := range out {
		lo, hi := i*len(values)/n, (i+1)*len(values)/n
		sum, count := 0.0, 0.0
		for _, v := range values[lo:hi] {
			if drawable(v) {
				sum, count = sum+v/float64(hi-lo), count+1
			}
		}
		out[i] = math.NaN()
		if count > 0 {
			out[i] = sum * float64(hi-lo) / count
		}
	}
	return out
}
