package loadgen

import (
	"math"

	"example.com/kneeline/internal/fault"
)

// spareFiles is how many descriptors are left to the rest of the process.
const spareFiles = 32

// checkFiles makes sure that so many connections can be opened: it raises the
// limit on open files to the hard limit if need be.
func checkFiles(conns int) error {
	need := uint64(conns) + spareFiles
	limit, known := raiseFiles(need)
	if !known || limit >= need {
		return nil // a limit that is not known and is met is reported as such
	}
	return fault.WithHint(
		fault.NoAnswerf("the load may need %d connections, but this process may open only %d files", conns, limit),
		"raise the limit (ulimit -n), or lower the peak rate or the timeout: connections are bounded at 1.5 × rate × timeout")
}

// files is how many connections the offer may need: one for each request that can be
// under way, or for as many as an HTTP/2 service takes at the least if it is usual.
func (o *Offer) files(many bool) int {
	if many {
		return o.ConnBound()/assumedStreams + 1
	}
	return o.ConnBound()
}

// HighestRate returns the highest peak rate at which the offer's connections fit
// into share of the files that this process may open, in requests per second;
// infinite where no limit is known. It raises the limit as far as that is
// allowed. many says that connections carry many requests each, as those of
// [Version2] and [VersionH2C] do; with [VersionAuto] it is not known before the run.
func (o Offer) HighestRate(share float64, many bool) float64 {
	limit, known := raiseFiles(math.MaxInt64)
	if !known {
		return math.Inf(1)
	}
	o.PeakRate, o.MaxConns = 0, 0
	fixed := float64(o.files(many) + spareFiles)
	o.PeakRate = 1e9
	perRate := (float64(o.files(many)+spareFiles) - fixed) / o.PeakRate
	return max(1, math.Floor((float64(limit)*share-fixed)/perRate))
}
