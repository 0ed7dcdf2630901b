package gcparse

import (
	"bytes"
	"slices"
)

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
	// open takes the wrapper off a line. The text inside is a slice of line or of
	// scratch, which is empty and has room for as many bytes as the line.
	open func(text, scratch []byte) (opened, bool)
}

// opened is a line without its wrapper.
type opened struct {
	text    []byte
	wall    int64 // nanoseconds since 1970
	hasWall bool
	// more tells that the text was split and goes on in a later line of the same
	// standard stream, which is 0 or 1.
	more   bool
	stream uint8
}

// wrapperKinds lists what can be taken off, the most particular first.
var wrapperKinds = []*wrapperKind{
	{"json", openJSON},
	{"cri", openCRI},
	{"syslog", openSyslog},
	{"kubectl timestamps", openTimestamp},
	{"service wrapper", openTanuki},
	{"container name", openName},
	prefixKind,
}

var prefixKind = &wrapperKind{"log prefix", openPrefix}

// maxWrappers is how many wrappers may be around one another: a service wrapper
// in a container whose log is read through kubectl.
const maxWrappers = 3

// wrapping takes one kind of wrapper off the lines of a stream, and joins lines
// that were split.
type wrapping struct {
	kind    *wrapperKind
	scratch []byte
	parts   [2][]byte
}

// wrapping finds the state of a kind of wrapper.
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

// take takes the wrapper off a line, and notes its time.
func (w *wrapping) take(text []byte, in *line) (opened, bool) {
	if cap(w.scratch) < len(text) {
		w.scratch = make([]byte, 0, len(text)+512)
	}
	o, ok := w.kind.open(text, w.scratch[:0])
	if !ok {
		return o, false
	}
	o.text = trimLine(o.text)
	if o.hasWall {
		in.wall, in.hasWall = o.wall, true
	}
	return o, true
}

// unwrap takes the wrapper off a line and joins it to the parts before it.
func (w *wrapping) unwrap(text []byte, in *line) ([]byte, fit) {
	o, ok := w.take(text, in)
	if !ok {
		return nil, fitsNot
	}
	part := &w.parts[o.stream&1]
	if !o.more && len(*part) == 0 {
		return o.text, fits
	}
	room := maxLine - len(*part)
	*part = append(*part, o.text[:min(room, len(o.text))]...)
	if o.more {
		return nil, fitsPartly
	}
	joined := *part
	*part = (*part)[:0]
	return joined, fits
}

// unwrap takes the known wrappers off the line that stands in r.line. It is false
// for a part of a line. r.taken is how many wrappers were taken off.
func (r *reader) unwrap() bool {
	r.taken = 0
	for _, w := range r.chain {
		inner, fit := w.unwrap(r.line.text, &r.line)
		switch fit {
		case fitsPartly:
			return false
		case fitsNot:
			return true
		}
		r.line.text = inner
		r.taken++
	}
	return true
}

// rewrap tries whether the line is one of a family in one more wrapper, and if so
// goes on with both. A line that the present family at least recognizes has no
// free-form prefix: what looks like one are its own stamps.
func (r *reader) rewrap(class Class) (Class, bool) {
	if r.taken == maxWrappers || !mentionsGC(r.line.text) {
		return 0, false
	}
	whole := r.line
	for _, k := range wrapperKinds {
		w := r.wrapping(k)
		if slices.Contains(r.chain[:r.taken], w) || class == UnknownLine && k == prefixKind {
			continue
		}
		o, ok := w.take(whole.text, &r.line)
		if i := surelyOf(o.text); ok && !o.more && i >= 0 {
			r.chain = append(r.chain[:r.taken], w)
			if res := r.sink.result; !slices.Contains(res.Wrappers, k.name) {
				res.Wrappers = append(res.Wrappers, k.name)
			}
			r.line.text = o.text
			return r.give(r.sit(i)), true
		}
		r.line = whole
	}
	return 0, false
}

// surelyOf is the family that a line surely belongs to, -1 for none.
func surelyOf(text []byte) int {
	if len(text) == 0 {
		return -1
	}
	for i, k := range families {
		if k.claim(text) == surelyMine {
			return i
		}
	}
	return -1
}

// mentionsGC reports whether a line has a word that lines of collectors have. Most
// lines of a program's own log have none, and are not looked at more closely.
func mentionsGC(text []byte) bool {
	for _, word := range [...]string{"GC", "gc", "afepoint", " ms: ", "application threads", "llocation Stall"} {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}
