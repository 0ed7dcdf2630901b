package graph

import (
	"context"
	"iter"
)

// Children are the objects that an object dominates at once, by rank; those of
// [Root] are what no single object dominates.
func (g *Graph) Children(r Rank) iter.Seq[Rank] { return g.children(r) }

// LargestChildren are the n children that retain most, most first, equal ones by
// rank; all with n < 0.
func (g *Graph) LargestChildren(r Rank, n int) []Rank {
	return g.largest(g.children(r), n)
}

// TopDominators are the n objects that retain most of those that no single object
// dominates: [Graph.LargestChildren] of [Root].
func (g *Graph) TopDominators(n int) []Rank { return g.LargestChildren(Root, n) }

// ClassRetained is what the objects of one class retain.
type ClassRetained struct {
	// Class is the index of the class; of class objects that of java.lang.Class.
	Class int
	// Objects counts the reachable ones, Shallow is what they take themselves.
	Objects, Shallow int64
	// Retained is what they dominate together: the retained sizes of those of them
	// that no other of the class dominates. Objects that two of them hold and
	// nothing else are not in it: [Graph.RetainedOfClass] has them.
	Retained int64
}

// ByClass adds up by class, classes without reachable objects left out, in the order
// of the classes.
func (g *Graph) ByClass(ctx context.Context) ([]ClassRetained, error) { return g.byClass(ctx) }

// Fold is a node of the dominator tree with siblings of equal class as one, and with
// what hangs below an object of that class in a row of its own kind: the nodes of a
// linked list are one.
type Fold struct {
	// Class is the index of the class, -1 for the whole and for what was left out.
	// Described is the class that a class object stands for, -1 for others: class
	// objects stay apart.
	Class, Described int
	// Count is how many objects are in the node, Shallow what they take
	// themselves, Retained what they retain.
	Count, Shallow, Retained int64
	// First is the object of the node that retains most.
	First Rank
	// Children are by what they retain, most first. What is below the minimum or
	// the depth is left out: Retained - Shallow - that of the children.
	Children []*Fold
}

// FoldOptions bound a folded tree.
type FoldOptions struct {
	// Depth is how many levels below the whole there are; 0 is 64.
	Depth int
	// Minimum leaves out nodes that retain less, in bytes.
	Minimum int64
	// Nodes bounds the nodes; 0 is 100,000. Those that retain least go first.
	Nodes int
}

// DominatorTree folds the tree below an object, or the whole tree below [Root].
func (g *Graph) DominatorTree(ctx context.Context, from Rank, o FoldOptions) (*Fold, error) {
	return g.fold(ctx, from, o)
}
