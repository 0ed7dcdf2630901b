package gcparse

import (
	"bytes"
)

// reader reads one stream: it finds out which wrapper and which family lines
// belong to, and finds out anew whenever a line belongs to neither.
type reader struct {
	sink  sink
	seats []seat // one for each of families
	at    int    // index of the present family in seats, -1 before the first
	wrap  *wrapping
	line  line
	// wraps are the states of wrappers that were met.
	wraps []*wrapping
}

// seat is a family's place in a stream. Families may alternate: a Go sidecar and
// a JVM write to one log.
type seat struct {
	family family
	run    int32 // its current run, -1 before the first
}

func newReader(stream Stream, handle func(*Event)) *reader {
	r := &reader{at: -1, seats: make([]seat, len(families))}
	for i := range r.seats {
		r.seats[i].run = -1
	}
	r.sink = sink{handle: handle, result: &Result{Stream: stream}, current: -1, now: &r.line}
	return r
}

// family is the present one, nil before the first.
func (r *reader) family() family {
	if r.at < 0 {
		return nil
	}
	return r.seats[r.at].family
}

// sit makes family i the present one.
func (r *reader) sit(i int) family {
	if r.at >= 0 {
		r.seats[r.at].run = r.sink.current
	}
	r.at = i
	s := &r.seats[i]
	r.sink.kind = families[i]
	r.sink.current = s.run
	if s.family == nil {
		s.family = families[i].make(&r.sink)
		if len(r.sink.result.Runs) > 0 {
			r.line.text = trimLine(r.line.text)
			r.sink.newRun(OtherFamily)
		}
	}
	return s.family
}

// block reads whole lines. The first has number no and begins at offset; it
// gives the number of the line after the last.
func (r *reader) block(data []byte, source int32, no, offset int64) int64 {
	for len(data) > 0 {
		end := bytes.IndexByte(data, '\n') + 1
		if end == 0 {
			end = len(data)
		}
		r.raw(data[:end], source, no, offset)
		data = data[end:]
		offset += int64(end)
		no++
	}
	return no
}

// raw reads one line with its end.
func (r *reader) raw(text []byte, source int32, no, offset int64) {
	text = trimLine(text)
	if r.wrap == nil && r.at >= 0 {
		if class, done := r.seats[r.at].family.skim(text); done {
			r.sink.result.Ledger.Lines[class]++
			return
		}
	}
	r.line = line{text: text, source: source, no: no, offset: offset}
	if r.wrap != nil {
		switch inner, fit := r.wrap.unwrap(text, &r.line); fit {
		case fits:
			r.line.text = inner
		case fitsPartly:
			r.sink.result.Ledger.Lines[DetailLine]++
			return
		case fitsNot:
			r.line.hasWall = false
		}
	}
	r.read()
}

// read reads the line that stands in r.line, without its wrapper.
func (r *reader) read() {
	class := ForeignLine
	if f := r.family(); f != nil {
		class = f.feed(&r.line)
	}
	if class < ForeignLine {
		r.sink.result.Ledger.Lines[class]++
		return
	}
	if i := r.claimant(r.line.text); i >= 0 {
		class = r.sit(i).feed(&r.line)
	} else if c, ok := r.rewrap(); ok {
		class = c
	}
	r.sink.result.Ledger.count(class, &r.line)
}

// claimant finds the family, other than the present one, that a line belongs to;
// -1 if there is none.
func (r *reader) claimant(text []byte) int {
	found := -1
	for i, k := range families {
		if i == r.at {
			continue
		}
		switch k.claim(text) {
		case surelyMine:
			return i
		case maybeMine:
			if found < 0 && r.at < 0 {
				found = i
			}
		}
	}
	return found
}

// rewrap tries whether the line is one of a family in a wrapper, and if so goes
// on with both.
func (r *reader) rewrap() (Class, bool) {
	whole := r.line
	for _, k := range wrapperKinds {
		w := r.wrapping(k)
		if w == r.wrap {
			continue
		}
		inner, fit := w.probe(whole.text, &r.line)
		if fit != fits {
			r.line = whole
			continue
		}
		i := r.owner(inner)
		if i < 0 {
			r.line = whole
			continue
		}
		r.wrap = w
		r.note(k.name)
		r.line.text = inner
		if i != r.at {
			r.sit(i)
		}
		return r.family().feed(&r.line), true
	}
	return 0, false
}

// owner is the family that a line taken out of a wrapper surely belongs to, -1
// for none.
func (r *reader) owner(text []byte) int {
	for i, k := range families {
		if k.claim(text) == surelyMine {
			return i
		}
	}
	return -1
}

// rest ends what families hold back.
func (r *reader) rest(why restReason) {
	for i := range r.seats {
		if r.seats[i].family == nil {
			continue
		}
		if i != r.at {
			r.sit(i)
		}
		r.seats[i].family.rest(why)
	}
}

// finish ends the stream.
func (r *reader) finish() *Result {
	r.rest(atEnd)
	return r.sink.result
}
