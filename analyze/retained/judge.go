package retained

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph"
)

// Anchor is a queue whose holders are asked for.
type Anchor struct {
	// Queue is the index in the queues of the document.
	Queue int
	Name  string
	// Object is the queue; 0 where it is several.
	Object heapdump.ID
	// Entries are what waits in it; Sampled says that they are some of them alone,
	// Total how many there are.
	Entries []heapdump.ID
	Sampled bool
	Total   int64
	// Brief asks alone how many entries roots reach.
	Brief bool
	// Classes are those whose objects come with the entries, by index, so many with
	// each that all of them belong to one: connections, sessions, buffers.
	Classes []int
}

// Options say what to look for. Zero values are the defaults.
type Options struct {
	Anchors []Anchor
	// Rows bounds the lists of dominators, classes, threads and loaders.
	Rows int
	// Suspect is the share of the heap from which something is one; 0.1 by default,
	// as in Eclipse MAT.
	Suspect float64
	// Nodes bounds the tree.
	Nodes int
}

// Defaults of [Options].
const (
	DefaultRows    = 25
	DefaultSuspect = 0.1
	DefaultNodes   = 4000
)

// leastNode is the share of the heap from which a node of the tree is kept.
const leastNode = 1.0 / 4000

// judge is one graph being judged.
type judge struct {
	g *graph.Graph
	h *heapdump.Heap
	o Options
	// threads are the names of threads by their objects.
	threads map[graph.Rank]string
	fields  fields
}

// Judge asks the graph, what matters most first. When ctx ends before all is told, the
// result is what was known then, and the error says why it is not all.
func Judge(ctx context.Context, g *graph.Graph, o Options) (*Result, error) {
	if o.Rows <= 0 {
		o.Rows = DefaultRows
	}
	if o.Suspect <= 0 {
		o.Suspect = DefaultSuspect
	}
	if o.Nodes <= 0 {
		o.Nodes = DefaultNodes
	}
	j := newJudge(g, o)
	r := j.summary()
	r.Dominators = j.objects(g.TopDominators(o.Rows), true)
	r.Threads, r.ThreadCount, r.LocalBytes = j.threadRows()
	// Each step goes through the graph by itself and fills fields of its own.
	return r, sideBySide(
		func() error { return j.holders(ctx, r) },
		func() error { return j.suspects(ctx, r) },
		func() error { return j.loaders(ctx, r) },
		func() error { return j.classes(ctx, r) },
		func() error { return j.tree(ctx, r) },
	)
}

// sideBySide runs steps on all processors and gives the error of the first in order
// that failed.
func sideBySide(steps ...func() error) error {
	errs := make([]error, len(steps))
	room := make(chan struct{}, max(1, runtime.GOMAXPROCS(0)))
	var group sync.WaitGroup
	for i, step := range steps {
		room <- struct{}{}
		group.Go(func() {
			defer func() { <-room }()
			errs[i] = step()
		})
	}
	group.Wait()
	return cmp.Or(errs...)
}

func newJudge(g *graph.Graph, o Options) *judge {
	j := &judge{g: g, h: g.Heap(), o: o, threads: map[graph.Rank]string{}}
	j.fields.h = j.h
	for _, t := range j.h.Threads {
		if r, ok := g.Rank(t.ID); ok && t.Name != "" {
			j.threads[r] = t.Name
		}
	}
	return j
}

func (j *judge) summary() *Result {
	g := j.g
	r := &Result{
		Sizes: "vm", Objects: g.Objects, Bytes: g.Bytes, Unreachable: g.Unreachable, UnreachableBytes: g.UnreachableBytes,
		References: g.References, Dangling: g.Dangling,
		Holders: []Holder{}, Suspects: []Suspect{}, Classes: []ClassRow{}, Loaders: []Loader{},
	}
	if g.Sizing() == graph.MATSizes {
		r.Sizes = "mat"
	}
	for _, s := range []graph.Strength{graph.Soft, graph.Weak, graph.Phantom, graph.Final} {
		if g.Ignored()&s != 0 {
			r.NotFollowed = append(r.NotFollowed, s.String())
		}
	}
	return r
}

// share is bytes of those that roots reach.
func (j *judge) share(bytes int64) float64 {
	if j.g.Bytes <= 0 {
		return 0
	}
	return float64(bytes) / float64(j.g.Bytes)
}

// classes are those whose objects retain most together.
func (j *judge) classes(ctx context.Context, r *Result) error {
	all, err := j.g.ByClass(ctx)
	if err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b graph.ClassRetained) int { return cmp.Compare(b.Retained, a.Retained) })
	r.Classes = []ClassRow{}
	for _, c := range all[:min(len(all), j.o.Rows)] {
		r.Classes = append(r.Classes, ClassRow{
			Class: j.className(c.Class), Count: c.Objects, Shallow: c.Shallow, Retained: c.Retained, HeapShare: j.share(c.Retained),
		})
	}
	return nil
}

// tree is the dominator tree, folded.
func (j *judge) tree(ctx context.Context, r *Result) error {
	f, err := j.g.DominatorTree(ctx, graph.Root, graph.FoldOptions{
		Minimum: int64(float64(j.g.Bytes) * leastNode), Nodes: j.o.Nodes,
	})
	if err != nil {
		return err
	}
	r.Tree = j.node(f)
	return nil
}

func (j *judge) node(f *graph.Fold) *Node {
	n := &Node{Count: f.Count, Shallow: f.Shallow, Retained: f.Retained}
	if f.Class >= 0 {
		n.Class = j.className(f.Class)
	}
	switch {
	case f.Described >= 0:
		n.Name = j.className(f.Described)
	case f.Count == 1:
		n.Name = j.threads[f.First]
	}
	for _, c := range f.Children {
		n.Children = append(n.Children, j.node(c))
	}
	return n
}
