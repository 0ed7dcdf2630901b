package loadgen

import "time"

// collect brings the timeline up to date from the loops.
func (r *run) collect() {
	now := int64(never)
	final := int64(never)
	tl := &r.timeline
	tl.Windows = tl.Windows[:r.merged]
	for i, l := range r.loops {
		l.mu.Lock()
		t := l.clock()
		l.acc.roll(t)
		l.acc.trim(r.merged)
		if i == 0 {
			now = t
		}
		final = min(final, l.final(t))
		r.addWindows(l.acc)
		l.mu.Unlock()
	}
	tl.Now, tl.Final = time.Duration(now), time.Duration(min(final, now))
	r.merged = max(r.merged, min(int(tl.Final/WindowWidth), len(tl.Windows)))
}

// addWindows adds the windows of one loop that are not final to the timeline.
func (r *run) addWindows(from *account) {
	tl := &r.timeline
	for i := r.merged; i < from.base+len(from.windows); i++ {
		w := &from.windows[i-from.base]
		if i == len(tl.Windows) {
			tl.Windows = append(tl.Windows, *w)
		} else {
			tl.Windows[i].add(w)
		}
	}
}

// add adds the window of another loop.
func (w *Window) add(o *Window) {
	c, d := &w.Cohort, &o.Cohort
	c.Planned += d.Planned
	for i := range c.By {
		c.By[i] += d.By[i]
	}
	for i := range c.LateFull {
		c.LateFull[i] += d.LateFull[i]
		c.LateDegraded[i] += d.LateDegraded[i]
	}
	w.Sent += o.Sent
	w.Answered += o.Answered
	w.Expired += o.Expired
	w.Refused += o.Refused
	w.Broken += o.Broken
	w.InFlight += o.InFlight
	w.RefusedDepthSum += o.RefusedDepthSum
	w.RefusedDepthSq += o.RefusedDepthSq
	w.LatencySum += o.LatencySum
}
