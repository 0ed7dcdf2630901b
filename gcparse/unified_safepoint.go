package gcparse

import "bytes"

// safepoint reads the lines of safepoints: one line since JDK 13, three before.
func (r *uniReader) safepoint(body []byte) (Class, bool) {
	p := r.proc
	if rest, ok := uniAfter(body, "Safepoint \""); ok {
		return r.safepointLine(p, rest), true
	}
	if rest, ok := uniAfter(body, "Entering safepoint region: "); ok {
		p.operation = r.out.word(bytes.TrimRight(rest, " "))
		return DetailLine, true
	}
	if hasPrefix(body, "Leaving safepoint region") {
		return DetailLine, true
	}
	rest, ok := uniAfter(body, "Total time for which application threads were stopped: ")
	if !ok {
		return 0, false
	}
	stopped, n := scanSeconds(rest)
	if n == 0 {
		return UnknownLine, true
	}
	reach := int64(-1)
	if rest, ok := uniAfter(rest[n:], " seconds, Stopping threads took: "); ok {
		if v, n := scanSeconds(rest); n > 0 {
			reach = v
		}
	}
	r.stopped(p, p.operation, stopped, reach)
	p.operation = ""
	return EventLine, true
}

// safepointLine reads what follows Safepoint ", since JDK 13:
// G1CollectForAllocation", Time since last: 1 ns, Reaching safepoint: 2 ns, … The
// parts are read by name, as releases add to them.
func (r *uniReader) safepointLine(p *uniProc, b []byte) Class {
	quote := bytes.IndexByte(b, '"')
	if quote < 0 {
		return UnknownLine
	}
	operation := r.out.word(b[:quote])
	var since, reach, at, leave, total int64 = -1, -1, -1, 0, -1
	for b = b[quote+1:]; len(b) > 2 && b[0] == ','; {
		b = bytes.TrimLeft(b[1:], " ")
		colon := bytes.IndexByte(b, ':')
		if colon < 0 {
			break
		}
		name := b[:colon]
		b = bytes.TrimLeft(b[colon+1:], " ")
		v, n := scanInt(b)
		switch string(name) {
		case "Time since last":
			since = v
		case "Reaching safepoint":
			reach = v
		case "At safepoint":
			at = v
		case "Leaving safepoint":
			leave = v
		case "Total":
			total = v
		}
		b = b[n:]
		if comma := bytes.IndexByte(b, ','); comma >= 0 {
			b = b[comma:]
		} else {
			b = nil
		}
	}
	switch {
	case total >= 0:
	case reach >= 0 && at >= 0:
		total = reach + at + leave
	default:
		return UnknownLine
	}
	r.sawSafepoint(p, since, total)
	r.stopped(p, operation, total, reach)
	return EventLine
}

// stopped reports a safepoint that ends now.
func (r *uniReader) stopped(p *uniProc, operation string, total, reach int64) {
	r.release(p)
	p.pauses = p.pauses[:0] // nothing stays stopped beyond its safepoint
	p.alive = true
	e := r.out.event(Safepoint)
	e.Title, e.Thread = "Safepoint", operation
	e.Duration, e.HasDuration = total, true
	e.Start = r.stampNow(p).Add(-total)
	if reach >= 0 {
		e.TimeToSafepoint, e.HasTimeToSafepoint = reach, true
	}
	r.out.emit(e)
}

// stall reads a thread of ZGC that had to wait for memory.
func (r *uniReader) stall(body []byte) (Class, bool) {
	p := r.proc
	var title string
	switch {
	case hasPrefix(body, "Allocation Stall ("):
		title = "Allocation Stall"
	case hasPrefix(body, "Relocation Stall ("):
		title = "Relocation Stall"
	case hasPrefix(body, "Out Of Memory ("):
		return DetailLine, true
	case hasPrefix(body, "Allocation pacing accrued:"):
		p.paces = true
		return DetailLine, true
	default:
		return 0, false
	}
	body = bytes.TrimRight(body, " ")
	at := bytes.LastIndexByte(body, ' ') + 1
	d, ok := uniDuration(body[at:])
	if !ok {
		// Generational ZGC at debug level also reports the beginning.
		return DetailLine, body[len(body)-1] == ')'
	}
	r.release(p)
	p.alive = true
	e := r.out.event(Stall)
	e.Title, e.Count = title, 1
	end := bytes.LastIndexByte(body[:at], ')')
	if open := len(title) + 2; end > open {
		e.Thread = r.out.word(body[open:end])
	}
	e.Duration, e.HasDuration = d, true
	e.Start = r.head.stamp.Add(-d)
	e.Flags |= AllocationFailure
	r.stamp(p, e)
	return EventLine, true
}

// pacing reads the sum of the delays that Shenandoah put on allocating threads
// since the last such table: 443 of 890 ms ( 49.8%): <total>.
func (r *uniReader) pacing(body []byte) Class {
	p := r.proc
	if !p.paces || !hasSuffix(body, "<total>") {
		return NoiseLine
	}
	b := bytes.TrimLeft(body, " ")
	delay, n := scanInt(b)
	if n == 0 || n > 15 {
		return NoiseLine
	}
	rest, ok := uniAfter(b[n:], " of ")
	if !ok {
		return NoiseLine
	}
	rest = bytes.TrimLeft(rest, " ")
	span, n := scanInt(rest)
	if n == 0 || n > 12 || !hasPrefix(rest[n:], " ms") {
		return NoiseLine
	}
	p.paces = false
	if delay == 0 {
		return DetailLine
	}
	r.release(p)
	e := r.out.event(Assist)
	e.Title = "Allocation pacing"
	e.Duration, e.HasDuration = delay*1e6, true
	// The delays lie anywhere in the stretch that the table covers: the event
	// begins with it, and what the log says of its length is kept as Real.
	e.Start = r.head.stamp.Add(-span * 1e6)
	e.Real = span * 1e6
	r.stamp(p, e)
	return EventLine
}

// dropped reads the log's own word that it lost lines.
func (r *uniReader) dropped(body []byte) (Class, bool) {
	n, m := scanInt(body)
	if m == 0 || m > 18 || !hasPrefix(body[m:], " messages dropped") {
		return 0, false
	}
	r.lost(r.proc, r.before, r.head.stamp, n)
	return EventLine, true
}

// occupancy reads Epsilon's Heap: 512M reserved, 512M (100.00%) committed, 256M
// (50.00%) used.
func (r *uniReader) occupancy(body []byte) Class {
	rest, _ := uniAfter(body, "Heap: ")
	reserved, n := scanSize(rest)
	used := int64(-1)
	for _, part := range bytes.Split(rest, []byte(", ")) {
		if hasSuffix(part, " used") {
			if v, m := scanSize(part); m > 0 {
				used = v
			}
		}
	}
	if n == 0 || !hasPrefix(rest[n:], " reserved") || used < 0 {
		return NoiseLine
	}
	r.release(r.proc)
	r.proc.alive = true
	uniKnow(r.out.run(), Epsilon)
	e := r.out.event(Occupancy)
	e.Title = "Heap"
	e.Heap.set(-1, used, reserved)
	e.Start = r.head.stamp
	r.stamp(r.proc, e)
	return EventLine
}
