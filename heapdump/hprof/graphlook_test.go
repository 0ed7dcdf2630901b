package hprof_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph"
	"example.com/kneeline/heapdump/hprof"
	"example.com/kneeline/internal/input"
)

func readGraph(t testing.TB, in io.Reader, o graph.Options) (*heapdump.Heap, *graph.Graph) {
	t.Helper()
	c, err := graph.NewCollector(o)
	if err != nil {
		t.Fatal(err)
	}
	h, err := hprof.Read(context.Background(), in, hprof.Options{Graph: c})
	if err != nil {
		t.Fatal(err)
	}
	g, err := c.Build(context.Background(), h)
	if err != nil {
		t.Fatal(err)
	}
	return h, g
}

func className(h *heapdump.Heap, g *graph.Graph, r graph.Rank) string {
	if c, ok := g.Described(r); ok {
		return "class " + h.Classes[c].Name
	}
	if c := h.Class(g.Class(r)); c != nil {
		return c.Name
	}
	return "?"
}

func TestLook(t *testing.T) {
	path := os.Getenv("DUMP")
	if path == "" {
		t.Skip("no DUMP")
	}
	in, err := input.Source{Name: path, Path: path}.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	last := start
	var phase graph.Phase
	o := graph.Options{Progress: func(p graph.Progress) {
		if p.Phase != phase {
			fmt.Printf("%-30s %v\n", phase, time.Since(last))
			last = time.Now()
			phase = p.Phase
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
	h, err := hprof.Read(context.Background(), in, hprof.Options{Graph: c})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("read", time.Since(start))
	last = time.Now()
	g, err := c.Build(context.Background(), h)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("%-30s %v\n", phase, time.Since(last))
	fmt.Println("all", time.Since(start))
	fmt.Printf("%+v\n", g.Sums)
	b, _ := os.ReadFile("/proc/self/status")
	for _, l := range strings.Split(string(b), "\n") {
		if strings.HasPrefix(l, "VmHWM") || strings.HasPrefix(l, "RssAnon") || strings.HasPrefix(l, "RssFile") || strings.HasPrefix(l, "RssShmem") {
			fmt.Println(l)
		}
	}
	for _, r := range g.TopDominators(25) {
		fmt.Printf("%#x %-60s %d %d\n", uint64(g.ID(r)), className(h, g, r), g.Shallow(r), g.Retained(r))
	}
}
