// Package pprof reads the profiles of Go programs: heap, goroutine, block, mutex
// and threadcreate, in pprof's protobuf and in the older text form that
// /debug/pprof/…?debug=1 writes. It adds up the profiles of a fleet and takes the
// difference to a base.
//
// Parsing is github.com/google/pprof/profile's, which scales the text form of
// heap profiles; the protobuf form is scaled by the runtime. CPU profiles are
// refused: they say nothing of what is held or waited for.
package pprof
