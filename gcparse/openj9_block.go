package gcparse

import (
	"bytes"
	"strings"
)

// openj9Block is a stretch for which the program is stopped.
type openj9Block struct {
	open   bool
	source int32
	line   int64
	lines  int64
	text   string // its first line

	start      Stamp
	reach      int64 // time to safepoint
	hasReach   bool
	collecting bool // it holds a collection, or a part of one
	flags      Flags
	generation Generation
	title      string
	cause      string
	id         int64
	concurrent bool // it ends a concurrent collection

	inStart, inEnd bool // inside gc-start, gc-end
	before, after  openj9Sizes
	promoted       int64
	hasPromoted    bool
	user, sys      int64
	hasCPU         bool
	took           int64 // sum of the collections in it
	workers        int32
}

// openj9Sizes are sizes of the heap at one time; -1 is not known.
type openj9Sizes struct {
	heapUsed, heapTotal            int64
	nurseryUsed, nurseryTotal      int64
	tenureUsed, tenureTotal        int64
	hasNursery, hasTenure, hasHeap bool
}

// startBlock reads exclusive-start. Its time is that at which the program stood
// still; how long that took is in response-info.
func (r *openj9Reader) startBlock(t []byte) {
	r.number(t)
	if r.block.open {
		r.breakBlock()
	}
	at := r.stamp(t)
	r.process()
	r.block = openj9Block{open: true, source: r.in.source, line: r.in.no, start: at,
		text: clip(r.in.text)}
	r.note(EventLine)
}

// endBlock reads exclusive-end and emits the stop.
func (r *openj9Reader) endBlock(t []byte) {
	r.number(t)
	r.note(EventLine)
	took, ok := openj9Millis(t, "durationms")
	b := &r.block
	end := r.stamp(t)
	if b.start.Zero() && ok {
		b.start = end.Add(-took) // the log begins inside the block
	}
	if ok {
		r.emitBlock(took, 0)
	}
	r.block = openj9Block{}
}

// breakBlock gives up a block that has no end: what the collections in it took is
// the least that the stop did.
func (r *openj9Reader) breakBlock() {
	if r.block.took > 0 {
		r.emitBlock(r.block.took, DurationDerived)
	} else if r.block.collecting {
		r.out.unclosed(1, true)
	}
	r.out.unread(EventLine, 1, r.block.source, r.block.line, []byte(r.block.text))
	r.block = openj9Block{}
}

// emitBlock emits the stop: a pause if it held a collection.
func (r *openj9Reader) emitBlock(took int64, flags Flags) {
	b := &r.block
	kind := Safepoint
	if b.collecting {
		kind = Pause
	}
	e := r.out.event(kind)
	e.Start, e.Duration, e.HasDuration = b.start, took, true
	e.Flags = b.flags | flags
	if b.hasReach {
		e.TimeToSafepoint, e.HasTimeToSafepoint = b.reach, true
	}
	if kind == Safepoint {
		e.Title = "exclusive access"
		if b.hasReach {
			e.Start, e.Duration = b.start.Add(-b.reach), took+b.reach
		}
		r.out.emit(e)
		return
	}
	e.Title, e.Cause, e.Generation = b.title, b.cause, b.generation
	if e.Title == "" {
		e.Title = "exclusive access"
	}
	if b.generation == Whole && b.took == 0 {
		// The stop that begins a concurrent collection of the whole heap.
		e.Generation = Old
		e.Flags |= InitialMark
	}
	e.ID, e.HasID = b.id, b.id > 0
	e.Workers = b.workers
	if b.hasCPU {
		e.User, e.Sys, e.Real, e.HasCPU = b.user, b.sys, b.took, true
	}
	openj9Space(&e.Heap, b.before.hasHeap, b.before.heapUsed, b.after.hasHeap, b.after.heapUsed, b.after.heapTotal)
	openj9Space(&e.Young, b.before.hasNursery, b.before.nurseryUsed, b.after.hasNursery, b.after.nurseryUsed, b.after.nurseryTotal)
	openj9Space(&e.Old, b.before.hasTenure, b.before.tenureUsed, b.after.hasTenure, b.after.tenureUsed, b.after.tenureTotal)
	if b.hasPromoted && b.generation == Young {
		e.Promoted, e.HasPromoted = b.promoted, true
	}
	r.out.emit(e)
}

func openj9Space(s *Space, hasBefore bool, before int64, hasAfter bool, after, capacity int64) {
	*s = Space{Before: before, HasBefore: hasBefore, After: after, HasAfter: hasAfter, Capacity: capacity, HasCapacity: hasAfter}
}

