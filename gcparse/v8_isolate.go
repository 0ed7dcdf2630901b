package gcparse

import "slices"

const (
	// v8Isolates is how many isolates are kept apart. One that was silent while as
	// many others spoke begins another run.
	v8Isolates = 256
	// v8Seen is how many collections of an isolate are remembered. The last words
	// of a process hold 512 bytes of them.
	v8Seen = 16
)

// v8Isolate is one isolate: a heap and the thread that runs on it.
type v8Isolate struct {
	pid int64
	at  uint64 // its address
	run int32
	// last is the time of its last collection. A line of a time before floor is of
	// another isolate at the same address; last words look back and do not raise it.
	last, floor int64
	// told is what young collections have told of the present incremental marking.
	told int64
	// heap is what was in use after the last collection, in bytes.
	heap int64
	seen v8Keys
}

// v8Keys remembers collections by what identifies them.
type v8Keys struct {
	keys [v8Seen]uint64
	n    int
}

func (k *v8Keys) add(key uint64) {
	k.keys[k.n%v8Seen] = key
	k.n++
}

func (k *v8Keys) has(key uint64) bool {
	return slices.Contains(k.keys[:min(k.n, v8Seen)], key)
}

// key identifies a collection among those of an isolate.
func (l *v8Line) key(time int64) uint64 {
	h := uint64(14695981039346656037)
	for _, v := range [...]int64{time, l.before, l.after, l.pause} {
		h = (h ^ uint64(v)) * 1099511628211
		h ^= h >> 29
	}
	return h
}

// isolate finds the isolate of a line, and makes its run the current one. back
// tells that the line is of last words.
func (r *v8Reader) isolate(h *v8Head, back bool) *v8Isolate {
	i := slices.IndexFunc(r.isolates, func(o *v8Isolate) bool { return o.pid == h.pid && o.at == h.isolate })
	if i < 0 && back && !h.prefixed && len(r.isolates) > 0 {
		i = 0
	}
	var o *v8Isolate
	switch {
	case i < 0:
		why := FirstLine
		if len(r.isolates) > 0 {
			why = OtherProcess
		}
		o = &v8Isolate{pid: h.pid, at: h.isolate, run: r.begin(h, why)}
		r.isolates = slices.Insert(r.isolates, 0, o)
		r.isolates = r.isolates[:min(len(r.isolates), v8Isolates)]
	default:
		o = r.isolates[i]
		copy(r.isolates[1:i+1], r.isolates[:i])
		r.isolates[0] = o
		if h.time < o.floor && !back {
			*o = v8Isolate{pid: h.pid, at: h.isolate, run: r.begin(h, ClockFell)}
		}
		r.out.resume(o.run)
	}
	o.last = max(o.last, h.time)
	if !back {
		o.floor = h.time
	}
	return o
}

// begin begins a run.
func (r *v8Reader) begin(h *v8Head, why RunReason) int32 {
	run := r.out.newRun(why)
	run.Collector, run.PID = V8, h.pid
	return r.out.current
}

// emit turns a line into its pause.
func (r *v8Reader) emit(in *line, h *v8Head, l *v8Line) Class {
	key := l.key(h.time)
	if r.crash.open && r.told(h, key) || r.crash.words.n > 0 && !r.crash.open && r.crash.words.has(key) {
		return NoiseLine
	}
	o := r.isolate(h, r.crash.open)
	if r.crash.open {
		r.crash.words.add(key)
	}
	o.seen.add(key)
	o.heap = max(l.after, 0)

	e := r.out.event(Pause)
	e.Collector, e.Generation = V8, Whole
	if l.young {
		e.Generation = Young
	}
	e.Title = r.title(l)
	if !h.cut {
		e.Cause = r.why(l)
	}
	e.Flags = l.flags()
	// The time is rounded to milliseconds.
	e.Start = Stamp{Uptime: max(h.time-l.pause, 0), HasUptime: true, Error: 5e5}
	if in.hasWall && !r.crash.open {
		e.Start.Wall, e.Start.HasWall, e.Start.Borrowed = in.wall-l.pause, true, true
	}
	e.Duration, e.HasDuration = l.pause, true
	e.Heap.set(l.before, l.after, -1)
	if l.promoted >= 0 {
		e.Promoted, e.HasPromoted = l.promoted, true
	}
	e.Incremental, e.Count = o.steps(l), l.steps
	if l.hasMu && !l.young {
		// Young collections repeat the value of the old one before.
		e.Utilization, e.HasUtilization = l.mu, true
	}
	r.out.emit(e)
	return EventLine
}

// steps is how long the steps of marking took that no line before has told of.
func (o *v8Isolate) steps(l *v8Line) int64 {
	switch {
	case l.young && l.sinceLast:
		o.told += l.incremental
		return l.incremental
	case l.young:
		return 0
	}
	rest := max(l.incremental-o.told, 0)
	o.told = 0
	return rest
}

// flags are the properties of a collection. Full is one that did all of its work
// in the pause: one that was marked before, in steps or by other threads, is the
// normal way to collect the old generation.
func (l *v8Line) flags() Flags {
	var f Flags
	if !l.young && !l.marked {
		f |= Full
	}
	if l.reduce {
		f |= Compacting
	}
	switch {
	case hasPrefix(l.cause, "allocation failure"):
		f |= AllocationFailure
	case hasPrefix(l.cause, "last resort"):
		f |= LastResort
	case hasPrefix(l.cause, "testing"), hasPrefix(l.cause, "gc extension"):
		f |= Explicit
	}
	return f
}

// title is the name of a collection, with what a code leaves out of it.
func (r *v8Reader) title(l *v8Line) string {
	r.cause = append(r.cause[:0], l.title...)
	if l.coded && l.reduce {
		r.cause = append(r.cause, " (reduce)"...)
	}
	if l.coded && l.during {
		r.cause = append(r.cause, " (during sweeping)"...)
	}
	return r.out.word(r.cause)
}

// why is the cause with the reason for the choice of collector.
func (r *v8Reader) why(l *v8Line) string {
	if len(l.reason) == 0 {
		return r.out.word(l.cause)
	}
	r.cause = append(r.cause[:0], l.cause...)
	if len(l.cause) > 0 {
		r.cause = append(r.cause, "; "...)
	}
	r.cause = append(r.cause, l.reason...)
	return r.out.word(r.cause)
}
