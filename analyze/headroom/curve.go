package headroom

import (
	"math"
	"slices"
	"time"

	"example.com/kneeline/analyze/headroom/stat"
	"example.com/kneeline/internal/outcome"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/loadgen"
)

// piece is a stretch of load at one rate in the measurement of the share of bad
// requests against the rate.
type piece struct {
	from, to time.Duration // without the time in which the service settles
	rate     float64
	counts   outcome.Counts
}

// curve is the pilot of that measurement: one unbroken load whose rate moves
// about the estimate. It is for services that cannot be held busy within the SLO,
// or that behave like no queue.
type curve struct {
	cfg    Config
	center float64
	last   time.Duration

	least   time.Duration // least length of a piece
	step    float64       // factor between rates while the center is sought
	up      int           // direction of the last step
	settled bool          // the center has been bracketed
	resting bool          // at a low rate after a gross breach
	cycle   int
	now     piece
	begun   time.Duration
	pieces  []piece
}

// cycleRates are the rates about the center, as factors, in an order that does
// not drift.
var cycleRates = []float64{0.96, 1.02, 0.98, 1.04, 1, 0.94, 1.03, 0.99}

func newCurve(cfg Config, center float64, last time.Duration) *curve {
	return &curve{cfg: cfg, center: center, last: last, step: 1.15, least: time.Second}
}

// about returns the pilot for a service of which the capacity is roughly known,
// and which keeps a queue: pieces are longer, and the center need not be sought.
func about(cfg Config, center float64, last time.Duration) *curve {
	return &curve{cfg: cfg, center: center, last: last, settled: true, least: 3 * time.Second}
}

// pieceFor is how long a piece lasts: long enough for some ten bad requests when
// the budget is just spent.
func (c *curve) pieceFor() time.Duration {
	s := 10 / (c.center * c.cfg.budget())
	return max(c.least, time.Duration(min(s, 4)*1e9))
}

// settle is how much of a piece belongs to the rate before it.
func (c *curve) settle() time.Duration { return min(c.pieceFor()/4, c.cfg.Timeout) }

func (c *curve) steer(m *meter) move {
	t := m.now()
	if t >= c.last || c.center < floorRate {
		c.close(t)
		return move{stop: true}
	}
	if t == 0 && c.settled {
		c.resting = true // a trial before may have left a pile
	}
	if c.resting {
		piled := m.inFlight() > 0.1*c.center*c.cfg.limit().Seconds()
		if t < c.begun+time.Second || piled && t < c.begun+restFor {
			return move{phase: PhaseCurve, rate: 0.3 * c.center}
		}
		c.resting = false
		return c.open(t, c.next(true))
	}
	if t == 0 {
		return c.open(t, c.center)
	}
	w := m.last(min(500*time.Millisecond, t-c.begun))
	gross := badEvents(w) >= 10 && badEvents(w) > max(0.2, 10*c.cfg.budget())*endedEvents(w)
	if t-c.begun < c.pieceFor() && !(gross && t-c.begun >= 500*time.Millisecond) {
		return move{phase: PhaseCurve, rate: c.now.rate}
	}
	c.close(t)
	c.read(m)
	if gross {
		c.resting, c.begun = true, t
		return move{phase: PhaseCurve, rate: 0.3 * c.center, fresh: true}
	}
	return c.open(t, c.next(false))
}

// restFor bounds the time at a low rate in which what has piled up may go.
const restFor = 6 * time.Second

func (c *curve) open(t time.Duration, rate float64) move {
	c.begun = t
	c.now = piece{from: t + c.settle(), rate: rate}
	return move{phase: PhaseCurve, rate: rate, fresh: true}
}

func (c *curve) close(t time.Duration) {
	if t > c.now.from {
		c.now.to = t
		c.pieces = append(c.pieces, c.now)
	}
}

// read fills in the accounts of the pieces from what is final.
func (c *curve) read(m *meter) { fillPieces(c.pieces, m.tl) }

func fillPieces(pieces []piece, tl *loadgen.Timeline) {
	for i := range pieces {
		pieces[i].counts, _ = tl.Sum(pieces[i].from, min(pieces[i].to, tl.Final))
	}
}

// next chooses the rate of the next piece, where over says that the last one was
// grossly over capacity.
func (c *curve) next(over bool) float64 {
	if !c.settled {
		return c.bracket(over)
	}
	if est, _, ok := fitCurve(c.cfg, c.pieces, c.center); ok {
		c.center = min(max(est, 0.9*c.center), 1.1*c.center)
	} else {
		c.center *= c.drift()
	}
	c.cycle++
	return c.center * cycleRates[c.cycle%len(cycleRates)]
}

