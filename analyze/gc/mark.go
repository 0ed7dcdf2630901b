package gc

import "example.com/kneeline/gcparse"

// mark is what is kept of an event while it may still matter. It is copied a few
// times for every event, and so it is small.
type mark struct {
	// why is what set the event off, as well as the log tells.
	why             string
	line            int64
	after, capacity int64 // of the heap, -1 where not known
	source          int32
	full            bool
}

func markOf(e *gcparse.Event) mark {
	m := mark{why: e.Cause, line: e.Line, after: -1, capacity: -1, source: e.Source, full: e.Flags.Any(gcparse.Full)}
	switch {
	case e.Kind == gcparse.Stall || e.Kind == gcparse.Safepoint:
		m.why = e.Thread
	case m.why == "":
		m.why = e.Title
	}
	if m.why == "" {
		m.why = "not stated"
	}
	if e.Heap.HasAfter {
		m.after = e.Heap.After
	}
	if e.Heap.HasCapacity {
		m.capacity = e.Heap.Capacity
	}
	return m
}
