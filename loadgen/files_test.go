package loadgen

import (
	"math"
	"testing"
	"time"
)

// TestHighestRate checks that the rate it names is the last one that fits.
func TestHighestRate(t *testing.T) {
	limit, known := raiseFiles(math.MaxInt64)
	if !known || limit > 1<<30 {
		t.Skip("open files have no limit here, so there is nothing to fit into")
	}
	for _, o := range []Offer{
		{Timeout: time.Second},
		{Timeout: 400 * time.Millisecond, Retries: 2},
		{Timeout: time.Second, ProbeShare: 0.01, ProbeDeadline: 10 * time.Second},
	} {
		for _, many := range []bool{false, true} {
			o.PeakRate = o.HighestRate(1, many)
			if need := uint64(o.files(many) + spareFiles); need > limit+1 {
				t.Errorf("%+v needs %d files of %d", o, need, limit)
			}
			o.PeakRate *= 1.01
			if need := uint64(o.files(many) + spareFiles); need < limit {
				t.Errorf("at %g/s %d of %d files would do", o.PeakRate, need, limit)
			}
			o.PeakRate = 0
		}
	}
}
