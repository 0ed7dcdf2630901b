package graph_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph"
	"example.com/kneeline/heapdump/hprof"
	"example.com/kneeline/internal/input"
)

func className(h *heapdump.Heap, g *graph.Graph, r graph.Rank) string {
	if c, ok := g.Described(r); ok {
		return "class " + h.Classes[c].Name
	}
	if c := h.Class(g.Class(r)); c != nil {
		return c.Name
	}
	return "?"
}

// fingerprint is a number made of all that a graph says of its objects.
func fingerprint(g *graph.Graph) uint64 {
	sum := fnv.New64a()
	fmt.Fprintf(sum, "%+v", g.Facts())
	h := sum.Sum64()
	for r := range graph.Rank(g.NumObjects()) {
		for _, v := range [...]uint64{uint64(g.IDom(r)), uint64(g.Retained(r)), uint64(g.Class(r)), uint64(g.Length(r))} {
			h = (h ^ v) * 0x9e3779b97f4a7c15
			h ^= h >> 29
		}
	}
	return h
}

// TestLook tells of the dump that DUMP names: time by phase, memory, and the largest
// dominators. MAT takes MAT's sizes, MEMORY gives the bound in MiB.
func TestLook(t *testing.T) {
	path := os.Getenv("DUMP")
	if path == "" {
		t.Skip("DUMP names no dump to look at")
	}
	in, err := input.Source{Name: path, Path: path}.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	last, phase := start, graph.NumPhases
	o := graph.Options{Progress: func(p graph.Progress) {
		if p.Phase != phase {
			t.Logf("%-30s from %v on", p.Phase, time.Since(start).Round(time.Millisecond))
			last, phase = time.Now(), p.Phase
		}
	}}
	if os.Getenv("MAT") != "" {
		o.Sizes = graph.MATSizes
	}
	if s := os.Getenv("MEMORY"); s != "" {
		fmt.Sscan(s, &o.Memory)
		o.Memory <<= 20
	}
	c, err := graph.NewCollector(o)
	if err != nil {
		t.Fatal(err)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(c.GoMemory()))
	h, err := hprof.Read(context.Background(), in, hprof.Options{Graph: c})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	g, err := c.Build(context.Background(), h)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	t.Logf("all took %v, the last phase %v", time.Since(start), time.Since(last))
	t.Logf("%d objects: %+v", g.NumObjects(), g.Sums)
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmHWM") || strings.HasPrefix(line, "Rss") {
			t.Log(strings.TrimSpace(line))
		}
	}
	if os.Getenv("FINGERPRINT") != "" {
		t.Logf("fingerprint %x", fingerprint(g))
	}
	for _, r := range g.TopDominators(25) {
		t.Logf("%#x %-60s %d %d", uint64(g.ID(r)), className(h, g, r), g.Shallow(r), g.Retained(r))
	}
}
