package gc

import (
	"math"
	"slices"
)

// samples keeps a series of minima in a bounded number: when there are too many,
// two neighbours become the lower one.
type samples struct {
	at, value []int64
	// each sample stands for so many; got are those of the next.
	each, got int
	least     int64
	leastAt   int64
}

// maxSamples bounds the samples; their slopes are half its square.
const maxSamples = 256

func (s *samples) add(at, value int64) {
	if s.each == 0 {
		s.each = 1
	}
	if s.got == 0 || value < s.least {
		s.least, s.leastAt = value, at
	}
	if s.got++; s.got < s.each {
		return
	}
	s.got = 0
	if len(s.at) == maxSamples {
		for i := range maxSamples / 2 {
			j := 2 * i
			if s.value[j+1] < s.value[j] {
				j++
			}
			s.at[i], s.value[i] = s.at[j], s.value[j]
		}
		s.at, s.value = s.at[:maxSamples/2], s.value[:maxSamples/2]
		s.each *= 2
	}
	s.at, s.value = append(s.at, s.leastAt), append(s.value, s.least)
}

// bins is in how many equal parts of time a trend is looked at.
const bins = 48

// even returns the least sample of each part of the time that has one. Without it a
// trend would be that of the times with the most collections.
func (s *samples) even() (at, value []int64) {
	n := len(s.at)
	if n == 0 {
		return nil, nil
	}
	first, span := s.at[0], s.at[n-1]-s.at[0]+1
	last := int64(-1)
	for i, t := range s.at {
		bin := int64(float64(t-first) / float64(span) * bins)
		switch k := len(at) - 1; {
		case bin != last:
			at, value, last = append(at, t), append(value, s.value[i]), bin
		case s.value[i] < value[k]:
			at[k], value[k] = t, s.value[i]
		}
	}
	return at, value
}

// trend is a slope with its 95 % confidence interval, per second, and the value of
// the line at the end.
type trend struct {
	n                int
	slope, low, high float64
	level            float64
	span             float64 // seconds
}

// theilSen returns the median of the slopes of all pairs, with the interval of
// Sen (1968): of N slopes in order those at (N ∓ 1.96 σ)/2, where σ² is the
// variance of Kendall's statistic, n(n−1)(2n+5)/18. It asks nothing of the noise
// but that it is independent and the same at all times, and bears outliers.
func theilSen(at, value []int64) (trend, bool) {
	n := len(at)
	if n < minTrend {
		return trend{}, false
	}
	slopes := make([]float64, 0, n*(n-1)/2)
	for i := range n {
		for j := i + 1; j < n; j++ {
			if dx := float64(at[j]-at[i]) / 1e9; dx > 0 {
				slopes = append(slopes, float64(value[j]-value[i])/dx)
			}
		}
	}
	if len(slopes) < minTrend {
		return trend{}, false
	}
	slices.Sort(slopes)
	pairs := float64(len(slopes))
	sigma := math.Sqrt(float64(n) * float64(n-1) * float64(2*n+5) / 18)
	pick := func(rank float64) float64 {
		return slopes[min(max(int(math.Round(rank))-1, 0), len(slopes)-1)]
	}
	t := trend{
		n: n, slope: median(slopes), low: pick((pairs - 1.96*sigma) / 2), high: pick((pairs+1.96*sigma)/2 + 1),
		span: float64(at[n-1]-at[0]) / 1e9,
	}
	rest := make([]float64, n)
	for i := range n {
		rest[i] = float64(value[i]) - t.slope*float64(at[i]-at[n-1])/1e9
	}
	slices.Sort(rest)
	t.level = median(rest)
	return t, true
}

// minTrend is how many samples a trend needs.
const minTrend = 8

// median is that of a sorted slice.
func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
