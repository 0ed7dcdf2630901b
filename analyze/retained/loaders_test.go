package retained_test

import (
	"context"
	"testing"

	"example.com/kneeline/analyze/retained"
	"example.com/kneeline/heapdump/graph"
	"example.com/kneeline/heapdump/hprofgen"
)

// redeployed is a dump with an application that was deployed several times: of each
// time an object is left in a list, and holds its class and so its loader.
func redeployed(times, cache int) *hprofgen.Dump {
	d := hprofgen.New(hprofgen.Options{})
	loader := d.Class("web.AppLoader", d.Class("java.lang.ClassLoader", nil))
	var left []hprofgen.ID
	for range times {
		app := d.Twin("app.Servlet", nil, hprofgen.F("cache", hprofgen.Object))
		app.Loader = d.Object(loader)
		left = append(left, d.Object(app, "cache", d.Bytes(make([]byte, cache))))
	}
	d.Root(0x05, d.ArrayList(times, left...))
	d.Root(0x05, d.Bytes(make([]byte, cache))) // of somebody else
	return d
}

// Loaders are weighed with what they loaded, as they retain little by themselves.
func TestLoadersWithTheirClasses(t *testing.T) {
	const times, cache = 8, 50_000
	g := read(t, redeployed(times, cache), graph.Options{})
	defer g.Close()
	for _, l := range judged(t, g, retained.Options{}).Loaders {
		if l.Class != "web.AppLoader" {
			continue
		}
		if l.Count != times || l.Copies != times || l.Loaded != times || l.Retained < times*cache || l.Retained > times*(cache+400) {
			t.Errorf("%+v", l)
		}
		return
	}
	t.Error("no loader is told of")
}

// Objects of classes with one name count together, whatever loader they have.
func TestSuspectsByName(t *testing.T) {
	g := read(t, redeployed(8, 50_000), graph.Options{})
	defer g.Close()
	for _, s := range judged(t, g, retained.Options{}).Suspects {
		if len(s.Below) > 0 && s.Below[0].Class == "app.Servlet" {
			if s.Below[0].Count != 8 {
				t.Errorf("below it: %+v", s.Below)
			}
			return
		}
	}
	t.Error("the servlets are below no suspect")
}

// Interrupted, what is known by then is there.
func TestInterrupted(t *testing.T) {
	g := read(t, redeployed(3, 1000), graph.Options{})
	defer g.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := retained.Judge(ctx, g, retained.Options{})
	if err == nil || r == nil || len(r.Dominators) == 0 || r.Bytes != g.Bytes || r.Classes == nil || r.Loaders == nil || r.Holders == nil {
		t.Errorf("%v, %+v", err, r)
	}
}

// The nodes of maps that entries are in go with them, and those of others do not.
func TestNodesOfMaps(t *testing.T) {
	for _, othersFirst := range []bool{false, true} {
		nodesOfMaps(t, othersFirst)
	}
}

// nodesOfMaps has a map in which a chain ends with a node of an entry, or of others: the
// latter are no part of what the entries retain, and their nodes keep those before them.
func nodesOfMaps(t *testing.T, othersFirst bool) {
	d := hprofgen.New(hprofgen.Options{})
	request := d.Class("app.Request", nil, hprofgen.F("x", hprofgen.Int))
	connection := d.Class("app.Connection", nil, hprofgen.F("request", hprofgen.Object))
	var requests, connections, keys, others, values []hprofgen.ID
	for range 300 {
		r := d.Object(request, "x", 1)
		requests, connections, keys = append(requests, r), append(connections, d.Object(connection, "request", r)), append(keys, d.Bytes(make([]byte, 8)))
	}
	for range 200 {
		others, values = append(others, d.Bytes(make([]byte, 8))), append(values, d.Bytes(make([]byte, 8)))
	}
	queue := d.ArrayBlockingQueue(1000, requests...)
	d.Root(0x05, queue)
	m := d.HashMap(append(keys, others...), append(connections, values...))
	if othersFirst {
		m = d.HashMap(append(others, keys...), append(values, connections...))
	}
	d.Root(0x05, m)
	for _, c := range []*hprofgen.Class{request, connection, d.ArrayClass("byte")} {
		d.Root(0x05, c.ID)
	}
	g := read(t, d, graph.Options{})
	defer g.Close()
	node := int64(0)
	for i := range g.NumObjects() {
		if r := graph.Rank(i); g.Heap().Class(g.Class(r)).Name == "java.util.HashMap$Node" {
			node = g.Shallow(r)
		}
	}
	a := anchor(queue, requests)
	a.Classes = g.Heap().ClassNamed("app.Connection")
	h := judged(t, g, retained.Options{Anchors: []retained.Anchor{a}}).Holders[0]
	want := 300 * (16 + 16 + 24 + node)
	if node == 0 || h.Retained > want || h.Retained < want*4/5 || !othersFirst && h.Retained != want {
		t.Errorf("they retain %d, want %d with nodes of %d", h.Retained, want, node)
	}
}
