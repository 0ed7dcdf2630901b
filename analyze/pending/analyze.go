package pending

import (
	"slices"

	"example.com/kneeline/analyze/pending/clock"
	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/analyze/pending/workers"
	"example.com/kneeline/analyze/retained"
	"example.com/kneeline/heapdump"
	"example.com/kneeline/internal/finding"
)

// Options are by what a heap is judged. Zero values are not known or the
// defaults.
type Options struct {
	// Name is what messages call the input.
	Name string
	// Table is the names that queues are recognised by, the built-in ones if nil.
	Table *pattern.Table
	// Patterns are the files that were added to the table, for the record.
	Patterns []string
	// Capacity is how many requests per second the service sustains, Timeout how
	// many seconds its clients wait, ServiceTime how many seconds a worker takes
	// for one request.
	Capacity, Timeout, ServiceTime *float64
	// MinEntries is how many entries a queue must hold to be judged.
	MinEntries int64
	// Rows is how many rows the histogram has at most.
	Rows int
	// ShowValues puts contents of strings into the result.
	ShowValues bool
	// Retain asks the graph of the dump who holds what waits; nil where there is none.
	Retain func([]retained.Anchor) (*retained.Result, error)
	// Threads are those of a thread dump beside the heap; nil takes them from the
	// heap.
	Threads *workers.Input
}

// Defaults of [Options].
const (
	DefaultMinEntries = 100
	DefaultRows       = 100
)

// Bounds of what is kept of a heap, however many queues it has.
const (
	maxQueues  = 100        // queues that are judged one by one, the longest
	maxGrouped = maxEntries // entries of many short queues that are looked at together
)

// Analyze judges a heap.
func Analyze(h *heapdump.Heap, o Options) *Result {
	a := newAnalysis(h, o)
	a.readQueues()
	a.readWorkers()
	a.describe()
	a.judge()
	return a.res
}

// analysis is one heap being judged.
type analysis struct {
	h   *heapdump.Heap
	o   Options
	t   *pattern.Table
	res *Result
	// clock is how stamps are read.
	clock clock.Config
	own   owners
	// queues are those found, in the order of res.Queues once they are described.
	queues []*found
	// standing is what each of them stands for, in the same order.
	standing []standing
	// held are the queues that the graph's holders are of, in their order.
	held []*found
	// pools is the index in res.Workers by the pool's object in the heap, and by the
	// beginning of the names of its threads.
	pools      map[heapdump.ID]int
	poolByName map[string]int
	// ownThreads is how many of each pool's busy threads serve no request.
	ownThreads []int64
}

func newAnalysis(h *heapdump.Heap, o Options) *analysis {
	if o.Table == nil {
		o.Table = pattern.Builtin()
	}
	if o.MinEntries <= 0 {
		o.MinEntries = DefaultMinEntries
	}
	if o.Rows <= 0 {
		o.Rows = DefaultRows
	}
	a := &analysis{h: h, o: o, t: o.Table, clock: calibrated(h)}
	a.res = &Result{
		Schema: Schema, Complete: true,
		Settings: Settings{
			Capacity: o.Capacity, Timeout: o.Timeout, ServiceTime: o.ServiceTime,
			MinEntries: o.MinEntries, ShowValues: o.ShowValues, Patterns: o.Patterns,
		},
		Inputs: []Input{inputOf(h, o.Name)}, Heap: summaryOf(h),
		Queues: []Queue{}, Clusters: []Cluster{}, Workers: []Pool{}, Groups: []Group{}, Limits: limitsOf(h, o.Table),
		Histogram: histogramOf(h, o.Rows), Arrays: arraysOf(h), CollectionFill: fillOf(h), Strings: stringsOf(h, o.ShowValues),
		Findings: []finding.Finding{}, CouldNotSay: []string{}, Warnings: []string{},
	}
	if doubt := clockDoubt(a.clock); doubt != "" {
		a.res.Warnings = append(a.res.Warnings, doubt)
	}
	for _, d := range directOf(h) {
		if s := d.sentence(h.Bytes); s != "" {
			a.res.Warnings = append(a.res.Warnings, s)
		}
	}
	return a
}

// groupKey tells the short queues apart that are summed up.
type groupKey struct {
	class, owner *heapdump.Class
	field        string
}

// readQueues finds the queues by the table.
func (a *analysis) readQueues() {
	a.own = ownersByTable(a.h, a.t)
	groups := map[groupKey]*found{}
	var order []groupKey
	readByTable(a.h, a.t, a.own, a.o.MinEntries, func(f *found) {
		f.owner = a.own[f.id]
		if f.n >= a.o.MinEntries {
			a.queues = append(a.queues, f.kept())
			if len(a.queues) >= 2*maxQueues {
				a.queues = longest(a.queues)
			}
			return
		}
		if f.row.Server == "" && f.owner.row == nil && f.row.Role != pattern.Waiters {
			return // a short list is no queue of anybody
		}
		key := groupKey{f.class, f.owner.class, f.owner.field}
		g, ok := groups[key]
		if !ok {
			groups[key], order = f.kept(), append(order, key)
			return
		}
		g.join(f)
	})
	for _, key := range order {
		if g := groups[key]; g.n >= a.o.MinEntries {
			a.queues = append(a.queues, g)
		}
	}
	a.addShapes()
	a.queues = longest(a.queues)
	wanted := map[heapdump.ID]bool{}
	for _, f := range a.queues {
		if f.owner.class == nil && f.instances == 1 {
			wanted[f.id] = true
		}
	}
	a.own.complete(a.h, wanted)
	for _, f := range a.queues {
		if f.owner.class == nil && f.instances == 1 {
			f.owner = a.own[f.id]
		}
	}
	a.queues = withoutInner(a.queues)
}

// withoutInner leaves out the queues that others keep their entries in, as a
// DelayQueue does in a PriorityQueue: what is in them was counted.
func withoutInner(queues []*found) []*found {
	known := map[heapdump.ID]bool{}
	for _, f := range queues {
		if f.id != 0 && f.instances == 1 {
			known[f.id] = true
		}
	}
	return slices.DeleteFunc(queues, func(f *found) bool {
		return f.instances == 1 && f.owner.row == nil && f.owner.id != f.id && known[f.owner.id]
	})
}

// addShapes finds the queues that the table does not know.
func (a *analysis) addShapes() {
	known := map[heapdump.ID]bool{}
	for _, f := range a.queues {
		known[f.id] = true
	}
	for _, s := range findShapes(a.h, a.t) {
		if s.n < a.o.MinEntries || s.id != 0 && known[s.id] {
			continue
		}
		f := s.found
		f.shape, f.instances = &s, max(f.instances, 1)
		a.queues = append(a.queues, &f)
	}
}

// join adds another queue of the same kind.
func (f *found) join(other *found) {
	f.instances++
	f.n += other.n
	if room := maxGrouped - len(f.ids); room > 0 {
		f.ids = append(f.ids, other.ids[:min(len(other.ids), room)]...)
	}
	if f.count != nil && other.count != nil {
		sum := *f.count + *other.count
		f.count = &sum
	} else {
		f.count = nil
	}
	// The limit of one of many says nothing of all.
	f.capacity, f.unbounded = nil, f.unbounded && other.unbounded
}

// longest returns the longest queues, longest first.
func longest(queues []*found) []*found {
	slices.SortStableFunc(queues, func(x, y *found) int {
		switch {
		case x.n > y.n:
			return -1
		case x.n < y.n:
			return 1
		}
		return 0
	})
	return queues[:min(len(queues), maxQueues)]
}
