package gcparse

import (
	"bytes"

	"example.com/kneeline/internal/fault"
)

// reader reads one stream: it finds out which wrapper and which family lines
// belong to, and finds out anew whenever a line belongs to neither.
type reader struct {
	sink  sink
	seats []seat // one for each of families
	at    int    // index of the present family in seats, -1 before the first
	line  line
	// chain are the wrappers around lines now, the outermost first; wraps all
	// that were tried. taken is how many were taken off the line being read.
	chain, wraps []*wrapping
	taken        int
	torn         bool // the line being read has no end: the last of a source
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

// sit makes family i the present one.
func (r *reader) sit(i int) family {
	if i == r.at {
		return r.seats[i].family
	}
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
			r.torn = true
		}
		r.raw(data[:end], source, no, offset)
		r.torn = false
		data = data[end:]
		offset += int64(end)
		no++
	}
	return no
}

// raw reads one line with its end.
func (r *reader) raw(text []byte, source int32, no, offset int64) {
	text = trimLine(text)
	if len(r.chain) == 0 && r.at >= 0 {
		if class, done := r.seats[r.at].family.skim(text); done {
			r.sink.result.Ledger.Lines[class]++
			return
		}
	}
	r.kept(text, source, no, offset)
}

// kept reads a line that skim did not settle, or was not asked about.
func (r *reader) kept(text []byte, source int32, no, offset int64) {
	r.line = line{text: text, source: source, no: no, offset: offset}
	if !r.unwrap() {
		r.sink.result.Ledger.Lines[DetailLine]++
		return
	}
	class := r.read()
	if class == UnknownLine && r.torn {
		class = CutLine
	}
	r.sink.result.Ledger.count(class, &r.line)
}

// read reads the line that stands in r.line, without its known wrappers.
func (r *reader) read() Class {
	class := ForeignLine
	switch {
	case r.at >= 0 && r.taken > 0:
		class = r.give(r.seats[r.at].family)
	case r.at >= 0:
		class = r.seats[r.at].family.feed(&r.line)
	}
	if class >= ForeignLine {
		if i := r.claimant(r.line.text); i >= 0 {
			class = r.give(r.sit(i))
		} else if c, ok := r.rewrap(class); ok {
			return c
		}
	}
	if class < ForeignLine {
		r.chain = r.chain[:r.taken] // it has fewer wrappers than those before
	}
	return class
}

// give reads the line that stands in r.line with a family that has not skimmed it.
func (r *reader) give(f family) Class {
	if class, done := f.skim(r.line.text); done {
		return class
	}
	return f.feed(&r.line)
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

// rest ends what families hold back.
func (r *reader) rest(why restReason) {
	at := r.at
	for i := range r.seats {
		if r.seats[i].family != nil {
			r.sit(i).rest(why)
		}
	}
	if at >= 0 {
		r.sit(at)
	}
}

// skimmer is the family whose skim may settle lines now; -1 if there is none, or
// lines have wrappers.
func (r *reader) skimmer() int {
	if len(r.chain) > 0 {
		return -1
	}
	return r.at
}

// finish ends the stream.
func (r *reader) finish() *Result {
	r.sink.ending = true
	r.rest(atEnd)
	res := r.sink.result
	if res.runsOver > 0 {
		res.Problems = append(res.Problems, fault.NoAnswerf("%s: more than %d runs; %d more are counted to the last",
			res.Stream.Name, MaxRuns, res.runsOver))
	}
	for i := range res.Runs {
		run := &res.Runs[i]
		run.NoPauseData = (run.Collector == ZGC || run.Collector == GenerationalZGC) &&
			run.Events[Cycle] > 0 && run.Events[Pause] == 0
	}
	return res
}
