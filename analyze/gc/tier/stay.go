package tier

// stay is the state of one tier.
type stay struct {
	in    bool
	spell Spell
	// busy is what the series summed up to a window before the stay began: its own
	// sum is the difference.
	busy mass
}

// exits are the thresholds of leaving the tiers, rounded up, so that none is 0.
func (c Config) exits() []int64 {
	out := make([]int64, len(c.Tiers))
	for k, t := range c.Tiers {
		out[k] = (t.Threshold*c.Exit + Whole - 1) / Whole
	}
	return out
}

// judge takes one piece into the totals and moves the tiers.
func (m *Meter[T]) judge(p *piece) {
	n := p.to - p.from
	p.first, p.final = m.share, p.share(n)
	if m.shareAt != p.from {
		p.first = p.share(0)
	}
	m.share, m.shareAt = p.final, p.to
	m.out.Moved(p.from, p.to, p.first, p.final)
	m.totals.peak(p.first, p.from)
	m.totals.peak(p.final, p.to)
	for k := range m.cfg.Tiers {
		// Most pieces lie on one side of a threshold, which their ends tell.
		switch low, high := p.sides(m.cfg.Tiers[k].Threshold); {
		case low:
			m.totals.Above[k] += n
		case high:
			m.totals.Above[k] += p.above(m.cfg.Tiers[k].Threshold)
		case !m.stays[k].in:
			continue
		}
		if !m.cfg.OnEvents {
			m.cross(k, p)
		}
	}
}

// cross solves for the instants of p at which tier k is entered and left. The
// share goes one way within a piece, so each happens at most once, and a piece that
// is entered is not left before.
func (m *Meter[T]) cross(k int, p *piece) {
	s := &m.stays[k]
	n, x, y := p.to-p.from, int64(0), int64(0)
	if !s.in {
		if x = p.reaches(m.cfg.Tiers[k].Threshold); x >= n {
			return
		}
		m.enter(k, p.from+x, p.mass+p.slope*x, p.rate)
	}
	if stays, _ := p.sides(m.exits[k]); stays {
		y = n
	} else {
		y = min(p.falls(m.exits[k], x), n)
	}
	s.top(p.at(x), p.from+x)
	s.top(p.at(y), p.from+y)
	if due := s.spell.Enter + int64(m.cfg.Tiers[k].Period); p.from+y >= due && !s.spell.Violated {
		m.violate(k, due)
	}
	if y < n {
		m.leave(k, p.from+y, Left, p.rate)
	}
}

func (s *stay) top(share float64, at int64) {
	if share > s.spell.Peak {
		s.spell.Peak, s.spell.PeakAt = share, at
	}
}

// busyAt is what the series sums up to at an instant, with the rate given since
// front.
func (m *Meter[T]) busyAt(at, rate int64) mass {
	b := m.busy
	b.add(rate, at-m.front)
	return b
}

// enter begins a stay, at an instant since front at which the rate is the one given.
// Held is the mass of the window at that time.
func (m *Meter[T]) enter(k int, at, held, rate int64) {
	m.occupied++
	m.stays[k] = stay{in: true, spell: Spell{Tier: k, Enter: at}, busy: m.busyAt(at, rate)}
	m.stays[k].busy.add(-1, held)
	m.out.Entered(k, at)
}

func (m *Meter[T]) violate(k int, at int64) {
	s := &m.stays[k].spell
	s.Violated, s.ViolatedAt, s.KnowableAt = true, at, max(at, m.cover)
}

// leave ends a stay, in the way of enter.
func (m *Meter[T]) leave(k int, at int64, end End, rate int64) {
	s := &m.stays[k]
	s.in = false
	m.occupied--
	s.spell.Leave, s.spell.End, s.spell.Busy = at, end, m.busyAt(at, rate).since(s.busy)
	m.totals.Occupied[k] += at - s.spell.Enter
	m.out.Ended(s.spell)
}

// judgeEvent moves the tiers at the end of a part, in the way of Hodor.
func (m *Meter[T]) judgeEvent(at int64) {
	m.last, m.hasLast = at, true
	if at < m.win.start0+int64(m.cfg.Warm) {
		return
	}
	var p piece
	m.win.next(&p, at, at+1, 0, int64(m.cfg.Warm))
	for k, t := range m.cfg.Tiers {
		s := &m.stays[k]
		if f, _ := p.over(t.Threshold); !s.in && f >= 0 {
			m.enter(k, at, p.mass, 0)
		}
		if !s.in {
			continue
		}
		s.top(p.share(0), at)
		if f, _ := p.over(m.exits[k]); f < 0 {
			m.leave(k, at, Left, 0)
			continue
		}
		if !s.spell.Violated && at-s.spell.Enter >= int64(t.Period) {
			m.violate(k, at)
		}
	}
}

// hold keeps the state between events, and ends it after a window without any. A
// part that is under way is no silence: the event comes at its end.
func (m *Meter[T]) hold(p *piece) {
	for k := range m.stays {
		silent := m.last + int64(m.cfg.Window)
		if m.stays[k].in && p.rate == 0 && m.hasLast && p.to >= silent {
			m.leave(k, silent, Left, 0)
		}
	}
}
