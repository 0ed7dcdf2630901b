package graph

import (
	"cmp"
	"context"
	"slices"
)

const (
	// foldDepth and foldNodes are what FoldOptions mean with 0.
	foldDepth = 64
	foldNodes = 100_000
	// foldWork bounds the nodes before the small ones are left out.
	foldWork = 2 << 20
)

// foldKey finds a node: where it hangs and of what class it is.
type foldKey struct {
	parent           int32
	class, described int32
}

type folding struct {
	g     *Graph
	nodes []Fold
	up    []int32
	at    map[foldKey]int32
	path  []int32 // nodes from the whole down to where the walk is
	depth []int32 // of a node, 0 for the whole
	best  []int64 // what First retains
}

func (g *Graph) fold(ctx context.Context, from Rank, o FoldOptions) (*Fold, error) {
	depth, limit := o.Depth, o.Nodes
	if depth <= 0 {
		depth = foldDepth
	}
	if limit <= 0 {
		limit = foldNodes
	}
	f := &folding{g: g, at: map[foldKey]int32{}}
	f.start(from)
	err := g.walk(ctx, from, func(r Rank) bool {
		return f.enter(r, int32(depth))
	}, func(Rank) { f.path = f.path[:len(f.path)-1] })
	if err != nil {
		return nil, err
	}
	return f.finish(o.Minimum, limit), nil
}

// start makes the node of the whole.
func (f *folding) start(from Rank) {
	g := f.g
	whole := Fold{Class: -1, Described: -1, First: from, Count: g.Objects, Retained: g.Bytes}
	if from < Root {
		whole = Fold{Class: g.Class(from), Described: -1, First: from, Count: 1, Shallow: g.Shallow(from), Retained: g.Retained(from)}
		if c, ok := g.Described(from); ok {
			whole.Described = c
		}
	}
	f.nodes, f.up, f.best = []Fold{whole}, []int32{-1}, []int64{0}
	f.path, f.depth = []int32{0}, []int32{0}
}

// enter adds an object to its node; false when there is no node for it.
func (f *folding) enter(r Rank, deepest int32) bool {
	g := f.g
	up := f.path[len(f.path)-1]
	key := foldKey{up, int32(g.Class(r)), -1}
	if c, ok := g.Described(r); ok {
		key.described = int32(c)
	}
	if n := &f.nodes[up]; key.class >= 0 && n.Class == int(key.class) && key.described < 0 && n.Described < 0 {
		n.Count++
		n.Shallow += g.Shallow(r)
		f.path = append(f.path, up)
		return true
	}
	if f.depth[up] >= deepest {
		return false
	}
	i, ok := f.at[key]
	if !ok {
		if len(f.nodes) >= foldWork {
			return false
		}
		i = int32(len(f.nodes))
		f.at[key] = i
		f.nodes = append(f.nodes, Fold{Class: int(key.class), Described: int(key.described), First: r})
		f.up, f.depth = append(f.up, key.parent), append(f.depth, f.depth[up]+1)
		f.best = append(f.best, -1)
	}
	n := &f.nodes[i]
	n.Count++
	n.Shallow += g.Shallow(r)
	retained := g.Retained(r)
	n.Retained += retained
	if retained > f.best[i] {
		n.First, f.best[i] = r, retained
	}
	f.path = append(f.path, i)
	return true
}

// finish leaves the small nodes out and hangs the others together.
func (f *folding) finish(minimum int64, limit int) *Fold {
	order := make([]int32, 0, len(f.nodes))
	for i := range f.nodes {
		if i == 0 || f.nodes[i].Retained >= minimum {
			order = append(order, int32(i))
		}
	}
	// A node retains at least what one below it does, and was met before it.
	slices.SortFunc(order[1:], func(a, b int32) int {
		return cmp.Or(cmp.Compare(f.nodes[b].Retained, f.nodes[a].Retained), cmp.Compare(a, b))
	})
	made := map[int32]*Fold{}
	for _, i := range order[:min(len(order), limit)] {
		n := f.nodes[i]
		made[i] = &n
		if p := made[f.up[i]]; p != nil {
			p.Children = append(p.Children, &n)
		}
	}
	return made[0]
}
