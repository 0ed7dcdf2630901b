package graph_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph"
	"example.com/kneeline/heapdump/hprof"
	"example.com/kneeline/heapdump/hprofgen"
	"example.com/kneeline/internal/input"
)

var (
	obj = hprofgen.Object
	f   = hprofgen.F
)

// A thread holds what its frames hold, a weak reference is an ordinary one unless it
// is told otherwise, and a class object holds its statics: as in MAT.
func TestWhoHoldsWhat(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{})
	local, weakly := d.String("held by a frame"), d.String("held weakly")
	static := d.String("held by a static field")
	class := d.Class("p.Holder", nil, hprofgen.S("text", obj, static))
	th := d.Thread("main", nil, hprofgen.At("p.Main", "main", 1))
	th.Local(0, local)
	weak := d.Weak(weakly)
	th.Local(0, weak)
	lone := d.String("held by nothing")
	d.Root(0x02, static, 99, 0) // of a thread that is not in the dump: a root
	data := d.Encode().Data

	g := build(t, bytes.NewReader(data), graph.Options{}, 0)
	defer g.Close()
	sound(t, g)
	idom := func(g *graph.Graph, id uint64) graph.Rank { return g.IDom(rank(t, g, id)) }
	if got, want := idom(g, local), rank(t, g, th.ID); got != want {
		t.Errorf("the local is dominated by %d, the thread is %d", got, want)
	}
	if got, want := idom(g, weakly), rank(t, g, weak); got != want {
		t.Errorf("what is held weakly is dominated by %d, the reference is %d", got, want)
	}
	if got := idom(g, static); got != graph.Root {
		t.Errorf("what a root and a static field hold is dominated by %d", got)
	}
	if got := idom(g, lone); got != graph.None {
		t.Errorf("what nothing holds is dominated by %d", got)
	}
	if g.Unreachable != 2 || g.DanglingRoots != 0 || g.ByKind[graph.JNILocal] != 1 || g.ByKind[graph.JavaFrame] != 0 {
		t.Errorf("%+v", g.Sums)
	}
	if kinds := g.RootHolds(rank(t, g, th.ID)); kinds.String() != "thread object" {
		t.Errorf("the thread is held as %q", kinds)
	}
	holder, _ := g.Rank(heapdump.ID(class.ID))
	if c, ok := g.Described(holder); !ok || g.Heap().Classes[c].Name != "p.Holder" || g.ClassObject(c) != holder {
		t.Errorf("the class object of p.Holder stands for %d %v", c, ok)
	}
	path, err := g.PathToRoot(context.Background(), rank(t, g, weakly), graph.AllWeaker)
	if err != nil || path != nil {
		t.Errorf("a strong path to what is held weakly: %v %v", path, err)
	}
	path, _ = g.PathToRoot(context.Background(), rank(t, g, weakly), 0)
	if len(path) != 3 || path[2].Strength != graph.Weak {
		t.Errorf("the path is %v", path)
	}

	strict := build(t, bytes.NewReader(data), graph.Options{Ignore: graph.Weak}, 0)
	defer strict.Close()
	sound(t, strict)
	if got := idom(strict, weakly); got != graph.None {
		t.Errorf("without weak references its dominator is %d", got)
	}
}

