package gcparse

import "bytes"

// openj9Concurrent is work beside the program.
type openj9Concurrent struct {
	open   bool
	ending bool // inside concurrent-end
	start  Stamp
	title  string
	young  bool
}

// startConcurrent reads concurrent-start.
func (r *openj9Reader) startConcurrent(t []byte) {
	r.number(t)
	kind := openj9Attr(t, "type")
	r.conc = openj9Concurrent{open: true, start: r.stamp(t), title: r.out.word(kind), young: string(kind) == "scavenge"}
	r.note(DetailLine)
}

// endConcurrent reads concurrent-end. The log states no duration; the two stamps
// give it to a millisecond.
func (r *openj9Reader) endConcurrent(t []byte) {
	r.number(t)
	end := r.stamp(t)
	c := &r.conc
	if c.open && c.start.HasWall && end.HasWall && end.Wall >= c.start.Wall {
		e := r.out.event(Concurrent)
		e.Start, e.Duration, e.HasDuration = c.start, end.Wall-c.start.Wall, true
		e.Flags = DurationDerived
		e.Title = c.title
		e.Generation = Old
		if c.young {
			e.Generation = Young
		}
		r.out.emit(e)
		r.note(EventLine)
	}
	r.conc = openj9Concurrent{ending: !bytes.HasSuffix(t, []byte("/>"))}
	r.note(DetailLine)
}
