// Package hist records durations in log-linear histograms that merge exactly.
package hist
