package gcparse

import "bytes"

// openj9Old is an element af, sys or con of version 5.0, which is one stop.
type openj9Old struct {
	in     byte // 'a', 's', 'c', or 0
	source int32
	line   int64
	text   string

	e         Event
	inGC      bool
	before    openj9Sizes
	after     openj9Sizes
	gcTotal   int64 // what the collection itself took
	collected bool
}

// oldTag reads a tag of version 5.0, or gives false.
func (r *openj9Reader) oldTag(name string, t []byte) bool {
	o := &r.old
	switch name {
	case "af", "sys", "con":
		r.startOld(name, t)
	case "/af", "/sys", "/con":
		r.endOld(name)
	case "gc":
		o.gc(r, t)
	case "/gc":
		o.inGC = false
		r.note(NoiseLine)
	case "time", "timesms":
		o.time(r, name, t)
	case "nursery", "tenured":
		o.memory(r, name, t)
	case "compaction":
		o.e.Flags |= Compacting
		r.note(DetailLine)
	default:
		return false
	}
	return true
}

// startOld opens an element. One of concurrent work may stand inside another and
// is then part of it.
func (r *openj9Reader) startOld(name string, t []byte) {
	r.note(DetailLine)
	if bytes.HasSuffix(t, []byte("/>")) || r.old.in != 0 && name == "con" {
		return
	}
	if r.old.in != 0 {
		r.cut()
	}
	r.process()
	at := r.stamp(t)
	o := &r.old
	*o = openj9Old{in: name[0], source: r.in.source, line: r.in.no, text: clip(r.in.text)}
	o.e = *r.out.event(Pause)
	o.e.Start = at
	switch name {
	case "af":
		o.e.Cause, o.e.Flags = "allocation failure", AllocationFailure
	case "sys":
		o.e.Cause, o.e.Flags = "sys", Explicit
	case "con":
		o.e.Cause = r.out.word(openj9Attr(t, "event"))
		o.collected = o.e.Cause == "collection"
	}
	r.note(EventLine)
}

// gc reads the collection in an element.
func (o *openj9Old) gc(r *openj9Reader, t []byte) {
	r.note(DetailLine)
	if o.in == 0 {
		return
	}
	o.inGC, o.collected = true, true
	kind := openj9Attr(t, "type")
	o.e.ID, o.e.HasID = openj9Int(t, "totalid")
	o.e.Title = r.out.word(kind)
	switch string(kind) {
	case "scavenger", "scavenge":
		if o.e.Generation == AnyGeneration {
			o.e.Generation = Young
		}
	case "global":
		if o.e.Generation == Young {
			o.e.Flags |= Percolated
		}
		o.e.Generation = Whole
		if o.in != 'c' {
			o.e.Flags |= Full
		}
	}
}

// time reads how long it took: until all threads stood still, the collection, and
// the whole element.
func (o *openj9Old) time(r *openj9Reader, name string, t []byte) {
	r.note(DetailLine)
	if o.in == 0 {
		return
	}
	if ns, ok := openj9Millis(t, "exclusiveaccessms"); ok {
		o.e.TimeToSafepoint, o.e.HasTimeToSafepoint = ns, true
	}
	if ns, ok := openj9Millis(t, "total"); ok && name == "timesms" {
		o.gcTotal += ns
	}
	if ns, ok := openj9Millis(t, "totalms"); ok && name == "time" {
		if o.inGC {
			o.gcTotal += ns
		} else {
			o.e.Duration, o.e.HasDuration = ns, true
		}
	}
}

// memory reads the sizes of a part of the heap: before the collection, in it as
// left by it, and after it when the allocation was served, which is not wanted.
func (o *openj9Old) memory(r *openj9Reader, name string, t []byte) {
	r.note(DetailLine)
	if o.in == 0 {
		return
	}
	if v, ok := openj9Int(t, "bytes"); ok && name == "tenured" && o.inGC && openj9Has(t, "objectcount") {
		o.e.Promoted, o.e.HasPromoted = v, true
		return
	}
	free, ok1 := openj9Int(t, "freebytes")
	total, ok2 := openj9Int(t, "totalbytes")
	if !ok1 || !ok2 || !o.inGC && o.collected {
		return
	}
	s := &o.before
	if o.inGC {
		s = &o.after
	}
	used := max(total-free, 0)
	if name == "nursery" {
		s.nurseryUsed, s.nurseryTotal, s.hasNursery = used, total, true
	} else {
		s.tenureUsed, s.tenureTotal, s.hasTenure = used, total, true
	}
}

// endOld closes an element and emits its stop.
func (r *openj9Reader) endOld(name string) {
	r.note(NoiseLine)
	o := &r.old
	if o.in != name[1] {
		return // the end of one inside another
	}
	r.note(EventLine)
	e := &o.e
	if !e.HasDuration && o.gcTotal > 0 {
		e.Duration, e.HasDuration = o.gcTotal, true
		e.Flags |= DurationDerived
	}
	e.Source, e.Line, e.Offset = r.in.source, r.in.no, r.in.offset
	before, after := o.before, o.after
	openj9Space(&e.Young, before.hasNursery, before.nurseryUsed, after.hasNursery, after.nurseryUsed, after.nurseryTotal)
	openj9Space(&e.Old, before.hasTenure, before.tenureUsed, after.hasTenure, after.tenureUsed, after.tenureTotal)
	openj9Space(&e.Heap, before.hasTenure, before.tenureUsed+before.nurseryUsed,
		after.hasTenure, after.tenureUsed+after.nurseryUsed, after.tenureTotal+after.nurseryTotal)
	if e.HasPromoted && e.Generation != Young {
		e.Promoted, e.HasPromoted = 0, false
	}
	if e.HasDuration && o.collected {
		r.out.emit(e)
	}
	r.lastID = 1
	r.old = openj9Old{}
}
