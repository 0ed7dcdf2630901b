package graph

import (
	"sync/atomic"

	"example.com/kneeline/heapdump/graph/disk"
)

// links has the references of all objects, their classes left out: one list after
// another in no order of the objects. The length of a list takes one bit for each of
// its places, where a number before it would take four bytes for each object.
type links struct {
	// holders are the objects that may have a list, first by their places is where it
	// begins in edges, 0 when there is none. Of an instance of a java.lang.ref.Reference the referent is the first in the list, the
	// instance itself standing for null.
	holders      sparse
	first, edges disk.Array[uint32]
	// last has a bit for each place of edges, set where a list ends.
	last disk.Array[uint64]
}

// newLinks makes room for the references of the objects that may have some; place 0 is
// never used.
func newLinks(a *disk.Arena, holders disk.Array[uint64], places int) (l links, err error) {
	var n int
	if l.holders, n, err = newSparse(a, holders); err != nil {
		return l, err
	}
	if l.first, err = disk.Make[uint32](a, n); err != nil {
		return l, err
	}
	if l.edges, err = disk.Make[uint32](a, places); err != nil {
		return l, err
	}
	l.last, err = disk.Make[uint64](a, (places+63)/64)
	return l, err
}

// put writes the references of an object to a place and gives the next one. Several
// goroutines may put those of different objects to different places.
func (l *links) put(r uint32, at int64, list []uint32) int64 {
	i, ok := l.holders.place(r)
	if len(list) == 0 || !ok {
		return at
	}
	l.first.V[i] = uint32(at)
	end := at + int64(copy(l.edges.V[at:], list))
	atomic.OrUint64(&l.last.V[(end-1)>>6], 1<<((end-1)&63))
	return end
}

// span is where the references of an object are, from and to being the same when
// there are none.
func (l *links) span(r uint32) (from, to uint32) {
	p, ok := l.holders.place(r)
	if !ok {
		return 0, 0
	}
	if from = l.first.V[p]; from == 0 {
		return 0, 0
	}
	i := from >> 6
	w := l.last.V[i] >> (from & 63)
	if w != 0 {
		return from, from + uint32(lowest(w)) + 1
	}
	for i++; l.last.V[i] == 0; i++ {
	}
	return from, i<<6 + uint32(lowest(l.last.V[i])) + 1
}

// targets are the objects that an object refers to, its class left out.
func (l *links) targets(r uint32) []uint32 {
	from, to := l.span(r)
	return l.edges.V[from:to]
}
