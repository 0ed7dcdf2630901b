// Package fleet puts the judgements of several heaps into one answer: the dumps of
// the hosts of a service, the worst first.
//
// It judges no heap itself, and draws no report.
package fleet
