// Package nearest finds what a user most likely meant by a misspelt name.
//
// It is for names typed by people and lists of at most a few hundred; it knows
// nothing of what the names stand for.
package nearest

import (
	"slices"
	"strings"
)

// maxLength bounds the names compared, since the time grows with the product
// of their lengths.
const maxLength = 64

// To returns the candidate closest to name, and false when none is close: at
// most one edit in three letters, or name is the beginning of just one
// candidate. Case does not matter. Of equally close candidates it is the first
// in alphabetical order.
func To(name string, candidates []string) (string, bool) {
	if name == "" || len(name) > maxLength {
		return "", false
	}
	folded := strings.ToLower(name)
	best, bestDistance := "", len(folded)/3+1
	var begun []string
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		if len(c) > maxLength {
			continue
		}
		other := strings.ToLower(c)
		if d := Distance(folded, other); d < bestDistance {
			best, bestDistance = c, d
		}
		if strings.HasPrefix(other, folded) {
			begun = append(begun, c)
		}
	}
	if best == "" && len(begun) == 1 {
		best = begun[0]
	}
	return best, best != ""
}

// Distance returns the least number of bytes to insert, delete or replace, or of
// neighbours to swap, that turn a into b without touching a swapped pair again
// (the optimal string alignment distance).
func Distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
