package tier

// window is the mass of the share over the last W: what r sums up to, in
// millionths of nanoseconds. With W of up to an hour that is below 2^62.
type window struct {
	start0, length int64
	mass           int64
	segs           []segment
	head           int
}

// segment is a stretch of time with a rate over 0.
type segment struct{ from, to, rate int64 }

func (w *window) start(at, length int64) {
	*w = window{start0: at, length: length, segs: w.segs[:0]}
}

// piece is a stretch of time in which the mass of the window is linear.
type piece struct {
	from, to int64
	// rate is what comes in; slope is how fast the mass grows, which is rate less
	// what falls out of the window.
	rate, slope int64
	// mass and span are those at from: what the window holds, and how much time it
	// covers. In the first window grows is set, and span grows with the time.
	mass, span int64
	grows      bool
	// judged says that the warm-up is over.
	judged bool
	// first and final are the shares at its ends, once it is judged.
	first, final float64
}

// next makes p the piece from an instant to the next turn of the mass, at most
// until the time given. Rate is that of all of the time until then.
func (w *window) next(p *piece, from, to, rate, warm int64) {
	*p = piece{from: from, to: to, rate: rate, slope: rate, mass: w.mass, span: min(w.length, from-w.start0)}
	p.judged = from >= w.start0+warm
	if !p.judged {
		p.to = min(p.to, w.start0+warm)
	}
	if p.grows = from < w.start0+w.length; p.grows {
		p.to = min(p.to, w.start0+w.length)
	}
	if rate > 0 {
		// What comes in now falls out after a window.
		p.to = min(p.to, from+w.length)
	}
	low := from - w.length
	for w.head < len(w.segs) && w.segs[w.head].to <= low {
		w.head++
	}
	if w.head == len(w.segs) {
		return
	}
	if s := w.segs[w.head]; s.from > low {
		p.to = min(p.to, s.from+w.length)
	} else {
		p.slope -= s.rate
		p.to = min(p.to, s.to+w.length)
	}
}

// take moves the window to the end of p.
func (w *window) take(p *piece) {
	w.mass += p.slope * (p.to - p.from)
	if p.rate == 0 {
		return
	}
	if n := len(w.segs); n > w.head && w.segs[n-1].to == p.from && w.segs[n-1].rate == p.rate {
		w.segs[n-1].to = p.to
		return
	}
	if w.head > 64 && w.head > len(w.segs)/2 {
		w.segs = w.segs[:copy(w.segs, w.segs[w.head:])]
		w.head = 0
	}
	w.segs = append(w.segs, segment{p.from, p.to, p.rate})
}

// share is the share over the window x nanoseconds into p.
func (p *piece) share(x int64) float64 {
	span := p.span
	if p.grows {
		span += x
	}
	if span == 0 {
		return 0
	}
	return float64(p.mass+p.slope*x) / float64(span) / Whole
}

// at is share for a piece that is judged.
func (p *piece) at(x int64) float64 {
	switch x {
	case 0:
		return p.first
	case p.to - p.from:
		return p.final
	}
	return p.share(x)
}

// over returns by how much the mass is over a threshold at from, and how fast
// that grows.
func (p *piece) over(threshold int64) (f, slope int64) {
	f, slope = p.mass-threshold*p.span, p.slope
	if p.grows {
		slope -= threshold
	}
	return f, slope
}

// sides tells whether the share is at or over the threshold at both ends of p, and
// with them everywhere, and whether it is at one of them.
func (p *piece) sides(threshold int64) (both, either bool) {
	f, slope := p.over(threshold)
	g := f + slope*(p.to-p.from)
	return f >= 0 && g >= 0, f >= 0 || g >= 0
}

// reaches returns the first whole nanosecond of p at which the share is at or
// over the threshold, the length of p or more when none is.
func (p *piece) reaches(threshold int64) int64 {
	switch f, slope := p.over(threshold); {
	case f >= 0:
		return 0
	case slope <= 0:
		return p.to - p.from
	default:
		return (-f + slope - 1) / slope
	}
}

// falls returns the first whole nanosecond of p, not before x, at which the share
// is below the threshold, the length of p or more when none is.
func (p *piece) falls(threshold, x int64) int64 {
	f, slope := p.over(threshold)
	switch f += slope * x; {
	case f < 0:
		return x
	case slope >= 0:
		return p.to - p.from
	default:
		return x + f/-slope + 1
	}
}

// above returns for how long of p the share is at or over the threshold.
func (p *piece) above(threshold int64) int64 {
	n := p.to - p.from
	x := p.reaches(threshold)
	if x >= n {
		return 0
	}
	return min(p.falls(threshold, x), n) - x
}

// mass is a sum of shares over time: whole nanoseconds and millionths of one, so
// that it does not overflow in a log of months.
type mass struct{ ns, rest int64 }

func (m *mass) add(rate, length int64) {
	v := rate*length + m.rest
	m.ns, m.rest = m.ns+v/Whole, v%Whole
}

// since is by how many whole nanoseconds m is more than an earlier sum.
func (m mass) since(o mass) int64 {
	ns, rest := m.ns-o.ns, m.rest-o.rest
	if rest < 0 {
		rest += Whole
		ns--
	}
	return ns + rest/Whole
}

// jump moves the window to an instant over time with one rate, without a look at
// what lies between. The time must not be longer than the window unless the rate
// is 0.
func (w *window) jump(from, to, rate int64) {
	low, was := to-w.length, from-w.length
	for w.head < len(w.segs) {
		s := w.segs[w.head]
		if s.from >= low {
			break
		}
		w.mass -= s.rate * (min(s.to, low) - max(s.from, was))
		if s.to > low {
			break
		}
		w.head++
	}
	if rate > 0 {
		w.take(&piece{from: from, to: to, rate: rate, slope: rate})
	}
}
