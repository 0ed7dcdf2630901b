package gcparse

import "slices"

const (
	// goProcs is how many processes that write to one stream are kept apart.
	goProcs = 8
	// goLost is how many collections must be missing to make a hole. Single lines
	// are lost where other output was written into them.
	goLost = 3
)

// goProc is one run of one process. Lines do not name the process; the numbers of
// collections, which grow by one, and the time tell.
type goProc struct {
	run  int32
	id   int64 // of its last collection
	last int64 // when that began
}

// goes reports whether a collection may be the next of a process, and how many are
// missing then.
func (p *goProc) goes(id, start int64) (missing int64, ok bool) {
	return id - p.id - 1, id > p.id && start >= p.last
}

// locate finds the process that a collection belongs to, and makes its run the
// current one. Before 1.5 there is no time; start is then -1 for all.
func (r *goReader) locate(id, start int64) *goProc {
	best, missing := -1, int64(0)
	for i, p := range r.procs {
		if m, ok := p.goes(id, start); ok && (best < 0 || m < missing) {
			best, missing = i, m
		}
	}
	if best < 0 {
		return r.begin(id, start)
	}
	p := r.procs[best]
	copy(r.procs[1:best+1], r.procs[:best])
	r.procs[0] = p
	r.out.resume(p.run)
	if missing >= goLost {
		e := r.out.event(Hole)
		e.Start = goStamp(p.last)
		e.Count = missing
		r.out.emit(e)
	}
	p.id, p.last = id, start
	return p
}

// begin makes a new process of a collection that goes on with none.
func (r *goReader) begin(id, start int64) *goProc {
	why := FirstLine
	if len(r.procs) > 0 {
		why = NumbersRestart
		if id > r.procs[0].id {
			why = ClockFell
		}
	}
	run := r.out.newRun(why)
	run.Collector, run.Headless = Go, id > 1
	p := &goProc{run: r.out.current, id: id, last: start}
	r.procs = slices.Insert(r.procs, 0, p)
	if len(r.procs) > goProcs {
		r.procs = r.procs[:goProcs]
	}
	return p
}

// goStamp is a time since the program began. The runtime cuts it to milliseconds.
func goStamp(ns int64) Stamp {
	if ns < 0 {
		return Stamp{}
	}
	return Stamp{Uptime: ns, HasUptime: true, Error: 1e6}
}
