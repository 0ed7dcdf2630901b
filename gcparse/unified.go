package gcparse

// The family of unified logging, JDK 9 and later (JEP 158 and 271): every line
// is decorations in brackets and a message, and the lines of one collection share
// a number, GC(n). A line stamps the end of what it reports.
//
//	unified.go            the family: what a line is given to
//	unified_head.go       decorations
//	unified_skim.go       lines that need no state
//	unified_proc.go       which process and run a line belongs to
//	unified_text.go       titles, causes and durations
//	unified_pause.go      pauses, concurrent phases, cycles
//	unified_detail.go     sizes, workers, CPU times
//	unified_safepoint.go  safepoints, stalls, pacing, lost lines
//	unified_header.go     what a process says of itself when it begins
//	unified_blind.go      times rebuilt where no decoration has one

var unifiedKind = &familyKind{
	name:  "unified",
	claim: uniClaim,
	make:  func(out *sink) family { return &uniReader{out: out} },
}

// uniReader reads the unified logging of one stream.
type uniReader struct {
	out   *sink
	procs []*uniProc // processes that write to the stream, the last seen first
	proc  *uniProc   // of the line being read
	head  uniHead    // of the line being read
	date  uniDate
	// before is the last time of the process before the line being read.
	before Stamp
}

// skim settles what needs no state.
func (r *uniReader) skim(text []byte) (Class, bool) { return uniSkim(text) }

// feed reads a line.
func (r *uniReader) feed(in *line) Class {
	if !r.date.head(in.text, &r.head) {
		return ForeignLine
	}
	h := &r.head
	if in.hasWall && !h.stamp.HasWall {
		h.stamp.Wall, h.stamp.HasWall, h.stamp.Borrowed = in.wall, true, true
	}
	id, hasID, body := uniID(h.msg)
	if len(body) == 0 {
		return NoiseLine
	}
	r.locate(h, id, hasID, body)
	p := r.proc
	r.out.seen(p.run, &h.stamp)
	r.before = p.last
	latest(&p.last, &h.stamp)
	if hasID {
		return r.collection(id, body)
	}
	return r.other(body)
}

// rest emits what is held back.
func (r *uniReader) rest(why restReason) {
	for _, p := range r.procs {
		r.release(p)
		if why != atIdle {
			r.releaseBlind(p)
			r.forget(p)
		}
	}
}

// collection reads a line of collection id.
func (r *uniReader) collection(id int64, body []byte) Class {
	p := r.proc
	r.number(id)
	g := p.open(id)
	body, g.letter = uniLetter(body)
	if len(body) == 0 {
		return NoiseLine
	}
	switch c := body[0]; {
	case c == 'P' && hasPrefix(body, "Pause "):
		return r.pause(g, body)
	case c == 'C' && hasPrefix(body, "Concurrent "):
		return r.concurrent(g, body)
	case c == 'G' && hasPrefix(body, "Garbage Collection"),
		c == 'M' && (hasPrefix(body, "Minor Collection") || hasPrefix(body, "Major Collection")):
		return r.cycle(g, body)
	case c == 'U' && hasPrefix(body, "User="):
		return r.cpu(id, body)
	}
	if r.detail(g, body) {
		return DetailLine
	}
	if class, ok := r.single(body); ok {
		return class
	}
	return uniRemainder(&r.head, body)
}

// other reads a line without a number of a collection.
func (r *uniReader) other(body []byte) Class {
	if class, ok := r.single(body); ok {
		return class
	}
	if r.header(body) {
		return DetailLine
	}
	return uniRemainder(&r.head, body)
}

// single reads what may stand with or without a number: safepoints, stalls and
// the like.
func (r *uniReader) single(body []byte) (Class, bool) {
	if len(body) == 0 {
		return NoiseLine, true
	}
	switch body[0] {
	case 'S', 'E', 'L', 'T':
		return r.safepoint(body)
	case 'A', 'R', 'O':
		return r.stall(body)
	case 'H':
		if hasPrefix(body, "Heap: ") {
			return r.occupancy(body), true
		}
	case ' ':
		return r.pacing(body), true
	}
	if body[0]-'0' < 10 {
		return r.dropped(body)
	}
	return 0, false
}

// hasPrefix is bytes.HasPrefix for a string, without a conversion.
func hasPrefix(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}

// hasSuffix is bytes.HasSuffix for a string, without a conversion.
func hasSuffix(b []byte, suffix string) bool {
	return len(b) >= len(suffix) && string(b[len(b)-len(suffix):]) == suffix
}
