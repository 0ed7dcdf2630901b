package headroom

import (
	"fmt"
	"math"

	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/queuecalc"
)

// loads returns the points of throughput against concurrency of the sound
// segments: by Little's law the mean number in the system is throughput × mean
// latency. The law that is fitted begins at one request at a time.
func loads(runs []*run) []queuecalc.Point {
	var out []queuecalc.Point
	for _, r := range runs {
		for i := range r.Segments {
			s := &r.Segments[i]
			h := &s.Latency[outcome.Full]
			if s.Void != "" || h.Count() < 20 || s.Duration <= 0 {
				continue
			}
			x := float64(h.Count()) / s.Duration.Seconds()
			if n := x * h.Mean() / 1e9; n >= 1 {
				out = append(out, queuecalc.Point{Concurrency: n, Throughput: x})
			}
		}
	}
	return out
}

// fitUSL fits Gunther's law where there are points enough, spread over three
// times the least concurrency; else it returns nil.
func fitUSL(points []queuecalc.Point, served float64) *USL {
	lo, hi := math.Inf(1), 0.0
	for _, p := range points {
		lo, hi = min(lo, p.Concurrency), max(hi, p.Concurrency)
	}
	if len(points) < 5 || hi < 3*lo {
		return nil
	}
	f, err := queuecalc.FitUSL(points)
	if err != nil {
		return nil // a hint that cannot be had is none
	}
	return &USL{Lambda: f.Gamma, Alpha: f.Sigma, Beta: f.Kappa, Hint: uslHint(f.USL, served)}
}

// uslHint says in words what the figures look like.
func uslHint(u queuecalc.USL, served float64) string {
	k := math.Round(served)
	peak, err := u.Peak()
	switch {
	case err == nil && peak.Exists && peak.Concurrency < 4*served && u.Kappa*peak.Concurrency > 0.05:
		return fmt.Sprintf("throughput falls again beyond about %.0f requests at once: work that grows with every pair of them, such as a contended lock or cache", peak.Concurrency)
	case k <= 1:
		return "looks like one request served at a time: a single worker, or a lock around all of the work"
	}
	return fmt.Sprintf("looks like about %.0f requests served at once, with a queue in front of them", k)
}
