package gc

import "example.com/kneeline/gcparse"

// mark is what is kept of an event while it may still matter.
type mark struct {
	title, cause    string
	flags           gcparse.Flags
	source          int32
	line            int64
	dur             int64
	after, capacity int64 // of the heap, -1 where not known
}

func markOf(e *gcparse.Event) mark {
	m := mark{title: e.Title, cause: e.Cause, flags: e.Flags, source: e.Source, line: e.Line, dur: e.Duration, after: -1, capacity: -1}
	if e.Kind == gcparse.Stall || e.Kind == gcparse.Safepoint {
		m.cause = e.Thread
	}
	if e.Heap.HasAfter {
		m.after = e.Heap.After
	}
	if e.Heap.HasCapacity {
		m.capacity = e.Heap.Capacity
	}
	return m
}

// why names what set the event off, as well as the log tells.
func (m mark) why() string {
	switch {
	case m.cause != "":
		return m.cause
	case m.title != "":
		return m.title
	}
	return "not stated"
}
