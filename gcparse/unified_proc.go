package gcparse

import "slices"

const (
	// uniProcs is how many processes that write to one stream are kept apart.
	uniProcs = 16
	// uniOpen is how many collections may be open at once in one process. A
	// young one may nest in a concurrent one, and a full one in a young one.
	uniOpen = 8
	// uniFall is how far the uptime may fall within a run: lines of different
	// threads are stamped before they are written, and may change places.
	uniFall = 1e9
	// uniAlternate is how long a process may be silent and still be the one that
	// goes on when lines of several processes without numbers are mixed.
	uniAlternate = 60e9
	// uniLost is the number of missing collection numbers that makes a hole. One
	// or two come out of order where a collection nests in another.
	uniLost = 3
)

// uniProc is the state of one run of one process.
type uniProc struct {
	run  int32
	pid  int64
	last Stamp // the latest stamps
	// maxID is the highest number of a collection, -1 before the first.
	maxID int64
	// alive is set once the process did more than introduce itself.
	alive bool

	gcs  [uniOpen]uniGC
	next int // the slot to give up next
	// pauses are the collections whose pause has begun and not ended.
	pauses []int64
	// paused tells that the pause that began last has not ended.
	paused bool

	// starts tells that the log has the first lines of pauses.
	starts bool

	held    Event // closed, and waiting for its CPU times
	hasHeld bool

	operation string // of the safepoint being entered
	paces     bool   // a table of pacing delays has begun
	region    int64  // G1's region size in bytes, 0 if not known

	blind uniBlind
}

// uniGC is a collection that is going on.
type uniGC struct {
	id     int64
	used   bool
	letter byte // of generational ZGC, of the line being read
	// begun is when a cycle began, from its first line.
	begun                      Stamp
	markOpen                   bool // Concurrent Mark, which holds others
	workers                    int32
	flags                      Flags
	young, old, metaspace      Space
	eden, survivor, oldRegions uniRegions
	humongous                  uniRegions
	capacity                   int64 // of the heap, 0 if not stated
}

// uniRegions counts regions.
type uniRegions struct {
	before, after, capacity int64
	has                     bool
}

// open finds the state of a collection, or makes it.
func (p *uniProc) open(id int64) *uniGC {
	for i := range p.gcs {
		if p.gcs[i].used && p.gcs[i].id == id {
			return &p.gcs[i]
		}
	}
	g := &p.gcs[p.next]
	p.next = (p.next + 1) % uniOpen
	*g = uniGC{id: id, used: true}
	return g
}

// forget drops what was read of collections of a process that are not closed.
func (r *uniReader) forget(p *uniProc) {
	r.out.unclosed(len(p.pauses), p.paused && p == r.proc)
	p.gcs = [uniOpen]uniGC{}
	p.pauses, p.paused = p.pauses[:0], false
	p.operation, p.paces = "", false
}

// locate finds the process and run that a line belongs to, and makes it the
// current one.
func (r *uniReader) locate(h *uniHead, id int64, hasID bool, body []byte) {
	p := r.proc
	if p != nil && h.pid != 0 && p.pid != h.pid {
		p = r.byPID(h)
		if p == nil {
			r.begin(h, OtherProcess)
			return
		}
	}
	why, renew := FirstLine, p == nil
	switch {
	case p == nil:
	case uniFell(p, h):
		if q := r.alternate(p, h, id, hasID); q != nil {
			p = q
		} else {
			why, renew = ClockFell, true
		}
	case uniJumped(p, h) && hasID && id > p.maxID+1:
		if q := r.alternate(p, h, id, hasID); q != nil {
			p = q
		}
	case hasID && id == 0 && p.maxID >= 2 && hasPrefix(body, "Pause ") && !h.stamp.HasUptime:
		why, renew = NumbersRestart, true
	case hasID && !h.stamp.HasUptime && uniBack(p, h, id):
		why, renew = ClockFell, true
	case p.alive && !hasID && uniIntroduces(body):
		why, renew = NewHeader, true
	}
	if renew {
		r.begin(h, why)
		return
	}
	if p != r.proc {
		r.resume(p)
	}
	if hasID && id > p.maxID {
		if p.maxID >= 0 && id > p.maxID+uniLost {
			r.lost(p, p.last, h.stamp, 0)
		}
		p.maxID = id
	}
}

