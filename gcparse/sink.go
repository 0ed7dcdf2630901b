package gcparse

// sink takes what a family finds in one stream: it numbers runs, counts lines and
// hands events on. Families call it; they never call the handler.
type sink struct {
	handle  func(*Event)
	result  *Result
	kind    *familyKind // of the family that reads now
	scratch Event
	words   interner
	now     *line // the line that is being read
	current int32 // run of the events to come, -1 before the first
	ending  bool  // the log is over: what is open has been cut off
}

// tail is how many lines the end of a log may cut off: as many as the longest of
// events has. What was not understood before them is no matter of its end.
const tail = 200

// event gives an empty event that stands at the line being read and belongs to
// the current run. It is valid until the next call of event. A family that holds
// an event back keeps a copy.
func (s *sink) event(kind Kind) *Event {
	s.run()
	s.scratch = Event{Kind: kind, Run: s.current, Source: s.now.source, Line: s.now.no, Offset: s.now.offset,
		Collector: s.run().Collector}
	return &s.scratch
}

// emit hands an event to the caller. The event's run sees its stamps.
func (s *sink) emit(e *Event) {
	r := &s.result.Runs[e.Run]
	if int(e.Kind) < len(r.Events) {
		r.Events[e.Kind]++
	}
	s.seen(e.Run, &e.Start)
	if e.Duration != 0 {
		end := e.End()
		s.seen(e.Run, &end)
	}
	s.handle(e)
}

// run is the run that events belong to now; the first call in a stream begins
// one. The pointer is valid until the next run begins.
func (s *sink) run() *Run {
	if s.current < 0 {
		return s.newRun(FirstLine)
	}
	return &s.result.Runs[s.current]
}

// newRun begins another run at the line being read, with nothing known of it.
// A run that has seen neither events nor stamps is used again instead, so that a
// header before the first event makes one run and not two.
func (s *sink) newRun(why RunReason) *Run {
	if s.current >= 0 {
		r := &s.result.Runs[s.current]
		if r.Events == [kinds]int64{} && r.First.Zero() && r.Family == s.kind.name {
			return r
		}
	}
	if len(s.result.Runs) >= MaxRuns {
		s.result.runsOver++
		s.current = int32(len(s.result.Runs) - 1)
		return &s.result.Runs[s.current]
	}
	s.result.Runs = append(s.result.Runs, Run{Source: s.now.source, Line: s.now.no, Why: why, Family: s.kind.name})
	s.current = int32(len(s.result.Runs) - 1)
	return &s.result.Runs[s.current]
}

// resume makes run i the current one: lines of several processes alternate.
func (s *sink) resume(i int32) *Run {
	s.current = i
	return &s.result.Runs[i]
}

// seen notes a time at which run i was alive.
func (s *sink) seen(i int32, at *Stamp) {
	if at.Zero() {
		return
	}
	r := &s.result.Runs[i]
	earliest(&r.First, at)
	latest(&r.Last, at)
}

func earliest(to, at *Stamp) {
	if at.HasUptime && (!to.HasUptime || at.Uptime < to.Uptime) {
		to.Uptime, to.HasUptime, to.Error = at.Uptime, true, at.Error
	}
	if at.HasWall && (!to.HasWall || at.Wall < to.Wall) {
		to.Wall, to.HasWall, to.Borrowed = at.Wall, true, at.Borrowed
	}
}

func latest(to, at *Stamp) {
	if at.HasUptime && (!to.HasUptime || at.Uptime > to.Uptime) {
		to.Uptime, to.HasUptime, to.Error = at.Uptime, true, at.Error
	}
	if at.HasWall && (!to.HasWall || at.Wall > to.Wall) {
		to.Wall, to.HasWall, to.Borrowed = at.Wall, true, at.Borrowed
	}
}

// word gives the bytes as a string that is made once for all events.
func (s *sink) word(b []byte) string { return s.words.get(b) }

// unread accounts for earlier lines that turned out not to be understood: n
// lines that were counted as class was. text is the first of them. At the end of
// the log they may merely have been cut off.
func (s *sink) unread(was Class, n int64, source int32, no int64, text []byte) {
	is := UnknownLine
	if s.ending && source == s.now.source && s.now.no-no < tail {
		is = CutLine
	}
	s.result.Ledger.unread(was, is, n, source, no, text)
}

// unclosed notes pauses that began and have no end in the log; last tells that
// nothing followed the latest of them.
func (s *sink) unclosed(n int, last bool) {
	s.result.Unclosed += int64(n)
	s.result.EndsInPause = s.result.EndsInPause || s.ending && last && n > 0
}
