package gcparse

import "bytes"

// The family of V8's --trace-gc, as Node, Deno, Electron and Chrome print it: one
// line when a collection is done, with the time since its isolate began.
//
//	[15784:0x36460df0]   133 ms: Scavenge 3.7 (4.0) -> 3.6 (5.0) MB, 39.17 / 0.00 ms  (average mu = 1.000, current mu = 1.000) task;
//	[15784:0x36460df0]   803 ms: Mark-Compact 100.7 (111.6) -> 36.4 (112.6) MB, 80.60 / 0.00 ms  (+ 0.3 ms in 4 steps since start of marking, …) …
//
// The time is the end of the pause: start is that less the length. An isolate is a
// world of its own, with its own heap, clock and pauses; a worker thread is one.
// Each becomes a run. Marking in steps stops the program too: Event.Incremental.
// The committed sizes in parentheses are not taken: they follow the used ones and
// say nothing of the limit.
//
//	v8.go          the family: what a line is given to
//	v8_head.go     prefix and time
//	v8_line.go     the line of --trace-gc
//	v8_nvp.go      the line of --trace-gc-nvp
//	v8_isolate.go  isolates and events
//	v8_crash.go    what a process prints when it dies of a full heap

var v8Kind = &familyKind{
	name:  "v8",
	claim: v8Claim,
	make:  func(out *sink) family { return &v8Reader{out: out} },
}

// v8Reader reads the traces of one stream.
type v8Reader struct {
	out      *sink
	isolates []*v8Isolate // the last seen first
	crash    v8Crash
	cause    []byte // scratch
}

// skim settles nothing: a line is a whole event.
func (r *v8Reader) skim(text []byte) (Class, bool) { return 0, false }

// feed reads a line.
func (r *v8Reader) feed(in *line) Class {
	text := in.text
	if r.crash.open {
		if class, ok := r.dying(in); ok {
			return class
		}
	}
	h, ok := v8ScanHead(text)
	switch {
	case !ok:
		return r.last(in)
	case !h.timed:
		return NoiseLine
	}
	return r.timed(in, &h)
}

// timed reads a line that has a time.
func (r *v8Reader) timed(in *line, h *v8Head) Class {
	var l v8Line
	switch {
	case l.scan(h.body), l.scanNVP(h.body):
		return r.emit(in, h, &l)
	case v8Title(h.body) > 0, hasPrefix(h.body, "pause="), hasPrefix(h.body, "GC: {"):
		return UnknownLine
	case h.prefixed:
		// Other traces of the heap: its limits, evacuation, incremental marking.
		return NoiseLine
	}
	return ForeignLine
}

// rest ends what is pending.
func (r *v8Reader) rest(why restReason) {
	if why != atIdle {
		r.crash.open = false
	}
}

// v8Claim tells how surely a line is one of V8's traces.
func v8Claim(b []byte) claim {
	if len(b) < 8 {
		return notMine
	}
	if b[0] == '<' {
		if bytes.HasPrefix(b, v8LastFew) {
			return surelyMine
		}
		return notMine
	}
	if b[0] != '[' && b[0] != ' ' && b[0]-'0' >= 10 {
		return notMine
	}
	h, ok := v8ScanHead(b)
	switch {
	case !ok:
		return notMine
	case !h.timed:
		return maybeMine
	}
	var l v8Line
	if l.scan(h.body) || h.prefixed && l.scanNVP(h.body) {
		return surelyMine
	}
	if h.prefixed && h.isolate != 0 {
		return maybeMine
	}
	return notMine
}
