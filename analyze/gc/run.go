package gc

import (
	"time"

	"example.com/kneeline/analyze/gc/tier"
	"example.com/kneeline/gcparse"
)

// run is one run of a process while its log is read. Its times are nanoseconds on
// one clock: the uptime where the log has it, since it does not jump, else the
// wall clock.
type run struct {
	a     *Analyzer
	index int32
	// uptime says which clock it is; offset is wall time less uptime, if hasOffset.
	uptime    bool
	offset    int64
	hasOffset bool
	// from is where the run begins for the purpose of windows, newest the latest
	// time seen. shift takes its times to the axis of the log.
	from, newest, shift int64

	collector gcparse.Collector
	courses   [numSeries]*course
	deadline  *tier.Meter[mark]
	heap      heap

	// cycle is the last concurrent phase, over which assists are spread.
	cycle struct {
		id, from, to int64
		known        bool
	}
	assist gcparse.Event // that waits for its cycle
	waits  bool
	// maxWorkers is the most workers that a pause had.
	maxWorkers int32
	// lastStop is the end of the last pause.
	lastStop int64
	closed   bool
}

// aliveFromStart is the uptime below which a log is taken to begin with the process.
const aliveFromStart = int64(60 * time.Second)

// newRun begins a run at its first stamp.
func newRun(a *Analyzer, e *gcparse.Event) *run {
	r := &run{a: a, index: e.Run, uptime: e.Start.HasUptime, collector: e.Collector}
	if e.Start.HasUptime && e.Start.HasWall {
		r.offset, r.hasOffset = e.Start.Wall-e.Start.Uptime, true
	}
	first, _ := r.at(e.Start)
	r.from, r.newest, r.lastStop = first, first, first
	// A run of a lower index than one before has been seen already.
	if r.uptime && first < aliveFromStart && e.Run >= a.newest {
		r.from, r.lastStop = min(0, first), min(0, first)
	}
	r.shift = a.axis.place(r)
	r.course(Pauses) // a run without pauses has a share of 0
	return r
}

// at is the time of a stamp on the clock of the run.
func (r *run) at(s gcparse.Stamp) (int64, bool) {
	switch {
	case r.uptime && s.HasUptime:
		if s.HasWall && !r.hasOffset {
			r.offset, r.hasOffset = s.Wall-s.Uptime, true
		}
		return s.Uptime, true
	case r.uptime && s.HasWall && r.hasOffset:
		return s.Wall - r.offset, true
	case !r.uptime && s.HasWall:
		return s.Wall, true
	}
	return 0, false
}

// course returns the run's course of a series, which begins with the run.
func (r *run) course(s Series) *course {
	if r.courses[s] == nil {
		r.courses[s] = newCourse(r.a, r, s)
	}
	return r.courses[s]
}

// busy returns the course of the CPU time. Until there is work beside the program it
// is that of the pauses, and costs nothing.
func (r *run) busy() *course {
	if r.courses[CPU] == nil {
		r.a.hasCPU = true
		r.courses[CPU] = r.course(Pauses).fork(CPU)
		if l := &r.a.lanes[CPU]; !l.started {
			*l = r.a.lanes[Pauses].clone()
		}
	}
	return r.courses[CPU]
}

// add adds a part to a series.
func (r *run) add(s Series, from, to, share int64, m mark) {
	r.course(s).meter.Add(from, to, share, m)
}

// seen takes note of a time.
func (r *run) seen(at int64) {
	if at > r.newest {
		r.newest = at
		r.a.axis.seen(at + r.shift)
	}
}

// stop ends the windows of the run, at its last stamp.
func (r *run) stop(at int64, end tier.End) {
	if r.closed {
		return
	}
	r.closed = true
	r.flushAssist()
	at = max(at, r.newest)
	r.seen(at)
	for s, c := range r.courses {
		if c == nil && s == int(CPU) {
			r.a.totals[CPU].add(r.courses[Pauses].meter.Totals())
		}
		if c == nil {
			continue
		}
		c.meter.Stop(at, end)
		r.a.totals[s].add(c.meter.Totals())
	}
	if r.deadline != nil {
		r.deadline.Stop(at, end)
		r.a.late.add(r.deadline.Totals())
	}
	r.heap.finish(r, at)
	r.a.observed = plus(r.a.observed, at-r.from)
}

// cut ends the windows at a hole, and begins new ones behind it.
func (r *run) cut(at int64) {
	r.flushAssist()
	for _, c := range r.courses {
		if c != nil {
			c.meter.Stop(at, tier.Cut)
			c.meter.Start(at)
		}
	}
	if r.deadline != nil {
		r.deadline.Stop(at, tier.Cut)
		r.deadline.Start(at)
	}
	r.heap.hole()
	r.cycle.known = false
	r.lastStop = at
}

// wall is the wall-clock time of a time of the run, if it is known.
func (r *run) wall(at int64) (int64, bool) {
	switch {
	case !r.uptime:
		return at, true
	case r.hasOffset:
		return at + r.offset, true
	}
	return 0, false
}

// axis puts the runs of a log on one line of time: the wall clock where the first
// run has it, else one after the other.
type axis struct {
	started, isWall bool
	origin, end     int64
}

// maxAxis is the length of the axis from which further runs are put at its start,
// rather than beyond what can be counted.
const maxAxis = 2 * maxUptime

// place returns what takes the run's clock to the axis.
func (x *axis) place(r *run) int64 {
	w, ok := r.wall(r.from)
	switch {
	case !x.started:
		x.started, x.isWall = true, ok
		shift := int64(0)
		if ok {
			shift = w - r.from
		}
		x.origin, x.end = r.from+shift, r.from+shift
		return shift
	case x.isWall && ok:
		return w - r.from
	case x.end-x.origin > maxAxis:
		return x.origin - r.from
	}
	return x.end - r.from
}

func (x *axis) seen(at int64) { x.end = max(x.end, at) }
