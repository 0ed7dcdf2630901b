//go:build unix

package loadgen

import (
	"golang.org/x/sys/unix"

	"example.com/kneeline/internal/fault"
)

// spareFiles is how many descriptors are left to the rest of the process.
const spareFiles = 32

// checkFiles makes sure that the offer's connections can be opened: it raises
// the limit on open files to the hard limit if need be.
func checkFiles(o *Offer) error {
	need := uint64(o.ConnBound()) + spareFiles
	var lim unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &lim); err != nil {
		return nil // no limit known; one that is met is reported as such
	}
	if uint64(lim.Cur) >= need {
		return nil
	}
	hard := lim
	hard.Cur = hard.Max
	if unix.Setrlimit(unix.RLIMIT_NOFILE, &hard) == nil {
		lim = hard
	}
	if uint64(lim.Cur) >= need {
		return nil
	}
	return fault.WithHint(
		fault.NoAnswerf("the load may need %d connections, but this process may open only %d files", o.ConnBound(), lim.Cur),
		"raise the limit (ulimit -n), or lower the peak rate or the timeout: connections are bounded at 1.5 × rate × timeout")
}
