package pending

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
)

// found is a queue as read from the heap, before it is judged.
type found struct {
	id    heapdump.ID
	class *heapdump.Class
	row   *pattern.Queue // nil for one that was found by its shape
	kind  string
	name  string
	entries
	// count and capacity are what its fields say; nil where it has none.
	count, capacity *int64
	unbounded       bool
	owner           owner
	// instances is how many queues are summed up in it.
	instances int64
	// shape is what it was found by where the table has no row for it.
	shape *shape
}

// noLimit is from where on a capacity stands for none: Java's are of type int,
// and "no limit" is written as the greatest.
const noLimit = math.MaxInt32 - 8

// readByTable reads all queues of classes that the table has.
//
// What each is given is gone after it returns unless it takes [found.kept].
//
// A collection of nobody that says itself that it has fewer than least entries
// is passed over unread: there may be millions of them.
func readByTable(h *heapdump.Heap, t *pattern.Table, own owners, least int64, each func(*found)) {
	way := newTrail(h)
	var f found // one for all: there may be millions
	for i, c := range h.Classes {
		if c.Kept == 0 {
			continue
		}
		row := t.Queue(line(h, i))
		if row == nil {
			continue
		}
		begin := beginColumns(c, row)
		count := -1
		if row.Collection && row.Count != "" && !strings.Contains(row.Count, ".") {
			count = column(c, row.Count)
		}
		for in := range h.Instances(i) {
			if begin != nil && !slices.ContainsFunc(begin, func(col int) bool { return in.At(col) != 0 }) {
				continue // there are very many empty ones
			}
			if count >= 0 && int64(in.At(count)) < least && own[in.ID].row == nil {
				continue
			}
			if f = readQueue(h, in, row, way); f.n > 0 {
				each(&f)
			}
		}
	}
}

// beginColumns are the columns that lead to the entries: a queue in which all of
// them are null is empty. It returns nil where that cannot be told from the queue
// alone.
func beginColumns(c *heapdump.Class, row *pattern.Queue) []int {
	paths := row.First
	if row.Array != "" {
		paths = []string{row.Array}
	}
	var out []int
	for _, path := range paths {
		field, _, _ := strings.Cut(path, ".")
		col := column(c, field)
		if col < 0 || c.Columns[col].Type.Size() != 0 {
			return nil
		}
		out = append(out, col)
	}
	return out
}

// kept is a copy of a queue that stays.
func (f *found) kept() *found {
	k := *f
	k.ids = slices.Clone(k.ids)
	return &k
}

// readQueue reads one queue by its row. Its entries may be in the room of the
// trail, which the next queue overwrites.
func readQueue(h *heapdump.Heap, in heapdump.Instance, row *pattern.Queue, way *trail) found {
	f := found{id: in.ID, class: in.Class, row: row, kind: row.Kind, name: row.Name, unbounded: row.Unbounded, instances: 1}
	f.ids, f.max = way.room[:0], way.most
	f.count = countField(h, in, row)
	if c, ok := numberFrom(h, in, row.Capacity); ok {
		f.setCapacity(c)
	}
	switch row.Kind {
	case pattern.Ring, pattern.Array, pattern.Heap:
		readSlots(h, in, row, &f)
	case pattern.Linked:
		for _, path := range row.First {
			if first, ok := refFrom(h, in, path); ok && first != 0 {
				readChain(h, first, links{next: row.Next, item: row.Item, self: row.Self, trail: way}, &f.entries)
				break
			}
		}
	case pattern.Chunks:
		f.kind = KindRing
		if first, ok := refFrom(h, in, row.Array); ok {
			from, _ := numberFrom(h, in, row.CountWith)
			to, _ := numberFrom(h, in, row.Count)
			readChunks(h, first, from, to, &f.entries)
		}
	case pattern.Map, pattern.Count:
		// Whoever waits is an object, or a thread.
		if f.count != nil && *f.count <= h.Objects {
			f.n = max(*f.count, 0)
		}
	}
	// What could not be counted one by one is what the queue itself says.
	if f.cut != "" && f.count != nil && *f.count > f.n {
		f.n = min(*f.count, mostObjects(h))
	}
	return f
}

// missingTimes is how many times the objects that were read there may be at most in
// a dump that ends too early, for what a queue says of itself.
const missingTimes = 1000

// mostObjects bounds what a queue may say it holds: its entries are objects.
func mostObjects(h *heapdump.Heap) int64 {
	if h.Complete {
		return h.Objects
	}
	return min(h.Objects*missingTimes, noLimit)
}

// setCapacity takes a capacity as a field has it.
func (f *found) setCapacity(c int64) {
	if c <= 0 || c >= noLimit {
		f.unbounded = true
		return
	}
	limit := c
	f.capacity = &limit
}

// countField is how many entries the queue itself claims.
func countField(h *heapdump.Heap, in heapdump.Instance, row *pattern.Queue) *int64 {
	n, ok := numberFrom(h, in, row.Count)
	if !ok {
		return nil
	}
	if row.CountWith != "" {
		from, ok := numberFrom(h, in, row.CountWith)
		if !ok {
			return nil
		}
		n -= from
		if row.Kind == pattern.Chunks {
			n /= 2
		}
	}
	claimed := n // apart, as most queues have no such field
	return &claimed
}

// readSlots reads a queue in one array.
func readSlots(h *heapdump.Heap, in heapdump.Instance, row *pattern.Queue, f *found) {
	array, ok := refFrom(h, in, row.Array)
	if !ok || array == 0 {
		return
	}
	a, ok := h.Array(array)
	if !ok {
		return // short arrays are not kept, and hold no pile-up
	}
	if row.Kind != pattern.Ring {
		count := int64(-1)
		if f.count != nil {
			count = *f.count
		}
		readArray(a, count, &f.entries)
		return
	}
	head, ok := numberFrom(h, in, row.Head)
	if row.Indexes != "" {
		head, ok = jettyHead(h, in, row.Indexes)
	}
	if !ok {
		f.cut = "the index of its head was not kept"
	}
	readRing(a, head, &f.entries)
}

// jettyHead is the index of the first entry of Jetty's BlockingArrayQueue: the
// last number in the first half of an array that keeps head and tail in
// different cache lines.
func jettyHead(h *heapdump.Heap, in heapdump.Instance, path string) (int64, bool) {
	array, ok := refFrom(h, in, path)
	if !ok {
		return 0, false
	}
	p, ok := h.Prim(array)
	if !ok || len(p.Values) < 2 {
		return 0, false
	}
	return p.Values[len(p.Values)/2-1], true
}

// title is what people call the queue: what it is, and of whom.
func (f *found) title(h *heapdump.Heap) string {
	what, of := f.name, ""
	if what == "" {
		what = "queue " + simple(display(f.class))
	}
	switch o := f.owner; {
	case o.class == nil:
		if f.row == nil || f.name == f.row.Name {
			what += " (" + simple(display(f.class)) + ")"
		}
	case o.row != nil:
		what, of = o.row.What, simple(display(o.class))
		if name := textAt(h, o.id, o.row.Named); name != "" {
			of += fmt.Sprintf(" %q", name)
		}
	default:
		what, of = simple(display(f.class)), simple(display(o.class))+"."+o.field
	}
	if of == "" {
		return what
	}
	return what + " of " + of
}

// simple is the last part of a class name.
func simple(class string) string {
	return class[strings.LastIndexByte(class, '.')+1:]
}

// ofJDK reports whether a class belongs to the JDK.
func ofJDK(name string) bool {
	for _, p := range []string{"java.", "javax.", "jdk.", "sun.", "com.sun."} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}
