//go:build unix

package graph_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"syscall"
	"testing"
	"time"

	"example.com/kneeline/heapdump/graph"
	"example.com/kneeline/heapdump/hprofgen"
)

// The tests here look at what is hard by its size. They take a minute and 2 GB, so they must
// be asked for by KNEELINE_LARGE.
func large(t *testing.T) {
	if os.Getenv("KNEELINE_LARGE") == "" {
		t.Skip("KNEELINE_LARGE is not set")
	}
}

// TestLargeQueue makes the graph of a queue of 5 million links that are held from
// elsewhere too, beside a quarter of it.
func TestLargeQueue(t *testing.T) {
	large(t)
	var times []time.Duration
	for _, n := range []int{1_250_000, 5_000_000} {
		data := queue(n)
		start := cpu()
		g := build(t, bytes.NewReader(data), graph.Options{}, 0)
		times = append(times, cpu()-start)
		t.Logf("%d links: %v of processor time, %+v", n, times[len(times)-1], g.Sums)
		g.Close()
	}
	t.Logf("4 times the length takes %.2f times the time", times[1].Seconds()/times[0].Seconds())
}

// TestLargeArray makes the graph of a dump with an array of a hundred million slots.
func TestLargeArray(t *testing.T) {
	large(t)
	start := cpu()
	g := build(t, wide(100_000_000), graph.Options{}, 0)
	t.Logf("an array of 100 million: %v, %+v", cpu()-start, g.Sums)
	if g.References < 100_000_000 {
		t.Error("references are missing")
	}
	g.Close()
}

func cpu() time.Duration {
	var r syscall.Rusage
	_ = syscall.Getrusage(0, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// queue is a chain of n links, each of which a second chain refers to from its other end.
func queue(n int) []byte {
	d := hprofgen.New(hprofgen.Options{Segment: 1 << 20})
	head := d.DeepList("p.Link", n)
	c := d.Class("p.Cursor", nil, f("link", obj), f("next", obj))
	var b *hprofgen.Bulk
	step := uint64(0)
	b = d.Bulk(c, n, func(i int, v []uint64) {
		v[0] = head + uint64(n-1-i)*step
		if i+1 < n {
			v[1] = b.At(i + 1)
		}
	})
	step = b.Step
	d.Root(0x07, head)
	d.Root(0x07, b.First)
	return d.Encode().Data
}

// wide is a dump with one array of n references to itself and to an object, which is made
// while it is read.
func wide(n int) io.Reader {
	d := hprofgen.New(hprofgen.Options{})
	one := d.String("one")
	array := d.Array("java.lang.Object", one)
	d.Root(0x07, array)
	data := d.Encode().Data
	// The record of the array is made longer, and the heap dump's with it.
	head := binary.BigEndian.AppendUint64([]byte{0x22}, array)
	at := bytes.Index(data, head)
	binary.BigEndian.PutUint32(data[at+13:], uint32(n))
	for i := 0; i < at; i++ {
		if data[i] == 0x0c && binary.BigEndian.Uint32(data[i+5:]) == uint32(len(data)-i-9) {
			binary.BigEndian.PutUint32(data[i+5:], uint32(len(data)-i-9+8*(n-1)))
			break
		}
	}
	slot := at + 25
	return io.MultiReader(bytes.NewReader(data[:slot]), &repeat{data[slot : slot+8], n * 8}, bytes.NewReader(data[slot+8:]))
}

// repeat gives the same bytes again and again.
type repeat struct {
	what []byte
	left int
}

func (r *repeat) Read(b []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := min(len(b), r.left)
	for i := range b[:n] {
		b[i] = r.what[(len(r.what)-r.left%len(r.what)+i)%len(r.what)]
	}
	r.left -= n
	return n, nil
}
