package clock

import "sort"

// longestRise returns the indexes of a longest subsequence of values that never
// falls, in O(n log n). Of an unordered column of n values it has about 2√n
// (Vershik and Kerov 1977; Logan and Shepp 1977), so that a share near one cannot
// come about by chance.
func longestRise(values []int64) []int {
	tails := make([]int, 0, len(values)) // tails[k]: end of the best rise of length k+1
	before := make([]int, len(values))
	for i, v := range values {
		k := sort.Search(len(tails), func(k int) bool { return values[tails[k]] > v })
		before[i] = -1
		if k > 0 {
			before[i] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, i)
		} else {
			tails[k] = i
		}
	}
	rise := make([]int, len(tails))
	if len(tails) == 0 {
		return rise
	}
	for k, i := len(tails)-1, tails[len(tails)-1]; k >= 0; k, i = k-1, before[i] {
		rise[k] = i
	}
	return rise
}

// coarse returns values in steps of grain, rounded down. Threads that take
// stamps side by side enter a queue in an order that differs a little from that
// of their stamps; in coarse steps such neighbours are equal.
func coarse(values []int64, grain int64) []int64 {
	if grain <= 1 {
		return values
	}
	out := make([]int64, len(values))
	for i, v := range values {
		out[i] = floorDiv(v, grain)
	}
	return out
}

// floorDiv divides, rounding towards minus infinity, so that steps do not change
// their width at zero.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// quantile returns the q-quantile of sorted values, the lower of two neighbours.
func quantile(sorted []int64, q float64) int64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[int(q*float64(len(sorted)-1))]
}

// sortedCopy returns values in rising order.
func sortedCopy(values []int64) []int64 {
	out := append([]int64(nil), values...)
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}
