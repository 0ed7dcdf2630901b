// Package stat has the few tests by which two measurements are told apart: the
// difference of two estimates with intervals, Welch's t over batch means, an exact
// test over pairs in random order, the binomial test, and Holm's correction for
// several at once.
//
// It knows nothing of load. Every function is pure.
package stat

import (
	"math"
	"slices"
)

// NormalTail returns P(Z > x) of the standard normal distribution.
func NormalTail(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }

// NormalQuantile returns the x with P(Z > x) = p, for p in (0, 1).
func NormalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(1-2*p) }

// TTail returns P(t > x) of Student's t with df degrees of freedom, for x >= 0, by
// the identity with the incomplete beta function:
// P(t > x) = I(df/(df+x²); df/2, 1/2) / 2.
func TTail(x, df float64) float64 {
	return betaInc(df/(df+x*x), df/2, 0.5) / 2
}

// TQuantile returns the x with P(t > x) = p of Student's t with df degrees of
// freedom, for p in (0, 0.5); it is infinite for df < 1.
func TQuantile(p, df float64) float64 {
	if !(df >= 1) {
		return math.Inf(1)
	}
	lo, hi := 0.0, 2.0
	for TTail(hi, df) > p && hi < 1e9 {
		hi *= 2
	}
	for range 80 {
		mid := (lo + hi) / 2
		if TTail(mid, df) > p {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

// T95 returns the half width of a two-sided 95 % interval in standard errors, by
// Student's t with df degrees of freedom: the x with P(|t| <= x) = 0.95.
func T95(df float64) float64 { return TQuantile(tail95, df) }

// betaInc is the regularised incomplete beta function I(x; a, b), by Lentz's
// evaluation of its continued fraction (Abramowitz and Stegun, 26.5.8).
func betaInc(x, a, b float64) float64 {
	if x <= 0 {
		return 0
	}
	if x >= 1 {
		return 1
	}
	if x > (a+1)/(a+b+2) {
		return 1 - betaInc(1-x, b, a)
	}
	la, _ := math.Lgamma(a)
	lb, _ := math.Lgamma(b)
	lab, _ := math.Lgamma(a + b)
	front := math.Exp(lab-la-lb+a*math.Log(x)+b*math.Log1p(-x)) / a
	const tiny = 1e-300
	f, c, d := 1.0, 1.0, 0.0
	for i := range 300 {
		m := float64(i / 2)
		var num float64
		switch {
		case i == 0:
			num = 1
		case i%2 == 0:
			num = m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		default:
			num = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		}
		d = 1 + num*d
		if math.Abs(d) < tiny {
			d = tiny
		}
		d = 1 / d
		c = 1 + num/c
		if math.Abs(c) < tiny {
			c = tiny
		}
		f *= c * d
		if math.Abs(1-c*d) < 1e-12 {
			break
		}
	}
	return front * (f - 1)
}

// BinomialTail returns the probability of w or more successes in n independent
// trials, each of which succeeds with probability p in (0, 1).
func BinomialTail(w, n int, p float64) float64 {
	if w <= 0 {
		return 1
	}
	sum := 0.0
	lg := func(x int) float64 { v, _ := math.Lgamma(float64(x) + 1); return v }
	for j := w; j <= n; j++ {
		sum += math.Exp(lg(n) - lg(j) - lg(n-j) + float64(j)*math.Log(p) + float64(n-j)*math.Log1p(-p))
	}
	return math.Min(1, sum)
}

// Holm adjusts the p-values of several tests, so that the chance of one false
// alarm among all of them is at most the level at which the adjusted values are
// compared, however they depend on each other (S. Holm, A simple sequentially
// rejective multiple test procedure, Scandinavian Journal of Statistics 6, 1979).
func Holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	out := make([]float64, len(p))
	most := 0.0
	for rank, i := range order {
		most = max(most, min(1, float64(len(p)-rank)*p[i]))
		out[i] = most
	}
	return out
}

// Estimate is a figure with its two-sided 95 % confidence interval.
type Estimate struct{ Value, Low, High float64 }

// Difference is b − a with the interval at the level asked for, and the two-sided
// p-value of there being none.
type Difference struct {
	Value, Low, High float64
	P                float64
}

// tail95 is what lies beyond either end of a two-sided 95 % interval.
const tail95 = 0.025

// z95 is the two-sided 95 % quantile of the normal distribution.
var z95 = NormalQuantile(tail95)

// Between compares two independent estimates by the method of variance estimates
// recovery: each side of the interval of b − a is made of the sides of the two
// intervals that point that way, so that skewed intervals stay skewed (G. Y. Zou
// and A. Donner, Construction of confidence limits about effect measures,
// Statistics in Medicine 27, 2008). alpha is the error of the interval.
func Between(a, b Estimate, alpha float64) Difference {
	d := Difference{Value: b.Value - a.Value, P: 1}
	down := math.Hypot(b.Value-b.Low, a.High-a.Value)
	up := math.Hypot(b.High-b.Value, a.Value-a.Low)
	scale := NormalQuantile(alpha/2) / z95
	d.Low, d.High = d.Value-scale*down, d.Value+scale*up
	side := down // the side on which 0 lies
	if d.Value < 0 {
		side = up
	}
	switch {
	case d.Value == 0:
	case side > 0:
		d.P = min(1, 2*NormalTail(math.Abs(d.Value)/side*z95))
	default:
		d.P = 0
	}
	return d
}

// Welch compares the means of two samples with variances of their own (B. L.
// Welch, Biometrika 34, 1947). Each sample must have two values or more; without
// them, or without any scatter, there is no test and P is 1.
func Welch(a, b []float64, alpha float64) Difference {
	ma, va := meanVar(a)
	mb, vb := meanVar(b)
	d := Difference{Value: mb - ma, Low: math.Inf(-1), High: math.Inf(1), P: 1}
	if len(a) < 2 || len(b) < 2 {
		return d
	}
	sa, sb := va/float64(len(a)), vb/float64(len(b))
	if sa+sb == 0 {
		if d.Value == 0 {
			d.Low, d.High = 0, 0
		}
		return d
	}
	df := (sa + sb) * (sa + sb) / (sa*sa/float64(len(a)-1) + sb*sb/float64(len(b)-1))
	se := math.Sqrt(sa + sb)
	half := TQuantile(alpha/2, df) * se
	d.Low, d.High = d.Value-half, d.Value+half
	d.P = min(1, 2*TTail(math.Abs(d.Value)/se, df))
	return d
}

func meanVar(x []float64) (mean, variance float64) {
	n := float64(len(x))
	if n == 0 {
		return 0, 0
	}
	for _, v := range x {
		mean += v
	}
	mean /= n
	for _, v := range x {
		variance += (v - mean) * (v - mean)
	}
	return mean, variance / max(n-1, 1)
}

// MeanInterval returns the mean of a sample with its two-sided 95 % interval by
// Student's t; the interval is infinite for fewer than two values.
func MeanInterval(x []float64) Estimate {
	m, v := meanVar(x)
	n := float64(len(x))
	if n < 2 {
		return Estimate{Value: m, Low: math.Inf(-1), High: math.Inf(1)}
	}
	half := T95(n-1) * math.Sqrt(v/n)
	return Estimate{Value: m, Low: m - half, High: m + half}
}

// Variance returns the variance of a sample, 0 when it has fewer than two values.
func Variance(x []float64) float64 { _, v := meanVar(x); return v }
