package graph

import (
	"iter"

	"example.com/kneeline/heapdump"
)

// Rank is the number of an object: how many objects have lower addresses.
type Rank uint32

const (
	// None is no object: the dominator of what no root reaches.
	None Rank = 1<<32 - 1
	// Root stands for the roots together: the dominator of objects that no single
	// object dominates.
	Root Rank = 1<<32 - 2
	// MaxObjects is how many objects a graph can have.
	MaxObjects = 1<<32 - 16
)

// Graph is the object graph of a dump. Its methods may be called by several
// goroutines at once, but for Close.
type Graph struct {
	// Sums are counted over the whole graph.
	Sums
	heap   *heapdump.Heap
	sizes  Sizing
	ignore Strength
	// details says that class objects hold their signers and protection domains.
	details bool
	sizer   sizer
	store
	kids kids
}

// Sums is what is known of a graph as a whole.
type Sums struct {
	// Objects and Bytes are those that roots reach, by the chosen sizes.
	Objects, Bytes int64
	// Unreachable and UnreachableBytes are those that they do not: garbage that
	// waits for its collection, and a few that only the VM holds. MAT leaves them out.
	Unreachable, UnreachableBytes int64
	// References counts the references between objects, without those to classes.
	References int64
	// Dangling counts references to addresses at which the dump has nothing.
	Dangling int64
	// DanglingRoots counts roots of that kind.
	DanglingRoots int64
	// Repeated counts records of objects that the dump has already; the first
	// one counts.
	Repeated int64
	// Held is how many objects roots refer to, [RootKind] by kind.
	Held int64
	// ByKind counts them; an object may be held in several ways.
	ByKind [NumRootKinds]int64
	// TopLevel is how many objects [Root] dominates at once.
	TopLevel int64
	// Costs are what the making took, which unlike the rest differs from one bound of
	// the memory to another.
	Costs
}

// Costs are the most bytes that a graph had in memory and in files at once while it
// was made, with what its reader might keep.
type Costs struct{ MemoryPeak, DiskPeak int64 }

// Facts are the sums without the costs.
func (s Sums) Facts() Sums {
	s.Costs = Costs{}
	return s
}

// NumObjects is how many objects there are, class objects with them. Ranks go from
// 0 to NumObjects-1.
func (g *Graph) NumObjects() int { return g.n }

// Sizing tells whose sizes the graph has.
func (g *Graph) Sizing() Sizing { return g.sizes }

// Ignored tells which kinds of references were not followed.
func (g *Graph) Ignored() Strength { return g.ignore }

// Rank is the rank of the object at an address; false when there is none.
func (g *Graph) Rank(id heapdump.ID) (Rank, bool) {
	r, ok := g.addresses.Rank(uint64(id))
	return Rank(r), ok
}

// ID is the address of an object.
func (g *Graph) ID(r Rank) heapdump.ID { return heapdump.ID(g.addresses.Address(uint32(r))) }

// Class is the class of an object, as an index of [heapdump.Heap.Classes]; -1 when
// the dump does not tell.
func (g *Graph) Class(r Rank) int {
	c := g.class.at(uint32(r))
	if c == noClass {
		return -1
	}
	return int(c)
}

// Described is the class that a class object stands for; false for other objects.
func (g *Graph) Described(r Rank) (class int, ok bool) {
	if !g.sizer.mayBeMirror(g.class.at(uint32(r))) {
		return -1, false
	}
	class, ok = g.mirrorAt[r]
	return class, ok
}

// ClassObject is the class object of a class; None when it is not in the dump.
func (g *Graph) ClassObject(class int) Rank {
	if class < 0 || class >= len(g.mirrors) {
		return None
	}
	return g.mirrors[class]
}

// Length is the length of an array, or how many words of stack a stack chunk has;
// 0 of other objects.
func (g *Graph) Length(r Rank) int64 { return int64(g.lengths.at(uint32(r))) }

// Shallow is what an object takes by itself, in bytes, by the sizes of the graph.
func (g *Graph) Shallow(r Rank) int64 { return g.ShallowBy(r, g.sizes) }

// ShallowBy is what an object takes by itself by either way of counting.
func (g *Graph) ShallowBy(r Rank, s Sizing) int64 {
	class := g.class.at(uint32(r))
	if g.sizer.mayBeMirror(class) {
		if described, ok := g.mirrorAt[r]; ok {
			return int64(g.sizer.by[s].mirrors[described])
		}
	}
	return int64(g.sizer.size(s, class, g.lengths.at(uint32(r))))
}

// Retained is what would be freed if the object were, in bytes: its own size and
// that of all it dominates; 0 of what no root reaches.
func (g *Graph) Retained(r Rank) int64 {
	if g.idom.at(uint32(r)) == uint32(None) {
		return 0
	}
	return int64(g.retained.at(uint32(r)))
}

// IDom is the immediate dominator of an object: the nearest one that every path from
// a root to it goes through. [Root] when there is none, [None] of what no root reaches.
func (g *Graph) IDom(r Rank) Rank { return Rank(g.idom.at(uint32(r))) }

// Reachable says whether a root reaches an object.
func (g *Graph) Reachable(r Rank) bool { return g.IDom(r) != None }

// Depth is how many objects dominate an object, at most limit.
func (g *Graph) Depth(r Rank, limit int) int {
	n := 0
	for r = g.IDom(r); r < Root && n < limit; r = g.IDom(r) {
		n++
	}
	return n
}

// Dominators are those of an object from the nearest outwards, without Root.
func (g *Graph) Dominators(r Rank) iter.Seq[Rank] {
	return func(yield func(Rank) bool) {
		for r = g.IDom(r); r < Root; r = g.IDom(r) {
			if !yield(r) {
				return
			}
		}
	}
}

// Heap is the dump that the graph is of.
func (g *Graph) Heap() *heapdump.Heap { return g.heap }

// Close frees memory and files.
func (g *Graph) Close() error { return g.store.close() }
