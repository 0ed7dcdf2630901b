//go:build unix

package loadgen

import "golang.org/x/sys/unix"

// raiseFiles returns how many files the process may open, after raising the
// limit to the hard one if fewer than need are allowed; false where no limit is
// known.
func raiseFiles(need uint64) (uint64, bool) {
	var lim unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &lim); err != nil {
		return 0, false
	}
	if uint64(lim.Cur) >= need {
		return uint64(lim.Cur), true
	}
	hard := lim
	hard.Cur = hard.Max
	if unix.Setrlimit(unix.RLIMIT_NOFILE, &hard) == nil {
		lim = hard
	}
	return uint64(lim.Cur), true
}
