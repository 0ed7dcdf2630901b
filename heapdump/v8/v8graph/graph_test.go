package v8graph_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/heapdump/v8"
	"example.com/kneeline/heapdump/v8/v8gen"
	"example.com/kneeline/heapdump/v8/v8graph"
)

type fatal interface {
	Helper()
	Fatal(args ...any)
}

func snapshot(t fatal, g *v8gen.Snapshot) *v8.Snapshot {
	t.Helper()
	s, err := v8.Read(context.Background(), bytes.NewReader(g.Bytes()), v8.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func made(t fatal, g *v8gen.Snapshot) *v8graph.Graph {
	t.Helper()
	out, err := v8graph.New(context.Background(), snapshot(t, g), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// reached is what the root reaches without one node, by the rules for edges.
func reached(g *v8gen.Snapshot, without int) map[int]bool {
	seen := map[int]bool{0: without != 0}
	for todo := []int{0}; len(todo) > 0 && without != 0; {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range g.Nodes[n].Edges {
			if e.Kind != "weak" && (e.Kind != "shortcut" || n == 0) && e.To != without && !seen[e.To] {
				seen[e.To] = true
				todo = append(todo, e.To)
			}
		}
	}
	return seen
}

// What a node retains is what the root does not reach without it.
func TestAgainstRemoval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := v8gen.New()
		n := rapid.IntRange(1, 24).Draw(t, "nodes")
		for i := range n {
			g.Add("object", string(rune('A'+i%3)), int64(1)<<i)
		}
		for range rapid.IntRange(0, 60).Draw(t, "edges") {
			from, to := rapid.IntRange(0, n).Draw(t, "from"), rapid.IntRange(0, n).Draw(t, "to")
			g.Link(from, rapid.SampledFrom([]string{"property", "internal", "weak", "shortcut", "property"}).Draw(t, "kind"), "x", to)
		}
		out := made(t, g)
		all, total := reached(g, -1), int64(0)
		for v := 0; v <= n; v++ {
			if out.Reachable(uint32(v)) != all[v] {
				t.Fatalf("node %d is reached: %v", v, !all[v])
			}
			if !all[v] {
				if out.Retained(uint32(v)) != 0 || out.Path(uint32(v)) != nil || out.IDom(uint32(v)) != v8graph.None {
					t.Fatalf("node %d is not reached and yet: %d", v, out.Retained(uint32(v)))
				}
				continue
			}
			total += g.Nodes[v].Size
			rest, want := reached(g, v), int64(0)
			for w := range all {
				if !rest[w] {
					want += g.Nodes[w].Size
				}
			}
			if got := out.Retained(uint32(v)); got != want {
				t.Fatalf("node %d retains %#x, want %#x", v, got, want)
			}
			if path := out.Path(uint32(v)); path[0] != 0 || path[len(path)-1] != uint32(v) {
				t.Fatalf("way to %d: %v", v, path)
			}
		}
		if out.Bytes != total || out.Reached+out.Unreached != int64(n)+1 {
			t.Fatalf("%d bytes, want %d; %d and %d nodes", out.Bytes, total, out.Reached, out.Unreached)
		}
		sound(t, out.DominatorTree(0, v8graph.FoldOptions{}))
	})
}

// sound holds the children of a folded node against what it retains.
func sound(t *rapid.T, f *v8graph.Fold) {
	sum := f.Shallow
	for _, c := range f.Children {
		sum += c.Retained
		sound(t, c)
	}
	if sum != f.Retained {
		t.Fatalf("%s: itself and its children make %d of %d", f.Class, sum, f.Retained)
	}
}

// A list of 100,000 nodes is one node of the folded tree, and as deep as that.
func TestLongList(t *testing.T) {
	g := v8gen.New()
	at, n := 0, 100_000
	for range n {
		at = g.Object("Node", 16, at, "next")
		g.Link(0, "weak", "w", at)
	}
	out := made(t, g)
	f := out.DominatorTree(0, v8graph.FoldOptions{})
	if len(f.Children) != 1 || f.Children[0].Count != int64(n) || f.Children[0].Retained != int64(16*n) || len(f.Children[0].Children) != 0 {
		t.Errorf("%+v", f.Children[0])
	}
	if p := out.Path(uint32(at)); len(p) != n+1 {
		t.Errorf("a way of %d nodes", len(p))
	}
}

func TestBounds(t *testing.T) {
	g := v8gen.New()
	for range 50 {
		g.Object("A", 8, 0, "x")
	}
	if _, err := v8graph.New(context.Background(), snapshot(t, g), 100); err == nil || !strings.Contains(err.Error(), "--memory") {
		t.Errorf("a graph in 100 bytes: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := v8graph.New(ctx, snapshot(t, g), 1<<30); err == nil {
		t.Error("an interrupted graph is complete")
	}
	var c int
	for _, class := range []string{"B", "C", "D"} {
		c = g.Object(class, 100, 0, class)
	}
	out := made(t, g)
	if f := out.DominatorTree(0, v8graph.FoldOptions{Nodes: 3, Minimum: 10}); len(f.Children) != 2 || f.Children[0].Class != "A" {
		t.Errorf("%d nodes below the root", len(f.Children))
	}
	if f := out.DominatorTree(uint32(c), v8graph.FoldOptions{}); f.Class != "D" || f.Retained != 100 {
		t.Errorf("%+v", f)
	}
}
