package gcparse

import "bytes"

// marker takes a word in parentheses that tells what became of the event, and
// reports whether it was one. They come in any order and number.
func (o *legacyEvent) marker(text []byte) bool {
	e := &o.e
	switch string(text) {
	case "young":
		e.Generation = Young
		e.Title = "GC pause (young)"
	case "mixed":
		e.Generation = Mixed
		e.Title = "GC pause (mixed)"
	case "partial":
		e.Generation = Mixed
		e.Title = "GC pause (partial)"
	case "initial-mark":
		e.Flags |= InitialMark
	case "to-space overflow", "to-space exhausted":
		e.Flags |= ToSpaceExhausted
	case "promotion failed":
		e.Flags |= PromotionFailed
	case "concurrent mode failure", "concurrent mode interrupted":
		// The program asked for a full collection in the second case: the
		// concurrent one was given up for it and did not fail.
		if len(text) == len("concurrent mode failure") {
			e.Flags |= ConcurrentModeFailure
		}
	default:
		return false
	}
	return true
}

// legacyCauseFlags is what the cause of a collection tells.
func legacyCauseFlags(cause []byte) Flags {
	switch string(cause) {
	case "Allocation Failure":
		return AllocationFailure
	case "System.gc()", "System":
		return Explicit
	case "Metadata GC Threshold", "Permanent Generation Full":
		return MetadataThreshold
	case "Last ditch collection":
		return LastResort
	case "G1 Humongous Allocation":
		return Humongous
	}
	return 0
}

// complete adds to a pause what follows from its parts.
func (r *legacyReader) complete(e *Event) {
	if e.Collector == AnyCollector {
		e.Collector = r.out.run().Collector
	}
	if e.Collector == AnyCollector && !e.Old.Zero() {
		e.Collector = Serial // [Tenured of no other collector
	}
	if e.Cause == "CMS Initial Mark" || e.Cause == "CMS Final Remark" && e.Young.Zero() && !e.Heap.HasBefore {
		e.Collector, e.Generation = CMS, Old
	}
	switch {
	case e.Flags.Any(Full | ConcurrentModeFailure):
		e.Flags |= Full
		e.Generation = Whole
	case e.Generation == Young && e.Old.HasBefore:
		// The young collection failed or grew into one of the whole heap.
		e.Flags |= Full
		e.Generation = Whole
	case e.Generation == Young && e.Young.HasAfter && e.Heap.HasBefore && e.Heap.HasAfter:
		legacyPromotion(e)
	}
	r.knowCollector(e.Collector)
}

// legacyPromotion derives the old generation of a young collection, which is the
// heap less the young one.
func legacyPromotion(e *Event) {
	before, after := e.Heap.Before-e.Young.Before, e.Heap.After-e.Young.After
	if !e.Young.HasBefore || before < 0 || after < 0 {
		return
	}
	capacity := int64(-1)
	if e.Heap.HasCapacity && e.Young.HasCapacity {
		capacity = e.Heap.Capacity - e.Young.Capacity
	}
	e.Old.set(before, after, capacity)
	if after >= before {
		e.Promoted, e.HasPromoted = after-before, true
	}
}

// knowCollector keeps in the run which collector its events show. What collects
// the young generation may be one half of CMS until that shows.
func (r *legacyReader) knowCollector(c Collector) {
	run := r.out.run()
	if c == AnyCollector || c == run.Collector {
		return
	}
	if run.Collector == AnyCollector || c == CMS && (run.Collector == ParNew || run.Collector == Serial) {
		run.Collector = c
	}
}

// trailing reads a bracket at i that belongs to an event whose own brackets have
// closed, and gives the index after it; 0 if it is none.
func (r *legacyReader) trailing(b []byte, i int) int {
	rest := b[i+1:]
	if len(rest) < 2 {
		return 0
	}
	switch rest[0] {
	case 'T':
		if has(rest, "Times:") {
			return r.times(b, i)
		}
	case 'E':
		switch {
		case has(rest, "Eden:"):
			return r.g1Sizes(b, i)
		case has(rest, "Evacuation Failure:") && r.hasPending:
			r.pending.Flags |= EvacuationFailure
			r.note(DetailLine)
		}
	case ' ':
		if r.hasPending && r.pending.Collector == G1 {
			before, after, capacity, n := scanTransition(bytes.TrimLeft(rest, " "))
			if n > 0 {
				r.pending.Heap.set(before, after, capacity)
				r.note(DetailLine)
			}
		}
	case 'M', 'P':
		r.g1Meta(rest)
	}
	return 0
}

