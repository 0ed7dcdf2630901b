package headroom

import "example.com/kneeline/analyze/headroom/stat"

// tQuantile returns the two-sided 95 % quantile of Student's t with df degrees
// of freedom: the x with P(|t| <= x) = 0.95. It is infinite for df < 1.
func tQuantile(df float64) float64 { return stat.TQuantile(0.025, df) }
