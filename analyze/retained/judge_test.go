package retained_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/analyze/retained"
	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph"
	"example.com/kneeline/heapdump/hprof"
	"example.com/kneeline/heapdump/hprofgen"
)

// fatal is what tests of testing and of rapid have.
type fatal interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// read makes the graph of a dump.
func read(t fatal, d *hprofgen.Dump, o graph.Options) *graph.Graph {
	t.Helper()
	c, err := graph.NewCollector(o)
	if err != nil {
		t.Fatal(err)
	}
	h, err := hprof.Read(context.Background(), bytes.NewReader(d.Encode().Data), hprof.Options{Graph: c})
	if err != nil {
		t.Fatal(err)
	}
	g, err := c.Build(context.Background(), h)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func judged(t fatal, g *graph.Graph, o retained.Options) *retained.Result {
	t.Helper()
	r, err := retained.Judge(context.Background(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pile is a static queue of requests, each with a buffer; also adds a second holder
// of every second request.
func pile(n int, also bool) (d *hprofgen.Dump, queue hprofgen.ID, requests []hprofgen.ID, buffers int64) {
	d = hprofgen.New(hprofgen.Options{})
	request := d.Class("app.Request", nil, hprofgen.F("buffer", hprofgen.Object))
	for range n {
		requests = append(requests, d.Object(request, "buffer", d.Bytes(make([]byte, 1000))))
	}
	queue = d.ArrayBlockingQueue(2*n, requests...)
	d.Root(0x05, request.ID) // else the requests retain their class
	d.Root(0x05, d.ArrayClass("byte").ID)
	server := d.Class("app.Server", nil, hprofgen.F("queue", hprofgen.Object))
	d.Root(0x05, d.Object(server, "queue", queue))
	if also {
		var some []hprofgen.ID
		for i := 0; i < n; i += 2 {
			some = append(some, requests[i])
		}
		timers := d.Class("app.Timers", nil, hprofgen.F("armed", hprofgen.Object))
		d.Root(0x05, d.Object(timers, "armed", d.ArrayList(n, some...)))
	}
	return d, queue, requests, int64(n) * 1016
}

func anchor(queue hprofgen.ID, entries []hprofgen.ID) retained.Anchor {
	a := retained.Anchor{Name: "queue", Object: heapdump.ID(queue), Total: int64(len(entries))}
	for _, e := range entries {
		a.Entries = append(a.Entries, heapdump.ID(e))
	}
	return a
}

// A queue that alone holds its entries retains them, and its path leads from the
// server to it by the fields' names.
func TestOneHolder(t *testing.T) {
	d, queue, requests, buffers := pile(500, false)
	g := read(t, d, graph.Options{})
	defer g.Close()
	h := judged(t, g, retained.Options{Anchors: []retained.Anchor{anchor(queue, requests)}}).Holders[0]
	if h.Entries != 500 || h.Unreachable != 0 || *h.Alone != 500 || len(h.Others) != 0 {
		t.Errorf("entries %d, garbage %d, alone %d, others %v", h.Entries, h.Unreachable, *h.Alone, h.Others)
	}
	if want := buffers + 500*16; h.Retained != want || h.Entry != want || h.Each != float64(want)/500 {
		t.Errorf("retained %d, each %v, want %d", h.Retained, h.Each, want)
	}
	if *h.QueueRetained <= h.Retained {
		t.Errorf("the queue retains %d, its entries %d", *h.QueueRetained, h.Retained)
	}
	if len(h.Path) != 2 || h.Path[0].Class != "app.Server" || h.Path[1].Field != "queue" {
		t.Errorf("path %+v", h.Path)
	}
	if len(h.Dominators) != 1 || h.Dominators[0].Class != "app.Server" {
		t.Errorf("dominators %+v", h.Dominators)
	}
}

// What another object holds as well is no longer freed with the queue, and the other
// is named; as a set the entries retain the same.
func TestSeveralHolders(t *testing.T) {
	d, queue, requests, buffers := pile(500, true)
	g := read(t, d, graph.Options{})
	defer g.Close()
	h := judged(t, g, retained.Options{Anchors: []retained.Anchor{anchor(queue, requests)}}).Holders[0]
	if h.Entries != 500 || *h.Alone != 250 {
		t.Errorf("%d entries, %d of them by the queue alone", h.Entries, *h.Alone)
	}
	if want := buffers + 500*16; h.Retained != want {
		t.Errorf("retained %d, want %d", h.Retained, want)
	}
	if *h.QueueRetained > h.Retained {
		t.Errorf("the queue retains %d, which others hold half of", *h.QueueRetained)
	}
	if len(h.Others) != 1 || h.Others[0].Class != "java.lang.Object[]" || h.Others[0].Entries != 250 ||
		h.Others[0].Held == nil || h.Others[0].Held.Class != "app.Timers" {
		t.Errorf("others %+v", h.Others)
	}
}

// What comes with each entry counts with it, though the entries alone do not hold it.
func TestWhatComesWithEntries(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{})
	connection := d.Class("app.Connection", nil, hprofgen.F("buffer", hprofgen.Object))
	task := d.Class("app.Task", nil, hprofgen.F("connection", hprofgen.Object))
	var tasks, connections []hprofgen.ID
	for range 300 {
		c := d.Object(connection, "buffer", d.Bytes(make([]byte, 984)))
		connections = append(connections, c)
		tasks = append(tasks, d.Object(task, "connection", c))
	}
	for _, c := range []*hprofgen.Class{task, connection, d.ArrayClass("byte")} {
		d.Root(0x05, c.ID)
	}
	queue := d.ArrayBlockingQueue(1000, tasks...)
	d.Root(0x05, queue)
	d.Root(0x05, d.ArrayList(300, connections...))
	g := read(t, d, graph.Options{})
	defer g.Close()
	a := anchor(queue, tasks)
	a.Classes = g.Heap().ClassNamed("app.Connection")
	h := judged(t, g, retained.Options{Anchors: []retained.Anchor{a}}).Holders[0]
	if h.Entry != 300*16 || h.Retained != 300*(16+16+1000) || len(h.With) != 1 {
		t.Errorf("alone %d, with their connections %d (%v)", h.Entry, h.Retained, h.With)
	}
}

// Entries that no root reaches are garbage, and count for nothing.
func TestGarbageIsNotHeld(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{})
	request := d.Class("app.Request", nil, hprofgen.F("x", hprofgen.Int))
	var requests []hprofgen.ID
	for range 200 {
		requests = append(requests, d.Object(request, "x", 1))
	}
	queue := d.ArrayBlockingQueue(400, requests...)
	d.Root(0x05, d.Cache(10))
	g := read(t, d, graph.Options{})
	defer g.Close()
	r := judged(t, g, retained.Options{Anchors: []retained.Anchor{anchor(queue, requests)}})
	if h := r.Holders[0]; h.Entries != 0 || h.Unreachable != 200 || h.Retained != 0 || h.QueueRetained != nil || len(h.Path) != 0 {
		t.Errorf("%+v", h)
	}
	if r.Unreachable < 201 {
		t.Errorf("%d objects are garbage", r.Unreachable)
	}
}

// A map that holds most of the heap is a suspect, and the point where it comes
// together is its table.
func TestSuspect(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{})
	cache := d.Class("app.Cache", nil, hprofgen.F("entries", hprofgen.Object))
	d.Root(0x05, d.Object(cache, "entries", d.Cache(5000)))
	g := read(t, d, graph.Options{})
	defer g.Close()
	r := judged(t, g, retained.Options{})
	if len(r.Suspects) == 0 {
		t.Fatal("no suspect")
	}
	s := r.Suspects[0]
	if s.Class != "app.Cache" || s.Kind != retained.SuspectObject || s.Point == nil || s.Point.Class != "java.util.HashMap$Node[]" {
		t.Errorf("suspect %+v, point %+v", s, s.Point)
	}
	if len(s.Below) == 0 || s.Below[0].Class != "java.util.HashMap$Node" {
		t.Errorf("below it: %+v", s.Below)
	}
}

// Many of one class that nothing dominates are a suspect together.
func TestSuspectGroup(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{})
	session := d.Class("app.Session", nil, hprofgen.F("data", hprofgen.Object))
	var all []hprofgen.ID
	for range 400 {
		all = append(all, d.Object(session, "data", d.Bytes(make([]byte, 500))))
	}
	d.Root(0x05, d.ArrayList(400, all...))
	d.Root(0x05, d.ArrayList(400, all...))
	g := read(t, d, graph.Options{})
	defer g.Close()
	for _, s := range judged(t, g, retained.Options{}).Suspects {
		if s.Kind == retained.SuspectGroup && s.Class == "app.Session" && s.Count == 400 && s.HeapShare > 0.5 {
			return
		}
	}
	t.Error("the sessions are no suspect")
}

