package graph

import "context"

// Step is an object of a path with the reference that leads to it.
type Step struct {
	Rank Rank
	// Strength and Class are of the reference to the object, as in [Ref]; of the first
	// object of a path they are zero.
	Strength Strength
	Class    bool
}

// PathToRoot is a shortest path to an object from an object that a root holds: the
// first step is the latter, the last is r itself. Of several the one that comes first
// in the order of roots and references is taken. References of the kinds without are
// not followed; [AllWeaker] is what to give to find what keeps an object alive. A nil
// path says that no root reaches the object that way.
func (g *Graph) PathToRoot(ctx context.Context, r Rank, without Strength) ([]Step, error) {
	paths, err := g.PathsToRoot(ctx, []Rank{r}, without)
	if err != nil {
		return nil, err
	}
	return paths[0], nil
}

// PathsToRoot is [Graph.PathToRoot] for several objects at the cost of one.
func (g *Graph) PathsToRoot(ctx context.Context, ranks []Rank, without Strength) ([][]Step, error) {
	return g.paths(ctx, ranks, without)
}
