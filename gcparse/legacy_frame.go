package gcparse

const (
	legacyStopped = "Total time for which application threads were stopped: "
	legacyRan     = "Application time: "
	legacyLimit   = "GC time "
)

// has reports whether b begins with a constant. Inlined, it is a few comparisons
// of words.
func has(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && string(b[:len(prefix)]) == prefix
}

// legacyName is what the words after an opening bracket say.
type legacyName struct {
	kind       Kind // of the event that the bracket begins, 0 if none
	what       legacyWhat
	collector  Collector
	generation Generation
	flags      Flags
	len        int // bytes of the name
	title      int // bytes of it that make the title
}

// bracket reads an opening bracket at i and the name after it.
func (r *legacyReader) bracket(b []byte, i int) int {
	rest := b[i+1:]
	if legacyAddress(rest) {
		return i + 1 + legacyRange(rest)
	}
	n := legacyNamed(rest)
	switch {
	case n.kind == Pause:
		if !r.beginPause(b, i, n) {
			r.push(legacyFrame{what: legacyOther, event: r.owner()})
		}
	case n.kind == Concurrent:
		r.beginConcurrent(b, i, n)
	case r.opens == 0 || has(rest, "Times:"):
		if end := r.trailing(b, i); end > 0 {
			return end
		}
		r.push(legacyFrame{what: legacyOther, event: -1})
	default:
		r.part(rest, n)
	}
	return i + 1 + n.len
}

// part opens a bracket inside an event that is no event itself.
func (r *legacyReader) part(rest []byte, n legacyName) {
	owner := r.owner()
	if owner >= 0 {
		o := &r.open[owner]
		o.header = false
		switch {
		case n.what == legacyMarkFrame:
			// The name of the pause stands behind its brackets.
			o.e.Title = r.out.word(rest[2:n.title])
			o.e.Generation = Old
		case has(rest, "YG occupancy"):
			o.remark = true
			o.e.Collector = CMS
			r.knowCollector(CMS)
		}
		if n.collector != AnyCollector && (o.e.Collector == AnyCollector || n.collector == CMS) {
			o.e.Collector = n.collector
		}
	}
	r.push(legacyFrame{what: n.what, event: owner})
}

// legacyAddress reports whether an address range begins here: 0x10e610000 or, in
// some versions, 10e610000 and a comma.
func legacyAddress(b []byte) bool {
	if len(b) < 8 || legacyBytes[b[0]]-1 > 1 {
		return false
	}
	if b[0] == '0' && b[1] == 'x' {
		return true
	}
	for n, c := range b {
		if c-'0' >= 10 && c-'a' >= 6 {
			return n >= 7 && c == ','
		}
	}
	return false
}

// legacyRange is the length of an address range, [0x1, 0x2, 0x3), which opens with
// a bracket and closes with a parenthesis.
func legacyRange(rest []byte) int {
	for j, c := range rest {
		switch c {
		case ')', ']':
			return j + 1
		case '[':
			return j
		}
	}
	return len(rest)
}

// owner is the event that a bracket opened now belongs to, -1 if none.
func (r *legacyReader) owner() int8 {
	if r.depth == 0 {
		return -1
	}
	return r.frames[r.depth-1].event
}

func (r *legacyReader) push(f legacyFrame) {
	if r.depth == legacyDepth {
		r.over++
		return
	}
	r.frames[r.depth] = f
	r.depth++
}

// beginPause opens an event that stops the program, or gives false if the bracket
// is part of one.
func (r *legacyReader) beginPause(b []byte, i int, n legacyName) bool {
	if r.opens > 0 && !r.mayNest(b, i, n) {
		// The brackets of the event before have not closed and never will.
		r.abandon()
	}
	if r.opens == legacyEvents || r.over > 0 {
		return false
	}
	at, _ := r.stampAt(i)
	if r.opens == 0 {
		r.flush()
		r.depth = 0
		at, _ = r.begin(i)
		at = r.rebuild(at)
	}
	r.start(n, at, b[i+1:])
	return true
}

// mayNest reports whether a collection at i may stand inside the one that is open.
// It may in a remark, which a young collection is put before, and directly after
// the name of a collection; nowhere else.
func (r *legacyReader) mayNest(b []byte, i int, n legacyName) bool {
	owner := r.owner()
	if owner < 0 || n.flags.Any(Full) || n.collector == G1 {
		return false
	}
	o := &r.open[owner]
	return o.e.Kind == Pause && (o.remark || o.header)
}

