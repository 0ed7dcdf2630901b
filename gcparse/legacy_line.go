package gcparse

import "bytes"

// stopped reads the sentence on a stop of the program at i, of its own line or put
// into another. It is printed at the end of the stop.
func (r *legacyReader) stopped(b []byte, i int) int {
	j := i + len(legacyStopped)
	took, n := scanSeconds(b[j:])
	if n == 0 || !has(b[j+n:], " seconds") {
		r.note(UnknownLine)
		return j
	}
	at, stamped := r.stampAt(i)
	j += n + len(" seconds")
	if r.opens == 0 {
		r.flush()
		at, stamped = r.begin(i)
	}
	e := r.out.event(Safepoint)
	e.Title = "application threads stopped"
	e.Duration, e.HasDuration = took, true
	const reach = ", Stopping threads took: "
	if has(b[j:], reach) {
		ns, n := scanSeconds(b[j+len(reach):])
		if n > 0 {
			e.TimeToSafepoint, e.HasTimeToSafepoint = ns, true
			j += len(reach) + n + len(" seconds")
		}
	}
	e.Start = at
	if stamped {
		e.Start = at.Add(-took)
	} else {
		r.drift += took // the estimate is of its start
	}
	if !e.Start.HasWall && r.in.hasWall {
		e.Start.Wall, e.Start.HasWall, e.Start.Borrowed = r.in.wall-took, true, true
	}
	r.note(EventLine)
	r.out.emit(e)
	return min(j, len(b))
}

// ran reads the sentence on how long the program ran between stops.
func (r *legacyReader) ran(b []byte, i int) int {
	j := i + len(legacyRan)
	took, n := scanSeconds(b[j:])
	if n == 0 {
		r.note(UnknownLine)
		return j
	}
	stamped := false
	if r.opens == 0 {
		r.flush()
		_, stamped = r.begin(i)
	}
	if !stamped {
		r.drift += took
		r.ranOn = true
	}
	r.note(DetailLine)
	return j + n
}

// timeLimit reads HotSpot's own finding that it spends too much time collecting:
// "GC time would exceed GCTimeLimit of 98%", "GC time is exceeding GCTimeLimit".
func (r *legacyReader) timeLimit(b []byte) {
	if !bytes.Contains(b[:min(len(b), 60)], []byte("GCTimeLimit")) {
		return
	}
	r.note(DetailLine)
	switch {
	case r.opens > 0:
		r.open[0].e.Flags |= TimeLimit
	case r.hasPending:
		r.pending.Flags |= TimeLimit
	}
}
