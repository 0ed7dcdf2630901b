package v8graph

import (
	"cmp"
	"container/heap"
	"slices"

	"example.com/kneeline/heapdump/v8"
)

// Fold is a node of the dominator tree with siblings of equal class as one, and with
// what hangs below one of a class in a row of its own kind: a linked list is one node.
type Fold struct {
	// Class is the class, as [v8.Snapshot.Class] gives it; of what V8 makes up, its
	// name. It is empty of the whole.
	Class string
	// Count is how many nodes it has, Shallow their sizes, Retained what they retain.
	Count, Shallow, Retained int64
	// First is the node that retains most.
	First uint32
	// Children are by what they retain, most first. Small ones are left out.
	Children []*Fold

	depth   int
	members []uint32
}

// FoldOptions bound a folded tree. Zero values stand for 64 levels, any size, and 4,000
// nodes.
type FoldOptions struct {
	Depth   int
	Minimum int64
	Nodes   int
}

// Name is what a node is called: its class, or of the parts of the root and of V8 what
// they are.
func Name(s *v8.Snapshot, v uint32) string {
	if k := s.Kind(v); k == v8.Synthetic {
		if w := s.Word(s.NameIndex(v)); w != "" {
			return w
		}
	}
	return s.Class(v)
}

// DominatorTree folds the tree below a node. Those that retain most are unfolded first,
// so that what the bounds leave out is what retains least.
func (g *Graph) DominatorTree(from uint32, o FoldOptions) *Fold {
	if o.Depth <= 0 {
		o.Depth = 64
	}
	if o.Nodes <= 0 {
		o.Nodes = 4000
	}
	root := &Fold{Count: 1, Shallow: g.s.Size(from), Retained: g.Retained(from), First: from, members: []uint32{from}}
	if from != 0 {
		root.Class = Name(g.s, from)
	}
	todo := folds{root}
	for n := 1; len(todo) > 0; {
		f := heap.Pop(&todo).(*Fold)
		if f.depth < o.Depth {
			for _, c := range g.unfold(f, o.Minimum) {
				if n == o.Nodes {
					break
				}
				n++
				f.Children = append(f.Children, c)
				heap.Push(&todo, c)
			}
		}
		f.members = nil
	}
	return root
}

// unfold groups the children of a node's members. Those of the node's own class join
// it.
func (g *Graph) unfold(f *Fold, least int64) []*Fold {
	by := map[string]*Fold{}
	for len(f.members) > 0 {
		v := f.members[len(f.members)-1]
		f.members = f.members[:len(f.members)-1]
		for c := range g.Children(v) {
			class := Name(g.s, c)
			if class == f.Class {
				f.Count++
				f.Shallow += g.s.Size(c)
				f.members = append(f.members, c)
				continue
			}
			k := by[class]
			if k == nil {
				k = &Fold{Class: class, First: c, depth: f.depth + 1}
				by[class] = k
			}
			k.Count++
			k.Shallow += g.s.Size(c)
			k.Retained += g.Retained(c)
			if g.Retained(c) > g.Retained(k.First) || g.Retained(c) == g.Retained(k.First) && c < k.First {
				k.First = c
			}
			k.members = append(k.members, c)
		}
	}
	var out []*Fold
	for _, k := range by {
		if k.Retained >= least {
			out = append(out, k)
		}
	}
	slices.SortFunc(out, func(a, b *Fold) int {
		return cmp.Or(cmp.Compare(b.Retained, a.Retained), cmp.Compare(a.Class, b.Class))
	})
	return out
}

// folds is a heap, the node that retains most on top.
type folds []*Fold

func (h folds) Len() int { return len(h) }
func (h folds) Less(a, b int) bool {
	if h[a].Retained != h[b].Retained {
		return h[a].Retained > h[b].Retained
	}
	return h[a].First < h[b].First
}
func (h folds) Swap(a, b int) { h[a], h[b] = h[b], h[a] }
func (h *folds) Push(x any)   { *h = append(*h, x.(*Fold)) }
func (h *folds) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
