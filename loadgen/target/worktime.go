package target

// worktime turns stalls into arithmetic. While the workers are frozen the clock
// of their work stands still, so a service of s that begins at t ends when the
// clock of work has gone s further than it had at t. No event has to be planned
// for a stall, and work in progress shifts by itself.
//
// Stalls cover [k·every, k·every+length) for k ≥ 1. All instants are in ns.
type worktime struct {
	length, every int64
}

func newWorktime(s Stall) worktime {
	return worktime{length: int64(s.Length), every: int64(s.Every)}
}

// worked returns how much of the time from 0 to t was not stalled.
func (w worktime) worked(t int64) int64 {
	if w.every == 0 || t < w.every {
		return t
	}
	k, r := t/w.every, t%w.every
	return t - (k-1)*w.length - min(r, w.length)
}

// when returns the instant at which the clock of work shows x; of the instants
// of a stall, which all show the same, it returns the end.
func (w worktime) when(x int64) int64 {
	if w.every == 0 || x < w.every {
		return x
	}
	period := w.every - w.length
	k, r := (x-w.every)/period, (x-w.every)%period
	return (k+1)*w.every + w.length + r
}

// resume returns t, or the end of the stall that covers t.
func (w worktime) resume(t int64) int64 { return w.when(w.worked(t)) }

// after returns when a service of s ends that begins at t.
func (w worktime) after(t, s int64) int64 { return w.when(w.worked(t) + s) }
