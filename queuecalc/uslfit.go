package queuecalc

import "math"

// uslCandidate is a law fitted with some of its parameters held at 0.
type uslCandidate struct {
	law     USL
	free    [2]bool // whether σ and κ were fitted
	squares float64 // Σ (X − X(N))²
}

// fitFree returns the best law with the parameters that are free; false where
// that has a parameter outside its range.
//
// N/X = (1 + σ(N−1) + κN(N−1))/γ is linear in 1/γ, σ/γ and κ/γ. Solving that is
// the start; errors there weigh X²/N in X, so each equation is weighted by X²/N.
// Steps of Gauss and Newton on X itself, halved until they help, do the rest.
func fitFree(points []Point, free [2]bool) (uslCandidate, bool) {
	b, ok := linearStart(points, free)
	if !ok || b[0] <= 0 {
		return uslCandidate{}, false
	}
	squares := uslSquares(points, b)
	for range 100 {
		step, ok := gaussNewton(points, b, free)
		if !ok {
			break
		}
		next, better := shorten(points, b, step, squares)
		if !better {
			break
		}
		improved := squares - uslSquares(points, next)
		b, squares = next, squares-improved
		if improved <= 1e-15*squares {
			break
		}
	}
	law := USL{Gamma: 1 / b[0], Sigma: b[1] / b[0], Kappa: b[2] / b[0]}
	valid := b[1] >= 0 && b[2] >= 0 && law.check() == nil
	return uslCandidate{law, free, squares}, valid
}

// basis returns the factors of 1/γ, σ/γ and κ/γ in 1/X(N).
func basis(n float64, free [2]bool) [3]float64 {
	f := [3]float64{1 / n, 1 - 1/n, n - 1}
	for i := range free {
		if !free[i] {
			f[i+1] = 0
		}
	}
	return f
}

// inverse returns 1/X(N) for b = (1, σ, κ)/γ.
func inverse(b [3]float64, n float64) float64 {
	return b[0]/n + b[1]*(1-1/n) + b[2]*(n-1)
}

// uslSquares returns Σ (X − X(N))², +Inf where X(N) is not positive.
func uslSquares(points []Point, b [3]float64) float64 {
	sum := 0.0
	for _, p := range points {
		y := inverse(b, p.Concurrency)
		if !(y > 0) {
			return math.Inf(1)
		}
		d := p.Throughput - 1/y
		sum += d * d
	}
	return sum
}

// linearStart solves the weighted linear problem for b.
func linearStart(points []Point, free [2]bool) ([3]float64, bool) {
	rows := make([][4]float64, 0, len(points))
	for _, p := range points {
		f := basis(p.Concurrency, free)
		w := p.Throughput * p.Throughput
		rows = append(rows, [4]float64{w * f[0], w * f[1], w * f[2], p.Throughput})
	}
	return leastSquares(rows, free)
}

// gaussNewton returns the step from b: the linear problem for the residuals of
// X with the derivatives ∂X/∂b = −X² · basis.
func gaussNewton(points []Point, b [3]float64, free [2]bool) ([3]float64, bool) {
	rows := make([][4]float64, 0, len(points))
	for _, p := range points {
		f := basis(p.Concurrency, free)
		x := 1 / inverse(b, p.Concurrency)
		w := -x * x
		rows = append(rows, [4]float64{w * f[0], w * f[1], w * f[2], p.Throughput - x})
	}
	return leastSquares(rows, free)
}

// shorten halves a step until it lowers the squares; false where it never does.
func shorten(points []Point, b, step [3]float64, squares float64) ([3]float64, bool) {
	for factor := 1.0; factor > 1e-6; factor /= 2 {
		next := b
		for i := range next {
			next[i] += factor * step[i]
		}
		if next[0] > 0 && uslSquares(points, next) < squares {
			return next, true
		}
	}
	return b, false
}

// leastSquares returns the x with the least |Ax − y|² for rows (A | y), the
// columns that are not free at 0, by orthogonal columns (modified Gram-Schmidt),
// which unlike the normal equations does not square the condition; false where
// the columns depend on each other.
func leastSquares(rows [][4]float64, free [2]bool) (x [3]float64, ok bool) {
	columns := []int{0}
	for i := range free {
		if free[i] {
			columns = append(columns, i+1)
		}
	}
	var r [3][4]float64
	for i, c := range columns {
		before := norm(rows, c)
		for _, earlier := range columns[:i] {
			project(rows, &r, earlier, c)
		}
		length := norm(rows, c)
		if !(length > 1e-12*before) || math.IsInf(length, 0) {
			return x, false
		}
		r[c][c] = length
		for j := range rows {
			rows[j][c] /= length
		}
		project(rows, &r, c, 3)
	}
	for i := len(columns) - 1; i >= 0; i-- {
		c := columns[i]
		x[c] = r[c][3]
		for _, later := range columns[i+1:] {
			x[c] -= r[c][later] * x[later]
		}
		x[c] /= r[c][c]
	}
	return x, true
}

// project takes the part along the unit column c out of column d.
func project(rows [][4]float64, r *[3][4]float64, c, d int) {
	for j := range rows {
		r[c][d] += rows[j][c] * rows[j][d]
	}
	for j := range rows {
		rows[j][d] -= r[c][d] * rows[j][c]
	}
}

func norm(rows [][4]float64, c int) float64 {
	sum := 0.0
	for j := range rows {
		sum += rows[j][c] * rows[j][c]
	}
	return math.Sqrt(sum)
}
