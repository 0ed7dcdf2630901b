package tier

import "slices"

// Meter takes parts of one series and reports stays in tiers to an [Observer].
// Use it from one goroutine.
type Meter[T any] struct {
	cfg Config
	out Observer[T]

	wait pending[T]
	// newest is the latest time seen, front how far the series is complete and
	// judged.
	newest, front int64
	running       bool
	// rate is the sum of the shares at front, before it is cut to Whole.
	rate int64
	// cover is the latest end of a part that has begun.
	cover int64

	win   window
	stays []stay
	exits []int64 // the thresholds of leaving the tiers
	// occupied counts the tiers that are; below floor, in millionths, none is
	// entered.
	occupied int
	floor    int64
	// share is that over the window at shareAt.
	share   float64
	shareAt int64
	// last is the last end of a part, for [Config.OnEvents].
	last    int64
	hasLast bool

	totals Totals
	busy   mass
}

// Totals are sums over all runs so far.
type Totals struct {
	// Observed is the length of all runs, Judged the part of it after the warm-ups,
	// Busy what the share sums up to, all in nanoseconds.
	Observed, Judged, Busy int64
	// Above is, by tier, how long the share over the window was at or above the
	// threshold. It does not know the exit of the tier.
	Above []int64
	// Occupied is how long the tier was occupied.
	Occupied []int64
	// Peak is the highest share over the window, at PeakAt.
	Peak   float64
	PeakAt int64
	// Clipped is the time of parts that came too late to count: before what was
	// already judged, or before the start of the run.
	Clipped int64
	// Runs is how many runs there were.
	Runs int
}

// New returns a meter, or a usage error when cfg makes no sense.
func New[T any](cfg Config, out Observer[T]) (*Meter[T], error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	m := &Meter[T]{cfg: cfg, out: out, stays: make([]stay, len(cfg.Tiers)), exits: cfg.exits()}
	m.floor = cfg.Tiers[0].Threshold
	m.totals.Above = make([]int64, len(cfg.Tiers))
	m.totals.Occupied = make([]int64, len(cfg.Tiers))
	return m, nil
}

// Start begins a run at the time given. A run under way is cut first.
func (m *Meter[T]) Start(at int64) {
	if m.running {
		m.Stop(at, Cut)
	}
	m.running = true
	m.newest, m.front, m.rate, m.cover = at, at, 0, at
	m.hasLast = false
	m.share, m.shareAt = 0, at
	m.win.start(at, int64(m.cfg.Window))
	m.totals.Runs++
}

// Running says whether a run is under way.
func (m *Meter[T]) Running() bool { return m.running }

// Add adds a part: over [from, to) the share is higher by share, in millionths.
// Where parts overlap the shares add up to at most Whole, so that for pauses, with
// the share Whole, it is the union of them that counts. Parts may come out of
// order by as much as the lag. The first part starts a run if none is under way.
func (m *Meter[T]) Add(from, to, share int64, item T) {
	if !m.running {
		m.Start(from)
	}
	if from < m.front {
		m.totals.Clipped += min(to, m.front) - from
		from = m.front
	}
	if to < from || share < 0 {
		return
	}
	share = min(share, Whole)
	m.wait.add(from, to, share, item)
	m.Seen(to)
}

// Seen says that the record has come to the time given without another part.
func (m *Meter[T]) Seen(at int64) {
	if !m.running {
		return
	}
	m.newest = max(m.newest, at)
	lag := int64(m.cfg.Lag)
	// An eighth of the lag at a time, so that the slices are not moved for every
	// part.
	if m.newest-lag-m.front > lag/8 {
		m.advance(m.newest - lag)
	}
	if n := m.wait.items.len(); n > m.cfg.MaxPending {
		m.advance(m.wait.items.all()[n/2].from)
	}
}

// Stop ends the run, at the time given or at the end of the last part if that is
// later. Stays that go on end as end says.
func (m *Meter[T]) Stop(at int64, end End) {
	if !m.running {
		return
	}
	at = max(at, m.front)
	if n := m.wait.steps.len(); n > 0 {
		at = max(at, m.wait.steps.all()[n-1].at)
	}
	m.advance(at)
	for k := range m.stays {
		if m.stays[k].in {
			m.leave(k, at, end, 0)
		}
	}
	m.running = false
	m.wait.drop(m.wait.steps.len(), m.wait.items.len())
}

// Totals returns the sums up to the time that is judged.
func (m *Meter[T]) Totals() Totals {
	t := m.totals
	t.Busy = m.busy.ns
	t.Above, t.Occupied = slices.Clone(t.Above), slices.Clone(t.Occupied)
	return t
}

// advance judges all time up to the instant given.
func (m *Meter[T]) advance(to int64) {
	steps, items := m.wait.steps.all(), m.wait.items.all()
	begun, passed := 0, 0
	for ; passed < len(steps) && steps[passed].at <= to; passed++ {
		s := &steps[passed]
		m.pass(s.at)
		m.rate += s.delta
		for ; begun < len(items) && items[begun].from <= s.at; begun++ {
			p := &items[begun]
			m.cover = max(m.cover, p.to)
			m.out.Began(p.item, p.from, p.to)
		}
		if s.ends && m.cfg.OnEvents {
			m.judgeEvent(s.at)
		}
	}
	m.pass(to)
	m.wait.drop(passed, begun)
}

// pass goes to an instant over time without a change of the rate.
func (m *Meter[T]) pass(to int64) {
	if to <= m.front {
		return
	}
	rate := min(m.rate, Whole)
	m.totals.Observed += to - m.front
	if m.occupied == 0 && m.calm(to, rate) {
		return
	}
	var p piece
	for m.front < to {
		m.win.next(&p, m.front, to, rate, int64(m.cfg.Warm))
		if p.judged {
			m.totals.Judged += p.to - p.from
			m.judge(&p)
		}
		m.busy.add(rate, p.to-p.from)
		m.win.take(&p)
		m.front = p.to
		if m.cfg.OnEvents {
			m.hold(&p)
		}
	}
}

// Flush judges all that has been added. What comes later and began earlier is
// clipped.
func (m *Meter[T]) Flush() {
	if m.running {
		m.advance(m.newest)
	}
}
