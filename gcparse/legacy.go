package gcparse

import "bytes"

// The legacy family is the bracketed log of HotSpot in JDK 1.3 to 8.
//
// An event is what stands between a bracket and the one that closes it, which may
// be thousands of lines later: tenuring tables, heap dumps, free list statistics,
// class histograms and whole events of concurrent threads are printed in between.
// As all writers keep their own brackets balanced, counting brackets finds the end
// whatever was printed inside, and the last duration on an event's own level is
// its own.
var legacyFamily = &familyKind{
	name:  "legacy",
	claim: legacyClaim,
	make:  func(out *sink) family { return &legacyReader{out: out} },
}

const (
	// legacyDepth bounds how deep brackets are followed; real logs need six.
	legacyDepth = 16
	// legacyEvents bounds events in events: a remark, the young collection before
	// it, a concurrent phase printed into that.
	legacyEvents = 4
	// legacyOpenLines bounds how long an event may stay open, in lines that are
	// not noise by themselves.
	legacyOpenLines = 2000
)

// legacyReader holds the state of one stream.
type legacyReader struct {
	out *sink
	in  *line // the line being read

	frames [legacyDepth]legacyFrame
	depth  int
	over   int // brackets open beyond frames

	open  [legacyEvents]legacyEvent
	opens int

	// pending is a pause whose brackets have closed. Sizes and CPU times of G1
	// follow on lines of their own.
	pending    Event
	hasPending bool
	// inner is a closed event that stood in an open one or beside the pending
	// one, waiting for its CPU times.
	inner    Event
	hasInner bool
	// innerLast tells that CPU times belong to inner rather than to pending.
	innerLast bool

	at    legacyStamp // the stamp read last on this line
	loose legacyStamp // a stamp that a sentence of another thread was put into
	id    int64       // the collection number after it, if hasID
	hasID bool

	clock legacyClock
	// drift is the time since the stamp read last, as far as lines without stamps
	// tell of it; ranOn tells that they tell of running time too, rebuilt that
	// there never was a stamp.
	drift          int64
	ranOn, rebuilt bool
	next           legacyHeader // header lines that may belong to another run

	openLines int64 // lines of the event that is open
	openAt    legacyQuote
	drawn     Class // what the line did, while it is read
	rotated   bool  // the line that announces another file was seen
}

// legacyQuote is the first line of an event that is open at the end of a line.
type legacyQuote struct {
	source int32
	no     int64
	text   []byte
}

// legacyFrame is one open bracket.
type legacyFrame struct {
	what    legacyWhat
	event   int8 // index in open of the event it belongs to, -1 if none
	starts  bool // it is the bracket of that event
	hasSecs bool
	secs    int64 // the duration read last on this level, nanoseconds
}

// legacyWhat is what a bracket holds.
type legacyWhat uint8

const (
	legacyOther legacyWhat = iota
	legacyPauseFrame
	legacyConcurrentFrame
	legacyYoungFrame
	legacyOldFrame
	legacyMetaFrame
	legacyMarkFrame // [1 CMS-remark: …] and [1 CMS-initial-mark: …]
)

// legacyEvent is an event whose bracket is open.
type legacyEvent struct {
	e      Event
	header bool  // only its name and cause have been read
	remark bool  // a young collection may stand inside
	inside int64 // sum of the durations of closed parts, nanoseconds
}

// skim settles lines that are noise wherever they stand.
func (r *legacyReader) skim(text []byte) (Class, bool) { return legacySkim(text) }

// feed reads a line.
func (r *legacyReader) feed(in *line) Class {
	r.in = in
	b := in.text
	if class, done := legacySkim(b); done {
		return class // the reader does not ask skim for lines in a wrapper
	}
	r.at = legacyStamp{}
	if has(b, ": [") {
		r.at = r.loose // what another thread's sentence took from this line
	}
	r.loose = legacyStamp{}
	r.hasID = false
	r.drawn = ForeignLine
	if r.hasInner && !has(bytes.TrimLeft(b, " "), "[Times:") {
		r.flushInner()
	}
	if len(b) > 0 && legacyHead(b[0]) && r.header(b) {
		return DetailLine
	}
	wasOpen := r.opens > 0
	r.scan(b)
	for i := range r.opens {
		r.open[i].header = false
	}
	if r.opens == 0 {
		// Brackets that no event owns end with their line.
		r.depth, r.over = 0, 0
		if wasOpen {
			r.drawn = EventLine
		}
		return r.class(b)
	}
	if r.openLines == 0 {
		r.openAt = legacyQuote{in.source, in.no, append(r.openAt.text[:0], b[:min(len(b), maxQuote)]...)}
	}
	r.openLines++
	if r.openLines > legacyOpenLines {
		r.abandon()
		return UnknownLine
	}
	return EventLine
}

// class is what a line was that left no event open.
func (r *legacyReader) class(b []byte) Class {
	if r.drawn != ForeignLine {
		return r.drawn
	}
	if legacyRotation(b) {
		r.rotated = true
	}
	return legacyPlain(b)
}

// note raises the class of the line being read: an event before a detail before
// noise.
func (r *legacyReader) note(c Class) {
	if c < r.drawn {
		r.drawn = c
	}
}

// rest ends pending state.
func (r *legacyReader) rest(why restReason) {
	if why == atIdle {
		if r.opens == 0 {
			r.flush()
		}
		return
	}
	if r.opens > 0 {
		r.abandon()
	}
	r.flush()
	r.depth, r.over = 0, 0
	if why == atCut {
		r.clock.cut()
		r.drift, r.ranOn, r.rebuilt = 0, false, false
	}
}

// flush emits what has closed.
func (r *legacyReader) flush() {
	r.flushInner()
	if r.hasPending {
		r.hasPending = false
		r.out.emit(&r.pending)
	}
}

func (r *legacyReader) flushInner() {
	if r.hasInner {
		r.hasInner = false
		r.innerLast = false
		r.out.emit(&r.inner)
	}
}

// abandon gives up the events that are open: their brackets never closed. What is
// known of a pause is kept, so that even then no pause is lost: its own duration
// if it was printed, else that of the parts that were.
func (r *legacyReader) abandon() {
	root := &r.open[0]
	if r.depth > 0 && root.e.Kind == Pause {
		f := &r.frames[0]
		switch {
		case f.hasSecs:
			root.e.Duration, root.e.HasDuration = f.secs, true
		case root.inside > 0:
			root.e.Duration, root.e.HasDuration = root.inside, true
			root.e.Flags |= DurationDerived
		}
		if root.e.HasDuration {
			r.settle(0)
			r.flush()
		} else {
			r.out.unclosed(1, true)
		}
	}
	if r.openLines > 0 {
		r.out.unread(EventLine, r.openLines, r.openAt.source, r.openAt.no, r.openAt.text)
	}
	r.opens, r.depth, r.over, r.openLines = 0, 0, 0, 0
}