// g1Meta reads [Metaspace: 1K->1K(2K)], [Perm: …] and [Parallel Time: 1.5 ms, GC
// Workers: 4] after a pause of G1.
func (r *legacyReader) g1Meta(rest []byte) {
	if !r.hasPending {
		return
	}
	if j := bytes.IndexByte(rest, ':'); j > 0 {
		if name := string(rest[:j]); name == "Metaspace" || name == "Perm" {
			before, after, capacity, n := scanTransition(bytes.TrimLeft(rest[j+1:], " "))
			if n > 0 {
				r.pending.Metaspace.set(before, after, capacity)
				r.note(DetailLine)
			}
			return
		}
	}
	if has(rest, "Parallel Time:") {
		rest = rest[:min(len(rest), 100)]
		r.note(NoiseLine)
		if j := bytes.Index(rest, []byte("GC Workers: ")); j > 0 {
			n, _ := scanInt(rest[j+len("GC Workers: "):])
			r.pending.Workers = int32(min(n, 1<<20))
			r.note(DetailLine)
		}
	}
}

// g1Sizes reads [Eden: 1M(2M)->0B(2M) Survivors: 1M->1M Heap: 3M(8M)->1M(8M)].
func (r *legacyReader) g1Sizes(b []byte, i int) int {
	end := bytes.IndexByte(b[i:], ']')
	if end < 0 || !r.hasPending {
		return 0
	}
	text := b[i : i+end]
	r.note(DetailLine)
	e := &r.pending
	eden, ok1 := legacyG1Space(text, "Eden: ")
	survivors, ok2 := legacyG1Space(text, "Survivors: ")
	if ok1 && ok2 {
		e.Young.set(eden.Before+survivors.Before, eden.After+survivors.After, -1)
		if eden.HasCapacity {
			e.Young.Capacity, e.Young.HasCapacity = eden.Capacity+survivors.After, true
		}
	}
	if e.Collector == AnyCollector {
		e.Collector = G1
		r.knowCollector(G1)
	}
	if heap, ok := legacyG1Space(text, "Heap: "); ok {
		e.Heap = heap
		if ok1 && ok2 {
			capacity := int64(-1)
			if heap.HasCapacity && e.Young.HasCapacity && heap.Capacity >= e.Young.Capacity {
				capacity = heap.Capacity - e.Young.Capacity
			}
			// Sizes are rounded to a tenth: the difference may fall below nothing.
			e.Old.set(max(heap.Before-e.Young.Before, 0), max(heap.After-e.Young.After, 0), capacity)
		}
	}
	return i + end + 1
}

// legacyG1Space reads the sizes after a name: 1M(2M)->0B(2M), or 1M->1M.
func legacyG1Space(text []byte, name string) (s Space, ok bool) {
	j := bytes.Index(text, []byte(name))
	if j < 0 {
		return s, false
	}
	before, j := legacySize(text, j+len(name))
	_, j = legacyCapacity(text, j)
	if before < 0 || j+2 > len(text) || text[j] != '-' || text[j+1] != '>' {
		return s, false
	}
	after, j := legacySize(text, j+2)
	if after < 0 {
		return s, false
	}
	capacity, _ := legacyCapacity(text, j)
	s.set(before, after, capacity)
	return s, true
}

// times reads [Times: user=0.98 sys=0.00, real=0.33 secs] at i for the event that
// closed last.
func (r *legacyReader) times(b []byte, i int) int {
	r.note(DetailLine)
	j := i + len("[Times:")
	user, j, ok1 := legacyTime(b, j, " user=")
	sys, j, ok2 := legacyTime(b, j, " sys=")
	real, j, ok3 := legacyTime(b, j, " real=")
	if ok1 && ok2 && ok3 {
		r.cpu(user, sys, real)
	}
	for ; j < len(b); j++ {
		if b[j] == ']' {
			return j + 1
		}
	}
	return j
}

// legacyTime reads a number of seconds after a name at j, and the comma after it.
func legacyTime(b []byte, j int, name string) (ns int64, end int, ok bool) {
	if !has(b[j:], name) {
		return 0, j, false
	}
	ns, n := scanSeconds(b[j+len(name):])
	if j += len(name) + n; j < len(b) && b[j] == ',' {
		j++
	}
	return ns, j, n > 0
}

// cpu gives the event that closed last its CPU times, which are the last thing
// printed of it.
func (r *legacyReader) cpu(user, sys, real int64) {
	switch {
	case r.hasInner && r.innerLast:
		r.inner.User, r.inner.Sys, r.inner.Real, r.inner.HasCPU = user, sys, real, true
		r.flushInner()
	case r.hasPending && !r.pending.HasCPU && r.opens == 0:
		r.pending.User, r.pending.Sys, r.pending.Real, r.pending.HasCPU = user, sys, real, true
		r.flush()
	}
}
