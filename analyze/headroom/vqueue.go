package headroom

import (
	"math"
	"math/rand/v2"

	"example.com/kneeline/internal/outcome"
)

// model is what a search has learnt of a service, enough to play any rate of
// arrivals against it.
type model struct {
	trace
	throughput float64
	busy       float64 // seconds of busy service that are behind the trace
	// served is how many requests are being served at once when the service is
	// busy: saturated throughput × floor latency.
	served float64
	// floor holds equally likely response times without queueing, in seconds.
	floor []float64
	// bound is how many requests the service holds before it refuses; 0 is no
	// bound.
	bound float64
	// failed and degraded are the shares of answers that are so whatever the
	// rate, slow the share beyond each threshold and, last, the timeout that no
	// queue explains.
	failed, degraded float64
	slow             [outcome.MaxThresholds + 1]float64
	discipline       discipline
	// thresholds of the SLO and the timeout, in seconds.
	thresholds []float64
	timeout    float64
}

// rate is the long-run rate of completions of the busy service. Where stalls are
// known to come by the clock, their share of the time is that of the clock and not
// that of the windows in the trace.
func (m *model) rate() float64 { return m.throughput }

// settle sets what follows from the trace; it is called once the trace is whole.
func (m *model) settle() {
	m.throughput = m.mean()
	if !m.regular() {
		return
	}
	free, stalls, gaps := m.free(), 0, 0
	for _, s := range m.stalls {
		stalls += s.len()
	}
	g := m.gaps()
	for _, n := range g {
		gaps += n
	}
	l, between := float64(stalls)/float64(len(m.stalls)), float64(gaps)/float64(len(g))
	m.throughput = sum(free) / (float64(len(free)) * windowSeconds) * between / (between + l)
}

// fates are shares of planned requests.
type fates struct {
	late     [outcome.MaxThresholds]float64 // answered later than the threshold, or not at all
	timedOut float64
	shed     float64
	inFlight float64 // mean number of requests in the system
	planned  float64 // requests per second that the draws came to
}

// bench is a stretch of synthetic time on which rates are compared: completions
// drawn once from a model, and one uniform number a window from which the
// arrivals of any rate are taken, so that two rates differ by the rate alone.
type bench struct {
	m   *model
	cum []float64 // completions before each window, with a tail to look ahead into
	u   []float32
}

// blockSeconds is the least length of the blocks in which completions are drawn.
// They have to be longer than what completions remember, the timeout and some
// hundred services, and much shorter than the trace.
const blockSeconds = 1.0

// newBench draws n windows from a model.
func newBench(m *model, n int, rng *rand.Rand) *bench {
	b := &bench{m: m, u: make([]float32, n)}
	for i := range b.u {
		b.u[i] = rng.Float32()
	}
	tail := int(math.Ceil(m.timeout/windowSeconds)) + 2
	d := m.draw(n+tail, rng)
	// The luck of the draw is taken out of the mean, of which capacity is a
	// function far steeper than of anything else.
	scale := 1.0
	if s := sum(d); s > 0 {
		scale = m.rate() * windowSeconds * float64(len(d)) / s
	}
	b.cum = make([]float64, len(d)+1)
	for i, x := range d {
		b.cum[i+1] = b.cum[i] + x*scale
	}
	return b
}

// draw makes n windows of completions: blocks from anywhere in the trace, cut
// and joined. Where stalls are known to follow each other in some way, the free
// time between two is drawn from the gaps seen.
func (m *model) draw(n int, rng *rand.Rand) []float64 {
	out := make([]float64, 0, n)
	if !m.regular() {
		return fill(out, n, m.done, m.blockLen(), rng)
	}
	free, gaps := m.free(), m.gaps()
	for len(out) < n {
		g := gaps[rng.IntN(len(gaps))]
		out = fill(out, min(len(out)+g, n), free, m.blockLen(), rng)
		s := m.stalls[rng.IntN(len(m.stalls))]
		for range min(s.len(), n-len(out)) {
			out = append(out, 0)
		}
	}
	return out
}

func (m *model) blockLen() int {
	n := int(max(blockSeconds, 300/m.rate(), 3*m.timeout) / windowSeconds)
	return max(1, min(n, len(m.done)/16))
}

// fill appends blocks of src, which is taken as a ring, until out has n windows.
func fill(out []float64, n int, src []float64, block int, rng *rand.Rand) []float64 {
	for len(out) < n {
		at := rng.IntN(len(src))
		for k := range min(block, n-len(out)) {
			out = append(out, src[(at+k)%len(src)])
		}
	}
	return out
}

