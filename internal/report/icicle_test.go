package report

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/internal/units"
)

// treeReport is a report of a heap as the dominator tree shows it.
func treeReport() *Report {
	bytes := Axis{Title: "retained", Format: func(v float64) string { return units.Size(int64(v)) }}
	leaf := func(label string, v float64) IcicleNode { return IcicleNode{Label: label, Value: v} }
	return &Report{
		Title:   "Heap of dump.hprof",
		Verdict: Verdict{Text: "19,500 requests wait in one queue and retain 1.9 GiB", Level: Bad},
		Blocks: []Block{Icicle{Title: "Who holds the heap", Value: bytes, Root: IcicleNode{
			Label: "the heap", Value: 2 << 30, Children: []IcicleNode{
				{Label: "org.eclipse.jetty.server.ServerConnector", Value: 1.9 * (1 << 30), Level: Bad, Children: []IcicleNode{
					{Label: "org.eclipse.jetty.util.BlockingArrayQueue", Note: "19,500 entries", Value: 1.85 * (1 << 30), Children: []IcicleNode{
						leaf("byte[]", 1.2*(1<<30)), leaf("org.eclipse.jetty.server.HttpConnection", 0.5*(1<<30)), leaf("char[]", 1<<20),
					}},
					leaf("sun.nio.ch.EPollSelectorImpl", 40<<20),
				}},
				leaf("java.lang.Thread main", 60<<20), leaf("a small one", 100),
			},
		}}},
	}
}

// Whatever the sizes, the list shows the root, no node below a node that is left
// out, and at most as many as there is room for.
func TestIcicleKeepsTheWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var build func(size float64, depth int) IcicleNode
		build = func(size float64, depth int) IcicleNode {
			n := IcicleNode{Label: "n", Value: size}
			rest := size
			for depth > 0 && rest > 1 && len(n.Children) < 8 && rapid.Bool().Draw(t, "more") {
				part := rapid.Float64Range(0, rest).Draw(t, "part")
				n.Children = append(n.Children, build(part, depth-1))
				rest -= part
			}
			return n
		}
		b := Icicle{Title: "t", Root: build(1000, 4)}
		rows := b.list()
		if len(rows) == 0 || len(rows) > mostRows || rows[0].node.Value != 1000 {
			t.Fatalf("%d rows", len(rows))
		}
		for i := 1; i < len(rows); i++ {
			if rows[i].depth > rows[i-1].depth+1 {
				t.Fatalf("row %d at depth %d follows one at depth %d", i, rows[i].depth, rows[i-1].depth)
			}
		}
		if err := checkHTML(string(icicleHTML(b))); err != nil {
			t.Fatal(err)
		}
	})
}

// A tree of more nodes than a page bears is cut to the largest.
func TestIcicleIsBounded(t *testing.T) {
	root := IcicleNode{Label: "root", Value: 50_000}
	for range 50_000 {
		root.Children = append(root.Children, IcicleNode{Label: "leaf", Value: 1})
	}
	b := Icicle{Root: root}
	if n := strings.Count(string(icicleHTML(b)), `class="box"`); n == 0 || n > mostNodes {
		t.Errorf("%d boxes, want at most %d", n, mostNodes)
	}
	deep := IcicleNode{Label: "leaf", Value: 1}
	for range 20_000 {
		deep = IcicleNode{Label: "link", Value: 1, Children: []IcicleNode{deep}}
	}
	b = Icicle{Root: deep}
	if n := strings.Count(string(icicleHTML(b)), `class="box"`); n == 0 || n > mostNodes {
		t.Errorf("%d boxes of a deep tree, want at most %d", n, mostNodes)
	}
}
