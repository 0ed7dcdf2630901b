package graph_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/heapdump/graph"
	"example.com/kneeline/heapdump/hprofgen"
)

// world is a random heap: few classes, some of a loader that is an object, with what
// makes graphs hard: circles, references to self, to class objects, to nothing, weak
// ones, threads with locals, arrays.
type world struct {
	d       *hprofgen.Dump
	ids     []uint64
	classes []*hprofgen.Class
}

func randomWorld(t *rapid.T) *world {
	w := &world{d: hprofgen.New(hprofgen.Options{
		IDSize:  rapid.SampledFrom([]int{4, 8}).Draw(t, "id size"),
		Segment: rapid.SampledFrom([]int{0, 200, 5000}).Draw(t, "segment"),
		Shuffle: rapid.Bool().Draw(t, "shuffle"), RootsFirst: rapid.Bool().Draw(t, "roots first"),
		ClassesLast: rapid.IntRange(0, 4).Draw(t, "classes last") == 0,
	})}
	d := w.d
	loader := d.Object(d.Class("p.Loader", nil, hprofgen.F("classes", hprofgen.Object)))
	seed := d.Object(d.Class("p.Seed", nil, hprofgen.F("first", hprofgen.Object), hprofgen.F("n", hprofgen.Int)))
	w.ids = append(w.ids, loader, seed)
	for i := range rapid.IntRange(1, 5).Draw(t, "classes") {
		var super *hprofgen.Class
		if i > 0 && rapid.Bool().Draw(t, "derived") {
			super = w.classes[rapid.IntRange(0, i-1).Draw(t, "super")]
		}
		fields := []hprofgen.Field{hprofgen.F(fmt.Sprint("a", i), hprofgen.Object), hprofgen.F(fmt.Sprint("b", i), hprofgen.Object)}
		if rapid.Bool().Draw(t, "static") {
			fields = append(fields, hprofgen.S("s", hprofgen.Object, seed))
		}
		c := d.Class(fmt.Sprint("p.C", i), super, fields...)
		if rapid.IntRange(0, 3).Draw(t, "loaded") > 0 {
			c.Loader = loader
		}
		w.classes = append(w.classes, c)
		w.ids = append(w.ids, c.ID)
	}
	w.fill(t, loader, seed)
	return w
}

func (w *world) fill(t *rapid.T, loader, seed uint64) {
	d := w.d
	n := rapid.IntRange(1, 60).Draw(t, "objects")
	var instances []uint64
	var of []int
	for range n {
		switch rapid.IntRange(0, 9).Draw(t, "kind") {
		case 0:
			w.ids = append(w.ids, d.Ints(make([]int32, rapid.IntRange(0, 40).Draw(t, "ints"))...))
		case 1:
			w.ids = append(w.ids, d.Weak(rapid.SampledFrom(append(w.ids, 0, 0xdead0)).Draw(t, "referent")))
		default:
			k := rapid.IntRange(0, len(w.classes)-1).Draw(t, "class")
			id := d.Object(w.classes[k])
			instances, of = append(instances, id), append(of, k)
			w.ids = append(w.ids, id)
		}
	}
	any := rapid.SampledFrom(append(slices.Clone(w.ids), 0, 0, 0xdead0, 0xbeef8))
	near := func(i int) uint64 {
		// Mostly the next ones, so that trees and chains come about.
		if rapid.IntRange(0, 2).Draw(t, "near") > 0 && i+1 < len(instances) {
			return instances[rapid.IntRange(i+1, min(i+3, len(instances)-1)).Draw(t, "next")]
		}
		return any.Draw(t, "any")
	}
	for i, id := range instances {
		k := of[i]
		d.Set(id, fmt.Sprint("a", k), near(i))
		if rapid.Bool().Draw(t, "second") {
			d.Set(id, fmt.Sprint("b", k), near(i))
		}
	}
	d.Set(seed, "first", any.Draw(t, "first"))
	d.Set(loader, "classes", d.Array("java.lang.Object", rapid.SliceOfN(any, 0, 30).Draw(t, "array")...))
	for range rapid.IntRange(0, 3).Draw(t, "threads") {
		th := d.Thread("t", nil)
		for range rapid.IntRange(0, 3).Draw(t, "locals") {
			th.Local(0, any.Draw(t, "local"))
		}
	}
	for range rapid.IntRange(0, 4).Draw(t, "roots") {
		d.Root(0x07, any.Draw(t, "root"))
	}
}

func TestRandomGraphsAgainstBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := randomWorld(t)
		o := graph.Options{
			Sizes:  rapid.SampledFrom([]graph.Sizing{graph.VMSizes, graph.MATSizes}).Draw(t, "sizes"),
			Ignore: rapid.SampledFrom([]graph.Strength{0, graph.Weak, graph.AllWeaker}).Draw(t, "ignore"),
		}
		g, err := tryBuild(t, of(w.d), o, rapid.SampledFrom([]int64{2, 5, 1000}).Draw(t, "hub"))
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		sound(t, g)
		queries(t, g, w)
	})
}

