package headroom

import (
	"math"
	"math/rand/v2"

	"example.com/kneeline/loadgen"
)

// trace is what a service that is kept busy completed in each window. Where part
// of the service was idle, what it would have completed is added, so that the
// trace is of a service with work throughout. Windows of several stretches are put
// end to end.
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

// fast is how many completions a window has at least on average for a service to
// be taken by whole busy windows.
const fast = 3.0

// harvest takes what a service completed in some spans of a timeline.
//
// A fast service, with several completions in each window, is taken by the windows
// in which it was busy throughout: by what was in flight as a window began and what
// arrived in it the queue cannot have run empty, unless completions exceeded their
// mean m by more than 2.5 √m. What was completed must not decide.
//
// A slow service is taken by all windows, with the share of each in which it was
// busy: min(1, n/k) with n requests in flight, the mean of the window's ends, and k
// served at once when all are busy. There the choice of windows would be wrong:
// where service times are heavy-tailed, the longer a service has taken the more of
// it is to come, so that long queues are those behind a long service.
func (t *trace) harvest(tl *loadgen.Timeline, clock int, spans []span, inService, rate float64, buried bool) (busy []float64) {
	done, dead := unseen(tl, rate, buried)
	m := rate * windowSeconds
	for _, s := range spans {
		for i := max(s.from, 1); i < min(s.to, len(tl.Windows)); i++ {
			before := float64(tl.Windows[i-1].InFlight)
			share := min(1, (before+float64(tl.Windows[i].InFlight))/2/inService)
			switch whole := before >= inService+max(0, m-float64(tl.Windows[i].Sent))+2.5*math.Sqrt(m); {
			case dead[i], m >= fast && whole:
				share = 1
			case m >= fast:
				continue
			}
			t.done = append(t.done, done[i])
			t.at = append(t.at, clock+i)
			busy = append(busy, share)
		}
	}
	return busy
}

// unseen returns the completions of each window with those that nobody saw: a
// request whose client has left is served all the same, at some time before the
// next answer, since the requests that are still waited for are behind it. They
// are put where the service must have completed them if it went on at its rate:
// right before that answer. Until then the service was busy, whatever is in flight.
// Where the youngest are served first, such requests are buried and never served.
func unseen(tl *loadgen.Timeline, rate float64, buried bool) (done []float64, dead []bool) {
	done, dead = make([]float64, len(tl.Windows)), make([]bool, len(tl.Windows))
	most := max(1, rate*windowSeconds)
	gone, since := 0.0, 0
	for i := range tl.Windows {
		w := &tl.Windows[i]
		done[i] = answers(*w)
		if buried {
			continue
		}
		if w.Expired > 0 && gone == 0 {
			since = i
		}
		gone += float64(w.Expired)
		if gone == 0 {
			continue
		}
		dead[i] = true
		if done[i] == 0 && i < len(tl.Windows)-1 {
			continue
		}
		for j := i - 1; j > since && gone > 0; j-- {
			n := min(gone, most)
			done[j] += n
			gone -= n
		}
		done[since] += gone
		gone = 0
	}
	return done, dead
}

// rate is completions over busy time, per second.
func busyRate(done, busy []float64) float64 {
	b := sum(busy) * windowSeconds
	if b == 0 {
		return 0
	}
	return sum(done) / b
}

// fillIdle adds, for the idle share of each window, what a Poisson process of the
// given rate would have completed.
func (t *trace) fillIdle(busy []float64, rate float64, rng *rand.Rand) {
	for i, b := range busy {
		if b < 1 {
			t.done[i] += newCounter(rate * (1 - b) * windowSeconds).at(rng.Float32())
		}
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
// counts is expected less than once in a hundred traces. Fewer than three windows
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
	least := max(3, int(math.Ceil(math.Log(0.01/n)/math.Log(p))))
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

// blocks are the rates of completions in consecutive blocks of a trace.
type blocks struct {
	rates   []float64 // per second
	seconds float64   // length of one
}

// df is the number of degrees of freedom of a variance over the blocks.
func (b blocks) df() float64 { return float64(len(b.rates) - 1) }

// variance is the variance of completions per second over long times.
func (b blocks) variance() float64 {
	_, v := meanVar(b.rates)
	return v * b.seconds
}

// independent cuts a trace into the shortest blocks of which neighbours are
// independent: a longer block takes the place of a shorter one only when the
// variance by it is beyond chance the larger. The shortest are half a second, or a
// hundred completions: the spread of a renewal process over fewer services is less
// than over many. It is false for a trace too short for eight of those.
func independent(done []float64, rate float64) (blocks, bool) {
	best, ok := blocks{}, false
	for length := max(0.5, 100/rate); ; length *= 2 {
		n := int(length / windowSeconds)
		if n < 1 || len(done) < 8*n {
			return best, ok
		}
		b := cut(done, n)
		if !ok || b.variance()*(1-math.Sqrt(2/b.df())) > best.variance() {
			best, ok = b, true
		}
	}
}

// cut cuts a trace into blocks of n windows.
func cut(done []float64, n int) blocks {
	b := blocks{seconds: float64(n) * windowSeconds}
	for i := 0; i+n <= len(done); i += n {
		b.rates = append(b.rates, sum(done[i:i+n])/b.seconds)
	}
	return b
}

// influence returns the standard error of a function of the mean rate and of the
// variance per second, of which the derivatives are given, by what each block adds
// to the function. Unlike the textbook variance of a variance it holds when long
// services are rare and heavy, and it knows that slow blocks move both.
func (b blocks) influence(byRate, byVariance float64) float64 {
	mean, v := meanVar(b.rates)
	psi := make([]float64, len(b.rates))
	for i, x := range b.rates {
		d := x - mean
		psi[i] = byRate*d + byVariance*b.seconds*(d*d-v)
	}
	_, s := meanVar(psi)
	return math.Sqrt(s / float64(len(psi)))
}

func sum(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}
