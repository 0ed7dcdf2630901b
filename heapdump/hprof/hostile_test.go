package hprof_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/hprof"
	"example.com/kneeline/heapdump/hprofgen"
)

// The tests here feed the reader what no VM writes. Whatever it gets, it says in
// words what is wrong or counts what it lost, keeps within its bounds, and never
// panics.

func everything(*heapdump.Heap, int) heapdump.Keep { return heapdump.Keep{Mode: heapdump.KeepWhole} }

// read reads data and holds the answer against what must be true of any. It
// returns nil when the reader refused the dump.
func read(t *testing.T, what string, data []byte) *heapdump.Heap {
	t.Helper()
	h, err := hprof.Read(context.Background(), bytes.NewReader(data), hprof.Options{Keep: everything})
	if err != nil {
		if h != nil || strings.ContainsAny(err.Error(), "\n\x00") || !strings.Contains(err.Error(), "expected") {
			t.Fatalf("%s: heap %v and error %q", what, h != nil, err)
		}
		return nil
	}
	t.Cleanup(func() { h.Close() })
	sound(t, what, h, int64(len(data)))
	return h
}

// sound holds a heap against itself.
func sound(t *testing.T, what string, h *heapdump.Heap, size int64) {
	t.Helper()
	if h.Read > size || h.Read < 0 {
		t.Fatalf("%s: read %d of %d bytes", what, h.Read, size)
	}
	if h.Complete == (h.Why != "") {
		t.Fatalf("%s: complete %v, but %q", what, h.Complete, h.Why)
	}
	var objects, bytes int64
	for i, c := range h.Classes {
		if c.Index != i || c.Instances < 0 || c.Bytes < 0 {
			t.Fatalf("%s: class %d: %+v", what, i, c)
		}
		objects += c.Instances
		bytes += c.Bytes
		h.IsA(i, "no class")
		for in := range h.Instances(i) {
			for j := range in.Class.Columns {
				in.At(j)
			}
			h.ClassOf(in.ID)
		}
	}
	if h.Objects != objects || h.Bytes != bytes {
		t.Fatalf("%s: %d objects of %d bytes, but classes add up to %d of %d", what, h.Objects, h.Bytes, objects, bytes)
	}
	for a := range h.Arrays(-1) {
		if a.Filled < 0 || int64(a.Filled) > int64(a.Length) || int64(len(a.Refs)) > int64(a.Length) {
			t.Fatalf("%s: array %+v", what, a)
		}
	}
	for _, l := range h.Losses {
		if l.Count <= 0 || l.What == "" || l.At > size {
			t.Fatalf("%s: loss %+v", what, l)
		}
	}
	if err := h.Store.Err(); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// shapes are dumps that differ in how they are written.
func shapes() map[string]hprofgen.File {
	small := hprofgen.New(hprofgen.Options{Segment: 400})
	tasks := small.Tasks("com.example.Task", 12, 8, func(i int) int64 { return hprofgen.Taken.UnixMilli() - int64(i) })
	thread := small.Thread("worker", nil, hprofgen.At("com.example.Handler", "run", 3))
	thread.Local(0, tasks[0])
	small.ThreadPoolExecutor(1, 1, small.LinkedBlockingQueue(100, tasks...), thread)
	small.ArrayBlockingQueue(120, tasks...)
	files := map[string]hprofgen.File{"small": small.Encode()}
	for name, opt := range map[string]hprofgen.Options{
		"one record":   {},
		"ids of 4":     {IDSize: 4, Version: "JAVA PROFILE 1.0.1", CharStrings: true, Segment: 5000},
		"roots first":  {RootsFirst: true, Segment: 3000},
		"classes last": {ClassesLast: true, Segment: 3000},
	} {
		files[name] = hprofgen.Everything(opt).Encode()
	}
	return files
}

// headLength is how long the head of the dumps here is.
const headLength = 31

// TestCut guards that a dump that ends anywhere gives what there is of it and
// says that it is not all.
func TestCut(t *testing.T) {
	for name, f := range shapes() {
		t.Run(name, func(t *testing.T) {
			whole := read(t, "whole", f.Data)
			if !whole.Complete {
				t.Fatalf("whole: %s", whole.Why)
			}
			r := rand.New(rand.NewPCG(1, 2))
			var last int64
			for i, at := range f.Records {
				if name != "small" && r.IntN(len(f.Records)) > 15 {
					continue
				}
				for _, cut := range []int{at, at + 1 + r.IntN(64)} {
					if cut >= len(f.Data) || cut < headLength {
						continue
					}
					what := fmt.Sprintf("cut at %d of %d", cut, len(f.Data))
					h := read(t, what, f.Data[:cut])
					if h == nil {
						t.Fatalf("%s: refused", what)
					}
					if h.Complete && cut < f.Records[len(f.Records)-2] {
						t.Fatalf("%s: said to be complete", what)
					}
					if h.Objects > whole.Objects {
						t.Fatalf("%s: %d objects of %d", what, h.Objects, whole.Objects)
					}
					if cut == at && i > 0 {
						if h.Objects < last {
							t.Fatalf("%s: %d objects, a shorter piece had %d", what, h.Objects, last)
						}
						last = h.Objects
					}
					h.Close()
				}
			}
		})
	}
}

// TestCutInHead guards that what is no dump is refused in words.
func TestCutInHead(t *testing.T) {
	data := hprofgen.New(hprofgen.Options{}).Encode().Data
	for cut := range headLength {
		if h := read(t, fmt.Sprint("cut at ", cut), data[:cut]); h != nil {
			t.Errorf("a head of %d bytes was read", cut)
		}
	}
	for what, head := range map[string]string{
		"another version": "JAVA PROFILE 9.9.9\x00\x00\x00\x00\x08\x00\x00\x00\x00\x00\x00\x00\x00",
		"ids of 0":        "JAVA PROFILE 1.0.2\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
		"ids of 2^31":     "JAVA PROFILE 1.0.2\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
		"text":            strings.Repeat("java profile", 100),
		"zeros":           strings.Repeat("\x00", 100),
	} {
		if h := read(t, what, []byte(head)); h != nil {
			t.Errorf("%s was read", what)
		}
	}
}

// TestLies guards against lengths and counts that are not true: each of a dump in
// turn is replaced.
func TestLies(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, f := range shapes() {
		t.Run(name, func(t *testing.T) {
			for _, at := range f.Records[:len(f.Records)-1] {
				if name != "small" && r.IntN(len(f.Records)) > 20 {
					continue
				}
				for range 1 + r.IntN(2) {
					data := bytes.Clone(f.Data)
					field := data[min(at+1+r.IntN(40), len(data)-4):]
					lie := []uint32{0, 1, 0xffff, 1 << 24, 100_000_000, 1 << 30, 1<<31 - 1, 1 << 31, 1<<32 - 1, binary.BigEndian.Uint32(field) + 1, binary.BigEndian.Uint32(field) - 1}
					binary.BigEndian.PutUint32(field, lie[r.IntN(len(lie))])
					if h := read(t, fmt.Sprintf("a lie near %d", at), data); h != nil {
						h.Close()
					}
				}
			}
		})
	}
}

// TestNoise guards against changed bytes anywhere.
func TestNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for name, f := range shapes() {
		for i := range 12 {
			data := bytes.Clone(f.Data)
			for range 1 + r.IntN(20) {
				data[headLength+r.IntN(len(data)-headLength)] = byte(r.Uint32())
			}
			if h := read(t, fmt.Sprintf("%s, noise %d", name, i), data); h != nil {
				h.Close()
			}
		}
	}
}

