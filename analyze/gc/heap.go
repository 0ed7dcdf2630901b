package gc

import "example.com/kneeline/gcparse"

// heap follows the heap of one run.
type heap struct {
	// after is the heap after the last collection, which ended at end.
	after, end int64
	has        bool
	capacity   int64 // the most seen
	// least is the least heap after a collection since the last one of the old
	// objects: an upper bound on what lives.
	least    int64
	hasLeast bool
	live     samples
	// recent is what was allocated lately, for the highest rate.
	recent stretch

	fullAfter []fullHeap
	// the full collections that nobody asked for: their number, when, and how much
	// of what the old generation had they freed.
	oldCount, oldFirst, oldLast, oldHad, oldFreed int64

	promoted    int64
	hasPromoted bool
}

// fullHeap is the heap after a collection of all of it.
type fullHeap struct {
	spot
	after int64
}

// maxFull is how many of them are kept: the fullest.
const maxFull = 64

// hole forgets what was before a hole in the log.
func (h *heap) hole() {
	h.has, h.hasLeast = false, false
	h.recent.clear()
}

// event takes the heap sizes of an event.
func (h *heap) event(r *run, e *gcparse.Event, at, end int64) {
	a := r.a
	if e.Heap.HasAfter && e.Flags&gcparse.Nested == 0 {
		a.heapLane.add(end+r.shift, e.Heap)
	}
	switch e.Kind {
	case gcparse.Pause, gcparse.Cycle, gcparse.Concurrent:
	default:
		return
	}
	if e.Heap.HasCapacity && e.Collector != gcparse.Go && e.Collector != gcparse.V8 {
		// Go's is the goal and V8's what is committed: neither is the end.
		h.capacity = max(h.capacity, e.Heap.Capacity)
		a.capacity = max(a.capacity, e.Heap.Capacity)
	}
	p := spot{r, at, e.Duration, e.Source, e.Line}
	a.goHeap.add(e, p)
	h.promote(a, e)
	if e.Heap.HasBefore && e.Heap.HasAfter && e.Flags&gcparse.Nested == 0 {
		if h.has && at >= h.end {
			h.allocate(a, at, max(e.Heap.Before-h.after, 0))
		}
		if !h.has || end >= h.end {
			h.after, h.end, h.has = e.Heap.After, end, true
		}
	}
	if !e.Heap.HasAfter {
		return
	}
	if !h.hasLeast || e.Heap.After < h.least {
		h.least, h.hasLeast = e.Heap.After, true
	}
	if collectsOld(e) {
		h.old(e, p, end)
	}
}

// collectsOld tells events after which the old objects have been collected, or
// part of them.
func collectsOld(e *gcparse.Event) bool {
	if e.Flags.Any(gcparse.Full) {
		return true
	}
	switch e.Generation {
	case gcparse.Young:
		return false
	case gcparse.Mixed, gcparse.Whole, gcparse.Old:
		return true
	}
	// Collectors without generations.
	return e.Kind == gcparse.Cycle || e.Collector.PauseFree()
}

func (h *heap) old(e *gcparse.Event, p spot, end int64) {
	h.live.add(end, h.least)
	h.hasLeast = false
	if !e.Flags.Any(gcparse.Full) || e.Flags.Any(gcparse.Nested) {
		return
	}
	h.full(fullHeap{p, e.Heap.After})
	if !e.Flags.Any(gcparse.Explicit) {
		h.freed(e, p)
	}
}

// freed sums what full collections that were needed took out of the old generation,
// or out of the heap where the log does not tell them apart.
func (h *heap) freed(e *gcparse.Event, p spot) {
	space := e.Old
	if !space.HasBefore || !space.HasAfter {
		space = e.Heap
	}
	if h.oldCount == 0 {
		h.oldFirst = p.at
	}
	h.oldCount++
	h.oldLast = p.at
	h.oldHad += space.Before
	h.oldFreed += max(space.Before-space.After, 0)
}

// full keeps the fullest heaps.
func (h *heap) full(f fullHeap) {
	if len(h.fullAfter) < maxFull {
		h.fullAfter = append(h.fullAfter, f)
		return
	}
	least := 0
	for i, x := range h.fullAfter {
		if x.after < h.fullAfter[least].after {
			least = i
		}
	}
	if f.after > h.fullAfter[least].after {
		h.fullAfter[least] = f
	}
}

// promote adds what moved to the old generation.
func (h *heap) promote(a *Analyzer, e *gcparse.Event) {
	switch {
	case e.HasPromoted:
		h.promoted += max(e.Promoted, 0)
	case e.Kind != gcparse.Pause || e.Generation != gcparse.Young || e.Flags.Any(gcparse.Nested|gcparse.Full):
		return
	case e.Old.HasBefore && e.Old.HasAfter:
		h.promoted += max(e.Old.After-e.Old.Before, 0)
	case e.Young.HasBefore && e.Young.HasAfter && e.Heap.HasBefore && e.Heap.HasAfter:
		// What left the young generation and not the heap.
		h.promoted += max((e.Young.Before-e.Young.After)-(e.Heap.Before-e.Heap.After), 0)
	default:
		return
	}
	h.hasPromoted = true
}

func (h *heap) allocate(a *Analyzer, at, bytes int64) {
	took := max(at-h.end, 0)
	a.rates.allocated += bytes
	a.rates.over += took
	h.recent.add(bytes, took)
}

// rates are sums over all runs.
type rates struct {
	// allocated is over so many nanoseconds, between collections.
	allocated, over int64
	// peak is the highest of any ten seconds or more of a run.
	peak        float64
	hasPeak     bool
	promoted    int64
	hasPromoted bool
}

// finish takes the heap of a run that has ended into the log's.
func (h *heap) finish(r *run, at int64) {
	a := r.a
	a.rates.promoted += h.promoted
	a.rates.hasPromoted = a.rates.hasPromoted || h.hasPromoted
	if h.recent.hasHighest {
		a.rates.peak, a.rates.hasPeak = max(a.rates.peak, h.recent.highest), true
	}
	a.considerLeak(r, at)
	a.considerSmall(r)
	a.considerPromotion(r)
}
