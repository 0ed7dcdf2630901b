package graph_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph"
	"example.com/kneeline/heapdump/hprof"
	"example.com/kneeline/heapdump/hprofgen"
)

// saved is a graph in a directory, with its dump.
func saved(t *testing.T) (dir string, id graph.Identity, h *heapdump.Heap, want uint64) {
	t.Helper()
	dir = t.TempDir()
	data := hprofgen.Everything(hprofgen.Options{}).Encode().Data
	path := filepath.Join(t.TempDir(), "dump.hprof")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	id, err := graph.Identify(path)
	if err != nil {
		t.Fatal(err)
	}
	g := build(t, bytes.NewReader(data), graph.Options{}, 0)
	defer g.Close()
	if graph.Indexed(dir, id, graph.Options{}) {
		t.Error("there is an index before one was made")
	}
	if err := g.Save(dir, id); err != nil {
		t.Fatal(err)
	}
	h, err = hprof.Read(context.Background(), bytes.NewReader(data), hprof.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return dir, id, h, fingerprint(g)
}

func TestIndexGivesTheSameGraph(t *testing.T) {
	dir, id, h, want := saved(t)
	if !graph.Indexed(dir, id, graph.Options{}) {
		t.Error("there is no index")
	}
	g, err := graph.Load(dir, id, graph.Options{}, h)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if got := fingerprint(g); got != want {
		t.Error("another graph")
	}
	sound(t, g)
	checkFold(t, g)
	for r := range g.Roots() {
		checkPath(t, g, r, 0)
		break
	}
	if _, err := graph.Load(dir, id, graph.Options{Sizes: graph.MATSizes}, h); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the index of other options: %v", err)
	}
	other := id
	other.Modified++
	if _, err := graph.Load(dir, other, graph.Options{}, h); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the index of a dump that changed: %v", err)
	}
}

// Any byte that is not what it was is found, and any end that is missing.
func TestDamagedIndex(t *testing.T) {
	dir, id, h, _ := saved(t)
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(names) != 1 {
		t.Fatalf("files in the directory: %v", names)
	}
	good, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, data []byte) {
		if err := os.WriteFile(names[0], data, 0o600); err != nil {
			t.Fatal(err)
		}
		g, err := graph.Load(dir, id, graph.Options{}, h)
		if err == nil {
			// What lies between the parts is not looked at.
			sound(t, g)
			g.Close()
			return
		}
		if !errors.Is(err, graph.ErrIndex) {
			t.Errorf("%s: %v", what, err)
		}
	}
	damaged := 0
	for at := 0; at < len(good); at += 1 + len(good)/150 {
		bad := bytes.Clone(good)
		bad[at] ^= 0x40
		try("a byte", bad)
		damaged++
	}
	for _, n := range []int{0, 1, 15, len(good) / 2, len(good) - 1} {
		try("an end", good[:n])
	}
	bad := bytes.Clone(good)
	bad[len(bad)-30] ^= 1
	if err := os.WriteFile(names[0], bad, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := graph.Load(dir, id, graph.Options{}, h); !errors.Is(err, graph.ErrIndex) {
		t.Errorf("a damaged head: %v", err)
	}
}

func TestNoIdentity(t *testing.T) {
	if _, err := graph.Identify(t.TempDir()); err == nil {
		t.Error("a directory has an identity")
	}
}