// allocated is what reading data allocates in all, an upper bound of what it
// needs at any time; and the heap, nil when refused.
func allocated(t *testing.T, what string, data []byte) (uint64, *heapdump.Heap) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	h := read(t, what, data)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, h
}

// TestClaims guards memory against what a few bytes claim: it stays near that of
// reading an honest dump of the same length, and what was claimed is not counted.
func TestClaims(t *testing.T) {
	base, _ := allocated(t, "honest", hprofgen.New(hprofgen.Options{}).Encode().Data)
	const room = 16 << 20
	u4 := func(v uint32) []byte { return binary.BigEndian.AppendUint32(nil, v) }
	id := func(v uint64) []byte { return binary.BigEndian.AppendUint64(nil, v) }
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	// nothing is lost by these: no object is behind what they claim
	harmless := map[string]bool{"class loaded over and over": true, "trace of a billion frames": true}
	tests := map[string]func(d *hprofgen.Dump){
		"object array of 1e8":       func(d *hprofgen.Dump) { d.Claim(d.Array("java.lang.Object"), 100_000_000) },
		"object array of 2^32-1":    func(d *hprofgen.Dump) { d.Claim(d.Array("java.lang.Object"), 1<<32-1) },
		"byte array of 1e8":         func(d *hprofgen.Dump) { d.Claim(d.Bytes(nil), 100_000_000) },
		"long array of 2^32-1":      func(d *hprofgen.Dump) { d.Claim(d.Longs(), 1<<32-1) },
		"string of 4 GB":            func(d *hprofgen.Dump) { d.Early(0x01, 1<<32-1, id(77)...) },
		"string without id":         func(d *hprofgen.Dump) { d.Early(0x01, 3, 1, 2, 3) },
		"load class of 4 GB":        func(d *hprofgen.Dump) { d.Early(0x02, 1<<32-1, u4(1)...) },
		"trace of a billion frames": func(d *hprofgen.Dump) { d.Early(0x05, 12, join(u4(5), u4(1), u4(1_000_000_000))...) },
		"class of a billion fields": func(d *hprofgen.Dump) {
			d.Sub(join([]byte{0x20}, id(0x123450), u4(1), make([]byte, 6*8), u4(8), []byte{0, 0, 0, 0, 0xff, 0xff})...)
		},
		"class of 65535 statics": func(d *hprofgen.Dump) {
			d.Sub(join([]byte{0x20}, id(0x123450), u4(1), make([]byte, 6*8), u4(8), []byte{0, 0, 0xff, 0xff})...)
		},
		"instance of 4 GB": func(d *hprofgen.Dump) {
			d.Sub(join([]byte{0x21}, id(0x123450), u4(1), id(0x7_0000_0000), u4(1<<32-1))...)
		},
		"heap dump of 4 GB": func(d *hprofgen.Dump) { d.Lying(0x0c, 1<<32-1) },
		"unknown of 4 GB":   func(d *hprofgen.Dump) { d.Lying(0x77, 1<<32-1) },
		"class loaded over and over": func(d *hprofgen.Dump) {
			for i := range uint32(20_000) {
				d.Early(0x02, 24, join(u4(i), id(uint64(i)*8), u4(1), id(1))...)
			}
		},
	}
	for what, lie := range tests {
		d := hprofgen.New(hprofgen.Options{})
		honest := d.Truth().Objects
		lie(d)
		data := d.Encode().Data
		n, h := allocated(t, what, data)
		if n > base+room+20*uint64(len(data)) {
			t.Errorf("%s: %d MiB allocated for %d bytes, %d MiB for an honest dump", what, n>>20, len(data), base>>20)
		}
		if h == nil {
			t.Errorf("%s: refused; the rest of the dump is sound", what)
			continue
		}
		if h.Complete && len(h.Losses) == 0 && !harmless[what] {
			t.Errorf("%s: nothing said", what)
		}
		if h.Objects > honest+2 || h.Bytes > 1<<20 {
			t.Errorf("%s: %d objects of %d bytes were counted", what, h.Objects, h.Bytes)
		}
	}
}