// Whatever the heap, the tree adds up: no node's children retain more than it does
// beside its own size, and the whole is what roots reach.
func TestTreeAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := hprofgen.New(hprofgen.Options{})
		var classes []*hprofgen.Class
		for i := range 3 {
			classes = append(classes, d.Class(fmt.Sprintf("app.C%d", i), nil, hprofgen.F("a", hprofgen.Object), hprofgen.F("b", hprofgen.Object)))
		}
		var ids []hprofgen.ID
		for range rapid.IntRange(1, 60).Draw(t, "objects") {
			ids = append(ids, d.Object(rapid.SampledFrom(classes).Draw(t, "class")))
		}
		for _, id := range ids {
			for _, f := range []string{"a", "b"} {
				if rapid.Bool().Draw(t, "set") {
					d.Set(id, f, rapid.SampledFrom(ids).Draw(t, "to"))
				}
			}
		}
		d.Root(0x05, rapid.SampledFrom(ids).Draw(t, "root"))
		g := read(t, d, graph.Options{})
		defer g.Close()
		r := judged(t, g, retained.Options{Nodes: 100_000})
		if r.Tree.Retained != r.Bytes {
			t.Fatalf("the tree retains %d of %d", r.Tree.Retained, r.Bytes)
		}
		var check func(n *retained.Node)
		check = func(n *retained.Node) {
			sum := n.Shallow
			for _, c := range n.Children {
				sum += c.Retained
				check(c)
			}
			if sum > n.Retained {
				t.Fatalf("%s: %d below and in it, it retains %d", n.Class, sum, n.Retained)
			}
		}
		check(r.Tree)
		shares := 0.0
		for _, o := range r.Dominators {
			shares += o.HeapShare
		}
		if shares > 1+1e-9 {
			t.Fatalf("what no object dominates retains %v of the heap", shares)
		}
	})
}
