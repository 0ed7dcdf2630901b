package compare

import (
	"fmt"
	"math"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/analyze/headroom/stat"
	"example.com/kneeline/internal/hist"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/internal/units"
)

// batches is into how many batches a hold is cut. Requests of one second wait in
// one queue and are not independent of each other; the means of batches that are
// long beside the time in which the queue forgets are.
const batches = 10

// minWindows is how many whole windows a hold must have to be tested.
const minWindows = batches

// hold compares the judged parts of two holds at one rate: how long answers take
// and how many requests are bad.
func (k *comparer) hold(before, after *headroom.Result) {
	b, a := judged(before), judged(after)
	if b == nil || a == nil {
		return
	}
	at := " at " + units.Rate((b.Planned+a.Planned)/2)
	if windows(b) < minWindows || windows(a) < minWindows {
		k.add(Row{Name: "response time" + at, Unit: Seconds,
			Basis: fmt.Sprintf("not judged: expected counts of %d seconds of both holds, found %d and %d", minWindows, windows(b), windows(a))})
		return
	}
	k.mean(b, a, at)
	k.quantile(b, a, at)
	for clause := range b.Kept.Windows.Bad {
		if a.Kept.Windows.Bad[clause] == nil {
			return
		}
	}
	k.bad(b, a, at)
}

// judged is the part of a hold that is judged; nil when there is none that is sound.
func judged(r *headroom.Result) *headroom.Trial {
	if r.Settings == nil || r.Settings.HoldRate == 0 || len(r.Result.Trials) == 0 {
		return nil
	}
	t := &r.Result.Trials[len(r.Result.Trials)-1]
	if t.Phase != headroom.PhaseHold || t.Void != "" || t.Kept == nil || t.Kept.Windows == nil {
		return nil
	}
	return t
}

func windows(t *headroom.Trial) int {
	w := t.Kept.Windows
	return min(len(w.Planned), len(w.Good), len(w.Answered), len(w.LatencySum))
}

// batchMeans cuts the windows of a trial into batches and returns the ratio of two
// sums over each. What is left over at the end is left out.
func batchMeans(n int, over func(i int) (above, below float64)) []float64 {
	each := n / batches
	var out []float64
	for b := range batches {
		above, below := 0.0, 0.0
		for i := b * each; i < (b+1)*each; i++ {
			x, y := over(i)
			above += x
			below += y
		}
		if below > 0 {
			out = append(out, above/below)
		}
	}
	return out
}

func means(t *headroom.Trial) []float64 {
	w := t.Kept.Windows
	return batchMeans(windows(t), func(i int) (float64, float64) { return w.LatencySum[i], float64(w.Answered[i]) })
}

// sampleEstimate is the mean of batches with its 95 % interval.
func sampleEstimate(x []float64) *Estimate {
	e := stat.MeanInterval(x)
	return &Estimate{e.Value, ptr(max(0, e.Low)), ptr(e.High)}
}

// mean compares the mean response time of complete answers.
func (k *comparer) mean(b, a *headroom.Trial, at string) {
	x, y := means(b), means(a)
	if len(x) < 2 || len(y) < 2 {
		return
	}
	r := Row{Name: "mean response time" + at, Unit: Seconds, Before: sampleEstimate(x), After: sampleEstimate(y), Margin: LatencyMargin,
		Basis: fmt.Sprintf("Welch's t over %d batches of each", batches)}
	d := stat.Welch(x, y, k.alpha)
	m := r.Before.Value
	r.Change = NewChange(d.Value/m, d.Low/m, d.High/m)
	k.test(r, d.P)
}

// bad compares the shares of bad requests, by the clause that is worse off.
func (k *comparer) bad(b, a *headroom.Trial, at string) {
	clause, worst := "", -1.0
	for c, share := range b.BadShare {
		if s := max(share, a.BadShare[c]); s > worst || s == worst && c < clause {
			clause, worst = c, s
		}
	}
	if b.Kept.Windows.Bad[clause] == nil {
		return
	}
	shares := func(t *headroom.Trial) []float64 {
		w := t.Kept.Windows
		n := min(windows(t), len(w.Bad[clause]))
		return batchMeans(n, func(i int) (float64, float64) { return float64(w.Bad[clause][i]), float64(w.Planned[i]) })
	}
	x, y := shares(b), shares(a)
	if len(x) < 2 || len(y) < 2 {
		return
	}
	r := Row{Name: "bad requests by " + clause + at, Unit: Ratio, Before: sampleEstimate(x), After: sampleEstimate(y), Margin: ShareMargin,
		Basis: fmt.Sprintf("Welch's t over %d batches of each", batches)}
	d := stat.Welch(x, y, k.alpha)
	r.Change = NewChange(d.Value, d.Low, d.High)
	k.test(r, d.P)
}

// quantile compares the 99th percentiles of full answers.
func (k *comparer) quantile(b, a *headroom.Trial, at string) {
	x, okx := p99(b)
	y, oky := p99(a)
	if !okx || !oky {
		return
	}
	logs := func(e *Estimate) stat.Estimate {
		return stat.Estimate{Value: math.Log(e.Value), Low: math.Log(*e.Low), High: math.Log(*e.High)}
	}
	d := stat.Between(logs(x), logs(y), k.alpha)
	k.test(Row{Name: "p99" + at, Unit: Seconds, Before: x, After: y, Change: relative(d), Margin: LatencyMargin,
		Basis: "order statistics, with the scatter between batches"}, d.P)
}

// leastForP99 is how many answers a 99th percentile takes: ten of them are beyond it.
const leastForP99 = 1000

// p99 is the 99th percentile with a 95 % interval from the order statistics: the
// ranks q·n ± t·√(q(1−q)·n·v). v is how much more the means of batches scatter
// than those of as many independent requests would; requests that wait in one
// queue are worth fewer than they are.
func p99(t *headroom.Trial) (*Estimate, bool) {
	const q = 0.99
	h := t.Kept.Histograms[outcome.Full.String()]
	if h == nil || h.Count() < leastForP99 {
		return nil, false
	}
	x := means(t)
	if len(x) < 2 {
		return nil, false
	}
	n := float64(h.Count())
	alone := variance(h) * float64(len(x)) / n
	v := 1.0
	if alone > 0 {
		v = max(1, stat.Variance(x)*1e18/alone)
	}
	half := stat.T95(float64(len(x)-1)) * math.Sqrt(q*(1-q)/n*v)
	e := &Estimate{Value: float64(h.Quantile(q)) / 1e9}
	// A bucket is the least that can be told apart.
	low := min(float64(h.Quantile(q-half))/1e9, e.Value*(1-hist.RelativeError))
	high := max(float64(h.Quantile(min(1, q+half)))/1e9, e.Value*(1+hist.RelativeError))
	e.Low, e.High = &low, &high
	return e, e.Value > 0 && low > 0
}

// variance is that of the samples of a histogram, in ns², from the middles of
// buckets.
func variance(h *hist.Hist) float64 {
	m, sum := h.Mean(), 0.0
	for b := range h.Buckets() {
		d := float64(b.Low+b.High)/2 - m
		sum += float64(b.Count) * d * d
	}
	return sum / float64(h.Count())
}
