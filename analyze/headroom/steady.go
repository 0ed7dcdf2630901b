package headroom

import "math"

// trend looks for a change of the rate of completions that goes on for the whole
// trace: the slope of a straight line through the means of blocks. It is nil when
// the slope is within chance, or is too small to matter.
func (t *trace) trend() *Trend {
	const blocks = 24
	const surely, matters = 4.0, 0.05
	n := len(t.done) / blocks
	if float64(n)*windowSeconds < 0.2 || sum(t.done) < 50*blocks {
		return nil
	}
	y := make([]float64, blocks)
	for i := range y {
		y[i] = sum(t.done[i*n:(i+1)*n]) / (float64(n) * windowSeconds)
	}
	mean := sum(y) / blocks
	sxx, sxy := 0.0, 0.0
	for i, v := range y {
		x := float64(i) - (blocks-1)/2.0
		sxx += x * x
		sxy += x * (v - mean)
	}
	slope := sxy / sxx
	rest := 0.0
	for i, v := range y {
		e := v - mean - slope*(float64(i)-(blocks-1)/2.0)
		rest += e * e
	}
	se := math.Sqrt(rest / (blocks - 2) / sxx)
	change := slope * (blocks - 1)
	if math.Abs(slope) <= surely*se || math.Abs(change) <= matters*mean {
		return nil
	}
	return &Trend{FirstPerSecond: mean - change/2, LastPerSecond: mean + change/2, Seconds: t.seconds()}
}

// stalled describes the stalls, nil without any.
func (t *trace) stalled() *Stalls {
	if len(t.stalls) == 0 {
		return nil
	}
	s := &Stalls{Count: len(t.stalls), OverSeconds: t.seconds()}
	for _, x := range t.stalls {
		s.LengthSeconds += float64(x.len()) * windowSeconds / float64(len(t.stalls))
	}
	if n := len(t.stalls); n > 1 {
		s.EverySeconds = float64(t.stalls[n-1].from-t.stalls[0].from) * windowSeconds / float64(n-1)
	}
	return s
}

// warmUp returns how many windows at the start do not belong to the rest: the cut,
// within the first half, that makes the standard error of the mean of what is left
// least (White's MSER rule, over blocks), if the part cut off differs plainly. A
// trace without a warm-up loses nothing.
//
// Source: K. P. White, An effective truncation heuristic for bias reduction in
// simulation output, Simulation 69 (1997).
func (t *trace) warmUp() int {
	const blockWindows = 20
	k := len(t.done) / blockWindows
	if k < 20 || len(t.stalls) > 0 {
		return 0
	}
	y := make([]float64, k)
	for i := range y {
		y[i] = sum(t.done[i*blockWindows : (i+1)*blockWindows])
	}
	best, cut := math.Inf(1), 0
	for c := 0; c <= k/2; c++ {
		_, v := meanVar(y[c:])
		if m := v / float64(k-c); m < best {
			best, cut = m, c
		}
	}
	if cut == 0 {
		return 0
	}
	head, _ := meanVar(y[:cut])
	rest, v := meanVar(y[cut:])
	if math.Abs(head-rest) < 4*math.Sqrt(v/float64(cut)) || math.Abs(head-rest) < 0.03*rest {
		return 0
	}
	return cut * blockWindows
}
