package graph_test

import (
	"bytes"
	"context"
	"io"
	"testing"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph"
	"example.com/kneeline/heapdump/hprof"
	"example.com/kneeline/heapdump/hprofgen"
)

// tester is what testing and rapid have in common.
type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// build reads a dump and makes its graph.
func build(t tester, in io.Reader, o graph.Options, hubMin int64) *graph.Graph {
	t.Helper()
	g, err := tryBuild(t, in, o, hubMin)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func tryBuild(t tester, in io.Reader, o graph.Options, hubMin int64) (*graph.Graph, error) {
	t.Helper()
	c, err := graph.NewCollector(o)
	if err != nil {
		t.Fatal(err)
	}
	if hubMin > 0 {
		c.SetHubMin(hubMin)
	}
	h, err := hprof.Read(context.Background(), in, hprof.Options{Graph: c})
	if err != nil {
		t.Fatal(err)
	}
	return c.Build(context.Background(), h)
}

func of(d *hprofgen.Dump) io.Reader { return bytes.NewReader(d.Encode().Data) }

// rank is the rank of an object that must be there.
func rank(t tester, g *graph.Graph, id uint64) graph.Rank {
	t.Helper()
	r, ok := g.Rank(heapdump.ID(id))
	if !ok {
		t.Fatalf("%#x is not in the graph", id)
	}
	return r
}

// truth is what brute force says of a graph: without counts who is reached when one
// object is taken away, object by object.
type truth struct {
	g       *graph.Graph
	ignored graph.Strength
	reached []bool
	lost    [][]bool // by object: what is not reached without it
	size    []int
}

func bruteForce(g *graph.Graph) *truth {
	tr := &truth{g: g, ignored: g.Ignored()}
	tr.reached = tr.reach(func(graph.Rank) bool { return false })
	n := g.NumObjects()
	tr.lost, tr.size = make([][]bool, n), make([]int, n)
	for x := range n {
		without := tr.reach(func(r graph.Rank) bool { return int(r) == x })
		tr.lost[x] = make([]bool, n)
		for v := range n {
			if tr.reached[v] && !without[v] {
				tr.lost[x][v] = true
				tr.size[x]++
			}
		}
	}
	return tr
}

// reach goes from the roots through all but some objects.
func (tr *truth) reach(not func(graph.Rank) bool) []bool {
	seen := make([]bool, tr.g.NumObjects())
	var stack []graph.Rank
	visit := func(r graph.Rank) {
		if !seen[r] && !not(r) {
			seen[r] = true
			stack = append(stack, r)
		}
	}
	for r := range tr.g.Roots() {
		visit(r)
	}
	for len(stack) > 0 {
		r := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for ref := range tr.g.Out(r) {
			if ref.Strength&tr.ignored == 0 {
				visit(ref.Rank)
			}
		}
	}
	return seen
}

// idom is the dominator that all other dominators of v dominate: the one that loses
// least.
func (tr *truth) idom(v int) graph.Rank {
	if !tr.reached[v] {
		return graph.None
	}
	best := graph.Root
	for x := range tr.lost {
		if x != v && tr.lost[x][v] && (best == graph.Root || tr.size[x] < tr.size[best]) {
			best = graph.Rank(x)
		}
	}
	return best
}

func (tr *truth) retained(v int) (sum int64) {
	for w, l := range tr.lost[v] {
		if l {
			sum += tr.g.Shallow(graph.Rank(w))
		}
	}
	return sum
}

// sound holds a graph against itself, and against brute force when it is small.
func sound(t tester, g *graph.Graph) {
	t.Helper()
	n := g.NumObjects()
	sums := make([]int64, n)
	var top, objects, all int64
	for r := range graph.Rank(n) {
		all += g.Shallow(r)
		switch d := g.IDom(r); d {
		case graph.None:
			if g.Retained(r) != 0 {
				t.Fatalf("%d is not reached and retains %d", r, g.Retained(r))
			}
			continue
		case graph.Root:
			top += g.Retained(r)
		default:
			sums[d] += g.Retained(r)
		}
		objects++
	}
	for r := range graph.Rank(n) {
		if g.Reachable(r) && sums[r]+g.Shallow(r) != g.Retained(r) {
			t.Fatalf("%d retains %d; itself %d, its children %d", r, g.Retained(r), g.Shallow(r), sums[r])
		}
	}
	if top != g.Bytes || objects != g.Objects || all != g.Bytes+g.UnreachableBytes || int64(n) != g.Objects+g.Unreachable {
		t.Fatalf("%d of %d objects, %d bytes, all are %d; the graph says %+v", objects, n, top, all, g.Sums)
	}
	if n > 400 {
		return
	}
	tr := bruteForce(g)
	for v := range n {
		if got, want := g.IDom(graph.Rank(v)), tr.idom(v); got != want {
			t.Fatalf("the dominator of %d of %d is %d, brute force says %d", v, n, got, want)
		}
		if got, want := g.Retained(graph.Rank(v)), tr.retained(v); got != want {
			t.Fatalf("%d retains %d, brute force says %d", v, got, want)
		}
	}
}

var _ testing.TB
