package headroom

import (
	"math"
	"math/rand/v2"

	"example.com/kneeline/analyze/headroom/stat"
	"example.com/kneeline/internal/slo"
)

// Sizes of the synthetic time on which capacity is solved for.
const (
	benchWindows  = 600_000 // 6,000 s
	benchFine     = 2       // times more where few requests fit into the timeout
	benchArrivals = 4e7     // at most so many arrivals a play
)

// solution is the capacity of a model.
type solution struct {
	rate float64
	// low and high are the ends of the 95 % interval.
	low, high float64
	// served is saturated throughput with its interval.
	saturated Interval
	// dispersion is the variance of completions over their mean.
	dispersion float64
	limit      slo.Limit
	clause     slo.Clause
	none       bool // the SLO does not hold at any rate
}

// solver finds the rate at which the SLO's budget is spent.
type solver struct {
	slo   slo.SLO
	m     *model
	bench *bench
	from  int
	rng   *rand.Rand
}

func newSolver(s slo.SLO, m *model, rng *rand.Rand) *solver {
	n := benchWindows
	if m.rate()*m.timeout < 200 {
		n *= benchFine
	}
	if m.discipline != fifo {
		n = benchWindows / benchFine // each request is followed, which takes longer
	}
	if most := benchArrivals / max(m.rate()*windowSeconds, 1); most < float64(n) {
		n = max(int(most), 50_000)
	}
	return &solver{slo: s, m: m, bench: newBench(m, n, rng), from: n / 20, rng: rng}
}

// used returns how much of its budget the worst clause uses at a rate in steady
// state: the queue begins as full as it is on average at that rate.
func (s *solver) used(rate float64) (float64, fates) {
	_, q := s.bench.play(rate, s.m.served, 0, s.from)
	f, _ := s.bench.play(rate, q, s.from, len(s.bench.u))
	u, _ := s.slo.Worst(s.m.counts(f))
	return u, f
}

// knee returns the rate at which the budget is spent, to half a thousandth,
// looking first between lo and hi. It is 0 when it is spent at next to no load.
// Where the SLO bounds nothing that a queue makes worse, there is still no steady
// state beyond the rate of completions, which is then the answer.
func (s *solver) knee(lo, hi float64) float64 {
	mu := s.m.rate()
	least := 0.02 * mu
	low, high := s.excess(lo), 0.0
	for low > 0 {
		if lo <= least {
			return 0
		}
		hi, high = lo, low
		lo = max(least, lo*0.8)
		low = s.excess(lo)
	}
	if high == 0 {
		high = s.excess(hi)
	}
	for high <= 0 {
		if hi > 4*mu {
			return mu
		}
		lo, low = hi, high
		hi *= 1.25
		high = s.excess(hi)
	}
	mid := lo
	for range 40 {
		if hi/lo < 1.0005 {
			break
		}
		// Where the line between the two ends crosses, but well within them.
		mid = lo + (hi-lo)*min(max(low/(low-high), 0.05), 0.95)
		switch e := s.excess(mid); {
		case e > 0:
			hi, high = mid, e
			low /= 2 // the Illinois rule: do not let one end stand still
		default:
			lo, low = mid, e
			high /= 2
		}
	}
	mid = (lo + hi) / 2
	if _, f := s.used(mid); f.planned > 0 { // the luck of the draw, once more
		return f.planned
	}
	return mid
}

// excess is the logarithm of the budget used at a rate, which is nearly a straight
// line of the rate; nothing used counts as a thousandth.
func (s *solver) excess(rate float64) float64 {
	u, _ := s.used(rate)
	return math.Log(max(u, 1e-3))
}

// modelError is the part of an estimate by which the virtual queue may be off
// for what it leaves out: where in a window things happen, and the finite
// synthetic time. Measured against long simulations, see docs/methods/capacity.md.
// With stalls by the clock it is more, since their ends are known to a window only.
const (
	modelError = 0.004
	stallError = 0.007
)

// solve returns the capacity of a model with its interval.
//
// The estimate comes from the virtual queue. Its spread is that of the two
// things it depends on: the saturated throughput μ and the variance of completions
// V. By the heavy-traffic form C ≈ μ − ln(1/b)(1 + V/μ)/(2T) an error of μ moves
// capacity as much, and one of V by −ln(1/b)/(2Tμ). A full queue that sheds what is
// over has C ≈ μ/(1 − b) whatever V is. What each block of the trace adds to both
// gives the standard error, and Student's t with the number of blocks the width.
func solve(s slo.SLO, m *model, budget float64, rng *rand.Rand) solution {
	sol := newSolver(s, m, rng)
	mu := m.rate()
	e := m.spread()
	out := solution{dispersion: e.variance / mu, rate: sol.knee(0.9*mu, mu)}
	t := stat.T95(e.df)
	se := e.error(1, 0)
	out.saturated = Interval{mu, max(0, mu-t*se), mu + t*se}
	if out.rate == 0 {
		out.none = true
		return out
	}
	_, f := sol.used(out.rate * 1.001)
	counts := m.counts(f)
	_, out.clause = s.Worst(counts)
	out.limit = s.Limit(counts)

	moved, byVariance := 1.0, -math.Log(1/budget)/(2*m.timeoutOf(out.clause)*mu)
	if m.bound > 0 && out.rate >= mu {
		moved, byVariance = out.rate/mu, 0
	}
	off := modelError
	if m.regular() {
		off = stallError
	}
	sd := math.Hypot(e.error(moved, byVariance), off*out.rate)
	out.low, out.high = max(0, out.rate-t*sd), out.rate+t*sd
	return out
}

