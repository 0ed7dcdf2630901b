package cmd

import "example.com/kneeline/internal/finding"

// severityWord is the name of a severity that stands as a number in a gate.
func severityWord(v float64) string { return finding.Severity(v).String() }