// drift is the factor by which a center is moved that the pieces about it say
// nothing of: down when the SLO broke in nearly all of the last four, up when it
// held in them.
func (c *curve) drift() float64 {
	const last = 4
	n := len(c.pieces)
	if n < last {
		return 1
	}
	over := 0
	for _, p := range c.pieces[n-last:] {
		if _, used := c.cfg.bad(p.counts); used > 1 {
			over++
		}
	}
	switch {
	case over >= last-1:
		return 0.95
	case over == 0:
		return min(1.04, c.cfg.Caps.Rate/c.center)
	}
	return 1
}

// bracket steps up while the SLO holds and down while it does not, in smaller
// steps after each turn.
func (c *curve) bracket(gross bool) float64 {
	over := gross
	if n := len(c.pieces); n > 0 && !gross {
		bad, used := c.cfg.bad(c.pieces[n-1].counts)
		over = used > 1 && bad >= 3
	}
	dir := 1
	if over {
		dir = -1
	}
	if c.up != 0 && dir != c.up {
		c.step = math.Sqrt(c.step)
		if c.step < 1.05 {
			c.settled = true
		}
	}
	c.up = dir
	c.center *= math.Pow(c.step, float64(dir))
	c.center = min(c.center, c.cfg.Caps.Rate)
	return c.center
}

// Range about the center, as factors, within which pieces are fitted.
const (
	fitLow  = 0.88
	fitHigh = 1.12
)

// fitCurve finds the rate at which the worst clause spends its budget, with the
// half-width of the 95 % interval.
func fitCurve(cfg Config, pieces []piece, center float64) (est, half float64, ok bool) {
	var near []piece
	for _, p := range pieces {
		if p.rate >= fitLow*center && p.rate <= fitHigh*center && p.counts.Planned > 0 {
			near = append(near, p)
		}
	}
	est = math.Inf(1)
	for _, cl := range cfg.SLO.Clauses {
		e, h, good := fitClause(cl, near, center)
		if good && e < est && e >= fitLow*center && e <= fitHigh*center {
			est, half, ok = e, h, true
		}
	}
	return est, half, ok
}

// fitClause is a quasi-Poisson regression, with a logarithmic link, of the bad
// requests under one clause on the rate. The scatter of whole pieces about the
// fit widens the interval, so that bad requests that come in bunches count as
// what they are.
func fitClause(cl slo.Clause, pieces []piece, center float64) (est, half float64, ok bool) {
	const scale = 0.05 // slopes are per 5 % of rate
	n := len(pieces)
	x, y, e := make([]float64, n), make([]float64, n), make([]float64, n)
	total, bad := 0.0, 0.0
	for i, p := range pieces {
		e[i] = float64(slo.Judged(p.counts))
		x[i] = (p.rate/center - 1) / scale
		y[i] = float64(cl.Bad(p.counts))
		total += e[i]
		bad += y[i]
	}
	if n < 4 || bad < 10 || slices.Max(x)-slices.Min(x) < 0.5 {
		return 0, 0, false
	}
	a, b := math.Log(bad/total), 1.0
	var s00, s01, s11 float64
	for range 50 {
		var g0, g1 float64
		s00, s01, s11 = 0, 0, 0
		for i := range x {
			mu := e[i] * math.Exp(min(a+b*x[i], 0))
			g0 += y[i] - mu
			g1 += (y[i] - mu) * x[i]
			s00 += mu
			s01 += mu * x[i]
			s11 += mu * x[i] * x[i]
		}
		// A weak prior on the slope keeps a fit with few bad requests finite.
		g1 -= (b - 1) * 0.5
		s11 += 0.5
		det := s00*s11 - s01*s01
		if det <= 0 {
			return 0, 0, false
		}
		da := clamp((s11*g0-s01*g1)/det, 1)
		db := clamp((s00*g1-s01*g0)/det, 1)
		a, b = a+da, b+db
		if math.Abs(da)+math.Abs(db) < 1e-8 {
			break
		}
	}
	if b < 0.1 {
		return 0, 0, false
	}
	chi := 0.0
	for i := range x {
		mu := e[i] * math.Exp(min(a+b*x[i], 0))
		chi += (y[i] - mu) * (y[i] - mu) / max(mu, 0.1)
	}
	df := float64(n - 2)
	phi := max(1, chi/df)
	det := s00*s11 - s01*s01
	z := (math.Log(cl.Budget) - a) / b
	v := phi * (s11 - 2*z*s01 + z*z*s00) / det / (b * b)
	return center * (1 + scale*z), stat.T95(df) * math.Sqrt(v) * scale * center, true
}

func clamp(x, limit float64) float64 { return max(-limit, min(limit, x)) }
