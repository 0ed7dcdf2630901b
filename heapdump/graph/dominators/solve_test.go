package dominators

import (
	"testing"

	"pgregory.net/rapid"
)

// example is a graph in the order of a depth first visit: edges by node.
type example struct {
	parent []uint32
	in     [][]uint32
	held   []bool
	edges  [][]uint32
}

// visit numbers a graph of n nodes from node 0, whose own edges are what the root
// holds.
func visit(n int, edges [][]int) *example {
	num := make([]uint32, n)
	e := &example{parent: []uint32{0}, in: make([][]uint32, 1), held: []bool{false}, edges: make([][]uint32, 1)}
	var order []int
	var number func(v int, parent uint32)
	number = func(v int, parent uint32) {
		num[v] = uint32(len(e.parent))
		order = append(order, v)
		e.parent = append(e.parent, parent)
		for _, w := range edges[v] {
			if num[w] == 0 {
				number(w, num[v])
			}
		}
	}
	number(0, 0)
	e.in = make([][]uint32, len(e.parent))
	e.edges = make([][]uint32, len(e.parent))
	e.held = make([]bool, len(e.parent))
	for _, v := range order {
		for _, w := range edges[v] {
			e.edges[num[v]] = append(e.edges[num[v]], num[w])
			e.in[num[w]] = append(e.in[num[w]], num[v])
			if num[v] == 1 {
				e.held[num[w]] = true
			}
		}
	}
	return e
}

// solve runs Solve with lists only for nodes that several lead to, as the graph does.
func (e *example) solve(t interface{ Fatal(...any) }) []uint32 {
	n := len(e.parent)
	g := &Graph{
		Nodes: uint32(n - 1), Parent: append([]uint32{}, e.parent...), Start: make([]uint32, n+1),
		Semi: make([]uint32, n), Label: make([]uint32, n), Dominator: make([]uint32, n),
		Held: func(i uint32) bool { return e.held[i] },
		Path: func(have []uint32, n int) ([]uint32, error) { return append(have, make([]uint32, n)...), nil },
	}
	for i := 1; i < n; i++ {
		g.Start[i] = uint32(len(g.In))
		if len(e.in[i]) > 1 {
			g.In = append(g.In, e.in[i]...)
		}
	}
	g.Start[n] = uint32(len(g.In))
	if done, err := Solve(g); err != nil || !done {
		t.Fatal(done, err)
	}
	return g.Dominator
}

// brute finds the dominators of each node by taking the others away.
func (e *example) brute() []uint32 {
	n := len(e.parent)
	lost, size := make([][]bool, n), make([]int, n)
	for x := 1; x < n; x++ {
		seen := make([]bool, n)
		var stack []uint32
		if x != 1 {
			seen[1], stack = true, []uint32{1}
		}
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, w := range e.edges[v] {
				if !seen[w] && int(w) != x {
					seen[w] = true
					stack = append(stack, w)
				}
			}
		}
		lost[x] = seen
		for _, s := range seen {
			if !s {
				size[x]++
			}
		}
	}
	idom := make([]uint32, n)
	for v := 2; v < n; v++ {
		for x := 1; x < n; x++ {
			if x != v && !lost[x][v] && (idom[v] == 0 || size[x] < size[idom[v]]) {
				idom[v] = uint32(x)
			}
		}
	}
	return idom
}

func TestSolveAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "nodes")
		edges := make([][]int, n)
		for range rapid.IntRange(1, 3*n).Draw(t, "edges") {
			v := rapid.IntRange(0, n-1).Draw(t, "from")
			edges[v] = append(edges[v], rapid.IntRange(1, n-1).Draw(t, "to"))
		}
		e := visit(n, edges)
		got, want := e.solve(t), e.brute()
		for v := 2; v < len(want); v++ {
			if got[v] != want[v] {
				t.Fatalf("the dominator of %d is %d, brute force says %d", v, got[v], want[v])
			}
		}
	})
}

// A chain whose links are all held from elsewhere too is what a linked queue looks like
// and what semi-NCA takes quadratic time for: with a million links it would not end.
func TestSolveOnLongChains(t *testing.T) {
	for _, n := range []uint32{1000, 1_000_000} {
		g := &Graph{
			Nodes: n, Parent: make([]uint32, n+1), Start: make([]uint32, n+2), Semi: make([]uint32, n+1),
			Label: make([]uint32, n+1), Dominator: make([]uint32, n+1), Held: func(i uint32) bool { return i == 2 },
			Path: func(have []uint32, n int) ([]uint32, error) { return append(have, make([]uint32, n)...), nil },
		}
		for i := uint32(2); i <= n; i++ {
			g.Parent[i] = i - 1
			g.Start[i] = uint32(len(g.In))
			if i > 2 {
				g.In = append(g.In, i-1, 2) // the array that indexes the links
			}
		}
		g.Start[n+1] = uint32(len(g.In))
		if done, err := Solve(g); err != nil || !done {
			t.Fatal(done, err)
		}
		for i := uint32(3); i <= n; i++ {
			if g.Dominator[i] != 2 {
				t.Fatalf("the dominator of link %d is %d", i, g.Dominator[i])
			}
		}
	}
}

func TestSolveIsEnded(t *testing.T) {
	n := uint32(tellEvery + 10)
	g := &Graph{
		Nodes: n, Parent: make([]uint32, n+1), Start: make([]uint32, n+2), Semi: make([]uint32, n+1), Label: make([]uint32, n+1),
		Dominator: make([]uint32, n+1), Held: func(uint32) bool { return true }, Tell: func(uint32) bool { return false },
	}
	if done, err := Solve(g); done || err != nil {
		t.Errorf("it says that it is done, %v", err)
	}
}
