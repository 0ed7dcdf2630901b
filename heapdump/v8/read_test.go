package v8

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"example.com/kneeline/heapdump/v8/v8gen"
)

func read(t testing.TB, data []byte, o Options) *Snapshot {
	t.Helper()
	s, err := Read(context.Background(), bytes.NewReader(data), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// same compares a snapshot with what it was made of.
func same(s *Snapshot, g *v8gen.Snapshot) error {
	if int(s.Nodes()) != len(g.Nodes) {
		return fmt.Errorf("%d nodes, want %d", s.Nodes(), len(g.Nodes))
	}
	for i, n := range g.Nodes {
		at := uint32(i)
		if s.Kind(at) != nodeKinds[n.Kind] || s.Size(at) != n.Size || int64(s.ID(at)) != n.ID {
			return fmt.Errorf("node %d is %d of %d bytes, want %+v", i, s.Kind(at), s.Size(at), n)
		}
		if n.Kind == "object" && s.Class(at) != n.Name {
			return fmt.Errorf("node %d is a %q, want %q", i, s.Class(at), n.Name)
		}
	}
	from, at := 0, 0
	var wrong error
	err := s.Edges(func(e Edge) bool {
		for at == len(g.Nodes[from].Edges) {
			from, at = from+1, 0
		}
		want := g.Nodes[from].Edges[at]
		at++
		if int(e.From) != from || int(e.To) != want.To || e.Kind != edgeKinds[want.Kind] ||
			s.EdgeName(e) != want.Name || !e.Kind.named() && int(e.Name) != want.Index {
			wrong = fmt.Errorf("edge %+v %q, want %+v of %d", e, s.EdgeName(e), want, from)
		}
		return wrong == nil
	})
	if err != nil {
		return err
	}
	return wrong
}

// drawn is a snapshot of any shape.
func drawn(t *rapid.T) *v8gen.Snapshot {
	g := v8gen.New()
	kinds := []string{"object", "string", "closure", "array", "hidden", "native", "number"}
	for range rapid.IntRange(1, 60).Draw(t, "nodes") {
		name := rapid.SampledFrom([]string{"A", "B", "Çé\"\\\n", strings.Repeat("n", 200)}).Draw(t, "name")
		size := rapid.SampledFrom([]int64{0, 1, 24, 1 << 32, 1<<32 - 1, 1 << 40}).Draw(t, "size")
		g.Add(rapid.SampledFrom(kinds).Draw(t, "kind"), name, size)
	}
	for range rapid.IntRange(0, 200).Draw(t, "edges") {
		from, to := rapid.IntRange(0, len(g.Nodes)-1).Draw(t, "from"), rapid.IntRange(0, len(g.Nodes)-1).Draw(t, "to")
		if kind := rapid.SampledFrom([]string{"element", "property", "context", "weak", "internal", "hidden", "shortcut"}).Draw(t, "edge"); kind == "element" || kind == "hidden" {
			g.Slot(from, kind, rapid.IntRange(0, 1<<28).Draw(t, "index"), to)
		} else {
			g.Link(from, kind, rapid.SampledFrom([]string{"next", "x", "ключ"}).Draw(t, "property"), to)
		}
	}
	if rapid.Bool().Draw(t, "order") {
		g.NodeFields = []string{"edge_count", "self_size", "detachedness", "type", "id", "name"}
		g.EdgeFields = []string{"to_node", "type", "name_or_index"}
		g.Space = " \n"
	}
	return g
}

// What was written is read, whatever the order of fields, also one byte at a time
// and with all edges in a file.
func TestReadsWhatWasWritten(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t)
		data := g.Bytes()
		for _, src := range []io.Reader{bytes.NewReader(data), iotest.OneByteReader(bytes.NewReader(data)), iotest.DataErrReader(bytes.NewReader(data))} {
			s, err := Read(context.Background(), src, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !s.Complete || len(s.Losses) > 0 || s.Read != int64(len(data)) {
				t.Fatalf("complete %v of %d bytes, losses %v, read %d", s.Complete, len(data), s.Losses, s.Read)
			}
			if err := same(s, g); err != nil {
				t.Fatal(err)
			}
			// A file of the edges gives the same.
			s.spool.dir = dir
			if err := s.spool.spill(); err != nil {
				t.Fatal(err)
			}
			if err := same(s, g); err != nil {
				t.Fatalf("from a file: %v", err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	})
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A snapshot that is cut off anywhere gives a part of it, or an error; the nodes that
// are there are right.
func TestCutOff(t *testing.T) {
	g := v8gen.New()
	for i := range 200 {
		n := g.Object(fmt.Sprintf("C%d", i%7), int64(i), 0, "held")
		g.Slot(0, "element", i, n)
	}
	data := g.Bytes()
	for cut := range len(data) {
		s, err := Read(context.Background(), bytes.NewReader(data[:cut]), Options{})
		if err != nil {
			if !strings.Contains(err.Error(), "too early") {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			continue
		}
		if s.Complete || s.Why == "" || s.Read > int64(cut) {
			t.Fatalf("cut at %d: complete %v, %q, read %d", cut, s.Complete, s.Why, s.Read)
		}
		for n := range s.Nodes() {
			if s.Size(n) != g.Nodes[n].Size {
				t.Fatalf("cut at %d: node %d has %d bytes", cut, n, s.Size(n))
			}
		}
		seen := int64(0)
		if err := s.Edges(func(e Edge) bool { seen++; return int(e.To) == g.Nodes[0].Edges[seen-1].To }); err != nil || seen != s.EdgeCount() {
			t.Fatalf("cut at %d: %d edges of %d, %v", cut, seen, s.EdgeCount(), err)
		}
		s.Close()
	}
}

func TestDamage(t *testing.T) {
	g := v8gen.New()
	g.Object("A", 8, 0, "x")
	good := string(g.Bytes())
	for _, tt := range []struct{ name, old, new, says string }{
		{"no document", "{\"snapshot\"", "[\"snapshot\"", `expected "{", found "["`},
		{"no meta", `"snapshot":{`, `"other":{`, `expected the member "snapshot" before "nodes"`},
		{"a field is missing", `"self_size"`, `"size"`, `expected the field "self_size" of a node`},
		{"types are missing", `["context","element"`, `"context",["element"`, `types of nodes and edges`},
		{"fraction", "\"nodes\":[9", "\"nodes\":[9.5", "expected a whole number"},
		{"word", "\"nodes\":[9", "\"nodes\":[null", `expected a number, found "n"`},
		{"huge", "\"nodes\":[9", "\"nodes\":[99999999999999999999", "expected a number below 2^62"},
	} {
		bad := strings.Replace(good, tt.old, tt.new, 1)
		if bad == good {
			t.Fatalf("%s: nothing was changed", tt.name)
		}
		if _, err := Read(context.Background(), strings.NewReader(bad), Options{}); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.says)
		}
	}
	// What can be left out is counted, and the rest is there.
	for _, tt := range []struct{ name, old, new, says string }{
		{"edge to nowhere", "\"edges\":[2,3,7", "\"edges\":[2,3,9", "edges to a place where no node is"},
		{"unknown type of edge", "\"edges\":[2,", "\"edges\":[77,", "edges of a type"},
		{"unknown type of node", "\"nodes\":[9", "\"nodes\":[99", "nodes of a type"},
		{"wrong count", `"node_count":2`, `"node_count":3`, "says that it has 3 nodes and has 2"},
	} {
		bad := strings.Replace(good, tt.old, tt.new, 1)
		if bad == good {
			t.Fatalf("%s: nothing was changed in %s", tt.name, good)
		}
		s := read(t, []byte(bad), Options{})
		if len(s.Losses) != 1 || !strings.Contains(s.Losses[0].What, tt.says) || s.Nodes() != 2 {
			t.Errorf("%s: %v, want %q", tt.name, s.Losses, tt.says)
		}
	}
}

// What a snapshot claims costs nothing until it comes.
func TestClaims(t *testing.T) {
	data := strings.Replace(string(v8gen.New().Bytes()), `"node_count":1`, `"node_count":999999999999`, 1)
	if s := read(t, []byte(data), Options{}); s.Nodes() != 1 || len(s.Losses) != 1 {
		t.Errorf("%d nodes, losses %v", s.Nodes(), s.Losses)
	}
	deep := `{"x":` + strings.Repeat("[", maxDepth+1)
	if _, err := Read(context.Background(), strings.NewReader(deep), Options{}); err == nil || !strings.Contains(err.Error(), "deep") {
		t.Errorf("values in values: %v", err)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(io.ErrClosedPipe)
	if _, err := Read(ctx, bytes.NewReader(v8gen.New().Bytes()), Options{}); err == nil || !strings.Contains(err.Error(), io.ErrClosedPipe.Error()) {
		t.Errorf("error %v", err)
	}
}

func TestClassName(t *testing.T) {
	for name, want := range map[string]string{
		`<div class="secret">`: "<div>", "<br>": "<br>", "Window / https://example.com": "Window",
		"system / Context": "system / Context", "Detached Node": "Detached Node",
	} {
		if got := className(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	g := v8gen.New()
	a := g.Object("A", 8, 0, "x")
	g.Slot(a, "element", 3, 0)
	f.Add(g.Bytes())
	f.Add(g.Bytes()[:len(g.Bytes())/2])
	f.Add([]byte(`{"snapshot":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Read(context.Background(), bytes.NewReader(data), Options{Dir: t.TempDir()})
		if err != nil {
			return
		}
		defer s.Close()
		if s.Read > int64(len(data)) {
			t.Errorf("read %d of %d bytes", s.Read, len(data))
		}
		edges := int64(0)
		if err := s.Edges(func(e Edge) bool {
			edges++
			return e.To < s.Nodes() && e.From < s.Nodes()
		}); err != nil || edges != s.EdgeCount() {
			t.Errorf("%d edges of %d, %v", edges, s.EdgeCount(), err)
		}
		for n := range s.Nodes() {
			if s.Class(n) == "" || s.Size(n) < 0 {
				t.Errorf("node %d is a %q of %d bytes", n, s.Class(n), s.Size(n))
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	path := os.Getenv("V8_SNAPSHOT")
	if path == "" {
		b.Skip("V8_SNAPSHOT names no snapshot")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		s, err := Read(context.Background(), bytes.NewReader(data), Options{})
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}
