package pending

import "example.com/kneeline/heapdump"

// maxEntries is how many entries of one queue are kept one by one; of a longer
// queue it is an even sample. With the queues of an analysis it bounds its
// memory: 100 MB.
const maxEntries = 1 << 16

// entries is what a queue holds, its head first.
type entries struct {
	// n is how many there are, ids every step-th of them from the first on.
	n    int64
	ids  []heapdump.ID
	step int64
	// sampled is true when the dump's reader kept a sample alone, so that n is an
	// estimate.
	sampled bool
	// cut says why the end could not be reached; empty when it was.
	cut string
	max int // maxEntries but in tests
}

func (e *entries) add(id heapdump.ID) {
	if e.max == 0 {
		e.max = maxEntries
	}
	if e.step == 0 {
		e.step = 1
	}
	if e.n%e.step == 0 {
		if len(e.ids) >= e.max {
			for i := range (len(e.ids) + 1) / 2 {
				e.ids[i] = e.ids[2*i]
			}
			e.ids = e.ids[:(len(e.ids)+1)/2]
			e.step *= 2
		}
		if e.n%e.step == 0 {
			e.ids = append(e.ids, id)
		}
	}
	e.n++
}

// positions are the places of ids in the queue; nil is all of them in order.
func (e *entries) positions() []int64 {
	if e.step <= 1 {
		return nil
	}
	out := make([]int64, len(e.ids))
	for i := range out {
		out[i] = int64(i) * e.step
	}
	return out
}

// readRing reads an array used in a circle from head on. Slots without an object
// count for nothing.
func readRing(a heapdump.Array, head int64, e *entries) {
	n := int64(len(a.Refs))
	if n == 0 || a.Length <= 0 {
		return
	}
	head %= a.Length
	if head < 0 {
		head += a.Length
	}
	// The first kept slot at or after head.
	from := (head + a.Step - 1) / a.Step
	for i := range n {
		if id := a.Refs[(from+i)%n]; id != 0 {
			e.add(id)
		}
	}
	e.scale(a)
}

// readArray reads the first count slots of an array, all of them when count is
// negative.
func readArray(a heapdump.Array, count int64, e *entries) {
	for i, id := range a.Refs {
		if count >= 0 && int64(i)*a.Step >= count {
			break
		}
		if id != 0 {
			e.add(id)
		}
	}
	e.scale(a)
}

// scale turns what was counted in a sample of the slots into all of them.
func (e *entries) scale(a heapdump.Array) {
	if !a.Sampled() || e.n == 0 {
		return
	}
	e.sampled = true
	e.step *= a.Step
	e.n = a.Filled
}

// links are the fields by which a chain is followed.
type links struct {
	next  string
	item  []string
	self  bool
	trail *trail
}

// trail is what reading one queue leaves for the next.
type trail struct {
	// most is how many entries of a queue are kept one by one, maxEntries if 0.
	most int
	// steps is how many nodes may still be gone along, all chains together: as many
	// as there are objects. Only chains in a circle, or that lead into each other,
	// have more.
	steps int64
	// last is the node found last: the next chain often begins behind it.
	last heapdump.Instance
	// room is for the entries of short queues, of which there may be millions;
	// see [found.kept].
	room []heapdump.ID
}

// shortQueue is how many entries fit into the room that queues share.
const shortQueue = 64

func newTrail(h *heapdump.Heap) *trail {
	return &trail{steps: h.Objects, room: make([]heapdump.ID, 0, shortQueue)}
}

// readChain reads a chain of nodes from first on. It stops at a node that was not
// kept. Of a chain in a circle nothing counts.
func readChain(h *heapdump.Heap, first heapdump.ID, l links, e *entries) {
	var class *heapdump.Class
	var index *chainIndex
	next, item := -1, -1
	for id, steps := first, int64(0); id != 0; steps++ {
		if l.trail.steps--; l.trail.steps < 0 {
			*e = entries{max: e.max, cut: "the chain runs in a circle"}
			return
		}
		if steps == indexAfter {
			index = newChainIndex(h, class)
		}
		var in heapdump.Instance
		ok := false
		if index != nil {
			in, ok = index.find(id)
		}
		if !ok {
			in, ok = h.InstanceNear(l.trail.last, id)
		}
		if !ok {
			e.cut = "a node of the chain is not in the dump"
			return
		}
		l.trail.last = in
		if in.Class != class {
			class, next = in.Class, column(in.Class, l.next)
			if item = itemColumn(class, l.item); next < 0 {
				e.cut = "a node has no field " + l.next
				return
			}
		}
		entry := id
		if len(l.item) > 0 {
			if entry = 0; item >= 0 {
				entry = heapdump.ID(in.At(item))
			}
		}
		if entry != 0 && !(l.self && entry == id) {
			e.add(entry)
		}
		following := heapdump.ID(in.At(next))
		if following == id {
			return // a node that was taken out points to itself
		}
		id = following
	}
}

func itemColumn(c *heapdump.Class, fields []string) int {
	for _, f := range fields {
		if i := column(c, f); i >= 0 {
			return i
		}
	}
	return -1
}

// readChunks reads the arrays of a JCTools queue between its two indices, which
// count twice. The last slot of an array leads to the next one, and so does an
// entry that is a plain object, which stands for "go on there".
func readChunks(h *heapdump.Heap, first heapdump.ID, from, to int64, e *entries) {
	a, ok := h.Array(first)
	if !ok || a.Sampled() || a.Length < 2 {
		e.cut = "its array was not kept"
		return
	}
	to &^= 1 // the lowest bit marks a queue that grows
	if from < 0 || to < from || (to-from)/2 > h.Objects {
		e.cut = "its indices make no sense"
		return
	}
	for at := from; at < to; at += 2 {
		slot := func() heapdump.ID { return a.Refs[(at/2)%(a.Length-1)] }
		id := slot()
		if c, ok := h.ClassOf(id); ok && h.Class(c).Name == "java.lang.Object" {
			if a, ok = h.Array(a.Refs[a.Length-1]); !ok || a.Sampled() || a.Length < 2 {
				e.cut = "its next array was not kept"
				return
			}
			id = slot()
		}
		if id != 0 {
			e.add(id)
		}
	}
}
