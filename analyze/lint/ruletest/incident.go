package ruletest

import (
	"path/filepath"
	"testing"

	"example.com/kneeline/analyze/lint/rule"
)

// Finds holds a rule against one file of a directory, or against the chain that the file is
// of, as [Run] does, and reports whether it is to find anything there.
func Finds(t *testing.T, r rule.Rule, dir, file string) bool {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(file))
	if chain := filepath.Dir(path); isChain(chain) {
		return checkChain(t, r, chain)
	}
	return check(t, r, dir, path)
}
