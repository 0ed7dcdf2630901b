package headroom

import (
	"fmt"
	"math"

	"example.com/kneeline/internal/outcome"
)

// load is one point of throughput against concurrency.
type load struct {
	n float64 // mean number of requests in the system
	x float64 // completions per second
}

// loads returns the sound segments with answers enough to be a point.
func loads(runs []*run) []load {
	var out []load
	for _, r := range runs {
		for i := range r.Segments {
			s := &r.Segments[i]
			h := &s.Latency[outcome.Full]
			if s.Void != "" || h.Count() < 20 || s.Duration <= 0 {
				continue
			}
			x := float64(h.Count()) / s.Duration.Seconds()
			out = append(out, load{n: x * h.Mean() / 1e9, x: x})
		}
	}
	return out
}

// fitUSL fits Gunther's law X(N) = λN / (1 + α(N−1) + βN(N−1)). Divided through
// it is linear: N/X = (1/λ)·1 + (α/λ)(N−1) + (β/λ)N(N−1); least squares on the
// relative error, with coefficients below zero left out. It needs six points, and
// a spread of concurrency.
//
// Source: N. J. Gunther, Guerrilla Capacity Planning, 2007, chapter 5.
func fitUSL(points []load, served float64) *USL {
	if len(points) < 6 {
		return nil
	}
	lo, hi := math.Inf(1), 0.0
	for _, p := range points {
		lo, hi = min(lo, p.n), max(hi, p.n)
	}
	if hi < 4*lo {
		return nil
	}
	use := [3]bool{true, true, true}
	for {
		c, ok := leastSquares(points, use)
		if !ok || c[0] <= 0 {
			return nil
		}
		again := false
		for i := 2; i >= 1; i-- {
			if use[i] && c[i] < 0 {
				use[i], again = false, true
				break
			}
		}
		if again {
			continue
		}
		u := &USL{Lambda: 1 / c[0], Alpha: c[1] / c[0], Beta: c[2] / c[0]}
		u.Hint = uslHint(u, served)
		return u
	}
}

// leastSquares solves the normal equations of the columns in use by elimination.
func leastSquares(points []load, use [3]bool) (c [3]float64, ok bool) {
	var a [3][4]float64
	for _, p := range points {
		y := p.n / p.x
		row := [4]float64{1, p.n - 1, p.n * (p.n - 1), y}
		for i := range 3 {
			for j := range 4 {
				a[i][j] += row[i] * row[j] / (y * y)
			}
		}
	}
	for i := range 3 {
		if !use[i] {
			a[i] = [4]float64{}
			for j := range 3 {
				a[j][i] = 0
			}
			a[i][i] = 1
		}
	}
	for i := range 3 {
		if math.Abs(a[i][i]) < 1e-12 {
			return c, false
		}
		for j := range 3 {
			if j == i {
				continue
			}
			f := a[j][i] / a[i][i]
			for k := i; k < 4; k++ {
				a[j][k] -= f * a[i][k]
			}
		}
	}
	for i := range 3 {
		c[i] = a[i][3] / a[i][i]
	}
	return c, true
}

// uslHint says in words what the figures look like.
func uslHint(u *USL, served float64) string {
	k := math.Round(served)
	switch peak := math.Sqrt((1 - u.Alpha) / u.Beta); {
	case u.Beta > 0 && u.Alpha < 1 && peak < 4*served && u.Beta*peak > 0.05:
		return fmt.Sprintf("throughput falls again beyond about %.0f requests at once: work that grows with every pair of them, such as a contended lock or cache", peak)
	case k <= 1:
		return "looks like one request served at a time: a single worker, or a lock around all of the work"
	default:
		return fmt.Sprintf("looks like about %.0f requests served at once, with a queue in front of them", k)
	}
}
