package gc

import (
	"fmt"
	"math"

	"example.com/kneeline/internal/hist"
)

// batches is in how many parts of time an overhead is cut to see how much it
// varies by itself, least how many there must be.
const (
	batches     = 20
	leastBatch  = 8
	tOfBatches  = 2.37 // two-sided 95 % quantile of Student's t with 7 degrees of freedom: for the least number
	worthSaying = 0.1  // relative difference below which there is none worth saying
)

// overheadRow compares the share of time in pauses over all of the log.
func overheadRow(before, after *Log) Row {
	r := Row{Name: "overhead", Unit: "ratio"}
	a, b := overheadEstimate(before), overheadEstimate(after)
	r.Before, r.After = a, b
	r.Verdict, r.Basis = decide(a, b, fmt.Sprintf("means of up to %d parts of the time", batches))
	return r
}

// overheadEstimate is the overall share of the main series, with an interval from
// the means of parts of the time.
func overheadEstimate(l *Log) *Estimate {
	main := Pauses.String()
	if l.Family == "go" {
		main = CPU.String()
	}
	for _, s := range l.Overhead {
		if s.Name != main || l.Observed == 0 {
			continue
		}
		e := &Estimate{Value: s.Overall}
		if s.Curve == nil {
			return e
		}
		means := parts(s.Curve.Mean, s.Curve.Step)
		if len(means) < leastBatch {
			return e
		}
		var sum, sq float64
		for _, m := range means {
			sum += m
		}
		mean := sum / float64(len(means))
		for _, m := range means {
			sq += (m - mean) * (m - mean)
		}
		half := tOfBatches * math.Sqrt(sq/float64(len(means)-1)/float64(len(means)))
		low, high := max(e.Value-half, 0), min(e.Value+half, 1)
		e.Low, e.High = &low, &high
		return e
	}
	return nil
}

// parts are the means of equal parts of a curve, each of them at least a minute
// long, so that neighbours share little of their windows.
func parts(mean []*float64, step float64) []float64 {
	per := max(int(math.Ceil(60/step)), (len(mean)+batches-1)/batches)
	var out []float64
	for i := 0; i+per <= len(mean); i += per {
		sum, n := 0.0, 0
		for _, m := range mean[i : i+per] {
			if m != nil {
				sum, n = sum+*m, n+1
			}
		}
		if n > 0 {
			out = append(out, sum/float64(n))
		}
	}
	return out
}

// pauseRow compares a quantile of the pauses, by order statistics.
func pauseRow(before, after *Log, name string, q float64) Row {
	r := Row{Name: "pause " + name, Unit: "seconds"}
	r.Before, r.After = quantileEstimate(before.hist, q), quantileEstimate(after.hist, q)
	if q == 1 {
		r.Basis = "one pause on each side: no basis for a verdict"
		return r
	}
	r.Verdict, r.Basis = decide(r.Before, r.After, "order statistics of the pauses")
	return r
}

// quantileEstimate is a quantile of n pauses with the interval between the order
// statistics n·q ∓ 1.96 √(n q (1−q)); without one where they lie outside.
func quantileEstimate(h *hist.Hist, q float64) *Estimate {
	if h == nil || h.Count() == 0 {
		return nil
	}
	e := &Estimate{Value: seconds(h.Quantile(q))}
	n := float64(h.Count())
	half := 1.96 * math.Sqrt(n*q*(1-q))
	low, high := n*q-half, n*q+half+1
	if q == 1 || low < 1 || high > n {
		return e
	}
	a, b := seconds(h.Quantile(low/n)), seconds(h.Quantile(high/n))
	e.Low, e.High = &a, &b
	return e
}

// decide compares two estimates of something that is better when it is lower.
func decide(a, b *Estimate, basis string) (verdict, why string) {
	switch {
	case a == nil || b == nil:
		return CannotTell, "no data on one side"
	case a.Low == nil || b.Low == nil:
		return CannotTell, "too little data for an interval"
	case math.Abs(a.Value-b.Value) <= worthSaying*math.Max(a.Value, b.Value):
		return NoDifference, "they differ by less than 10%"
	case *b.High < *a.Low:
		return Better, basis + ": the 95% intervals do not meet"
	case *b.Low > *a.High:
		return Worse, basis + ": the 95% intervals do not meet"
	}
	return NoDifference, basis + ": the 95% intervals overlap"
}