// timeoutOf is the time within which an answer is in time for a clause.
func (m *model) timeoutOf(c slo.Clause) float64 {
	if c.Kind == slo.Latency {
		return c.Threshold.Seconds()
	}
	return m.timeout
}

// spread is how uncertain the completions of a model are.
type spread struct {
	variance, df float64
	blocks       blocks
	free         float64 // share of the time outside stalls
	byStalls     float64 // standard error of the rate for the sake of the stalls
}

// spread looks at the blocks of the trace. Stalls that come by a clock are no
// variance of blocks: what is uncertain of them is the length of a stall and of
// the time between two.
func (m *model) spread() spread {
	done := m.done
	e := spread{free: 1}
	if m.regular() {
		done = m.free()
		e.free = m.rate() / (sum(done) / (float64(len(done)) * windowSeconds))
	}
	b, ok := independent(done, m.rate())
	if !ok { // too little for a single variance: take the completions for a Poisson process
		return spread{variance: m.rate(), df: 1, free: 1, blocks: blocks{rates: []float64{m.rate(), m.rate()}, seconds: m.seconds()}}
	}
	e.blocks, e.variance, e.df = b, b.variance(), b.df()
	if !m.regular() {
		return e
	}
	stalls, gaps := make([]float64, 0, len(m.stalls)), []float64{}
	for _, s := range m.stalls {
		stalls = append(stalls, float64(s.len()))
	}
	for _, g := range m.gaps() {
		gaps = append(gaps, float64(g))
	}
	l, vl := meanVar(stalls)
	g, vg := meanVar(gaps)
	// The derivatives of the share of the time that is free, G/(L+G).
	perCycle := (g*g*vl + l*l*vg) / math.Pow(l+g, 4)
	e.byStalls = m.rate() / e.free * math.Sqrt(perCycle/float64(len(stalls)))
	return e
}

// error returns the standard error of a function of the rate and of the variance
// of which the derivatives are given: what the blocks say, but no less than if the
// service times were lognormal with the same coefficient of variation.
func (e spread) error(byRate, byVariance float64) float64 {
	seen := e.blocks.influence(byRate*e.free, byVariance)
	return math.Hypot(max(seen, e.lognormal(byRate*e.free, byVariance)), byRate*e.byStalls)
}

// heaviest bounds the squared coefficient of variation of service times that is
// read from completions. What varies more does so for other reasons, stalls above
// all, of which there are as many as were seen.
const heaviest = 4.0

// unseenVariance is by how much, for the sake of that error alone, the variance may
// be larger than it looks: most samples of a heavy-tailed time have less than their
// law, and the more so the heavier the tail.
func unseenVariance(c2 float64) float64 { return 1 + c2/4 }

// lognormal is that standard error for n lognormal services of coefficient of
// variation c. Most traces of a heavy-tailed service lack the rare long ones that
// the average contains; such a trace looks fast and steady, and its own spread
// does not tell. The relative errors of the mean and of the variance of a sample
// are c/√n and √((k−1)/n), with the kurtosis k = w⁴ + 2w³ + 3w² − 3 and w = 1 + c²,
// and their correlation is skewness/√(k−1) with skewness (c² + 3)c. Both move
// capacity the same way.
func (e spread) lognormal(byRate, byVariance float64) float64 {
	rate, _ := meanVar(e.blocks.rates)
	n := rate * e.blocks.seconds * float64(len(e.blocks.rates))
	c2 := min(e.variance/rate, heaviest)
	more := unseenVariance(c2)
	c2 = min(more*c2, heaviest)
	if !(n > 0) || c2 <= 0 {
		return 0
	}
	w := 1 + c2
	k := w*w*w*w + 2*w*w*w + 3*w*w - 3
	c := math.Sqrt(c2)
	a := math.Abs(byRate) * rate * c
	b := math.Abs(byVariance) * more * e.variance * math.Sqrt(k-1)
	return math.Sqrt((a*a + b*b + 2*a*b*(c2+3)*c/math.Sqrt(k-1)) / n)
}

func meanVar(x []float64) (mean, v float64) {
	mean = sum(x) / float64(len(x))
	for _, a := range x {
		v += (a - mean) * (a - mean)
	}
	return mean, v / max(1, float64(len(x)-1))
}
