package graph_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"example.com/kneeline/heapdump/graph"
	"example.com/kneeline/heapdump/hprof"
	"example.com/kneeline/heapdump/hprofgen"
)

// small is a dump that has a bit of all that graphs are made of.
func small(o hprofgen.Options) []byte {
	d := hprofgen.New(o)
	th := d.Thread("main", nil, hprofgen.At("p.Main", "main", 3))
	th.Local(0, d.String("local"))
	d.Array("java.lang.Object", th.ID, d.Weak(th.ID), 0xdead0)
	d.Root(0x07, d.DeepList("p.Link", 5))
	return d.Encode().Data
}

var smallOptions = []hprofgen.Options{{}, {IDSize: 4, Segment: 100}, {ClassesLast: true, Shuffle: true}, {Dotted: true, CharStrings: true}}

// whatever makes the graph of any bytes: that ends without panic, and what it says of
// objects fits together.
func whatever(t *testing.T, data []byte, hub int64) {
	t.Helper()
	c, err := graph.NewCollector(graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c.SetHubMin(hub)
	h, err := hprof.Read(context.Background(), bytes.NewReader(data), hprof.Options{Graph: c})
	if err != nil {
		c.Close()
		return
	}
	defer h.Close()
	g, err := c.Build(context.Background(), h)
	if err != nil {
		return
	}
	defer g.Close()
	sound(t, g)
	if _, err := g.ByClass(context.Background()); err != nil {
		t.Error(err)
	}
}

func FuzzBuild(f *testing.F) {
	for _, o := range smallOptions {
		f.Add(small(o))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		whatever(t, data, 2)
		whatever(t, data, 1000)
	})
}

// Dumps with wrong bytes, and with parts missing.
func TestDamagedDumps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		data := small(smallOptions[n%len(smallOptions)])
		for range 1 + r.IntN(6) {
			data[r.IntN(len(data))] = byte(r.Uint32())
		}
		if n%3 == 0 {
			i := r.IntN(len(data))
			data = append(data[:i:i], data[r.IntN(len(data)):]...)
		}
		whatever(t, data, 2)
	}
}

// A distance can be had back from how it is written, and those of objects are short.
func TestDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.Uint64().Draw(t, "distance")
		if got := graph.UnfoldDistance(graph.FoldDistance(d)); got != d {
			t.Fatalf("%#x is had back as %#x", d, got)
		}
		near := rapid.Int64Range(-1<<20, 1<<20).Draw(t, "objects") * 8
		if v := graph.FoldDistance(uint64(near)); v > 1<<22 {
			t.Fatalf("%d is written as %d", near, v)
		}
	})
}
