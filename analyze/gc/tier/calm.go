package tier

// calm goes to an instant in one step where no tier can be entered on the way, and
// says whether it did. Most of most logs is such time, and the pieces of it are not
// worth working out.
//
// With a rate of 0 the share over the window only falls, and with one of Whole it
// only rises, so that its highest value is at an end. With a rate between them it may
// be anywhere: the pieces are needed where it could be the highest of all.
//
// It must not be asked while a tier is occupied.
func (m *Meter[T]) calm(to, rate int64) bool {
	if rate != 0 && to-m.front > m.win.length {
		return false
	}
	warm := m.win.start0 + int64(m.cfg.Warm)
	judged := m.front >= warm
	if !judged && to > warm {
		return false
	}
	span := min(m.win.length, m.front-m.win.start0)
	most := m.win.mass + rate*(to-m.front)
	if judged && to > m.out.Coarse() {
		return false
	}
	if judged && (most >= m.floor*span || rate != 0 && rate != Whole && float64(most) >= m.totals.Peak*float64(span)*Whole) {
		return false
	}
	a := m.share
	if m.shareAt != m.front {
		a = m.win.share(m.front)
	}
	m.win.jump(m.front, to, rate)
	m.busy.add(rate, to-m.front)
	b := m.win.share(to)
	m.share, m.shareAt = b, to
	if judged {
		m.totals.Judged += to - m.front
		m.totals.peak(a, m.front)
		m.totals.peak(b, to)
		from := m.front
		if rest := from + m.win.length; rate == 0 && rest < to {
			// The window has been empty for a while.
			m.out.Moved(from, rest, a, 0)
			from, a = rest, 0
		}
		m.out.Moved(from, to, a, b)
	}
	m.front = to
	return true
}

// share is the share over the window at an instant that it has been moved to.
func (w *window) share(at int64) float64 {
	span := min(w.length, at-w.start0)
	if span <= 0 {
		return 0
	}
	return float64(w.mass) / float64(span) / Whole
}

// peak takes note of a share.
func (t *Totals) peak(share float64, at int64) {
	if share > t.Peak {
		t.Peak, t.PeakAt = share, at
	}
}
