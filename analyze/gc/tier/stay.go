package tier

// stay is the state of one tier.
type stay struct {
	in    bool
	spell Spell
	busy  mass
}

// exit is the threshold of leaving tier k, rounded up, so that it is never 0.
func (m *Meter[T]) exit(k int) int64 {
	return (m.cfg.Tiers[k].Threshold*m.cfg.Exit + Whole - 1) / Whole
}

// judge takes one piece into the totals and moves the tiers.
func (m *Meter[T]) judge(p piece) {
	n := p.to - p.from
	a, b := p.share(0), p.share(n)
	m.out.Moved(p.from, p.to, a, b)
	m.totals.peak(a, p.from)
	m.totals.peak(b, p.to)
	for k, t := range m.cfg.Tiers {
		m.totals.Above[k] += p.above(t.Threshold)
		if !m.cfg.OnEvents {
			m.cross(k, p)
		}
	}
}

// cross solves for the instants of p at which tier k is entered and left. The
// share goes one way within a piece, so each happens at most once, and a piece that
// is entered is not left before.
func (m *Meter[T]) cross(k int, p piece) {
	s := &m.stays[k]
	n, x := p.to-p.from, int64(0)
	if !s.in {
		if x = p.reaches(m.cfg.Tiers[k].Threshold); x >= n {
			return
		}
		m.enter(k, p.from+x, p.mass+p.slope*x)
	}
	y := min(p.falls(m.exit(k), x), n)
	s.busy.add(p.rate, y-x)
	s.top(p.share(x), p.from+x)
	s.top(p.share(y), p.from+y)
	due := s.spell.Enter + int64(m.cfg.Tiers[k].Period)
	if !s.spell.Violated && p.from+y >= due {
		m.violate(k, due)
	}
	if y < n {
		m.leave(k, p.from+y, Left)
	}
}

func (s *stay) top(share float64, at int64) {
	if share > s.spell.Peak {
		s.spell.Peak, s.spell.PeakAt = share, at
	}
}

// enter begins a stay. Held is the mass of the window at that time.
func (m *Meter[T]) enter(k int, at, held int64) {
	m.occupied++
	m.stays[k] = stay{in: true, spell: Spell{Tier: k, Enter: at}}
	m.stays[k].busy.add(1, held)
	m.out.Entered(k, at)
}

func (m *Meter[T]) violate(k int, at int64) {
	s := &m.stays[k].spell
	s.Violated, s.ViolatedAt, s.KnowableAt = true, at, max(at, m.cover)
}

func (m *Meter[T]) leave(k int, at int64, end End) {
	s := &m.stays[k]
	s.in = false
	m.occupied--
	s.spell.Leave, s.spell.End, s.spell.Busy = at, end, s.busy.ns
	m.totals.Occupied[k] += at - s.spell.Enter
	m.out.Ended(s.spell)
}

// judgeEvent moves the tiers at the end of a part, in the way of Hodor.
func (m *Meter[T]) judgeEvent(at int64) {
	m.last, m.hasLast = at, true
	if at < m.win.start0+int64(m.cfg.Warm) {
		return
	}
	p := m.win.next(at, at+1, 0, int64(m.cfg.Warm))
	for k, t := range m.cfg.Tiers {
		s := &m.stays[k]
		if f, _ := p.over(t.Threshold); !s.in && f >= 0 {
			m.enter(k, at, p.mass)
		}
		if !s.in {
			continue
		}
		s.top(p.share(0), at)
		if f, _ := p.over(m.exit(k)); f < 0 {
			m.leave(k, at, Left)
			continue
		}
		if !s.spell.Violated && at-s.spell.Enter >= int64(t.Period) {
			m.violate(k, at)
		}
	}
}

// hold keeps the state between events, and ends it after a window without any. A
// part that is under way is no silence: the event comes at its end.
func (m *Meter[T]) hold(p piece) {
	for k := range m.stays {
		s := &m.stays[k]
		if !s.in {
			continue
		}
		s.busy.add(p.rate, p.to-p.from)
		if silent := m.last + int64(m.cfg.Window); p.rate == 0 && m.hasLast && p.to >= silent {
			m.leave(k, silent, Left)
		}
	}
}
