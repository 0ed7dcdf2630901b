package queuecalc

import (
	"math"
	"slices"
)

// The fit works on b = (1, σ, κ)/γ, in which 1/X(N) is linear, and keeps b ≥ 0.
type uslParameters [3]float64

// leastInverse is the smallest 1/γ, for throughputs of at most 1. Points that
// pull the fit there say nothing about the throughput at a concurrency of 1.
const leastInverse = 1e-9

// least is the bound of each parameter.
var least = uslParameters{leastInverse, 0, 0}

// fitLaw returns the b ≥ 0 with the least squares of X − X(N), for points of
// throughputs up to 1.
//
// The squares may have several valleys, so the descent starts from four laws:
// the solutions of the linear problem with both, one and none of σ and κ.
func fitLaw(points []Point) (best uslParameters, squares float64) {
	squares = math.Inf(1)
	for _, free := range [][3]bool{{true, true, true}, {true, true, false}, {true, false, true}, {true, false, false}} {
		b, ok := linearStart(points, free)
		if !ok {
			continue
		}
		b.clip()
		if found, s := descend(points, b); s < squares {
			best, squares = found, s
		}
	}
	return best, squares
}

// clip moves b to the nearest law that is allowed.
func (b *uslParameters) clip() {
	for i := range b {
		b[i] = max(b[i], least[i])
	}
}

// basis returns the factors of b in 1/X(N).
func basis(n float64) [3]float64 { return [3]float64{1 / n, 1 - 1/n, n - 1} }

// throughput returns X(N).
func (b uslParameters) throughput(n float64) float64 {
	f := basis(n)
	return 1 / (b[0]*f[0] + b[1]*f[1] + b[2]*f[2])
}

// squares returns Σ (X − X(N))².
func (b uslParameters) squares(points []Point) (sum float64) {
	for _, p := range points {
		d := p.Throughput - b.throughput(p.Concurrency)
		sum += d * d
	}
	return sum
}

// linearStart solves 1/X = b·basis. An error of 1/X weighs X² in X, so each
// equation is weighted by that.
func linearStart(points []Point, free [3]bool) (uslParameters, bool) {
	rows := make([][4]float64, 0, len(points)+3)
	for _, p := range points {
		rows = append(rows, row(p.Concurrency, p.Throughput*p.Throughput, p.Throughput))
	}
	return leastSquares(rows, free)
}

// row returns the equation w·(b·basis) = y.
func row(n, w, y float64) [4]float64 {
	f := basis(n)
	return [4]float64{w * f[0], w * f[1], w * f[2], y}
}

// descend lowers the squares from b by the steps of Levenberg and Marquardt,
// kept within what is allowed, until none helps. A step that helps much less than
// the linear problem promised raises the damping like one that does not help:
// otherwise the descent may leap from side to side of a valley.
func descend(points []Point, b uslParameters) (uslParameters, float64) {
	squares, damping := b.squares(points), 1e-3
	for step := 0; step < 1000 && squares > 1e-30 && damping < 1e12; step++ {
		next, promised, ok := dampedStep(points, b, damping)
		if !ok {
			damping *= 8
			continue
		}
		if damping <= 1 && squares-promised <= 1e-14*squares {
			break // even a nearly full step has nothing to promise
		}
		s := next.squares(points)
		if gain := (squares - s) / (squares - promised); gain > 0.75 {
			damping = max(damping/8, 1e-15)
		} else if !(gain > 0.25) {
			damping *= 8
		}
		if s < squares {
			b, squares = next, s
		}
	}
	return b, squares
}

// dampedStep returns the next b and the squares that the linear problem promises
// there: that for the residuals of X with the derivatives ∂X/∂b = −X² · basis,
// shortened by damping and ended at the first bound it meets. Parameters at
// their bound that would cross it stay there.
func dampedStep(points []Point, b uslParameters, damping float64) (next uslParameters, promised float64, ok bool) {
	rows := make([][4]float64, 0, len(points)+3)
	var pull, length [3]float64
	for _, p := range points {
		x := b.throughput(p.Concurrency)
		r := row(p.Concurrency, -x*x, p.Throughput-x)
		for i := range pull {
			pull[i] += r[i] * r[3]
			length[i] += r[i] * r[i]
		}
		rows = append(rows, r)
	}
	var free [3]bool
	for i := range length {
		free[i] = b[i] > least[i] || pull[i] > 0
		var r [4]float64
		r[i] = math.Sqrt(damping * length[i])
		rows = append(rows, r)
	}
	for {
		step, ok := leastSquares(slices.Clone(rows), free)
		reach, hit := firstBound(b, step)
		if hit >= 0 && reach < 1e-3 {
			// It is at its bound, or as good as: it is held there, and the others
			// move without it.
			b[hit], free[hit] = least[hit], false
			continue
		}
		for i := range b {
			next[i] = max(b[i]+reach*step[i], least[i])
		}
		if hit >= 0 {
			next[hit] = least[hit]
		}
		for _, r := range rows[:len(points)] {
			d := r[3] - reach*(r[0]*step[0]+r[1]*step[1]+r[2]*step[2])
			promised += d * d
		}
		return next, promised, ok
	}
}

// firstBound returns the share of the step from b up to the first bound it
// crosses and whose that is; 1 and −1 where it crosses none.
func firstBound(b, step uslParameters) (reach float64, hit int) {
	reach, hit = 1, -1
	for i := range b {
		if b[i]+step[i] < least[i] {
			if r := (least[i] - b[i]) / step[i]; r < reach {
				reach, hit = r, i
			}
		}
	}
	return reach, hit
}

// leastSquares returns the x with the least |Ax − y|² for rows (A | y), the
// columns that are not free at 0, by orthogonal columns (modified Gram-Schmidt),
// which unlike the normal equations does not square the condition; false where
// the columns depend on each other.
func leastSquares(rows [][4]float64, free [3]bool) (x uslParameters, ok bool) {
	var columns []int
	for c, f := range free {
		if f {
			columns = append(columns, c)
		}
	}
	var r [3][4]float64
	for i, c := range columns {
		before := norm(rows, c)
		for _, earlier := range columns[:i] {
			project(rows, &r, earlier, c)
		}
		length := norm(rows, c)
		if !(length > 1e-13*before) {
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

// norm returns the length of column c.
func norm(rows [][4]float64, c int) float64 {
	sum := 0.0
	for j := range rows {
		sum += rows[j][c] * rows[j][c]
	}
	return math.Sqrt(sum)
}
