package queuecalc

import (
	"errors"
	"math"
)

// USL is the universal scalability law of N. J. Gunther: the throughput of a
// system at concurrency (or on that many processors) N,
//
//	X(N) = γN / (1 + σ(N − 1) + κN(N − 1))
//
// It describes measurements and hints at a cause; it knows nothing of queues and
// deadlines and is no way to find a capacity. Source: N. J. Gunther, Guerrilla
// Capacity Planning (2007).
type USL struct {
	Gamma float64 // γ, throughput at N = 1, requests per second, > 0
	Sigma float64 // σ, contention: the share of work that runs alone, ≥ 0
	Kappa float64 // κ, coherency: the cost of each pair that must agree, ≥ 0
}

// check returns what is wrong with the parameters, nil if nothing is.
func (u USL) check() error {
	return first(positive("gamma", u.Gamma), notNegative("sigma", u.Sigma), notNegative("kappa", u.Kappa))
}

// Throughput returns X(N) for N ≥ 1.
func (u USL) Throughput(n float64) (float64, error) {
	if err := u.check(); err != nil {
		return 0, err
	}
	if !(n >= 1 && n <= extreme) {
		return 0, &ArgError{"concurrency", n, "at least 1 and at most 1e+100"}
	}
	return u.at(n), nil
}

// at is X(N), as a quotient of numbers that stay small.
func (u USL) at(n float64) float64 {
	return u.Gamma / (1/n + u.Sigma*(1-1/n) + u.Kappa*(n-1))
}

// Peak is the concurrency of the highest throughput under the USL.
type Peak struct {
	Exists      bool    // false where throughput rises for ever, κ = 0 and σ < 1
	Concurrency float64 // N*, at least 1
	Throughput  float64 // X(N*), requests per second
}

// Peak returns where the throughput is highest: N* = √((1 − σ)/κ), but 1 where σ ≥ 1
// or N* < 1. With σ = 0.02 and κ = 0.0005 it is 44.3.
func (u USL) Peak() (Peak, error) {
	if err := u.check(); err != nil {
		return Peak{}, err
	}
	if u.Kappa == 0 && u.Sigma < 1 {
		return Peak{}, nil
	}
	n := 1.0
	if u.Sigma < 1 {
		n = max(math.Sqrt((1-u.Sigma)/u.Kappa), 1)
	}
	return Peak{Exists: true, Concurrency: n, Throughput: u.at(n)}, nil
}

// Point is one measurement: the throughput at a concurrency.
type Point struct {
	Concurrency float64 // N ≥ 1
	Throughput  float64 // X > 0, requests per second
}

// USLFit is the law that fits measurements best.
type USLFit struct {
	USL
	// RSquared is the share of the variance of the throughput that the law
	// explains: 1 is a perfect fit, and below 0 the mean throughput would be the
	// better law. With three different concurrencies and three parameters it is
	// near 1 whatever was measured: look at Spare.
	RSquared float64
	// WorstResidual is the largest |measured − fitted| / measured.
	WorstResidual float64
	// Spare is the number of points beyond the parameters that were fitted.
	Spare int
	// SigmaAtBound and KappaAtBound say that the best value would have been
	// negative, which has no meaning, and was held at 0.
	SigmaAtBound, KappaAtBound bool
}

// FitUSL returns the law with the least squares of X − X(N) over the points, with
// σ, κ ≥ 0. It refuses fewer than three points, fewer than three different
// concurrencies, and points that fall so fast that γ is left open.
func FitUSL(points []Point) (USLFit, error) {
	if err := checkPoints(points); err != nil {
		return USLFit{}, err
	}
	// In units of the highest throughput no power of a throughput overflows.
	unit := 0.0
	for _, p := range points {
		unit = max(unit, p.Throughput)
	}
	scaled := make([]Point, len(points))
	for i, p := range points {
		scaled[i] = Point{p.Concurrency, p.Throughput / unit}
	}
	b, squares := fitLaw(scaled)
	if b[0] <= leastInverse {
		return USLFit{}, errors.New("the points do not say what the throughput at a concurrency of 1 is: measure at lower concurrencies")
	}
	f := describeFit(scaled, b, squares)
	f.Gamma *= unit
	return f, nil
}

func checkPoints(points []Point) error {
	if len(points) < 3 {
		return &ArgError{"number of points", float64(len(points)), "at least 3, for 3 parameters"}
	}
	different := map[float64]bool{}
	for _, p := range points {
		if !(p.Concurrency >= 1 && p.Concurrency <= maxConcurrency) {
			return &ArgError{"concurrency of a point", p.Concurrency, "between 1 and 1e+09"}
		}
		if err := positive("throughput of a point", p.Throughput); err != nil {
			return err
		}
		different[p.Concurrency] = true
	}
	if len(different) < 3 {
		return &ArgError{"number of different concurrencies", float64(len(different)), "at least 3, for 3 parameters"}
	}
	return nil
}

// maxConcurrency keeps N² within the precision of the fit.
const maxConcurrency = 1e9

// describeFit returns the law b and how well it fits.
func describeFit(points []Point, b uslParameters, squares float64) USLFit {
	f := USLFit{
		USL:          USL{Gamma: 1 / b[0], Sigma: b[1] / b[0], Kappa: b[2] / b[0]},
		SigmaAtBound: b[1] == 0, KappaAtBound: b[2] == 0,
		Spare: len(points) - 1,
	}
	for _, held := range []bool{f.SigmaAtBound, f.KappaAtBound} {
		if !held {
			f.Spare--
		}
	}
	mean, total := 0.0, 0.0
	for _, p := range points {
		mean += p.Throughput / float64(len(points))
	}
	for _, p := range points {
		total += (p.Throughput - mean) * (p.Throughput - mean)
		f.WorstResidual = max(f.WorstResidual, math.Abs(p.Throughput-b.throughput(p.Concurrency))/p.Throughput)
	}
	switch {
	case total > 1e-24:
		f.RSquared = 1 - squares/total
	case squares < 1e-24: // a flat line, fitted
		f.RSquared = 1
	}
	return f
}
