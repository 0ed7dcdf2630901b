package graph_test

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph"
	"example.com/kneeline/internal/input"
)

// matFacts is what Eclipse MAT 1.17 says of a dump: objects and bytes with the boot loader
// that it makes up, what it leaves out as unreachable, how many objects no other dominates,
// and the retained sizes of the largest of them.
type matFacts struct {
	objects, used, unreachable, unreachableBytes, top int64
	loader                                            int64 // bytes of the boot loader
	retained                                          []matRow
}

type matRow struct {
	id       heapdump.ID
	retained int64
}

func TestRetainedAsMATHasThem(t *testing.T) {
	corpus := os.Getenv("KNEELINE_CORPUS")
	if corpus == "" {
		corpus = "../../../shared/corpus"
	}
	for name, want := range matReference {
		path := filepath.Join(corpus, "heap", name+".hprof.gz")
		if _, err := os.Stat(path); err != nil {
			t.Skipf("no corpus: %v", err)
		}
		in, err := input.Source{Name: name, Path: path}.Open(nil)
		if err != nil {
			t.Fatal(err)
		}
		g := build(t, in, graph.Options{Sizes: graph.MATSizes}, 0)
		in.Close()
		got := matFacts{
			objects: g.Objects + 1, used: g.Bytes + want.loader, unreachable: g.Unreachable, unreachableBytes: g.UnreachableBytes,
			top: g.TopLevel + 1, loader: want.loader,
		}
		for _, r := range g.TopDominators(len(want.retained)) {
			got.retained = append(got.retained, matRow{g.ID(r), g.Retained(r)})
		}
		compareMAT(t, name, g, got, want)
		sound(t, g)
		g.Close()
	}
}

func compareMAT(t *testing.T, name string, g *graph.Graph, got, want matFacts) {
	t.Helper()
	rows := got.retained
	got.retained, want.retained = nil, append([]matRow{}, want.retained...)
	if got.objects != want.objects || got.used != want.used || got.unreachable != want.unreachable ||
		got.unreachableBytes != want.unreachableBytes || got.top != want.top {
		t.Errorf("%s: %+v, MAT has %+v", name, got, want)
	}
	for i, w := range want.retained {
		if r := rank(t, g, uint64(w.id)); g.Retained(r) != w.retained || g.IDom(r) != graph.Root {
			t.Errorf("%s: %#x retains %d below %d, MAT has %d below the roots", name, uint64(w.id), g.Retained(r), g.IDom(r), w.retained)
		}
		if rows[i].retained != w.retained {
			t.Errorf("%s: number %d retains %d, MAT has %d", name, i+1, rows[i].retained, w.retained)
		}
	}
}

var matReference = map[string]matFacts{
	"layout-coop": {1180193, 53150672, 258, 7464, 3033, 72, []matRow{
		{0xc2361268, 52573192}, {0xc237aa88, 35480}, {0xc23c0e20, 33936}, {0xc23a25f0, 25096},
		{0xc236adf8, 18288}, {0xc2378bd0, 17256}, {0xc23b7458, 9296}, {0xc23670b0, 9232},
		{0xc237d9a0, 7960}, {0xc2360da0, 6952}, {0xc237ce70, 6712}, {0xc23636a8, 5656},
		{0xc2371748, 5184}, {0xc2365ff8, 5096}, {0xc237ce48, 4320}, {0xc238ca58, 4232},
		{0xc236e5e8, 4096}, {0xc2360f20, 3776}, {0xc236a0e8, 3696}, {0xc23c31e0, 3456},
		{0xc236e0e0, 3288}, {0xc237d968, 3128}, {0xc25024a8, 2912}, {0xc236a270, 2800},
		{0xc2370088, 2600},
	}},
	"layout-nocoop": {1180211, 66690960, 254, 10120, 3031, 136, []matRow{
		{0x7f1833febcb0, 65843472}, {0x7f18340e86b0, 55008}, {0x7f18340146c8, 36928}, {0x7f1834011630, 29480},
		{0x7f1833ffb098, 29416}, {0x7f18340c8f78, 25296}, {0x7f18340da368, 14968}, {0x7f1834018580, 13944},
		{0x7f1833ff4d38, 13064}, {0x7f1834017bb0, 11184}, {0x7f1833feb518, 10424}, {0x7f1834005e38, 8264},
		{0x7f18340006e8, 8176}, {0x7f183402c3c0, 7352}, {0x7f1833ff3288, 7016}, {0x7f1834017b70, 6984},
		{0x7f1833fef218, 6696}, {0x7f1833febba8, 6096}, {0x7f1833ff9d08, 5976}, {0x7f1833ffffc8, 5784},
		{0x7f18340ecc10, 4904}, {0x7f1834018520, 4856}, {0x7f1833ff9aa0, 4528}, {0x7f1834011140, 4184},
		{0x7f1833ff88b8, 4048},
	}},
	"jetty-blocking.live": {684853, 23802928, 2170, 100088, 54191, 72, []matRow{
		{0x8060bf48, 875232}, {0x806000a0, 642280}, {0x8069e8a8, 229720}, {0x80762000, 201920},
		{0xffe37228, 151200}, {0xffe26528, 148280}, {0xffe56098, 138272}, {0xffe72730, 120432},
		{0xffe2af88, 111296}, {0x80604988, 100192}, {0xffe25570, 93704}, {0x80016d60, 89480},
		{0x80600168, 82992}, {0xffe18e18, 50472}, {0x806f4790, 50184}, {0x807498e0, 44016},
		{0x8073cdc0, 39104}, {0x80708548, 37808}, {0xffe00770, 37048}, {0xffe6a220, 33936},
		{0xffe05d98, 32352}, {0x808f5d18, 25096}, {0x8060c190, 23168}, {0xffe56100, 21072},
		{0xffe2b8e8, 20784},
	}},
}
