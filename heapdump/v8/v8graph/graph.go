package v8graph

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"example.com/kneeline/heapdump/graph/dominators"
	"example.com/kneeline/heapdump/v8"
	"example.com/kneeline/internal/units"
)

// None is no node.
const None = 1<<32 - 1

// bytesNode and bytesEdge are what the graph takes at most while it is made.
const bytesNode, bytesEdge = 56, 8

// Graph is what follows from the edges of a snapshot. Node 0 is the root.
type Graph struct {
	// Reached and Bytes are the nodes that the root reaches and their sizes, Unreached
	// and UnreachedBytes the others. Edges counts the edges that hold.
	Reached, Bytes            int64
	Unreached, UnreachedBytes int64
	Edges                     int64

	s        *v8.Snapshot
	out      lists
	in       lists // by place in the visit, and of places
	order    []uint32
	place    []uint32 // of a node in the visit, from 1; 0 when it is not reached
	idom     []uint32
	retained []int64
	kids     lists
}

// lists are lists of numbers, one after the other.
type lists struct{ start, to []uint32 }

func (l *lists) of(n uint32) []uint32 { return l.to[l.start[n]:l.start[n+1]] }

// New makes the graph in at most so many bytes of memory; an error says that it takes
// more, or that the snapshot's edges cannot be read again.
func New(ctx context.Context, s *v8.Snapshot, memory int64) (*Graph, error) {
	need := int64(s.Nodes())*bytesNode + s.EdgeCount()*bytesEdge
	if need > memory {
		return nil, fmt.Errorf("the graph of %s nodes takes %s, more than the %s it may have (--memory)", units.Count(int64(s.Nodes())), units.Size(need), units.Size(memory))
	}
	if s.EdgeCount() >= None || s.Nodes() == 0 {
		return nil, fmt.Errorf("%s edges of %s nodes make no graph", units.Count(s.EdgeCount()), units.Count(int64(s.Nodes())))
	}
	g := &Graph{s: s}
	for _, step := range []func() error{g.link, g.visit, func() error { return g.dominate(ctx) }, g.sum} {
		if err := step(); err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return g, nil
}

// Holds says whether an edge keeps alive what it leads to.
func Holds(e v8.Edge) bool {
	return e.Kind != v8.Weak && (e.Kind != v8.Shortcut || e.From == 0) && e.From != e.To
}

// link reads the edges that hold.
func (g *Graph) link() error {
	n := g.s.Nodes()
	g.out = lists{start: make([]uint32, n+1), to: make([]uint32, 0, g.s.EdgeCount())}
	at := uint32(0)
	err := g.s.Edges(func(e v8.Edge) bool {
		for at < e.From {
			at++
			g.out.start[at] = uint32(len(g.out.to))
		}
		if Holds(e) && e.To < n {
			g.out.to = append(g.out.to, e.To)
		}
		return true
	})
	for at < n {
		at++
		g.out.start[at] = uint32(len(g.out.to))
	}
	g.Edges = int64(len(g.out.to))
	return err
}

// visit numbers the nodes in the order of a depth first visit from the root.
func (g *Graph) visit() error {
	n := g.s.Nodes()
	g.place, g.order = make([]uint32, n), make([]uint32, 1, n+1)
	g.idom = make([]uint32, 1, n+1) // for now the parent, by place
	next := slices.Clone(g.out.start[:n])
	enter := func(v, parent uint32) {
		g.place[v] = uint32(len(g.order))
		g.order = append(g.order, v)
		g.idom = append(g.idom, parent)
	}
	enter(0, 0)
	for v := uint32(0); ; {
		if next[v] < g.out.start[v+1] {
			to := g.out.to[next[v]]
			next[v]++
			if g.place[to] == 0 {
				enter(to, g.place[v])
				v = to
			}
			continue
		}
		parent := g.idom[g.place[v]]
		if parent == 0 {
			return nil
		}
		v = g.order[parent]
	}
}

// dominate finds the immediate dominators, by place.
func (g *Graph) dominate(ctx context.Context) error {
	n := uint32(len(g.order) - 1)
	g.in.start = make([]uint32, n+2)
	for p := uint32(1); p <= n; p++ {
		for _, to := range g.out.of(g.order[p]) {
			g.in.start[g.place[to]]++
		}
	}
	g.in.ends()
	for p := n; p >= 1; p-- {
		for _, to := range g.out.of(g.order[p]) {
			at := &g.in.start[g.place[to]]
			*at--
			g.in.to[*at] = p
		}
	}
	d := dominators.Graph{
		Nodes: n, Parent: g.idom, Start: g.in.start, In: g.in.to, Held: func(uint32) bool { return false },
		Semi: make([]uint32, n+1), Label: make([]uint32, n+1), Dominator: make([]uint32, n+1),
		Path: func(have []uint32, n int) ([]uint32, error) {
			return append(have, make([]uint32, max(n, len(have)))...), nil
		},
		Tell: func(uint32) bool { return ctx.Err() == nil },
	}
	done, err := dominators.Solve(&d)
	if err == nil && !done {
		err = context.Cause(ctx)
	}
	g.idom = d.Dominator
	return err
}

// ends turns counts by number into where the list of each ends, and makes room.
func (l *lists) ends() {
	sum := uint32(0)
	for i, n := range l.start {
		sum += n
		l.start[i] = sum
	}
	l.to = make([]uint32, sum)
}

// sum adds up what nodes retain, and lists children.
func (g *Graph) sum() error {
	n := uint32(len(g.order) - 1)
	g.retained = make([]int64, n+1)
	g.kids.start = make([]uint32, n+2)
	for p := n; p >= 1; p-- {
		size := g.s.Size(g.order[p])
		g.Bytes += size
		g.retained[p] += size
		if d := g.idom[p]; p > 1 {
			g.retained[d] += g.retained[p] // a dominator comes before what it dominates
			g.kids.start[d]++
		}
	}
	g.kids.ends()
	for p := n; p >= 2; p-- {
		at := &g.kids.start[g.idom[p]]
		*at--
		g.kids.to[*at] = p
	}
	g.Reached = int64(n)
	for v := range g.s.Nodes() {
		if g.place[v] == 0 {
			g.Unreached++
			g.UnreachedBytes += g.s.Size(v)
		}
	}
	return nil
}

// Snapshot is what the graph is of.
func (g *Graph) Snapshot() *v8.Snapshot { return g.s }

// Reachable says whether the root reaches a node.
func (g *Graph) Reachable(v uint32) bool { return g.place[v] != 0 }

// Retained is what would be freed if a node were, in bytes; 0 of what the root does not
// reach.
func (g *Graph) Retained(v uint32) int64 { return g.retained[g.place[v]] }

// IDom is the immediate dominator of a node; None of the root and of what it does not
// reach.
func (g *Graph) IDom(v uint32) uint32 {
	if p := g.place[v]; p > 1 {
		return g.order[g.idom[p]]
	}
	return None
}

// Children are the nodes that a node dominates at once.
func (g *Graph) Children(v uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		if g.place[v] == 0 {
			return
		}
		for _, p := range g.kids.of(g.place[v]) {
			if !yield(g.order[p]) {
				return
			}
		}
	}
}

// In are the nodes that the root reaches and that hold a node, each as often as it
// does.
func (g *Graph) In(v uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		if g.place[v] == 0 {
			return
		}
		for _, p := range g.in.of(g.place[v]) {
			if !yield(g.order[p]) {
				return
			}
		}
	}
}

// Path is a shortest way to a node from the root, with both; nil of what the root does
// not reach.
func (g *Graph) Path(v uint32) []uint32 {
	if !g.Reachable(v) {
		return nil
	}
	from := make([]uint32, g.s.Nodes())
	for i := range from {
		from[i] = None
	}
	from[0] = 0
	for queue := []uint32{0}; len(queue) > 0 && from[v] == None; queue = queue[1:] {
		for _, to := range g.out.of(queue[0]) {
			if from[to] == None {
				from[to] = queue[0]
				queue = append(queue, to)
			}
		}
	}
	path := []uint32{v}
	for v != 0 {
		v = from[v]
		path = append(path, v)
	}
	slices.Reverse(path)
	return path
}
