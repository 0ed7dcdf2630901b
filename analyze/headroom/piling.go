package headroom

import (
	"math"
	"time"

	"example.com/kneeline/loadgen"
)

// Bounds of a queue that grows: by at least this share of the requests of a piece,
// and so many standard deviations of their number.
const (
	growsShare = 0.05
	growsSigma = 4
)

// piling is what pieces of a curve say of a queue that grew while the SLO still
// held: a short piece ends before the queue is long enough to be seen in bad
// requests, and its rate is then none that the service bears.
type piling struct {
	// most is the highest rate of completions while the queue grew, steady the
	// highest rate below at which it did not; 0 where there is none.
	most, steady float64
	// under says that the queue grew at a rate up to the estimate.
	under bool
}

func findPiling(pieces []piece, tl *loadgen.Timeline, est float64) (g piling) {
	for _, p := range pieces {
		counts, ended := tl.Sum(p.from, p.to)
		seconds := (p.to - p.from).Seconds()
		if counts.Planned == 0 || seconds <= 0 {
			continue
		}
		n := float64(counts.Planned)
		grew := float64(ended.InFlight) - float64(inFlightAt(tl, p.from))
		switch {
		case grew > growsShare*n && grew > growsSigma*math.Sqrt(n):
			g.under = g.under || p.rate <= est
			g.most = max(g.most, float64(ended.Answered)/seconds)
		case p.rate <= est:
			g.steady = max(g.steady, p.rate)
		}
	}
	return g
}

// inFlightAt is how many requests were under way at an instant of a run.
func inFlightAt(tl *loadgen.Timeline, at time.Duration) uint32 {
	i := int((at+loadgen.WindowWidth-1)/loadgen.WindowWidth) - 1
	if i < 0 || i >= len(tl.Windows) {
		return 0
	}
	return tl.Windows[i].InFlight
}

// bound keeps a capacity that was read from short pieces to what the service
// completed while its queue grew; it reports whether it had to.
func (g piling) bound(c *Interval) bool {
	if !g.under || g.most == 0 || c.Estimate <= g.most {
		return false
	}
	low := 0.95 * g.most
	if g.steady > 0 {
		low = min(low, g.steady)
	}
	c.Estimate, c.High = g.most, min(c.High, 1.05*g.most)
	c.Low = min(c.Low, low)
	return true
}
