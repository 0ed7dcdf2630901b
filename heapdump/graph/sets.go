package graph

import "context"

// SetRetained is what a set of objects retains.
type SetRetained struct {
	// Members counts the reachable objects of the set, Shallow is what they take.
	Members, Shallow int64
	// Objects and Bytes are what would be freed if the whole set were: the members
	// and all that roots reach through members alone.
	Objects, Bytes int64
}

// RetainedOfSet is exact: it goes from the roots through all objects but the set.
// That takes as long as visiting the graph, whatever the size of the set.
func (g *Graph) RetainedOfSet(ctx context.Context, set func(Rank) bool) (SetRetained, error) {
	return g.retainedOfSet(ctx, set)
}

// RetainedOfClass is [Graph.RetainedOfSet] of all objects of a class.
func (g *Graph) RetainedOfClass(ctx context.Context, class int) (SetRetained, error) {
	return g.retainedOfSet(ctx, func(r Rank) bool { return g.Class(r) == class })
}

// RetainedOfRanks is [Graph.RetainedOfSet] of some objects.
func (g *Graph) RetainedOfRanks(ctx context.Context, ranks []Rank) (SetRetained, error) {
	set := newBits(g.n)
	for _, r := range ranks {
		if int(r) < g.n {
			set.set(uint32(r))
		}
	}
	return g.retainedOfSet(ctx, func(r Rank) bool { return set.has(uint32(r)) })
}
