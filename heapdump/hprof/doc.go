// Package hprof reads HPROF dumps of Java heaps, of HotSpot, Android and others,
// into the model of package heapdump, in one pass: a pipe is enough.
//
// One goroutine reads the stream, cuts it into chunks of whole records and takes
// the results in the order of the file; others go through the objects of the
// chunks. What is found in a chunk depends on its bytes and on decisions taken
// from chunks a fixed number before it, never on timing, so a dump gives the same
// heap whether it comes from a file, gzip or a pipe and however many processors
// there are.
//
// Memory is bounded whatever lengths the dump claims: the named limits in
// limits.go hold, large stores go to an unlinked temporary file, and what does
// not fit is counted in [heapdump.Heap.Losses]. A dump may be cut anywhere, have
// garbage in a segment, or refer to what it does not hold.
//
// The package knows the format; which classes matter and what they mean is for
// those above it to say, by [Options.Keep].
package hprof
