package headroom

import "math"

// counter draws Poisson counts by inversion: the same uniform number gives a
// count that never falls as the mean grows, so that two rates played with the
// same numbers differ by the rate alone.
type counter struct {
	lo    int
	cdf   []float64
	guide []int32 // where the search in cdf starts, by u
}

const guides = 256

func newCounter(mean float64) *counter {
	if mean <= 0 {
		return &counter{cdf: []float64{1}, guide: make([]int32, guides)}
	}
	spread := 7*math.Sqrt(mean) + 12
	lo := int(max(0, mean-spread))
	hi := int(mean + spread)
	c := &counter{lo: lo, cdf: make([]float64, 0, hi-lo+1), guide: make([]int32, guides)}
	lg, _ := math.Lgamma(float64(lo) + 1)
	p := math.Exp(float64(lo)*math.Log(mean) - mean - lg)
	total := 0.0
	for k := lo; k <= hi; k++ {
		total += p
		c.cdf = append(c.cdf, total)
		p *= mean / float64(k+1)
	}
	c.cdf[len(c.cdf)-1] = 1
	i := 0
	for g := range c.guide {
		for c.cdf[i] <= float64(g)/guides {
			i++
		}
		c.guide[g] = int32(i)
	}
	return c
}

// at returns the count for a uniform number in [0, 1).
func (c *counter) at(u float32) float64 {
	x := float64(u)
	i := int(c.guide[int(x*guides)])
	for i < len(c.cdf)-1 && c.cdf[i] <= x {
		i++
	}
	return float64(c.lo + i)
}
