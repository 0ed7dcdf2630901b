// Package goroutines holds the goroutines of a Go program as groups of equal
// stacks, and reads them from the text that /debug/pprof/goroutine?debug=2, a
// SIGQUIT and a crash write. Profiles in pprof's format are read by
// heapdump/pprof, into the same groups.
//
// It knows how the runtime names what a goroutine waits for. What the waiting
// means for the service is the business of analyze/pending/goproc.
package goroutines
