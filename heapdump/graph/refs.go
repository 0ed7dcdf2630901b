package graph

import (
	"context"
	"iter"
)

// Ref is a reference to or from an object.
type Ref struct {
	Rank Rank
	// Strength is set when the reference is the referent of a java.lang.ref.Reference;
	// 0 for strong references.
	Strength Strength
	// Class is true for the reference of an object to its class.
	Class bool
}

// Out are the objects that an object refers to, in the order of the dump: null and
// dangling ones left out, several to one object as one where they are few. Last is
// the object's class. A thread's are its fields and what its frames hold.
func (g *Graph) Out(r Rank) iter.Seq[Ref] { return g.out(r) }

// In are the objects that refer to an object, by rank, at most limit (0 for all);
// not those that only have it as their class. It goes through all references: ask for
// several at once with [Graph.InAll].
func (g *Graph) In(ctx context.Context, r Rank, limit int) ([]Ref, error) {
	all, err := g.InAll(ctx, []Rank{r}, limit)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// InAll is [Graph.In] for several objects at once.
func (g *Graph) InAll(ctx context.Context, ranks []Rank, limit int) ([][]Ref, error) {
	return g.inAll(ctx, ranks, limit)
}
