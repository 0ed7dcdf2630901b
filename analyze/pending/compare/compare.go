package compare

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/units"
)

// Options are by what two judgements are compared.
type Options struct {
	// Elapsed is the time between the two where they do not tell; 0 where it is not
	// known.
	Elapsed time.Duration
	// HeapLimit is the most that the heap may be, in bytes; 0 where it is not known.
	HeapLimit int64
	// Rows is how many classes and dominators are told at most; 0 stands for 100.
	Rows int
	// AllClasses is false when the histograms of the two are cut: of a class that one
	// has not, nothing is known.
	AllClasses bool
	// Graphs says that the graphs of both were asked for, whether or not there are any.
	Graphs bool
}

const usualRows = 100

// What is no more than chance.
const (
	// steadyShare and steadyBytes are by how much a heap must change to have changed.
	steadyShare = 0.05
	steadyBytes = 1 << 20
	// steadyEntries is the same for a queue, beside steadyShare.
	steadyEntries = 20
)

// Compare compares two judgements of one process.
func Compare(before, after *pending.Result, o Options) *Result {
	if o.Rows <= 0 {
		o.Rows = usualRows
	}
	c := &comparison{before: before, after: after, o: o, res: &Result{
		Schema: Schema, Complete: before.Complete && after.Complete, Before: side(before), After: side(after),
		Queues: []Queue{}, Classes: []Class{}, Dominators: []Retained{}, RetainedClasses: []Retained{}, CouldNotSay: []string{}, Warnings: []string{},
	}}
	c.elapsed()
	c.heap()
	c.queues()
	c.classes()
	c.retained()
	c.verdict()
	c.unsaid()
	return c.res
}

// comparison is one being made.
type comparison struct {
	before, after *pending.Result
	o             Options
	res           *Result
	seconds       float64 // 0 where not known
}

func side(r *pending.Result) Side {
	s := Side{Answer: r.Verdict.Answer, Sentence: r.Verdict.Sentence, Complete: r.Complete}
	for i, in := range r.Inputs {
		if i == 0 {
			s.Name, s.Format = in.Name, in.Format
		}
		s.Complete = s.Complete && in.Complete
		if s.Taken == nil {
			s.Taken = in.Taken
		}
	}
	return s
}

// elapsed is the time between the two: as given, or by their own clocks.
func (c *comparison) elapsed() {
	r := c.res
	switch a, b := r.Before.Taken, r.After.Taken; {
	case c.o.Elapsed > 0:
		c.seconds, r.ElapsedFrom = c.o.Elapsed.Seconds(), "as given"
	case a == nil || b == nil:
		return
	case !b.After(*a):
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s was taken at %s and %s at %s: the second is not the later one, so no rate is told", r.Before.Name, stamp(*a), r.After.Name, stamp(*b)))
		return
	default:
		c.seconds, r.ElapsedFrom = b.Sub(*a).Seconds(), "the times of the two"
	}
	r.Elapsed = &c.seconds
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") + "Z" }

// rate is a change by time.
func (c *comparison) rate(change float64) *float64 {
	if c.seconds <= 0 {
		return nil
	}
	v := change / c.seconds
	return &v
}

// fullIn is how long something with room left is full at a rate; nil where it does not
// fill.
func fullIn(room float64, rate *float64) *float64 {
	if rate == nil || *rate <= 0 {
		return nil
	}
	v := max(room, 0) / *rate
	return &v
}

func (c *comparison) heap() {
	a, b := c.before.Heap, c.after.Heap
	if a == nil || b == nil {
		return
	}
	h := &Heap{Before: a.Bytes, After: b.Bytes, Change: b.Bytes - a.Bytes, Objects: b.Objects - a.Objects}
	h.Rate = c.rate(float64(h.Change))
	if c.o.HeapLimit > 0 {
		h.Limit = &c.o.HeapLimit
		h.Full = fullIn(float64(c.o.HeapLimit-b.Bytes), h.Rate)
	}
	c.res.Heap = h
}

// classes joins the histograms.
func (c *comparison) classes() {
	rows := map[string]*Class{}
	sides := map[string]int{}
	take := func(r *pending.Result, bit int, set func(*Class, pending.ClassRow)) {
		for _, row := range r.Histogram {
			k := rows[row.Class]
			if k == nil {
				k = &Class{Class: row.Class}
				rows[row.Class] = k
			}
			set(k, row)
			sides[row.Class] |= bit
		}
	}
	take(c.before, 1, func(k *Class, r pending.ClassRow) { k.CountBefore += r.Count; k.BytesBefore += r.Bytes })
	take(c.after, 2, func(k *Class, r pending.ClassRow) { k.CountAfter += r.Count; k.BytesAfter += r.Bytes })
	for class, k := range rows {
		if sides[class] != 3 && !c.o.AllClasses {
			continue
		}
		k.Count, k.Bytes = k.CountAfter-k.CountBefore, k.BytesAfter-k.BytesBefore
		if k.Count == 0 && k.Bytes == 0 {
			continue
		}
		k.Rate = c.rate(float64(k.Bytes))
		c.res.Classes = append(c.res.Classes, *k)
	}
	slices.SortFunc(c.res.Classes, func(a, b Class) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Class, b.Class))
	})
	c.res.Classes = ends(c.res.Classes, c.o.Rows, func(k Class) bool { return k.Bytes > 0 || k.Bytes == 0 && k.Count > 0 })
}

