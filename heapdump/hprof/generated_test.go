package hprof

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/hprofgen"
)

// read reads a dump that must be one.
func read(t testing.TB, in io.Reader, o Options) *heapdump.Heap {
	t.Helper()
	h, err := Read(context.Background(), in, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// describe writes down everything that a heap has, for comparing heaps.
func describe(h *heapdump.Heap) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d %v complete %v %s read %d\n", h.Format, h.IDSize, h.Taken, h.Complete, h.Why, h.Read)
	fmt.Fprintf(&b, "losses %v\nroots %v\nbiggest %v\ntexts %+v\n", h.Losses, h.Roots, h.Biggest, h.Texts)
	fmt.Fprintf(&b, "layout %+v\n", *h.Layout)
	for _, t := range h.Threads {
		fmt.Fprintf(&b, "thread %+v\n", t)
	}
	for _, c := range h.Classes {
		fmt.Fprintf(&b, "class %+v\n", *c)
		for in := range h.Instances(c.Index) {
			fmt.Fprintf(&b, " %x", in.ID)
			for k := range c.Columns {
				fmt.Fprintf(&b, " %x", in.At(k))
			}
			if got, ok := h.ClassOf(in.ID); !ok || got != c.Index {
				fmt.Fprintf(&b, " is of class %d %v", got, ok)
			}
			if s, ok := h.Text(in.ID); ok {
				fmt.Fprintf(&b, " %q", s)
			}
			b.WriteByte('\n')
		}
	}
	for a := range h.Arrays(-1) {
		fmt.Fprintf(&b, "array %x %s %d %d %x\n", a.ID, a.Class.Name, a.Length, a.Filled, a.Refs)
	}
	return b.String()
}

// same fails when two descriptions differ, with the first line that does.
func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			other := ""
			if i < len(w) {
				other = w[i]
			}
			t.Errorf("%s: line %d is\n%.400s\nwant\n%.400s", what, i, g[i], other)
			return
		}
	}
	t.Errorf("%s: %d lines, want %d", what, len(g), len(w))
}

func sortLines(s string) string {
	lines := strings.Split(s, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// truth compares counts and sizes with what the generator knows.
func truth(t *testing.T, h *heapdump.Heap, want hprofgen.Truth) {
	t.Helper()
	got := map[string]hprofgen.Count{}
	for _, c := range h.Classes {
		if c.Instances > 0 {
			g := got[c.Name]
			got[c.Name] = hprofgen.Count{Instances: g.Instances + c.Instances, Bytes: g.Bytes + uint64(c.Bytes)}
		}
	}
	for name, w := range want.Classes {
		if got[name] != w {
			t.Errorf("%s: %+v, want %+v", name, got[name], w)
		}
		delete(got, name)
	}
	for name, g := range got {
		t.Errorf("%s: %+v, want none", name, g)
	}
	if h.Objects != want.Objects || uint64(h.Bytes) != want.Bytes {
		t.Errorf("%d objects of %d bytes, want %d of %d", h.Objects, h.Bytes, want.Objects, want.Bytes)
	}
}

// shapes are files of many shapes; all are sound.
var shapes = map[string]hprofgen.Options{
	"one dump":       {},
	"segments":       {Segment: 2000},
	"small segments": {Segment: 1},
	"ids of 4 bytes": {IDSize: 4, Segment: 2000},
	"zero length":    {HeapLength: func(uint32) uint32 { return 0 }},
	"zero segments":  {Segment: 3000, HeapLength: func(uint32) uint32 { return 0 }},
	"overflowed":     {HeapLength: func(n uint32) uint32 { return n/3 | 1 }},
	"roots first":    {RootsFirst: true, Segment: 5000},
	"classes last":   {ClassesLast: true, Segment: 5000},
	"dotted":         {Dotted: true, Version: "JAVA PROFILE 1.0.3"},
	"char strings":   {CharStrings: true},
	"shuffled":       {Shuffle: true, Segment: 4000},
	"wide refs":      {VM: hprofgen.VM{Header: 16, Ref: 8}},
	"aligned to 16":  {VM: hprofgen.VM{Align: 16}},
	"compact":        {VM: hprofgen.VM{Header: 8}},
}

func TestShapes(t *testing.T) {
	for name, o := range shapes {
		t.Run(name, func(t *testing.T) {
			d := hprofgen.Everything(o)
			file := d.Encode()
			h := read(t, bytes.NewReader(file.Data), Options{})
			if name == "overflowed" {
				// The length is a lie and no overflow: the end is not where it says.
				if h.Complete || len(h.Losses) > 0 {
					t.Errorf("complete %v, losses %v", h.Complete, h.Losses)
				}
			} else if !h.Complete || len(h.Losses) > 0 || h.Read != int64(len(file.Data)) {
				t.Errorf("complete %v (%s), read %d of %d, losses %v", h.Complete, h.Why, h.Read, len(file.Data), h.Losses)
			}
			truth(t, h, d.Truth())
			if len(h.Threads) != 4 || h.Threads[2].Name != "worker-2" || len(h.Threads[2].Frames) != 2 || len(h.Threads[2].Locals) != 1 {
				t.Errorf("threads: %+v", h.Threads)
			}
			// Whatever the chunks are, what is kept is the same.
			whole := describe(h)
			for _, chunk := range []int{1 << 13, 1 << 14, 100_000} {
				small := read(t, iotest.HalfReader(bytes.NewReader(file.Data)), Options{chunk: chunk, Memory: 1, TempDir: t.TempDir()})
				got, want := describe(small), whole
				if name == "shuffled" { // instances are in order within a chunk only
					got, want = sortLines(got), sortLines(want)
				}
				same(t, fmt.Sprintf("chunks of %d", chunk), got, want)
			}
		})
	}
}

// Neither the number of processors nor the sizes of reads change the heap.
func TestSameHoweverRead(t *testing.T) {
	data := hprofgen.Everything(hprofgen.Options{Segment: 3000}).Encode().Data
	want := describe(read(t, bytes.NewReader(data), Options{chunk: 1 << 13}))
	for _, n := range []int{1, 2, 7} {
		old := runtime.GOMAXPROCS(n)
		got := describe(read(t, iotest.OneByteReader(bytes.NewReader(data)), Options{chunk: 1 << 13}))
		runtime.GOMAXPROCS(old)
		same(t, fmt.Sprintf("%d processors", n), got, want)
	}
}

// A dump cut anywhere gives what is before the cut, and says so.
func TestCutAnywhere(t *testing.T) {
	for _, o := range []hprofgen.Options{{Segment: 3000}, {}, {HeapLength: func(uint32) uint32 { return 0 }}} {
		file := hprofgen.Everything(o).Encode()
		objects := int64(-1)
		head := 32
		for cut := head; cut < len(file.Data); cut += 1 + cut%3001 {
			h, err := Read(context.Background(), bytes.NewReader(file.Data[:cut]), Options{Total: int64(len(file.Data)), chunk: 1 << 14})
			if err != nil {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			boundary := false
			for _, r := range file.Records {
				boundary = boundary || r == cut
			}
			if h.Complete && !boundary || h.Objects < objects || !h.Complete && h.Why == "" || h.Read != int64(cut) {
				t.Fatalf("cut at %d of %d: complete %v (%s), read %d, %d objects after %d, losses %v", cut, len(file.Data), h.Complete, h.Why, h.Read, h.Objects, objects, h.Losses)
			}
			objects = h.Objects
			_ = h.Close()
		}
	}
}
