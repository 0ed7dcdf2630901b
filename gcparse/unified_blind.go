package gcparse

// uniBlindMax is how many events wait for a time at most.
const uniBlindMax = 256

// uniBlind rebuilds times in a log without decorations. Since JDK 13 a safepoint
// line tells the time since the safepoint before it and its own length, so that
// their sum is a clock that runs from the beginning of the log. Events wait for
// the safepoint line that follows them.
type uniBlind struct {
	clock   int64
	running bool
	waiting []Event
}

// stamp gives an event its time if the log has none, and emits it.
func (r *uniReader) stamp(p *uniProc, e *Event) {
	if !e.Start.Zero() || e.Kind == Hole {
		r.releaseBlind(p)
		r.out.emit(e)
		return
	}
	b := &p.blind
	if len(b.waiting) == uniBlindMax {
		r.releaseBlind(p)
	}
	b.waiting = append(b.waiting, *e)
}

// sawSafepoint advances the rebuilt clock to the end of a safepoint, and stamps
// what waits. Pauses lie in the safepoint, one after the other, and end with it;
// everything else ended when it began.
func (r *uniReader) sawSafepoint(p *uniProc, since, total int64) {
	if !r.head.stamp.Zero() || since < 0 {
		return
	}
	r.release(p)
	b := &p.blind
	if !b.running {
		b.running = true
		r.out.run().Rebuilt = true
	}
	begin := b.clock + since
	b.clock = begin + total
	end := b.clock
	for i := len(b.waiting) - 1; i >= 0; i-- {
		e := &b.waiting[i]
		at := begin
		if e.Kind == Pause {
			at = end
		}
		e.Start = Stamp{Uptime: at - e.Duration, HasUptime: true, Error: total}
		switch {
		case e.Kind != Pause:
			e.Start.Error = since
		case e.Flags&Nested == 0:
			end -= e.Duration
		}
	}
	r.releaseBlind(p)
}

// releaseBlind emits what waits, with or without times.
func (r *uniReader) releaseBlind(p *uniProc) {
	if p == nil {
		return
	}
	for i := range p.blind.waiting {
		r.out.emit(&p.blind.waiting[i])
	}
	p.blind.waiting = p.blind.waiting[:0]
}

// stampNow is the time of the line being read, rebuilt if need be.
func (r *uniReader) stampNow(p *uniProc) Stamp {
	if r.head.stamp.Zero() && p.blind.running {
		return Stamp{Uptime: p.blind.clock, HasUptime: true}
	}
	return r.head.stamp
}
