package pending

import (
	"slices"

	"example.com/kneeline/heapdump"
)

// Limits of following a chain by an index of its nodes.
const (
	// indexAfter is after how many nodes of a chain an index is worth making.
	indexAfter = 4096
	// maxIndexed is how many nodes an index has at most: 64 MB.
	maxIndexed = 8 << 20
)

// chainIndex finds the nodes of one class faster than one by one: the next node
// of a queue mostly stands behind the last one, as they were made in that order.
type chainIndex struct {
	class *heapdump.Class
	ids   []heapdump.ID // rising
	// spans are the runs of ids whose values are in one place.
	spans []rowSpan
	// at and span are where the last node was.
	at, span int
}

// rowSpan is the ids from the index first on.
type rowSpan struct {
	first, row int
	rows       heapdump.Rows
}

// newChainIndex reads all nodes of a class; nil where they are too many, or not
// in the order of their addresses.
func newChainIndex(h *heapdump.Heap, c *heapdump.Class) *chainIndex {
	if c.Kept > maxIndexed {
		return nil
	}
	x := &chainIndex{class: c, ids: make([]heapdump.ID, 0, c.Kept)}
	sorted := true
	var last heapdump.Instance
	for in := range h.Instances(c.Index) {
		if n := len(x.ids); n == 0 || in.Rows != last.Rows || in.Row != last.Row+1 {
			x.spans = append(x.spans, rowSpan{n, in.Row, in.Rows})
		}
		sorted = sorted && in.ID > last.ID
		last = in
		x.ids = append(x.ids, in.ID)
	}
	if !sorted || len(x.spans)*16 > len(x.ids) {
		return nil
	}
	return x
}

// find returns the node with an address.
func (x *chainIndex) find(id heapdump.ID) (heapdump.Instance, bool) {
	at := x.at + 1
	if at >= len(x.ids) || x.ids[at] != id {
		var ok bool
		if at, ok = slices.BinarySearch(x.ids, id); !ok {
			return heapdump.Instance{}, false
		}
	}
	x.at = at
	if s := x.spans; at < s[x.span].first || x.span+1 < len(s) && at >= s[x.span+1].first {
		i, ok := slices.BinarySearchFunc(s, at, func(r rowSpan, at int) int { return r.first - at })
		if !ok {
			i--
		}
		x.span = i
	}
	s := &x.spans[x.span]
	return heapdump.Instance{ID: id, Class: x.class, Rows: s.rows, Row: s.row + at - s.first}, true
}
