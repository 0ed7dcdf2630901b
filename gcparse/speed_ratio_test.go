//go:build unix

package gcparse

import (
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Reading stays within a factor of splitting lines, which is measured beside it
// so that the machine does not matter. The best of several rounds counts.
func TestSpeedAgainstSplittingLines(t *testing.T) {
	if os.Getenv("KNEELINE_E2E") != "1" {
		t.Skip("a measurement in real time, run with the end-to-end tests")
	}
	for _, l := range bigLogs(t, 64<<20) {
		// Sums over interleaved rounds of about the same length: what else goes on
		// slows both down alike. More rounds only while the machine is busy.
		var floor, read time.Duration
		share := 0.0
		for round := range 30 {
			begin := processorTime(t)
			splitLines(l.text)
			floor += processorTime(t) - begin
			begin = processorTime(t)
			readBig(t, l, 1)
			read += processorTime(t) - begin
			if share = float64(floor) / float64(read); share >= leastShare && round >= 7 {
				break
			}
		}
		t.Logf("%s: %.1f %% of the speed of splitting lines", l.name, 100*share)
		if share < leastShare {
			t.Errorf("%s: %.1f %% of the speed of splitting lines, want at least %.0f %%", l.name, 100*share, 100*leastShare)
		}
	}
}

// leastShare is where the guard stands. Reading alone comes to 8 % and more of the
// speed of splitting lines (docs/benchmarks-gc.md); the rest is room for a machine
// whose caches others use.
const leastShare = 0.05

// processorTime is what this process has used so far: what other processes take of
// the machine is not in it.
func processorTime(t *testing.T) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
