//go:build !unix

package loadgen

// checkFiles has nothing to check: the platform knows no limit on open files
// that a process could read.
func checkFiles(*Offer) error { return nil }