// TestManyRecords guards tables against floods of small true records.
func TestManyRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("a flood takes a second")
	}
	head := hprofgen.New(hprofgen.Options{}).Encode().Data[:headLength]
	one := make([]byte, 9+8)
	one[0], one[8] = 0x01, 8
	flood := io.MultiReader(bytes.NewReader(head), &repeat{unit: one, n: 2_000_000, next: func(i int, b []byte) { binary.BigEndian.PutUint64(b[9:], uint64(i)) }})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	h, err := hprof.Read(context.Background(), flood, hprof.Options{})
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if kept := int64(after.HeapAlloc) - int64(before.HeapAlloc); kept > 512<<20 {
		t.Errorf("%d MiB kept of 2,000,000 empty strings", kept>>20)
	}
	h.Close()
}

// repeat is a unit n times, changed each time.
type repeat struct {
	unit []byte
	n, i int
	next func(i int, b []byte)
	rest []byte
}

func (r *repeat) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if len(r.rest) == 0 {
			if r.i == r.n {
				if n == 0 {
					return 0, io.EOF
				}
				break
			}
			r.next(r.i, r.unit)
			r.i++
			r.rest = r.unit
		}
		m := copy(p[n:], r.rest)
		r.rest = r.rest[m:]
		n += m
	}
	return n, nil
}

