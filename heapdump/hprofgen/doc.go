// Package hprofgen writes HPROF heap dumps of any shape from a short description,
// for tests and measurements: queues, pools, threads, clocks and layouts whose
// truth is known, and files that break the format's rules.
//
// Objects get addresses from a virtual heap that lays them out as a VM would, so
// that the distances between addresses are the true sizes. [Dump.Truth] tells
// what a reader has to find.
//
// A mistake in a description, as a field that a class does not have, panics: the
// package is for tests and no other package imports it.
package hprofgen
