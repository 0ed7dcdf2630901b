package headroom

import (
	"math"

	"example.com/kneeline/loadgen"
)

// trace is what a busy service completed: the number of completions in each
// window in which it had work throughout. Windows of several stretches are put
// end to end; the gaps between stretches are rare and carry no information.
type trace struct {
	done []float64 // completions by window
	at   []int     // the place of each window on one clock for all runs
	// stalls are the stretches without any completion that are too long to be
	// chance, as places in done.
	stalls []span
}

// span is a range of windows [from, to).
type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

const windowSeconds = float64(loadgen.WindowWidth) / 1e9

// harvest takes the windows of [from, to) out of a timeline in which the service
// was busy: by what was in flight when a window began and what arrived in it, the
// queue cannot have run empty unless completions exceeded their mean m by more
// than 2.5 √m. What was completed must not decide: leaving out the windows in
// which the queue did run empty would leave out those with many completions.
// clock is the place of the timeline's first window on the clock of all runs.
func (t *trace) harvest(tl *loadgen.Timeline, clock, from, to int, inService, rate float64) {
	m := rate * windowSeconds
	for i := max(from, 1); i < min(to, len(tl.Windows)); i++ {
		w := &tl.Windows[i]
		if float64(tl.Windows[i-1].InFlight) < inService+max(0, m-float64(w.Sent))+2.5*math.Sqrt(m) {
			continue
		}
		t.done = append(t.done, served(*w))
		t.at = append(t.at, clock+i)
	}
}

func (t *trace) seconds() float64 { return float64(len(t.done)) * windowSeconds }

// mean is the mean rate of completions in the windows of the trace.
func (t *trace) mean() float64 {
	if len(t.done) == 0 {
		return 0
	}
	return sum(t.done) / t.seconds()
}

// findStalls marks stretches without completions that chance does not make. If
// windows were independent, a stretch of n empty windows would begin once in
// p^-n windows, where p is the share of empty windows; the shortest stretch that
// counts is expected less than once in a hundred traces. Fewer than five windows
// are never a stall.
func (t *trace) findStalls() {
	t.stalls = nil
	empty := 0
	for _, d := range t.done {
		if d == 0 {
			empty++
		}
	}
	if empty == 0 || empty == len(t.done) {
		return
	}
	n := float64(len(t.done))
	p := float64(empty) / n
	least := max(5, int(math.Ceil(math.Log(0.01/n)/math.Log(p))))
	for i := 0; i < len(t.done); i++ {
		j := i
		for j < len(t.done) && t.done[j] == 0 {
			j++
		}
		if j-i >= least && i > 0 && j < len(t.done) {
			t.stalls = append(t.stalls, span{i, j})
		}
		i = j
	}
}

// free returns the windows outside stalls.
func (t *trace) free() []float64 {
	if len(t.stalls) == 0 {
		return t.done
	}
	out := make([]float64, 0, len(t.done))
	at := 0
	for _, s := range t.stalls {
		out = append(out, t.done[at:s.from]...)
		at = s.to
	}
	return append(out, t.done[at:]...)
}

// hole is how many windows may be missing between two of a trace that still count
// as one stretch of time.
const hole = 200

// gaps returns the times between stalls, in windows, counting those in which the
// service was not busy: stalls come by the clock and not by the work done. Times
// that begin or end with a stretch of the trace are cut off, so they count only
// when they are the longest even so.
func (t *trace) gaps() []int {
	var whole, cut []int
	last, fromStall := 0, false // where the present time between stalls began
	end := func(i int, toStall bool) {
		if n := t.at[i] - t.at[last]; fromStall && toStall {
			whole = append(whole, n)
		} else if n > 0 {
			cut = append(cut, n)
		}
	}
	next := 0
	for i := range t.done {
		if i > 0 && t.at[i]-t.at[i-1] > hole {
			end(i-1, false)
			last, fromStall = i, false
		}
		if next < len(t.stalls) && i == t.stalls[next].from {
			end(i, true)
			last, fromStall = t.stalls[next].to, true
			next++
		}
	}
	if len(t.done) > 0 {
		end(len(t.done)-1, false)
	}
	longest := 0
	for _, n := range whole {
		longest = max(longest, n)
	}
	for _, n := range cut {
		if n > longest {
			whole = append(whole, n)
		}
	}
	return whole
}

// regular reports whether stalls come by a clock: at least three times between
// stalls, which differ little. Stalls that come at random are part of what blocks
// of completions show.
func (t *trace) regular() bool {
	if len(t.stalls) < 3 {
		return false
	}
	var g []float64
	for _, n := range t.gaps() {
		g = append(g, float64(n))
	}
	if len(g) < 3 {
		return false
	}
	mean, v := meanVar(g)
	return math.Sqrt(v) < 0.4*mean
}

// variance returns the variance of completions per second over long times, and
// the degrees of freedom of that estimate. It is the variance of the sums of
// blocks over the length of a block, for the shortest block by which neighbours
// have become independent: a longer block takes its place only when its
// variance is beyond chance the larger.
func variance(done []float64, rate float64) (v, df float64) {
	shortest := max(0.5, 20/rate)
	for length := shortest; ; length *= 2 {
		n := int(length / windowSeconds)
		if n < 1 || len(done) < 8*n {
			if length == shortest { // too little for even one estimate: call it exponential
				return rate, 1
			}
			return v, df
		}
		x, k := blockVariance(done, n)
		x /= length
		d := float64(k - 1)
		if length == shortest || x*(1-math.Sqrt(2/d)) > v {
			v, df = x, d
		}
	}
}

// blockVariance returns the variance of the sums of blocks of n windows, and how
// many blocks there were.
func blockVariance(done []float64, n int) (float64, int) {
	k := len(done) / n
	sums := make([]float64, k)
	for i := range sums {
		sums[i] = sum(done[i*n : (i+1)*n])
	}
	mean := sum(sums) / float64(k)
	ss := 0.0
	for _, s := range sums {
		ss += (s - mean) * (s - mean)
	}
	return ss / float64(k-1), k
}

func sum(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}