// beginConcurrent opens an event beside the program.
func (r *legacyReader) beginConcurrent(b []byte, i int, n legacyName) {
	at, _ := r.stampAt(i)
	if r.opens == 0 {
		r.flushInner()
		if r.hasPending && r.pending.Collector != G1 {
			r.flush() // only G1 says more of a pause on later lines
		}
		r.depth = 0
		at, _ = r.begin(i)
	} else {
		for k := range r.opens {
			r.open[k].e.Flags |= Interleaved
		}
	}
	if r.opens == legacyEvents || r.over > 0 {
		r.push(legacyFrame{what: legacyOther, event: -1})
		return
	}
	r.start(n, at, b[i+1:])
}

// start opens an event and its bracket.
func (r *legacyReader) start(n legacyName, at Stamp, rest []byte) {
	r.note(EventLine)
	o := &r.open[r.opens]
	o.header, o.remark, o.inside = true, false, 0
	o.e = *r.out.event(n.kind)
	o.e.Start = at
	if n.collector != AnyCollector {
		o.e.Collector = n.collector
	}
	o.e.Generation, o.e.Flags = n.generation, n.flags
	o.e.Title = r.out.word(rest[:n.title])
	o.e.ID, o.e.HasID = r.id, r.hasID
	what := legacyPauseFrame
	if n.kind == Concurrent {
		what = legacyConcurrentFrame
	}
	r.push(legacyFrame{what: what, event: int8(r.opens), starts: true})
	r.opens++
	if r.opens == 1 {
		r.openLines = 0
	}
}

// closeFrame takes a closing bracket.
func (r *legacyReader) closeFrame() {
	if r.over > 0 {
		r.over--
		return
	}
	if r.depth == 0 {
		return // closes what this log does not open
	}
	r.depth--
	f := &r.frames[r.depth]
	if !f.starts {
		if f.event >= 0 {
			o := &r.open[f.event]
			o.header = false
			if f.hasSecs && r.depth > 0 && r.frames[r.depth-1].starts {
				o.inside += f.secs
			}
		}
		return
	}
	// Events in this one that have not closed by now were cut off.
	r.opens = int(f.event) + 1
	o := &r.open[f.event]
	if f.hasSecs {
		o.e.Duration, o.e.HasDuration = f.secs, true
	}
	r.settle(int(f.event))
	r.opens = int(f.event)
	if r.opens == 0 {
		r.openLines = 0
	}
}

// settle completes event k of the open ones and holds it until what follows it
// has been read.
func (r *legacyReader) settle(k int) {
	o := &r.open[k]
	e := &o.e
	e.Source, e.Line, e.Offset = r.in.source, r.in.no, r.in.offset
	if e.Kind == Concurrent {
		r.settleConcurrent(k)
		return
	}
	if !e.HasDuration {
		// [Pause Init Mark, start] and brackets that were cut: no pause is told.
		r.note(DetailLine)
		return
	}
	r.complete(e)
	if !e.Start.HasWall && r.in.hasWall {
		e.Start.Wall, e.Start.HasWall, e.Start.Borrowed = r.in.wall-e.Duration, true, true
	}
	if k > 0 {
		e.Flags |= Nested
		r.hold(e)
		return
	}
	r.pending, r.hasPending, r.innerLast = *e, true, false
}

// settleConcurrent completes a concurrent phase. The stamp before it is that of
// its end, and it has a duration only when it ends.
func (r *legacyReader) settleConcurrent(k int) {
	e := &r.open[k].e
	if !e.HasDuration {
		r.note(DetailLine)
		return
	}
	r.knowCollector(e.Collector)
	e.Start = e.Start.Add(-e.Duration)
	if !e.Start.HasWall && r.in.hasWall {
		e.Start.Wall, e.Start.HasWall, e.Start.Borrowed = r.in.wall-e.Duration, true, true
	}
	r.hold(e)
}

// hold keeps an inner event until its CPU times were read.
func (r *legacyReader) hold(e *Event) {
	r.flushInner()
	r.inner, r.hasInner, r.innerLast = *e, true, true
}
