package gcparse

const (
	goSweepTermination = "sweep termination"
	goMark             = "concurrent mark"
	goMarkTermination  = "mark termination"
	goAssists          = "mark assists"
	goStopped          = "stop-the-world collection"

	goCauseForced = "forced by the program"
	goCauseTimed  = "none for two minutes"
	goMB          = 1 << 20
)

// emit turns a line into events, in the order of their times: the pause of sweep
// termination, the concurrent mark with the CPU time of its workers, the assists
// in it, and the pause of mark termination.
//
// The pause of mark termination has the heap: Before is its size when marking
// ended, After what of it is alive, Capacity the goal of the collection. So that
// of two collections the one's Before less the other's After is what the program
// allocated between them. The size when the collection began stands as Before of
// the first pause.
func (r *goReader) emit(in *line, s *goScan) Class {
	r.locate(s.id, s.start)
	at := goStamp(s.start)
	if in.hasWall {
		// The line is written at the end.
		at.Wall, at.HasWall, at.Borrowed = in.wall-s.first-s.middle-s.last, true, true
	}
	var flags Flags
	cause := ""
	switch {
	case s.forced:
		flags, cause = Explicit, goCauseForced
	case r.timed:
		cause = goCauseTimed
	}
	r.timed = false
	if s.more {
		flags |= Interleaved
	}
	event := func(kind Kind, title string, start Stamp, duration int64) *Event {
		e := r.out.event(kind)
		e.Collector, e.Generation = Go, Whole
		e.ID, e.HasID = s.id, true
		e.Title, e.Cause, e.Flags = title, cause, flags
		e.Start, e.Duration, e.HasDuration = start, duration, true
		e.Procs = int32(min(s.procs, 1<<20))
		return e
	}

	e := event(Pause, goSweepTermination, at, s.first)
	e.Heap.set(goBytes(s.before), -1, -1)
	r.out.emit(e)

	at = at.Add(s.first)
	if s.middle > 0 {
		e = event(Concurrent, goMark, at, s.middle)
		e.HasCPU, e.User, e.Idle, e.Real = s.hasCPU, s.background, s.idle, s.middle
		r.out.emit(e)
	}
	if s.assist > 0 {
		r.out.emit(event(Assist, goAssists, at, s.assist))
	}

	e = event(Pause, goMarkTermination, at.Add(s.middle), s.last)
	e.Heap.set(goBytes(s.marked), goBytes(s.live), goBytes(s.goal))
	r.out.emit(e)
	return EventLine
}

// emitOld turns a line of Go 1.4 or before into its pause. It has no time but that
// of the wrapper around the line.
func (r *goReader) emitOld(in *line, l *goOld) Class {
	r.locate(l.id, -1)
	e := r.out.event(Pause)
	e.Collector, e.Generation = Go, Whole
	e.ID, e.HasID = l.id, true
	e.Title = goStopped
	e.Duration, e.HasDuration = l.pause, true
	e.Workers = int32(min(l.procs, 1<<20))
	if in.hasWall {
		e.Start = Stamp{Wall: in.wall - l.pause, HasWall: true, Borrowed: true}
	}
	e.Heap.set(goBytes(l.before), goBytes(l.after), -1)
	r.out.emit(e)
	return EventLine
}

// goBytes are MB in bytes, -1 if not stated.
func goBytes(mb int64) int64 {
	if mb < 0 || mb > 1<<40 {
		return -1
	}
	return mb * goMB
}
