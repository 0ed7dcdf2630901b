package pending

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/kneeline/analyze/pending/pattern"
	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/hprof"
	"example.com/kneeline/heapdump/hprofgen"
)

func readCut(t *testing.T, in io.Reader) *heapdump.Heap {
	h, err := hprof.Read(context.Background(), in, hprof.Options{Keep: Keeper(pattern.Builtin())})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// What a cut dump refers to tells how much of it is there, the same for every way
// in which it is packed.
func TestCutTellsItsShare(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{})
	const n, each = 40, 200
	holder := d.Class("shop.Index", nil)
	rng := rand.New(rand.NewPCG(3, 4))
	var arrays []hprofgen.ID
	var items [][]hprofgen.ID
	for range n {
		arrays = append(arrays, d.Array("java.lang.Object", make([]hprofgen.ID, each)...))
		var some []hprofgen.ID
		for range each {
			some = append(some, d.Object(holder))
		}
		items = append(items, some)
	}
	for _, a := range arrays {
		for i := range each {
			some := items[rng.IntN(n)]
			d.SetAt(a, i, some[rng.IntN(each)])
		}
	}
	data := d.Encode().Data
	whole := readCut(t, bytes.NewReader(data))
	if in := inputOf(whole, "whole"); in.AtMost != nil || in.Missing != nil {
		t.Errorf("a dump with its end: %+v", in)
	}
	for _, part := range []float64{0.35, 0.5, 0.65, 0.8, 0.95} {
		cut := data[:int(part*float64(len(data)))]
		h := readCut(t, bytes.NewReader(cut))
		in := inputOf(h, "cut")
		want := float64(h.Objects) / float64(whole.Objects)
		if in.AtMost == nil || math.Abs(*in.AtMost-want) > 0.04 {
			t.Errorf("%.2f of the objects: %v", want, in.AtMost)
			continue
		}
		z, err := gzip.NewReader(bytes.NewReader(hprofgen.GzipBlocks(cut, 1<<15)))
		if err != nil {
			t.Fatal(err)
		}
		if packed := inputOf(readCut(t, z), "cut"); *packed.AtMost != *in.AtMost || (packed.Missing == nil) != (in.Missing == nil) {
			t.Errorf("packed %+v, plain %+v", packed, in)
		}
	}
}

// A record that is longer than what is left says how much is missing.
func TestCutTellsWhatIsMissing(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{})
	d.Small(3000)
	data := d.Encode().Data
	for _, less := range []int{2000, 20_000} {
		h := readCut(t, bytes.NewReader(data[:len(data)-less]))
		if h.Complete || h.Missing <= 0 || h.Missing > int64(less) {
			t.Errorf("%d bytes less: %d are missing", less, h.Missing)
		}
	}
}

// The entries of a queue that was cut are those that it says itself, and its ages
// go on as they began. What it says is believed within reason.
func TestCutQueue(t *testing.T) {
	for _, c := range []struct{ says, entries int }{{20_000, 20_000}, {math.MaxInt32, 1_001_000}} {
		w := newWorld()
		items := w.orders(1000, 40, 38)
		rest := heapdump.ID(1 << 40) // a node that is not there
		next := rest
		for _, id := range slices.Backward(items) {
			next = w.New(w.lbqNode, map[string]any{"item": id, "next": next})
		}
		queue := w.New(w.lbq, map[string]any{"capacity": math.MaxInt32, "head": w.New(w.lbqNode, map[string]any{"next": next}),
			"count": w.New(w.atomic, map[string]any{"value": c.says})})
		w.New(w.tpe, map[string]any{"workQueue": queue, "corePoolSize": 8, "maximumPoolSize": 8})
		h := w.Heap()
		h.Complete = false
		q := Analyze(h, Options{}).Queues[0]
		if c.says == c.entries && q.Entries != int64(c.says) || q.Entries > 1000*h.Objects {
			t.Errorf("says %d, counted 1,000: %d entries", c.says, q.Entries)
		}
		if q.Age == nil || c.says == 20_000 && (math.Abs(q.Age.Head-40) > 0.1 || q.Age.Tail > 1 || math.Abs(q.Age.Median-20) > 1) {
			t.Errorf("ages %+v", q.Age)
		}
	}
}