// tag reads a tag inside a block, or one that concerns collections outside.
func (b *openj9Block) tag(r *openj9Reader, name string, t []byte) bool {
	switch name {
	case "af-start", "sys-start", "cycle-start", "cycle-continue", "gc-start", "concurrent-collection-start":
		b.collecting = true
		r.note(DetailLine)
		b.begin(r, name, t)
	case "gc-end":
		b.collecting = true
		r.note(DetailLine)
		b.inStart, b.inEnd = false, !bytes.HasSuffix(t, []byte("/>"))
		b.end(t)
	case "/gc-start":
		b.inStart = false
		r.note(NoiseLine)
	case "/gc-end":
		b.inEnd = false
		r.note(NoiseLine)
	case "gc-op":
		r.note(DetailLine)
		if r.conc.ending {
			return true
		}
		b.collecting = true
		if string(openj9Attr(t, "type")) == "compact" {
			b.flags |= Compacting
		}
	case "mem-info", "mem":
		b.memory(r, name, t)
	case "memory-copied":
		r.note(NoiseLine)
		if v, ok := openj9Int(t, "bytes"); ok && string(openj9Attr(t, "type")) == "tenure" && b.open {
			b.promoted += v
			b.hasPromoted = true
			r.note(DetailLine)
		}
	case "percolate-collect":
		r.note(DetailLine)
		b.flags |= Percolated
		b.cause = r.out.word(openj9Attr(t, "reason"))
	case "concurrent-aborted":
		r.note(DetailLine)
		b.flags |= Aborted
	case "warning", "excessivegc":
		r.note(NoiseLine)
		if bytes.Contains(bytes.ToLower(t), []byte("excessive")) {
			r.note(DetailLine)
			b.flags |= TimeLimit
		}
	default:
		return false
	}
	return true
}

// begin reads a tag that says what begins, and why.
func (b *openj9Block) begin(r *openj9Reader, name string, t []byte) {
	switch name {
	case "af-start":
		b.flags |= AllocationFailure
		if b.cause == "" {
			b.cause = "allocation failure"
		}
		return
	case "sys-start":
		reason := openj9Attr(t, "reason")
		b.cause = "sys-start"
		if len(reason) > 0 {
			b.cause = r.out.word(reason)
		}
		if len(reason) == 0 || string(reason) == "explicit" {
			b.flags |= Explicit
		}
		return
	case "concurrent-collection-start":
		b.concurrent = true
		b.cause = "concurrent collection"
		return
	case "gc-start":
		b.inStart, b.inEnd = !bytes.HasSuffix(t, []byte("/>")), false
	case "cycle-start":
		b.id, _ = openj9Int(t, "id")
	}
	kind := openj9Attr(t, "type")
	if len(kind) == 0 {
		kind = openj9Attr(t, "newtype")
	}
	b.kind(r.out.word(kind), name)
}

// kind takes the type of a collection. A block may hold several: the largest names
// it.
func (b *openj9Block) kind(kind, tag string) {
	g, full := AnyGeneration, false
	switch {
	case kind == "scavenge":
		g = Young
	case strings.HasPrefix(kind, "partial"):
		g = Mixed
	case strings.HasPrefix(kind, "global mark"):
		g = Old
	case strings.HasPrefix(kind, "global"):
		g = Whole
		// The last part of a concurrent collection, and the short stop that begins
		// one, do not collect the whole heap while the program stands still.
		full = tag == "gc-start" && !b.concurrent
	}
	if kind != "" && (b.title == "" || g >= b.generation) {
		b.title, b.generation = kind, max(g, b.generation)
	}
	if full {
		b.flags |= Full
	}
}

// end reads gc-end.
func (b *openj9Block) end(t []byte) {
	if ns, ok := openj9Millis(t, "durationms"); ok {
		b.took += ns
	}
	user, ok1 := openj9Millis(t, "usertimems")
	sys, ok2 := openj9Millis(t, "systemtimems")
	if ok1 && ok2 {
		b.user, b.sys, b.hasCPU = b.user+user, b.sys+sys, true
	}
	if n, ok := openj9Int(t, "activeThreads"); ok {
		b.workers = int32(min(n, 1<<20))
	}
}

// memory reads the sizes of the heap or of a part of it.
func (b *openj9Block) memory(r *openj9Reader, name string, t []byte) {
	r.note(NoiseLine)
	free, ok1 := openj9Int(t, "free")
	total, ok2 := openj9Int(t, "total")
	if !ok1 || !ok2 || !b.inStart && !b.inEnd {
		return
	}
	s := &b.after
	if b.inStart {
		if b.took > 0 {
			return // of a further collection in the block: the first one's counts
		}
		s = &b.before
	}
	used := max(total-free, 0)
	switch {
	case name == "mem-info":
		s.heapUsed, s.heapTotal, s.hasHeap = used, total, true
	case bytes.Equal(openj9Attr(t, "type"), []byte("nursery")), bytes.Equal(openj9Attr(t, "type"), []byte("eden")):
		s.nurseryUsed, s.nurseryTotal, s.hasNursery = used, total, true
	case bytes.Equal(openj9Attr(t, "type"), []byte("tenure")):
		s.tenureUsed, s.tenureTotal, s.hasTenure = used, total, true
	default:
		return
	}
	r.note(DetailLine)
}
