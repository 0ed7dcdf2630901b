package gcparse

import "slices"

// fit is whether a line has a wrapper's form.
type fit uint8

const (
	fitsNot fit = iota
	// fits: the text inside is complete.
	fits
	// fitsPartly: a part of a line that was split; the rest follows.
	fitsPartly
)

// wrapperKind is a form in which containers and log shippers write the lines of
// others.
type wrapperKind struct {
	name string
	// open takes the wrapper off a line. It gives the text inside, a slice of
	// line or of scratch, and notes the time in it. more tells that the text was
	// split and goes on in a later line of the same stream, which is the number
	// of the standard stream or another small number.
	open func(text, scratch []byte) (opened, bool)
}

// opened is a line without its wrapper.
type opened struct {
	text    []byte
	wall    int64 // nanoseconds since 1970
	hasWall bool
	more    bool
	stream  uint8
}

// partStreams is how many streams of split lines are kept apart.
const partStreams = 4

// wrapping takes one kind of wrapper off the lines of a stream, and joins lines
// that were split.
type wrapping struct {
	kind    *wrapperKind
	scratch []byte
	parts   [partStreams][]byte
}

func (r *reader) wrapping(k *wrapperKind) *wrapping {
	for _, w := range r.wraps {
		if w.kind == k {
			return w
		}
	}
	w := &wrapping{kind: k}
	r.wraps = append(r.wraps, w)
	return w
}

// note remembers that a wrapper was met.
func (r *reader) note(name string) {
	if res := r.sink.result; !slices.Contains(res.Wrappers, name) {
		res.Wrappers = append(res.Wrappers, name)
	}
}

// probe takes the wrapper off without joining, to see what is inside.
func (w *wrapping) probe(text []byte, in *line) ([]byte, fit) {
	o, ok := w.take(text, in)
	if !ok {
		return nil, fitsNot
	}
	if o.more {
		// The beginning of a long line is enough to know it; it is joined only
		// if the wrapper is known already.
		return nil, fitsNot
	}
	return o.text, fits
}

// unwrap takes the wrapper off a line and joins it to the parts before it.
func (w *wrapping) unwrap(text []byte, in *line) ([]byte, fit) {
	o, ok := w.take(text, in)
	if !ok {
		return nil, fitsNot
	}
	part := &w.parts[o.stream%partStreams]
	switch {
	case o.more:
		room := maxLine - len(*part)
		*part = append(*part, o.text[:min(room, len(o.text))]...)
		return nil, fitsPartly
	case len(*part) > 0:
		room := maxLine - len(*part)
		*part = append(*part, o.text[:min(room, len(o.text))]...)
		joined := *part
		*part = (*part)[:0]
		return joined, fits
	}
	return o.text, fits
}

func (w *wrapping) take(text []byte, in *line) (opened, bool) {
	if cap(w.scratch) < len(text) {
		w.scratch = make([]byte, 0, len(text)+512)
	}
	o, ok := w.kind.open(text, w.scratch[:0])
	if ok {
		o.text = trimLine(o.text)
		in.wall, in.hasWall = o.wall, o.hasWall
	}
	return o, ok
}

// wrapperKinds lists what can be taken off, the most particular first.
var wrapperKinds = []*wrapperKind{}