// number notes that a collection was seen.
func (r *uniReader) number(id int64) {
	p := r.proc
	if !p.alive && id > 0 {
		r.out.run().Headless = true
	}
	p.alive = true
	p.maxID = max(p.maxID, id)
}

func uniFell(p *uniProc, h *uniHead) bool {
	return h.stamp.HasUptime && p.last.HasUptime && h.stamp.Uptime < p.last.Uptime-uniFall
}

func uniJumped(p *uniProc, h *uniHead) bool {
	return h.stamp.HasUptime && p.last.HasUptime && h.stamp.Uptime > p.last.Uptime+10*uniFall
}

// uniBack reports whether a log without uptimes begins again: the wall clock falls
// and the numbers of collections do not go on. A clock that is merely set back
// leaves the numbers alone.
func uniBack(p *uniProc, h *uniHead, id int64) bool {
	return h.stamp.HasWall && p.last.HasWall && !h.stamp.Borrowed && h.stamp.Wall < p.last.Wall-10e9 &&
		p.maxID >= 0 && (id > p.maxID+uniLost || id < p.maxID-uniOpen)
}

// byPID finds the process by its number; one whose number was not known yet
// takes it.
func (r *uniReader) byPID(h *uniHead) *uniProc {
	for _, q := range r.procs {
		if q.pid == h.pid && !uniFell(q, h) {
			return q
		}
	}
	return nil
}

// alternate finds another process that the line continues: its clock is a little
// behind the line's, and the numbers of its collections go on. A process that was
// started again has no such forerunner, since its clock begins at zero.
func (r *uniReader) alternate(p *uniProc, h *uniHead, id int64, hasID bool) *uniProc {
	var best *uniProc
	for _, q := range r.procs {
		if q == p || q.pid != h.pid || !q.last.HasUptime {
			continue
		}
		behind := h.stamp.Uptime - q.last.Uptime
		if behind < -uniFall || behind > uniAlternate || hasID && id != q.maxID && id != q.maxID+1 {
			continue
		}
		if h.stamp.HasWall && q.last.HasWall {
			if off := h.stamp.Wall - q.last.Wall - behind; off < -2e9 || off > 2e9 {
				continue
			}
		}
		if best == nil || q.last.Uptime > best.last.Uptime {
			best = q
		}
	}
	return best
}

// begin begins a run of a process.
func (r *uniReader) begin(h *uniHead, why RunReason) {
	if why == ClockFell || why == NewHeader || why == NumbersRestart {
		// The process that ended will not go on.
		r.release(r.proc)
		r.releaseBlind(r.proc)
		if why != ClockFell {
			r.forget(r.proc)
			r.procs = slices.DeleteFunc(r.procs, func(q *uniProc) bool { return q == r.proc })
		}
	}
	run := r.out.newRun(why)
	run.PID = h.pid
	p := &uniProc{run: r.out.current, pid: h.pid, maxID: -1}
	if len(r.procs) == uniProcs {
		old := r.procs[0]
		r.release(old)
		r.releaseBlind(old)
		r.forget(old)
		r.procs = slices.Delete(r.procs, 0, 1)
	}
	r.procs = append(r.procs, p)
	r.proc = p
}

// resume makes the run of p the current one.
func (r *uniReader) resume(p *uniProc) {
	r.proc = p
	r.out.resume(p.run)
}

// lost reports that lines are missing between two times; n of them, if that is
// known. What was open cannot be trusted any more.
func (r *uniReader) lost(p *uniProc, from, now Stamp, n int64) {
	r.release(p)
	r.releaseBlind(p)
	e := r.out.event(Hole)
	e.Title, e.Count = "lines are missing", n
	e.Start = from
	if d, ok := between(from, now); ok {
		e.Duration, e.HasDuration = d, true
	} else {
		e.Start = now
	}
	r.out.emit(e)
	r.forget(p)
}

// between is the time from a to b on a clock that both have.
func between(a, b Stamp) (int64, bool) {
	switch {
	case a.HasUptime && b.HasUptime:
		return max(0, b.Uptime-a.Uptime), true
	case a.HasWall && b.HasWall:
		return max(0, b.Wall-a.Wall), true
	}
	return 0, false
}
