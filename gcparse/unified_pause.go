package gcparse

import (
	"bytes"
	"slices"
)

// pause reads the first or last line of a pause.
func (r *uniReader) pause(g *uniGC, body []byte) Class {
	p := r.proc
	var t uniText
	t.parse(body)
	if !t.closed {
		if t.heap.HasAfter {
			return UnknownLine // the last line of a pause, but its length is none
		}
		r.release(p)
		p.starts = true
		if len(p.pauses) == uniOpen {
			p.pauses = slices.Delete(p.pauses, 0, 1)
			r.out.unclosed(1, false)
		}
		p.pauses, p.paused = append(p.pauses, g.id), true
		return DetailLine
	}
	r.close(p, g, &t)
	return EventLine
}

// close makes the event of a pause and holds it back, since its CPU times follow
// on the next line.
func (r *uniReader) close(p *uniProc, g *uniGC, t *uniText) {
	nested := false
	p.paused = false
	for len(p.pauses) > 0 {
		top := p.pauses[len(p.pauses)-1]
		if top == g.id {
			p.pauses = p.pauses[:len(p.pauses)-1]
			nested = len(p.pauses) > 0 && p.pauses[len(p.pauses)-1] == g.id-1
			break
		}
		if top < g.id {
			nested = top == g.id-1
			break
		}
		p.pauses = p.pauses[:len(p.pauses)-1] // its end was lost
		r.out.unclosed(1, false)
	}
	if p.hasHeld && p.held.ID == g.id+1 && r.heldInside(&p.held, t) {
		p.held.Flags |= Nested
	}
	r.release(p)
	e := r.event(Pause, g, t)
	if nested && hasPrefix(t.title, "Pause Full") {
		e.Flags |= Nested
	}
	e.Generation, e.Flags = uniGeneration(t, e.Flags, g.letter)
	e.Young, e.Old, e.Metaspace = g.young, g.old, g.metaspace
	r.regions(g, e)
	uniCollectorOf(r.out.run(), e)
	g.young, g.old, g.metaspace, g.flags = Space{}, Space{}, Space{}, 0
	g.eden, g.survivor, g.oldRegions, g.humongous = uniRegions{}, uniRegions{}, uniRegions{}, uniRegions{}
	r.hold(p, e)
}

// heldInside reports whether the full collection that is held back took place
// inside the pause that ends now. Without first lines in the log the order of the
// last ones tells, where the outer one is a young collection that was not enough. A
// remark or cleanup after a full collection is the rest of a concurrent cycle that
// the full collection cut short.
func (r *uniReader) heldInside(held *Event, outer *uniText) bool {
	return held.Flags.Any(Full) && held.Flags&Nested == 0 &&
		hasPrefix(outer.title, "Pause Young") && outer.duration >= held.Duration
}

// event makes an event that ends at the line being read.
func (r *uniReader) event(kind Kind, g *uniGC, t *uniText) *Event {
	e := r.out.event(kind)
	e.ID, e.HasID = g.id, true
	e.Title, e.Cause = r.out.word(t.title), r.out.word(t.cause)
	e.Flags = t.flags | g.flags | uniCauseFlags(e.Cause)
	e.Heap, e.Workers = t.heap, g.workers
	e.Duration, e.HasDuration = t.duration, t.closed
	e.Start = r.head.stamp.Add(-t.duration)
	g.workers = 0
	return e
}

// uniGeneration tells what a pause collected from its title.
func uniGeneration(t *uniText, f Flags, letter byte) (Generation, Flags) {
	title, _ := uniAfter(t.title, "Pause ")
	switch {
	case hasPrefix(title, "Young (Mixed)"), hasPrefix(title, "Mixed"):
		return Mixed, f
	case hasPrefix(title, "Young"):
		return Young, f
	case hasPrefix(title, "Full"):
		return Whole, f | Full
	case hasPrefix(title, "Degenerated"):
		return Whole, f | Degenerated
	case hasPrefix(title, "Initial Mark") && t.cause != nil:
		return Young, f | InitialMark // G1 before JDK 11
	case hasPrefix(title, "Initial Mark"):
		return Old, f | InitialMark // CMS
	}
	switch letter {
	case 'y', 'Y':
		return Young, f
	case 'O':
		return Old, f
	}
	if bytes.Contains(t.title, []byte("(Young)")) {
		return Young, f
	}
	return Old, f
}