// The same dump gives the same graph however it comes and however little memory there is.
func TestTheSameHoweverItComes(t *testing.T) {
	data := hprofgen.Everything(hprofgen.Options{Segment: 4000}).Encode().Data
	want := uint64(0)
	see := func(what string, in io.Reader, o graph.Options) {
		g := build(t, in, o, 20)
		defer g.Close()
		sound(t, g)
		got := fingerprint(g)
		if want == 0 {
			want = got
		}
		if got != want {
			t.Errorf("%s: another graph", what)
		}
	}
	see("file", bytes.NewReader(data), graph.Options{})
	see("in halves", iotest.HalfReader(bytes.NewReader(data)), graph.Options{})
	for what, packed := range map[string][]byte{"gz": hprofgen.Gzip(data), "gz in blocks": hprofgen.GzipBlocks(data, 10_000)} {
		in, err := input.Source{Name: "-", Path: "-"}.Open(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		see(what, in, graph.Options{})
		in.Close()
	}
	for what, o := range map[string]hprofgen.Options{"other order": {Shuffle: true}, "roots first": {RootsFirst: true, Segment: 300}} {
		see(what, of(hprofgen.Everything(o)), graph.Options{})
	}
	see("little memory", bytes.NewReader(data), graph.Options{Memory: graph.MinMemory, TempDir: t.TempDir()})
}

// A queue whose links are held by an array too is as deep as it is long; and a chain of
// links that are not is folded whole.
func TestDeep(t *testing.T) {
	const n = 100_000
	for _, indexed := range []bool{false, true} {
		d := hprofgen.New(hprofgen.Options{Segment: 1 << 20})
		head := d.DeepList("p.Link", n)
		d.Root(0x07, head)
		if indexed {
			c := d.Class("p.Cursor", nil, f("link", obj), f("next", obj))
			var b *hprofgen.Bulk
			step := uint64(0)
			b = d.Bulk(c, n, func(i int, v []uint64) {
				v[0] = head + uint64(n-1-i)*step
				if i+1 < n {
					v[1] = b.At(i + 1)
				}
			})
			step = b.Step
			d.Root(0x07, b.First)
		}
		g := build(t, of(d), graph.Options{}, 0)
		sound(t, g)
		r := rank(t, g, head)
		depth, below := 0, int64(0)
		for {
			list := g.LargestChildren(r, 1)
			if len(list) == 0 {
				break
			}
			r = list[0]
			depth++
		}
		for r := range g.Children(graph.Root) {
			below += g.Retained(r)
		}
		if want := map[bool]int{false: n - 1, true: 0}[indexed]; depth != want || below != g.Bytes {
			t.Errorf("indexed %v: the tree below the head is %d deep, it must be %d; the roots have %d of %d bytes", indexed, depth, want, below, g.Bytes)
		}
		if _, err := g.DominatorTree(context.Background(), graph.Root, graph.FoldOptions{}); err != nil {
			t.Error(err)
		}
		g.Close()
	}
}

// An array too long for a chunk of the reader has all its references in the graph.
func TestLongArray(t *testing.T) {
	const n = 600_000
	d := hprofgen.New(hprofgen.Options{})
	c := d.Class("p.Item", nil, f("next", obj))
	b := d.Bulk(c, 1000, func(int, []uint64) {})
	slots := make([]uint64, n)
	for i := range slots {
		switch {
		case i%7 == 0:
			slots[i] = 0
		case i%997 == 0:
			slots[i] = 0xdead0
		default:
			slots[i] = b.At(i % 1000)
		}
	}
	array := d.Array("p.Item", slots...)
	d.Root(0x07, array)
	g := build(t, of(d), graph.Options{}, 0)
	defer g.Close()
	sound(t, g)
	r := rank(t, g, array)
	got := 0
	for r := range g.Children(r) {
		if g.Heap().Classes[g.Class(r)].Name == "p.Item" {
			got++
		}
	}
	refs := -1 // of the class
	for range g.Out(r) {
		refs++
	}
	dangling := int64(0)
	filled := 0
	for _, s := range slots {
		if s == 0xdead0 {
			dangling++
		} else if s != 0 {
			filled++
		}
	}
	if got != 1000 || refs != filled || g.Dangling != dangling || g.Length(r) != n {
		t.Errorf("%d children, %d references, %d dangling, length %d; expected 1000, %d, %d, %d", got, refs, g.Dangling, g.Length(r), filled, dangling, n)
	}
}

// Without roots nothing can be said of what holds what; the rest of the answer stands.
func TestWithoutRoots(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{Segment: 2000})
	d.DeepList("p.Link", 1000)
	data := d.Encode().Data
	c, err := graph.NewCollector(graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := hprof.Read(context.Background(), bytes.NewReader(data[:len(data)/2]), hprof.Options{Graph: c})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	g, err := c.Build(context.Background(), h)
	if err == nil || g != nil || !strings.Contains(err.Error(), "no root") {
		t.Errorf("a graph %v and %v", g != nil, err)
	}
	if h.Objects < 400 {
		t.Errorf("%d objects were counted", h.Objects)
	}
}

func TestInterrupted(t *testing.T) {
	for _, at := range []graph.Phase{graph.Numbering, graph.Linking, graph.Pruning, graph.Visiting, graph.Dominating} {
		ctx, cancel := context.WithCancel(context.Background())
		c, err := graph.NewCollector(graph.Options{Progress: func(p graph.Progress) {
			if p.Phase >= at {
				cancel()
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		d := hprofgen.New(hprofgen.Options{})
		d.Root(0x07, d.DeepList("p.Link", 70_000))
		h, err := hprof.Read(context.Background(), of(d), hprof.Options{Graph: c})
		if err != nil {
			t.Fatal(err)
		}
		if g, err := c.Build(ctx, h); at < graph.Visiting && (err == nil || g != nil || !strings.Contains(err.Error(), "interrupted")) {
			t.Errorf("%v: a graph %v and %v", at, g != nil, err)
		}
		cancel()
		h.Close()
	}
}

func TestBounds(t *testing.T) {
	if _, err := graph.NewCollector(graph.Options{Memory: 1 << 20}); err == nil || !strings.Contains(err.Error(), "128") {
		t.Errorf("too little memory: %v", err)
	}
	if _, err := graph.NewCollector(graph.Options{Total: 1 << 60}); err == nil || !strings.Contains(err.Error(), "free there") {
		t.Errorf("a dump that no disk has room for: %v", err)
	}
}

// Objects that are recorded twice count once, with what the first record says.
func TestTwice(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{})
	a, b := d.String("first"), d.String("second")
	c := d.Class("p.Pair", nil, f("a", obj))
	id := d.Object(c, "a", a)
	d.Root(0x07, id)
	rec := []byte{0x21}
	for _, v := range []uint64{id, 1, c.ID, 8, b} {
		w := 8
		if v == 1 || v == 8 {
			w = 4
		}
		for i := w - 1; i >= 0; i-- {
			rec = append(rec, byte(v>>(8*i)))
		}
	}
	d.Sub(rec...)
	g := build(t, of(d), graph.Options{}, 0)
	defer g.Close()
	if g.Repeated != 1 || g.IDom(rank(t, g, a)) != rank(t, g, id) || g.Reachable(rank(t, g, b)) {
		t.Errorf("%+v, a below %d, b reached %v", g.Sums, g.IDom(rank(t, g, a)), g.Reachable(rank(t, g, b)))
	}
}

func TestWords(t *testing.T) {
	for p := range graph.NumPhases {
		if p.String() == "" {
			t.Errorf("phase %d has no name", p)
		}
	}
	if s := fmt.Sprint(graph.Weak|graph.Final, " ", graph.Strength(0), " ", graph.RootKinds(1<<graph.JNIGlobal|1<<graph.StickyClass)); s != "weak, final none JNI global, sticky class" {
		t.Error(s)
	}
}
