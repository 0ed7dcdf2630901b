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
	// stalls are the stretches without any completion that are too long to be
	// chance, as places in done.
	stalls []span
}

// span is a range of windows [from, to).
type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

const windowSeconds = float64(loadgen.WindowWidth) / 1e9

// harvest takes the windows of [from, to) out of a timeline in which the
// service was busy. Whether a window counts is decided by what was in flight
// when it began, never by what happened in it: leaving out the windows in which
// the queue ran empty would leave out those with many completions.
func (t *trace) harvest(tl *loadgen.Timeline, from, to int, need float64) {
	for i := max(from, 1); i < min(to, len(tl.Windows)); i++ {
		if float64(tl.Windows[i-1].InFlight) < need {
			continue
		}
		w := &tl.Windows[i]
		t.done = append(t.done, float64(w.Answered-min(w.Refused, w.Answered)))
	}
}

// busyNeed is how many requests have to be in flight at the start of a window
// for the service to be busy until its end: those being served, those that are
// completed on average, and three standard deviations.
func busyNeed(served, rate float64) float64 {
	m := rate * windowSeconds
	return served + m + 3*math.Sqrt(m)
}

func (t *trace) seconds() float64 { return float64(len(t.done)) * windowSeconds }

// rate is the mean rate of completions, stalls included.
func (t *trace) rate() float64 {
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

// gaps returns the lengths of the stretches between stalls. The first and the
// last are cut off by the ends of the trace, so they count only when they are
// the longest even so.
func (t *trace) gaps() []int {
	var g []int
	longest := 0
	for i := 1; i < len(t.stalls); i++ {
		n := t.stalls[i].from - t.stalls[i-1].to
		g = append(g, n)
		longest = max(longest, n)
	}
	if len(t.stalls) == 0 {
		return nil
	}
	for _, n := range []int{t.stalls[0].from, len(t.done) - t.stalls[len(t.stalls)-1].to} {
		if n > longest {
			g = append(g, n)
		}
	}
	return g
}

// regular reports whether there are stalls enough to tell how they follow each
// other.
func (t *trace) regular() bool { return len(t.stalls) >= 3 }

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
