package pending

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
)

// evidence is what speaks for a shape being a queue of work.
type evidence struct {
	// work: by its name, or by the table, an entry is something to be done.
	work bool
	// queue: the holder's name is that of a queue; store: that of a map, a cache, a
	// pool, a history.
	queue, store bool
	// aged: the entries came one after the other until shortly before the dump.
	aged bool
	// worked is how many threads do or hold an entry of that class now.
	worked int
	why    string
}

// evidenceFor weighs a shape.
func evidenceFor(h *heapdump.Heap, table *pattern.Table, s *shape) evidence {
	var e evidence
	e.work = hasWord(display(s.payload), workWords)
	if table != nil {
		if item := table.Item(line(h, s.payload.Index)); item != nil {
			e.work = e.work || item.Request
		}
	}
	holder := ""
	if s.class != nil {
		holder = display(s.class)
	}
	field := s.owner.field
	e.queue = hasWord(holder, queueWords) || hasWord(field, queueWords)
	e.store = hasWord(holder, storeWords) || hasWord(field, storeWords)
	e.worked = workedOn(h, s.payload)
	if s.structure >= 2 && e.queue && !e.store && !e.work && e.worked == 0 {
		e.aged = arriving(agesOf(h, calibrated(h), table, &s.entries))
	}
	e.why = e.reasons(s)
	return e
}

// arriving reports whether entries were still coming when the dump was taken. A
// list that was filled at once and is kept has all its stamps long before.
func arriving(a aged) bool {
	return a.ages != nil && !a.ages.Reversed && a.ages.Tail < a.ages.Head-a.ages.Tail
}

func (e evidence) reasons(s *shape) string {
	var parts []string
	if s.structure >= 2 {
		parts = append(parts, "its fields agree with a queue")
	}
	if e.worked > 0 {
		parts = append(parts, fmt.Sprintf("%d threads work on entries of its class", e.worked))
	}
	if e.aged {
		parts = append(parts, "its entries came one after the other until now")
	}
	if e.work {
		parts = append(parts, "its entries are named as work")
	}
	if e.store {
		parts = append(parts, "its holder is named as a store")
	}
	return strings.Join(parts, ", ")
}

// isQueue reports whether a shape is worth naming as a queue at all: its fields
// agree with one, or half of them do and names say so. Any other array or chain
// is a list.
func (s *shape) isQueue() bool {
	return s.structure >= 2 || s.structure == 1 && !s.store && (s.work || s.queue)
}

// requests reports whether the entries are taken for work that somebody waits
// for. The shape must be that of a queue, and there must be a sign that its
// entries are worked on: an array that is full of equal objects is a table or a
// history as well.
func (s *shape) requests() bool {
	return s.structure >= 2 && !s.store && (s.worked > 0 || s.queue && (s.work || s.aged))
}

// confidence returns how sure the shape is a queue of work.
func (s *shape) confidence() string {
	if s.requests() {
		return ConfidenceMedium
	}
	return ConfidenceLow
}

func (s *shape) confidenceRank() int {
	if s.requests() {
		return 1
	}
	return 0
}

// workedOn returns how many threads are inside a method of a class or hold an
// object of it in a frame. One thread that holds an object does not count: it
// may be the one that made them all.
func workedOn(h *heapdump.Heap, c *heapdump.Class) int {
	if c == nil || isValue(c) {
		return 0
	}
	name := display(c)
	maker, lambda := strings.CutSuffix(name, "$$Lambda")
	inside, holding := 0, 0
	for t := range h.Threads {
		thread := &h.Threads[t]
		if runs(thread, name, maker, lambda) {
			inside++
			continue
		}
		for _, l := range thread.Locals {
			if index, ok := h.ClassOf(l.ID); ok && h.Class(index) == c {
				holding++
				break
			}
		}
	}
	if holding < 2 && inside == 0 {
		return 0
	}
	return inside + holding
}

// runs reports whether a frame of the thread is a method of a class; that of a
// lambda is in the class that made it.
func runs(t *heapdump.Thread, name, maker string, lambda bool) bool {
	for _, f := range t.Frames {
		if lambda && f.Class == maker && strings.HasPrefix(f.Method, "lambda$") {
			return true
		}
		if f.Class == name && f.Method != "<init>" && f.Method != "<clinit>" && f.Method != "main" {
			return true
		}
	}
	return false
}
