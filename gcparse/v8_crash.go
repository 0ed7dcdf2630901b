package gcparse

import "bytes"

// When the heap is full, the process prints its last collections again, from a
// buffer of 512 bytes that has no more than 255 of any line, and dies:
//
//	<--- Last few GCs --->
//	em[23093:0x26d5cd60]  298 ms: Mark-Compact 18.5 (48.9) -> … finalize increme[23093:0x26d5cd60]  470 ms: Mark-Compact …
//
//	<--- JS stacktrace --->
//
//	FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
//
// Without --trace-gc these are the only ones there are. With it they were printed
// before, or, as they go to standard error and the others to standard output, come
// later: what is said twice is taken once.

// v8Crash is the state of reading last words.
type v8Crash struct {
	open  bool
	left  int    // lines until they must be over
	words v8Keys // collections that were taken from the last block
}

const (
	// v8CrashLines bounds a block of last words.
	v8CrashLines = 24
	// v8CrashCut is the length at which lines in it are cut.
	v8CrashCut = 255
)

var (
	v8LastFew  = []byte("<--- Last few GCs --->")
	v8JSStack  = []byte("<--- JS stacktrace --->")
	v8Fatal    = []byte("FATAL ERROR: ")
	v8HeapFull = [][]byte{[]byte("JavaScript heap out of memory"), []byte("process out of memory"),
		[]byte("Fatal JavaScript out of memory"), []byte("Fatal javascript OOM")}
	v8Ineffective = []byte("Ineffective mark-compacts")
	v8Dash        = []byte(" - ")
)

const v8OutOfMemory = "heap out of memory"

// dying reads a line of last words. They may be glued together and cut at both
// ends.
func (r *v8Reader) dying(in *line) (Class, bool) {
	r.crash.left--
	if r.crash.left <= 0 || bytes.HasPrefix(in.text, v8JSStack) || bytes.HasPrefix(in.text, v8Fatal) {
		r.crash.open = false
		return 0, false
	}
	if len(in.text) == 0 {
		return NoiseLine, true
	}
	class := ForeignLine
	if h, ok := v8ScanHead(in.text); ok && h.timed && !h.prefixed {
		return r.timed(in, &h), true // Node 4 and before
	}
	for text := in.text; ; {
		at := v8Next(text)
		if at < 0 {
			break
		}
		text = text[at:]
		end := len(text)
		if next := v8Next(text[1:]); next >= 0 {
			end = next + 1
		}
		h, _ := v8ScanHead(text[:end])
		h.cut = end == v8CrashCut
		// What is cut before the length of the pause is lost.
		class = min(class, r.timed(in, &h), NoiseLine)
		text = text[end:]
	}
	return class, class != ForeignLine
}

// v8Next finds the next [pid:isolate] with a time; -1 if there is none.
func v8Next(b []byte) int {
	for at := 0; at < len(b); at++ {
		i := bytes.IndexByte(b[at:], '[')
		if i < 0 {
			break
		}
		at += i
		if h, ok := v8ScanHead(b[at:]); ok && h.timed {
			return at
		}
	}
	return -1
}

// told tells whether a collection was seen before. Words without a prefix may be
// of any isolate.
func (r *v8Reader) told(h *v8Head, key uint64) bool {
	for _, o := range r.isolates {
		if (!h.prefixed || o.pid == h.pid && (o.at == h.isolate || o.at == 0)) && o.seen.has(key) {
			return true
		}
	}
	return false
}

// last reads the lines around last words.
func (r *v8Reader) last(in *line) Class {
	text := in.text
	switch {
	case bytes.HasPrefix(text, v8LastFew):
		r.crash = v8Crash{open: true, left: v8CrashLines}
		return DetailLine
	case bytes.HasPrefix(text, v8JSStack):
		return NoiseLine
	case v8Died(text):
		return r.died(in)
	}
	return ForeignLine
}

// v8Died tells the line that says why the process died.
func v8Died(b []byte) bool {
	if !bytes.HasPrefix(b, v8Fatal) && !hasPrefix(b, "# Fatal ") && !hasPrefix(b, "#\n# Fatal ") {
		return false
	}
	for _, s := range v8HeapFull {
		if bytes.Contains(b, s) {
			return true
		}
	}
	return false
}

// died reports the death of the isolate that was seen last, as the size of its
// heap then.
func (r *v8Reader) died(in *line) Class {
	if len(r.isolates) == 0 {
		return DetailLine
	}
	o := r.isolates[0]
	r.out.resume(o.run)
	e := r.out.event(Occupancy)
	e.Collector = V8
	e.Title, e.Flags = v8OutOfMemory, LastResort
	why := bytes.TrimPrefix(in.text, v8Fatal)
	if i := bytes.Index(why, v8Dash); i > 0 {
		why = why[:i]
	}
	e.Cause = r.out.word(why[:min(len(why), 128)])
	if bytes.Contains(why, v8Ineffective) {
		e.Flags |= TimeLimit
	}
	e.Start = Stamp{Uptime: o.last, HasUptime: true, Error: 5e5}
	if in.hasWall {
		e.Start.Wall, e.Start.HasWall, e.Start.Borrowed = in.wall, true, true
	}
	e.Heap.set(-1, o.heap, -1)
	r.out.emit(e)
	return EventLine
}
