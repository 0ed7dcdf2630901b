package retained

import (
	"cmp"
	"context"
	"slices"

	"example.com/kneeline/heapdump/graph"
)

// nodeClasses are the nodes in which collections of the JDK keep what is in them.
var nodeClasses = []string{
	"java.util.HashMap$Node", "java.util.HashMap$TreeNode", "java.util.LinkedHashMap$Entry", "java.util.TreeMap$Entry", "java.util.LinkedList$Node",
	"java.util.Hashtable$Entry", "java.util.concurrent.ConcurrentHashMap$Node", "java.util.concurrent.ConcurrentHashMap$TreeNode",
	"java.util.concurrent.ConcurrentSkipListMap$Node", "java.util.concurrent.LinkedBlockingQueue$Node", "java.util.concurrent.LinkedBlockingDeque$Node",
	"java.util.concurrent.ConcurrentLinkedQueue$Node", "java.util.concurrent.ConcurrentLinkedDeque$Node", "java.util.concurrent.LinkedTransferQueue$Node",
}

// link is a reference from one node to another.
type link struct{ from, to graph.Rank }

// nodesOf are the nodes of collections that refer to an object of a set. A request that
// is taken out of a map takes its node with it; as others have nodes in such maps too,
// their class does not come in equal numbers.
//
// A node that leads on to one of something else is left out: without it the latter would
// look as if it were freed too, though a map that loses an entry links what is behind
// it anew. So it is with the nodes before such a one.
func (j *judge) nodesOf(ctx context.Context, set func(graph.Rank) bool) ([]graph.Rank, error) {
	kinds := make([]bool, len(j.h.Classes))
	kind := func(r graph.Rank) bool {
		c := j.g.Class(r)
		return c >= 0 && c < len(kinds) && kinds[c]
	}
	for _, name := range nodeClasses {
		for _, c := range j.h.ClassNamed(name) {
			kinds[c] = true
		}
	}
	var nodes []graph.Rank
	var links []link
	for i := range j.g.NumObjects() {
		r := graph.Rank(i)
		if i&(1<<20-1) == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if !kind(r) || set(r) {
			continue
		}
		before, member := len(links), false
		for ref := range j.g.Out(r) {
			switch {
			case ref.Class || ref.Strength != 0:
			case set(ref.Rank):
				member = true
			case kind(ref.Rank):
				links = append(links, link{r, ref.Rank})
			}
		}
		if !member {
			links = links[:before]
			continue
		}
		nodes = append(nodes, r)
	}
	return withoutForeign(nodes, links), nil
}

// withoutForeign leaves out the nodes that lead to one that is not among them, at once
// or by others. Nodes are sorted.
func withoutForeign(nodes []graph.Rank, links []link) []graph.Rank {
	slices.SortFunc(links, func(a, b link) int { return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.from, b.from)) })
	out := make([]bool, len(nodes))
	var todo []graph.Rank
	drop := func(r graph.Rank) {
		if i, ok := slices.BinarySearch(nodes, r); ok && !out[i] {
			out[i] = true
			todo = append(todo, r)
		}
	}
	for _, l := range links {
		if !has(nodes, l.to) {
			drop(l.from)
		}
	}
	for len(todo) > 0 {
		r := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		at, _ := slices.BinarySearchFunc(links, r, func(l link, to graph.Rank) int { return cmp.Compare(l.to, to) })
		for ; at < len(links) && links[at].to == r; at++ {
			drop(links[at].from)
		}
	}
	kept := nodes[:0:0]
	for i, r := range nodes {
		if !out[i] {
			kept = append(kept, r)
		}
	}
	return kept
}