// uniCauseFlags are the flags that a cause stands for.
func uniCauseFlags(cause string) Flags {
	switch cause {
	case "System.gc()", "Diagnostic Command", "Heap Inspection Initiated GC", "Heap Dump Initiated GC",
		"JvmtiEnv ForceGarbageCollection", "WhiteBox Initiated Young GC", "WhiteBox Initiated Full GC":
		return Explicit
	case "G1 Humongous Allocation":
		return Humongous
	case "Metadata GC Threshold", "Metadata GC Clear Soft References", "CodeCache GC Threshold":
		return MetadataThreshold
	case "Allocation Failure", "Allocation Stall":
		return AllocationFailure
	case "Last ditch collection":
		return LastResort
	}
	return 0
}

// concurrent reads the first or last line of work beside the program.
func (r *uniReader) concurrent(g *uniGC, body []byte) Class {
	p := r.proc
	var t uniText
	t.parse(body)
	mark := string(t.title) == "Concurrent Mark"
	if !t.closed {
		g.markOpen = (g.markOpen || mark) && !hasSuffix(t.title, "Abort")
		return DetailLine
	}
	r.release(p)
	kind := Concurrent
	if uniIsCycle(t.title) {
		kind = Cycle
	}
	e := r.event(kind, g, &t)
	e.Generation = Old
	switch {
	case g.letter == 'y', g.letter == 'Y', bytes.Contains(t.title, []byte("(Young)")):
		e.Generation = Young
	case mark:
		g.markOpen = false
	case kind == Concurrent && g.markOpen:
		// JDK 11 to 13 time the parts of Concurrent Mark and the whole.
		e.Flags |= Nested
	}
	uniCollectorOf(r.out.run(), e)
	r.hold(p, e)
	return EventLine
}

// uniIsCycle reports whether a title is that of G1's whole concurrent cycle.
func uniIsCycle(title []byte) bool {
	return hasPrefix(title, "Concurrent ") && hasSuffix(title, "Cycle")
}

// cycle reads the first or last line of a cycle of ZGC, which has pauses and
// concurrent phases of its own.
func (r *uniReader) cycle(g *uniGC, body []byte) Class {
	p := r.proc
	var t uniText
	t.parse(body)
	aborted := hasSuffix(bytes.TrimRight(body, " "), "Aborted")
	if t.heap.Zero() && !aborted {
		g.begun = r.head.stamp
		return DetailLine
	}
	r.release(p)
	e := r.event(Cycle, g, &t)
	if aborted {
		e.Flags |= Aborted
		e.Title = r.out.word(bytes.TrimRight(bytes.TrimSuffix(t.title, []byte("Aborted")), " "))
	}
	if d, ok := between(g.begun, r.head.stamp); ok && !e.HasDuration {
		e.Duration, e.HasDuration = d, true
		e.Start = r.head.stamp.Add(-d)
		e.Flags |= DurationDerived
	}
	if g.capacity > 0 && !e.Heap.HasCapacity && e.Heap.HasAfter {
		e.Heap.Capacity, e.Heap.HasCapacity = g.capacity, true
	}
	e.Metaspace, e.Generation = g.metaspace, Whole
	if hasPrefix(t.title, "Minor") {
		e.Generation = Young
	}
	uniCollectorOf(r.out.run(), e)
	r.stamp(p, e)
	*g = uniGC{}
	return EventLine
}

// hold keeps a closed event until its CPU times have come.
func (r *uniReader) hold(p *uniProc, e *Event) {
	p.held, p.hasHeld = *e, true
}

// release emits the event that is held back.
func (r *uniReader) release(p *uniProc) {
	if p == nil || !p.hasHeld {
		return
	}
	p.hasHeld = false
	r.stamp(p, &p.held)
}