// queries holds what a graph answers against brute force.
func queries(t *rapid.T, g *graph.Graph, w *world) {
	ctx := context.Background()
	tr := &truth{g: g, ignored: g.Ignored()}
	class := rapid.IntRange(0, len(g.Heap().Classes)-1).Draw(t, "asked class")
	got, err := g.RetainedOfClass(ctx, class)
	if err != nil {
		t.Fatal(err)
	}
	all := tr.reach(func(graph.Rank) bool { return false })
	left := tr.reach(func(r graph.Rank) bool { return g.Class(r) == class })
	var want graph.SetRetained
	for v := range all {
		r := graph.Rank(v)
		if all[v] && !left[v] {
			want.Objects++
			want.Bytes += g.Shallow(r)
		}
		if all[v] && g.Class(r) == class {
			want.Members++
			want.Shallow += g.Shallow(r)
		}
	}
	if got != want {
		t.Fatalf("class %d retains %+v, brute force says %+v", class, got, want)
	}
	target := rank(t, g, rapid.SampledFrom(w.ids).Draw(t, "target"))
	checkPath(t, g, target, rapid.SampledFrom([]graph.Strength{0, graph.AllWeaker}).Draw(t, "without"))
	checkIn(t, g, target)
	checkFold(t, g)
}

// checkPath looks whether a path is one, and whether there is none shorter.
func checkPath(t tester, g *graph.Graph, target graph.Rank, without graph.Strength) {
	path, err := g.PathToRoot(context.Background(), target, without)
	if err != nil {
		t.Fatal(err)
	}
	far := map[graph.Rank]int{}
	var queue []graph.Rank
	for r := range g.Roots() {
		far[r] = 1
		queue = append(queue, r)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for ref := range g.Out(queue[0]) {
			if _, ok := far[ref.Rank]; !ok && ref.Strength&(without|g.Ignored()) == 0 {
				far[ref.Rank] = far[queue[0]] + 1
				queue = append(queue, ref.Rank)
			}
		}
	}
	if len(path) != far[target] {
		t.Fatalf("a path of %d steps to %d, the shortest has %d", len(path), target, far[target])
	}
	for i, s := range path {
		if i == 0 {
			if g.RootHolds(s.Rank) == 0 {
				t.Fatalf("the path begins at %d, which no root holds", s.Rank)
			}
			continue
		}
		found := false
		for ref := range g.Out(path[i-1].Rank) {
			found = found || ref == graph.Ref(s)
		}
		if !found || s.Strength&without != 0 {
			t.Fatalf("step %d of %v is no reference", i, path)
		}
	}
}

func checkIn(t tester, g *graph.Graph, target graph.Rank) {
	got, err := g.In(context.Background(), target, 0)
	if err != nil {
		t.Fatal(err)
	}
	var want []graph.Rank
	for r := range graph.Rank(g.NumObjects()) {
		for ref := range g.Out(r) {
			if ref.Rank == target && !ref.Class && (len(want) == 0 || want[len(want)-1] != r) {
				want = append(want, r)
			}
		}
	}
	ranks := make([]graph.Rank, 0, len(got))
	for _, ref := range got {
		ranks = append(ranks, ref.Rank)
	}
	if !slices.Equal(ranks, want) {
		t.Fatalf("%v refer to %d, it is %v", ranks, target, want)
	}
}

// checkFold holds the folded tree and the sums by class against the tree itself.
func checkFold(t tester, g *graph.Graph) {
	ctx := context.Background()
	whole, err := g.DominatorTree(ctx, graph.Root, graph.FoldOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var count, shallow int64
	var check func(f *graph.Fold)
	check = func(f *graph.Fold) {
		below := int64(0)
		for i, c := range f.Children {
			below += c.Retained
			count += c.Count
			shallow += c.Shallow
			if i > 0 && c.Retained > f.Children[i-1].Retained {
				t.Fatal("the children of a node are not in order")
			}
			check(c)
		}
		if f.Shallow+below != f.Retained {
			t.Fatalf("a node of %d retains %d; itself %d, below %d", f.Count, f.Retained, f.Shallow, below)
		}
	}
	check(whole)
	if count != g.Objects || shallow != g.Bytes {
		t.Fatalf("the folded tree has %d objects of %d bytes, the graph %d of %d", count, shallow, g.Objects, g.Bytes)
	}
	classes, err := g.ByClass(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range classes {
		var want graph.ClassRetained
		want.Class = c.Class
		for r := range graph.Rank(g.NumObjects()) {
			if !g.Reachable(r) || g.Class(r) != c.Class {
				continue
			}
			want.Objects++
			want.Shallow += g.Shallow(r)
			outer := true
			for d := range g.Dominators(r) {
				outer = outer && g.Class(d) != c.Class
			}
			if outer {
				want.Retained += g.Retained(r)
			}
		}
		if c != want {
			t.Fatalf("class %d: %+v, one by one %+v", c.Class, c, want)
		}
	}
}