// ends keeps those that grew most and, of what room is left, those that shrank most.
func ends[T any](sorted []T, n int, grew func(T) bool) []T {
	if len(sorted) <= n {
		return sorted
	}
	up := 0
	for up < len(sorted) && grew(sorted[up]) {
		up++
	}
	first := min(up, n-min(n/4, len(sorted)-up))
	return slices.Concat(sorted[:first], sorted[len(sorted)-(n-first):])
}

// changed says whether a number changed by more than chance.
func changed(before, after, least int64) bool {
	d := max(after-before, before-after)
	return d >= least && float64(d) >= steadyShare*float64(max(before, after))
}

// unsaid says what could not be told, and why.
func (c *comparison) unsaid() {
	r := c.res
	add := func(text string) { r.CouldNotSay = append(r.CouldNotSay, text) }
	if r.Elapsed == nil {
		add("How fast it grows: the two do not tell when they were taken. Give the time between them: --interval 60s.")
	}
	if r.Heap != nil && r.Heap.Limit == nil && r.Heap.Change > 0 {
		add("When the heap is full: give its limit, the -Xmx of the process or its --max-old-space-size: --heap-limit 8GiB.")
	}
	if !c.o.AllClasses {
		add("How classes grew that are not among the largest: a saved result has those alone. The dumps themselves tell.")
	}
	switch missing := c.before.Graph == nil || c.after.Graph == nil; {
	case missing && c.o.Graphs:
		add("Who retains what grew: not both of the two have a graph.")
	case missing:
		add("Who retains what grew: that takes the graph of both, --graph, or results saved with it.")
	}
	for _, s := range []Side{r.Before, r.After} {
		if !s.Complete {
			r.Warnings = append(r.Warnings, s.Name+" is not complete: what it lacks looks as if it had grown or shrunk")
		}
	}
	if a, b := r.Before.Format, r.After.Format; a != b {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s is a %s and %s a %s: their sizes may differ for that reason alone", r.Before.Name, or(a), r.After.Name, or(b)))
	}
}

func or(format string) string {
	if format == "" {
		return "heap of unknown form"
	}
	return format
}

// size is a change in bytes with its sign.
func size(n int64) string {
	if n < 0 {
		return "-" + units.Size(-n)
	}
	return "+" + units.Size(n)
}

// count is a change in number with its sign.
func count(n int64) string {
	if n < 0 {
		return "-" + units.Count(-n)
	}
	return "+" + units.Count(n)
}