// play runs the queue at a rate from windows [from, to) of the bench, starting
// with q requests in the system, and returns the shares and the requests left.
func (b *bench) play(rate, q float64, from, to int) (fates, float64) {
	if b.m.discipline != fifo {
		return b.playEach(rate, q, from, to)
	}
	var f fates
	draw := newCounter(rate * windowSeconds)
	levels := b.m.levels()
	hopeless := 50*rate*b.m.timeout + 10*b.m.served + 1000
	planned, inFlight := 0.0, 0.0
	for w := from; w < to; w++ {
		a := draw.at(b.u[w])
		planned += a
		busy := min(1, (q+a/2)/max(b.m.served, 1))
		next := max(0, q+a-(b.cum[w+1]-b.cum[w])*busy)
		taken := a
		if b.m.bound > 0 && next > b.m.bound {
			shed := min(next-b.m.bound, a)
			f.shed += shed
			taken -= shed
			next -= shed
		}
		if taken > 0 {
			s := b.m.floorAt(w)
			for i := range levels {
				levels[i].late += taken * b.lateShare(q, next, w, levels[i].windows-s)
			}
		}
		q = next
		inFlight += q
		if q > hopeless {
			for i := range levels {
				levels[i].late += rate * windowSeconds * float64(to-w-1)
			}
			planned += rate * windowSeconds * float64(to-w-1)
			break
		}
	}
	b.m.collect(&f, levels, planned)
	f.inFlight = inFlight / float64(to-from)
	f.planned = planned / (float64(to-from) * windowSeconds)
	return f, q
}

// level counts the requests that take longer than one limit.
type level struct {
	windows float64
	late    float64
}

// levels returns a level for each different limit: the thresholds, and last the
// timeout unless the highest threshold is the same.
func (m *model) levels() []level {
	var ls []level
	for _, t := range m.thresholds {
		ls = append(ls, level{windows: t / windowSeconds})
	}
	if n := len(m.thresholds); n == 0 || m.thresholds[n-1] < m.timeout {
		ls = append(ls, level{windows: m.timeout / windowSeconds})
	}
	return ls
}

// floorAt returns, in windows, the response time without queueing that the
// requests of a window share; over many windows each is used equally often.
func (m *model) floorAt(w int) float64 {
	h := uint64(w) * 0x9e3779b97f4a7c15
	return m.floor[(h>>33)%uint64(len(m.floor))] / windowSeconds
}

// lateShare is the share of a window's arrivals that wait longer than ahead
// windows when the system holds q requests as the window begins and next as it
// ends. A request behind all of q starts when all but the served have gone; as
// the window passes, what is missing at the deadline goes linearly from its
// value at the start to that at the end.
func (b *bench) lateShare(q, next float64, w int, ahead float64) float64 {
	if ahead <= 0 {
		return 1
	}
	k := b.m.served
	i := w + int(ahead)
	if q+1-k <= b.cum[i]-b.cum[w] && next+1-k <= b.cum[i+1]-b.cum[w+1] {
		return 0 // the common case, without the fractions
	}
	s := q + 1 - k - (b.at(float64(w)+ahead) - b.cum[w])
	e := next + 1 - k - (b.at(float64(w+1)+ahead) - b.cum[w+1])
	switch {
	case s <= 0 && e <= 0:
		return 0
	case s > 0 && e > 0:
		return 1
	case e > 0:
		return e / (e - s)
	}
	return s / (s - e)
}

// at returns the completions before a time in windows.
func (b *bench) at(x float64) float64 {
	i := int(x)
	if i >= len(b.cum)-1 {
		return b.cum[len(b.cum)-1]
	}
	return b.cum[i] + (x-float64(i))*(b.cum[i+1]-b.cum[i])
}

// collect turns counts into shares and adds what no queue explains.
func (m *model) collect(f *fates, levels []level, planned float64) {
	if planned == 0 {
		return
	}
	for i := range m.thresholds {
		f.late[i] = levels[i].late / planned
	}
	f.timedOut = levels[len(levels)-1].late / planned
	f.shed /= planned
	for i := range m.thresholds {
		f.late[i] = min(1-f.shed, f.late[i]+m.slow[i]*(1-f.late[i]-f.shed))
	}
	f.timedOut = min(1-f.shed, f.timedOut+m.slow[outcome.MaxThresholds]*(1-f.timedOut-f.shed))
}

// counts returns an account with the shares of f, of so many requests that the
// rounding does not matter, by which the SLO can be asked.
func (m *model) counts(f fates) outcome.Counts {
	const n = 1e9
	c := outcome.Counts{Planned: n}
	left := 1 - f.shed - f.timedOut
	c.By[outcome.Shed] = uint64(n * f.shed)
	c.By[outcome.TimedOut] = uint64(n * f.timedOut)
	c.By[outcome.Failed] = uint64(n * left * m.failed)
	c.By[outcome.Degraded] = uint64(n * left * m.degraded)
	c.By[outcome.Full] = n - c.By[outcome.Shed] - c.By[outcome.TimedOut] - c.By[outcome.Failed] - c.By[outcome.Degraded]
	whole := 1 - m.failed - m.degraded
	for i := range m.thresholds {
		late := max(0, f.late[i]-f.timedOut)
		c.LateFull[i] = uint64(n * late * whole)
		c.LateDegraded[i] = uint64(n * late * m.degraded)
	}
	return c
}
