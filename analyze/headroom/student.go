package headroom

import "math"

// tQuantile returns the two-sided 95 % quantile of Student's t with df degrees
// of freedom: the x with P(|t| <= x) = 0.95. It is infinite for df < 1.
func tQuantile(df float64) float64 {
	if !(df >= 1) {
		return math.Inf(1)
	}
	lo, hi := 1.9, 13.0
	for range 60 {
		mid := (lo + hi) / 2
		if tTail(mid, df) > 0.025 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return (lo + hi) / 2
}

// tTail returns P(t > x) for x >= 0, by the identity with the incomplete beta
// function: P(t > x) = I(df/(df+x²); df/2, 1/2) / 2.
func tTail(x, df float64) float64 {
	return betaInc(df/(df+x*x), df/2, 0.5) / 2
}

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