// TestNowhere guards against identifiers that lead nowhere, or round in circles.
func TestNowhere(t *testing.T) {
	tests := map[string]struct {
		make  func(d *hprofgen.Dump)
		class string // that is still found, with so many instances
		n     int64
	}{
		"references to nothing": {func(d *hprofgen.Dump) {
			d.LinkedBlockingQueue(10, 0xdead_beef, 8, 1, ^uint64(0))
			d.Array("java.lang.Object", 0xdead_beef, ^uint64(0)-7)
		}, "java.util.concurrent.LinkedBlockingQueue$Node", 5},
		"a chain in a circle": {func(d *hprofgen.Dump) {
			c := d.Class("com.example.Link", nil, hprofgen.F("next", hprofgen.Object))
			var all []uint64
			for range 300 {
				all = append(all, d.Object(c))
			}
			for i := range all {
				d.Set(all[i], "next", all[(i+1)%len(all)])
			}
		}, "com.example.Link", 300},
		"superclasses in a circle": {func(d *hprofgen.Dump) {
			a := d.Class("com.example.A", nil, hprofgen.F("x", hprofgen.Int))
			b := d.Class("com.example.B", a, hprofgen.F("y", hprofgen.Int))
			self := d.Class("com.example.Self", nil, hprofgen.F("z", hprofgen.Int))
			d.Object(b)
			d.Object(a)
			d.Object(self)
			a.ClaimedSuper, self.ClaimedSuper = b.ID, self.ID
		}, "com.example.B", 1},
		"class not described": {func(d *hprofgen.Dump) {
			c := d.Class("com.example.Ghost", nil, hprofgen.F("x", hprofgen.Int))
			c.Missing = true
			for range 7 {
				d.Object(c)
			}
		}, "com.example.Ghost", 7},
		"superclass not described": {func(d *hprofgen.Dump) {
			c := d.Class("com.example.Base", nil, hprofgen.F("x", hprofgen.Int))
			e := d.Class("com.example.Derived", c, hprofgen.F("y", hprofgen.Long))
			c.Missing = true
			for range 7 {
				d.Object(e)
			}
		}, "com.example.Derived", 7},
		"two classes of a name": {func(d *hprofgen.Dump) {
			d.Object(d.Class("com.example.Twin", nil))
			d.Object(d.Twin("com.example.Twin", nil))
		}, "com.example.Twin", 2},
		"roots of nothing": {func(d *hprofgen.Dump) {
			d.Root(0x08, 0xdead_beef, 999, 999)
			d.Root(0x03, 0xdead_beef, 12345, 1<<32-1)
			d.Root(0x02, 1, 0, 7)
			d.Root(0x07, 2)
			d.RootJNI(3, 4)
		}, "java.lang.Class", 3},
		"a thread twice": {func(d *hprofgen.Dump) {
			t := d.Thread("virtual", nil, hprofgen.At("com.example.V", "run", 1))
			d.ThreadOf(t.ID, hprofgen.At("com.example.V", "run", 1))
		}, "java.lang.Thread", 1},
	}
	for what, tt := range tests {
		t.Run(what, func(t *testing.T) {
			d := hprofgen.New(hprofgen.Options{})
			tt.make(d)
			h := read(t, what, d.Encode().Data)
			var n int64
			for _, i := range h.ClassNamed(tt.class) {
				n += h.Classes[i].Instances
			}
			if n < tt.n {
				t.Errorf("%d of %s, want %d; losses %v", n, tt.class, tt.n, h.Losses)
			}
		})
	}
}

// TestSlowAndBroken guards that how bytes arrive makes no difference, and that
// what cannot be read further is said.
func TestSlowAndBroken(t *testing.T) {
	f := shapes()["one record"]
	want := read(t, "whole", f.Data)
	for what, r := range map[string]io.Reader{
		"one by one": iotest.OneByteReader(bytes.NewReader(f.Data)),
		"with end":   iotest.DataErrReader(bytes.NewReader(f.Data)),
	} {
		h, err := hprof.Read(context.Background(), r, hprof.Options{})
		if err != nil || h.Objects != want.Objects || !h.Complete {
			t.Fatalf("%s: %v, %v", what, h, err)
		}
		h.Close()
	}
	h, err := hprof.Read(context.Background(), io.MultiReader(bytes.NewReader(f.Data[:len(f.Data)/2]), iotest.ErrReader(io.ErrNoProgress)), hprof.Options{})
	if err != nil || h.Complete || !strings.Contains(h.Why, io.ErrNoProgress.Error()) {
		t.Fatalf("broken: %v", err)
	}
	h.Close()
}
