package gcparse

import "bytes"

// uniText is the text of a line that opens or closes something.
type uniText struct {
	title, cause []byte
	flags        Flags
	heap         Space
	duration     int64
	closed       bool // a duration stands there
}

// uniDuration reads a duration with its unit and nothing after it.
func uniDuration(b []byte) (ns int64, ok bool) {
	_, n, _ := scanFixed(b, 1)
	if n == 0 {
		return 0, false
	}
	scale := int64(0)
	switch string(b[n:]) {
	case "ms":
		scale = 1e6
	case "s":
		scale = 1e9
	case "us":
		scale = 1e3
	case "ns":
		scale = 1
	}
	if scale == 0 {
		return 0, false
	}
	ns, m, _ := scanFixed(b, scale)
	return ns, m == n
}

// parse takes the text apart: a title of words and groups in parentheses, the
// cause in one of them, a heap transition, a duration. What they are does not
// depend on their order.
func (t *uniText) parse(b []byte) {
	*t = uniText{}
	b = bytes.TrimRight(b, " ")
	if at := bytes.LastIndexByte(b, ' ') + 1; at > 0 {
		if d, ok := uniDuration(b[at:]); ok {
			t.duration, t.closed = d, true
			b = bytes.TrimRight(b[:at], " ")
		}
	}
	titled := 0 // end of the title
	plain := true
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == ' ':
			i++
		case c == '(':
			group, end := uniGroup(b, i)
			if t.group(group) && plain {
				titled = end
			} else {
				plain = false
			}
			i = end
		case c-'0' < 10 && i > 0 && b[i-1] == ' ':
			n := t.transition(b[i:])
			plain = plain && n == 0
			i += max(n, 1)
		default:
			end := i
			for end < len(b) && b[end] != ' ' {
				end++
			}
			if plain {
				titled = end
			}
			i = end
		}
	}
	t.title = b[:titled]
}

// uniGroup gives what stands in the parenthesis that begins at i, and the place
// after it. One that is not closed goes to the end.
func uniGroup(b []byte, i int) (group []byte, end int) {
	depth := 0
	for end = i; end < len(b); end++ {
		switch b[end] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return b[i+1 : end], end + 1
			}
		}
	}
	return b[i+1:], end
}

// group reads a group in parentheses. It is true for one that is part of the
// title.
func (t *uniText) group(g []byte) bool {
	if len(g) == 0 {
		return false
	}
	switch string(g) {
	case "Normal", "Mixed", "Prepare Mixed", "unload classes", "process weakrefs", "update refs",
		"Young", "Old", "Global", "Major", "Minor", "Mark", "Evacuation", "Update Refs", "Updating Refs",
		"Outside of Cycle", "Roots", "Traversal", "N", "O", "Bootstrap", "Degenerated", "young", "old", "global":
		return true
	case "Concurrent Start", "Initial Mark":
		t.flags |= InitialMark
		return true
	case "Evacuation Failure", "Evacuation Failure: Allocation":
		t.flags |= EvacuationFailure
		return false
	case "Evacuation Failure: Pinned":
		t.flags |= EvacuationFailure | Pinned
		return false
	}
	if hasPrefix(g, "Evacuation Failure") {
		t.flags |= EvacuationFailure
		if bytes.Contains(g, []byte("Pinned")) {
			t.flags |= Pinned
		}
		return false
	}
	if g[0]-'0' < 10 && g[len(g)-1] == 's' {
		return false // (0.020s, 0.026s): begin and end in JDK 9
	}
	t.cause = g
	return false
}

// transition reads 10M->4M(20M) or ZGC's 10M(5%)->4M(2%), and gives its length.
func (t *uniText) transition(b []byte) int {
	before, after, capacity, n := scanTransition(b)
	if n > 0 {
		if n < len(b) && b[n] == '(' {
			_, n = uniGroup(b, n) // a share, not a capacity
		}
		t.heap.set(before, after, capacity)
		return n
	}
	before, m := scanSize(b)
	if m == 0 || m >= len(b) || b[m] != '(' {
		return 0
	}
	_, n = uniGroup(b, m)
	if n+2 > len(b) || b[n] != '-' || b[n+1] != '>' {
		return 0
	}
	after, m = scanSize(b[n+2:])
	if m == 0 {
		return 0
	}
	n += 2 + m
	t.heap.set(before, after, -1)
	if n < len(b) && b[n] == '(' {
		group, end := uniGroup(b, n)
		if c, m := scanSize(group); m > 0 && m == len(group) {
			t.heap.Capacity, t.heap.HasCapacity = c, true
		}
		n = end
	}
	return n
}

// pause reads the first or last line of a pause.
func (r *uniReader) pause(g *uniGC, body []byte) Class {
	p := r.proc
	var t uniText
	t.parse(body)
	if !t.closed {
		r.release(p)
		p.starts = true
		if len(p.pauses) < uniOpen {
			p.pauses = append(p.pauses, g.id)
		}
		return DetailLine
	}
	r.close(p, g, &t)
	return EventLine
}

// close makes the event of a pause and holds it back, since its CPU times follow
// on the next line.
func (r *uniReader) close(p *uniProc, g *uniGC, t *uniText) {
	nested := false
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
	}
	if p.hasHeld && p.held.Flags.Any(Full) && p.held.ID == g.id+1 && p.held.Flags&Nested == 0 {
		// Without first lines in the log the order of the last ones tells.
		p.held.Flags |= Nested
	}
	r.release(p)
	e := r.event(Pause, g, t)
	if nested {
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
