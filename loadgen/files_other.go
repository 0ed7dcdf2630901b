//go:build !unix

package loadgen

// raiseFiles knows no limit: the platform has none that a process could read.
func raiseFiles(uint64) (uint64, bool) { return 0, false }
