package hprof

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/hprofgen"
)

func theClass(t *testing.T, h *heapdump.Heap, name string) *heapdump.Class {
	t.Helper()
	list := h.ClassNamed(name)
	if len(list) != 1 {
		t.Fatalf("%d classes %s", len(list), name)
	}
	return h.Classes[list[0]]
}

// Of classes with many instances those are kept that form chains or carry times.
func TestKeepsChainsAndTimes(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{Segment: 20_000})
	chain := d.Class("p.Chain", nil, hprofgen.F("after", hprofgen.Object))
	stamp := d.Class("p.Stamp", nil, hprofgen.F("v", hprofgen.Long))
	plain := d.Class("p.Plain", nil, hprofgen.F("v", hprofgen.Long), hprofgen.F("o", hprofgen.Object))
	few := d.Class("p.Few", nil, hprofgen.F("v", hprofgen.Int))
	named := d.Class("p.Named", nil, hprofgen.F("next", hprofgen.Object))
	var last uint64
	for i := range 3 * smallKept {
		last = d.Object(chain, "after", last)
		d.Object(stamp, "v", hprofgen.Taken.UnixMilli()-int64(i))
		d.Object(plain, "v", i, "o", last)
		d.Object(named)
	}
	d.Object(few, "v", -5)
	h := read(t, bytes.NewReader(d.Encode().Data), Options{chunk: 30_000})
	truth(t, h, d.Truth())
	for name, want := range map[string]int64{
		"p.Chain": 3 * smallKept, "p.Stamp": 3 * smallKept, "p.Plain": 0, "p.Named": 3 * smallKept, "p.Few": 1,
	} {
		c := theClass(t, h, name)
		n := int64(0)
		for range h.Instances(c.Index) {
			n++
		}
		if c.Kept != want || n != want || (want == 0) != (len(c.Columns) == 0) {
			t.Errorf("%s: %d kept, %d found, want %d; columns %v", name, c.Kept, n, want, c.Columns)
		}
	}
	seen, ended := h.Walk(heapdump.ID(last), "after", 1<<20, func(heapdump.Instance) bool { return true })
	if seen != 3*smallKept || !ended {
		t.Errorf("the chain has %d items, ended %v", seen, ended)
	}
	if _, ok := h.Instance(heapdump.ID(last)); !ok {
		t.Error("the head of the chain is not found")
	}
}

// Who keeps says what; each class is asked about once, superclasses known.
func TestKeep(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{})
	base := d.Class("p.Base", nil, hprofgen.F("x", hprofgen.Short), hprofgen.F("name", hprofgen.Object))
	sub := d.Class("p.Sub", base, hprofgen.F("y", hprofgen.Double), hprofgen.F("name", hprofgen.Object), hprofgen.F("c", hprofgen.Char))
	id := d.Object(sub, "x", -3, "y", 1.5, "name", 0x77, "p.Base#name", 0x88, "c", 0xffff)
	other := d.Object(base, "x", 4)
	asked := map[string]int{}
	keep := func(h *heapdump.Heap, i int) heapdump.Keep {
		asked[h.Classes[i].Name]++
		switch {
		case h.Classes[i].Name == "p.Base":
			return heapdump.Keep{Mode: heapdump.KeepNothing}
		case h.IsA(i, "p.Base"):
			return heapdump.Keep{Mode: heapdump.KeepFields, Fields: []string{"p.Base#name", "y", "x", "c", "absent"}}
		}
		return heapdump.Keep{}
	}
	h := read(t, bytes.NewReader(d.Encode().Data), Options{Keep: keep})
	in, ok := h.Instance(heapdump.ID(id))
	if !ok {
		t.Fatal("p.Sub is not kept")
	}
	y, ok1 := in.Float("y")
	x, ok2 := in.Int("x")
	name, ok3 := in.Ref("name")
	c, ok4 := in.Int("c")
	if y != 1.5 || x != -3 || name != 0x88 || c != 0xffff || !ok1 || !ok2 || !ok3 || !ok4 {
		t.Errorf("y %v, x %d, name %x, c %d", y, x, name, c)
	}
	if _, ok := in.Ref("p.Sub#name"); ok {
		t.Error("a field was kept that nobody asked for")
	}
	if _, ok := h.Instance(heapdump.ID(other)); ok {
		t.Error("p.Base was kept")
	}
	if got, ok := h.ClassOf(heapdump.ID(other)); !ok || h.Classes[got].Name != "p.Base" {
		t.Errorf("p.Base is of class %d, %v", got, ok)
	}
	for name, n := range asked {
		if n != 1 {
			t.Errorf("asked %d times about %s", n, name)
		}
	}
	if asked["p.Sub"] != 1 {
		t.Error("not asked about p.Sub")
	}
}

// Objects of classes that nothing describes are counted, found, and said.
func TestUndescribedClass(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{})
	c := d.Class("p.Missing", nil, hprofgen.F("x", hprofgen.Int))
	c.Missing = true
	id := d.Object(c)
	h := read(t, bytes.NewReader(d.Encode().Data), Options{})
	got := h.Classes[mustClass(t, h, id)]
	if !got.Undescribed || got.Instances != 1 || got.Name != "p.Missing" {
		t.Errorf("class %+v", got)
	}
	if len(h.Losses) != 1 || h.Losses[0].Count != 1 || h.Losses[0].What != lossWords[lossUndescribed] {
		t.Errorf("losses %v", h.Losses)
	}
}

func mustClass(t *testing.T, h *heapdump.Heap, id uint64) int {
	t.Helper()
	i, ok := h.ClassOf(heapdump.ID(id))
	if !ok {
		t.Fatalf("no class of %x", id)
	}
	return i
}

// Arrays longer than a chunk are looked at as they go by.
func TestGiantArrays(t *testing.T) {
	for _, o := range []hprofgen.Options{{}, {Segment: 1000}, {IDSize: 4}, {HeapLength: func(uint32) uint32 { return 0 }}} {
		d := hprofgen.New(o)
		x := d.Object(d.Class("p.X", nil))
		refs := make([]uint64, 9001)
		for i := range refs {
			if i%3 != 1 {
				refs[i] = x
			}
		}
		big := d.Array("p.X", refs...)
		long := d.Primitive(hprofgen.Long, 70_000)
		after := d.Object(d.Class("p.X", nil))
		h := read(t, bytes.NewReader(d.Encode().Data), Options{chunk: 5000})
		if !h.Complete || len(h.Losses) > 0 {
			t.Errorf("%v: complete %v %s, losses %v", o, h.Complete, h.Why, h.Losses)
		}
		truth(t, h, d.Truth())
		a, ok := h.Array(heapdump.ID(big))
		if !ok || a.Length != 9001 || a.Filled != 6001 || a.Sampled() || len(a.Refs) != 9001 {
			t.Fatalf("array %v: %d of %d filled, %d kept", ok, a.Filled, a.Length, len(a.Refs))
		}
		for i, r := range a.Refs {
			if uint64(r) != refs[i] {
				t.Fatalf("slot %d is %x, want %x", i, r, refs[i])
			}
		}
		if len(h.Biggest) == 0 || uint64(h.Biggest[0].ID) != long || h.Biggest[0].Bytes != 560_016 && o.IDSize == 0 {
			t.Errorf("biggest %+v", h.Biggest)
		}
		mustClass(t, h, long)
		mustClass(t, h, after)
	}
}

// Slots that come in parts of any length are put together, and sampled evenly.
func TestSlots(t *testing.T) {
	var data []byte
	for i := range uint64(1000) {
		data = binary.BigEndian.AppendUint64(data, i%2*(i+1))
	}
	for _, part := range []int{1, 3, 8, 100, 8000} {
		s := slots{form: newForm(8), g: &giant{step: 3}, on: true}
		for rest := data; len(rest) > 0; {
			n := min(part, len(rest))
			s.take(rest[:n])
			rest = rest[n:]
		}
		if s.g.filled != 500 || len(s.g.refs) != 334 || s.g.refs[1] != 4 || s.g.refs[333] != 1000 {
			t.Errorf("parts of %d: %d filled, %d kept", part, s.g.filled, len(s.g.refs))
		}
	}
}

// zeros is an endless reader of zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// A heap dump above 4 GiB has its length modulo 2^32 and is read to its end.
func TestLengthOverflow(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 4 GiB")
	}
	d := hprofgen.New(hprofgen.Options{})
	d.Object(d.Class("p.X", nil))
	data := d.Encode().Data
	at := bytes.LastIndexByte(data[:len(data)-1], recHeapDump)
	for at >= 0 && int(be.Uint32(data[at+5:])) != len(data)-at-9 {
		at = bytes.LastIndexByte(data[:at], recHeapDump)
	}
	const length = 1<<32 - 5
	array := binary.BigEndian.AppendUint64([]byte{subPrimitives}, 0x10_0000_0000)
	array = binary.BigEndian.AppendUint32(append(array, 0, 0, 0, 0), length)
	array = append(array, 8)
	total := int64(len(data)-at-9) + int64(len(array)) + length
	head := append([]byte{}, data...)
	binary.BigEndian.PutUint32(head[at+5:], uint32(total))
	in := io.MultiReader(bytes.NewReader(head), bytes.NewReader(array), io.LimitReader(zeros{}, length))
	h := read(t, in, Options{})
	if !h.Complete || len(h.Losses) > 0 || h.Read != int64(len(head)+len(array))+length {
		t.Errorf("complete %v %s, read %d, losses %v", h.Complete, h.Why, h.Read, h.Losses)
	}
	if c := theClass(t, h, "byte[]"); c.Bytes < length {
		t.Errorf("byte[] takes %d", c.Bytes)
	}
}

// Only the first heap dump of a file counts.
func TestSecondDump(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{})
	d.Object(d.Class("p.X", nil))
	first := d.Encode().Data
	want := d.Truth()
	for what, data := range map[string][]byte{
		"record": append(append([]byte{}, first...), 0x0c, 0, 0, 0, 0, 0, 0, 0, 9, 5, 0, 0, 0, 0, 0, 0, 0, 1),
		"file":   append(append([]byte{}, first...), first...),
	} {
		h := read(t, bytes.NewReader(data), Options{})
		truth(t, h, want)
		if len(h.Losses) != 1 || h.Losses[0].What != lossWords[lossOtherDump] {
			t.Errorf("%s: losses %v", what, h.Losses)
		}
	}
}

// After garbage in a segment reading goes on with the next.
func TestResync(t *testing.T) {
	for _, zero := range []bool{false, true} {
		o := hprofgen.Options{Segment: 500}
		if zero {
			o.HeapLength = func(uint32) uint32 { return 0 }
		}
		d := hprofgen.New(o)
		x := d.Class("p.X", nil, hprofgen.F("a", hprofgen.Long))
		for range 1000 {
			d.Object(x)
		}
		file := d.Encode()
		data := append([]byte{}, file.Data...)
		data[file.Records[len(file.Records)/2]] = 0x66
		h := read(t, bytes.NewReader(data), Options{})
		n := theClass(t, h, "p.X").Instances
		if len(h.Losses) != 1 || h.Losses[0].What != lossWords[lossGarbage] || n < 900 || n >= 1000 || !h.Complete {
			t.Errorf("zero %v: %d instances, complete %v %s, losses %v", zero, n, h.Complete, h.Why, h.Losses)
		}
	}
}

// An interrupted reading gives what was read.
func TestInterrupted(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{Segment: 1000})
	x := d.Class("p.X", nil)
	for range 5000 {
		d.Object(x)
	}
	data := d.Encode().Data
	ctx, cancel := context.WithCancel(context.Background())
	last := int64(0)
	o := Options{chunk: 5000, Progress: func(n int64) {
		if n < last {
			t.Errorf("progress went from %d to %d", last, n)
		}
		if last = n; n > int64(len(data)/2) {
			cancel()
		}
	}}
	h, err := Read(ctx, bytes.NewReader(data), o)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	n := theClass(t, h, "p.X").Instances
	if h.Complete || h.Why == "" || n < 1000 || n > 4000 || h.Read >= int64(len(data)) || last != h.Read {
		t.Errorf("complete %v %q, %d instances, read %d of %d, progress %d", h.Complete, h.Why, n, h.Read, len(data), last)
	}
}

// A stream that fails says how.
func TestFailingStream(t *testing.T) {
	data := hprofgen.Everything(hprofgen.Options{}).Encode().Data
	broken := errors.New("the pipe is gone")
	in := io.MultiReader(bytes.NewReader(data[:len(data)/2]), iotest.ErrReader(broken))
	h := read(t, in, Options{})
	if h.Complete || !strings.Contains(h.Why, broken.Error()) || h.Objects == 0 {
		t.Errorf("complete %v %q, %d objects", h.Complete, h.Why, h.Objects)
	}
	if _, err := Read(context.Background(), iotest.ErrReader(broken), Options{}); err == nil {
		t.Error("no error from a stream that cannot be read")
	}
}

// What is no dump is an error that says what was expected and found.
func TestNoDump(t *testing.T) {
	for _, in := range []string{
		"", "JAVA", "{\"json\": 1}", "JAVA PROFILE 1.0.2", "JAVA PROFILE 1.0.2\x00\x00\x00\x00\x08",
		"JAVA PROFILE 1.0.2\x00\x00\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00\x00",
	} {
		h, err := Read(context.Background(), strings.NewReader(in), Options{})
		if err == nil || h != nil || !strings.Contains(err.Error(), "expected") {
			t.Errorf("%q: %v, %v", in, h, err)
		}
	}
}

// Equal texts are found; their contents only when values may be kept.
func TestTexts(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{})
	for i := range 300 {
		d.String("a text of 24 characters!")
		d.String(strings.Repeat("x", i+1))
	}
	data := d.Encode().Data
	for _, values := range []bool{false, true} {
		h := read(t, bytes.NewReader(data), Options{Values: values})
		x := h.Texts
		if x.Arrays != 600 || x.Share != 1 || x.Distinct != 301 || x.Wasted != 299*40 || len(x.Top) != 1 {
			t.Fatalf("texts %+v", x)
		}
		want := heapdump.Duplicate{Count: 300, BytesEach: 40}
		if values {
			want.Text = "a text of 24 characters!"
		}
		if x.Top[0] != want {
			t.Errorf("top %+v", x.Top[0])
		}
	}
}

// The sample stays within its bound and estimates what there is.
func TestSketchBounded(t *testing.T) {
	k := newSketch()
	const distinct = 20 * maxSampled
	for round := range 2 {
		var batch []sample
		for i := range uint64(distinct) {
			if round == 1 && i%2 == 0 {
				continue
			}
			batch = append(batch, sample{hash: mix(i, 1), sum: mix(i, 2), typ: 8, n: 10})
		}
		k.add(batch)
	}
	if k.used >= maxSampled || k.bound == 0 {
		t.Fatalf("%d contents, bound %x", k.used, k.bound)
	}
	twice := 0
	for _, c := range k.slots {
		if c.count > 2 {
			t.Fatalf("a content was counted %d times", c.count)
		}
		if c.count == 2 {
			twice++
		}
	}
	share := float64(k.bound) / (1 << 63) / 2
	got := float64(k.used) / share
	// The sample's error is about 1/sqrt(used): below 1 %; allow 5 times that.
	if got < 0.95*distinct || got > 1.05*distinct || twice < k.used*45/100 || twice > k.used*55/100 {
		t.Errorf("%.0f contents estimated of %d; %d of %d twice", got, distinct, twice, k.used)
	}
}

// Contents that differ have sums that differ, of all lengths and in each byte.
func TestContentHash(t *testing.T) {
	seen := map[uint64]string{}
	check := func(b []byte) {
		h := contentHash(b)
		if other, ok := seen[h]; ok && other != string(b) {
			t.Fatalf("%q and %q have the same sum", b, other)
		}
		seen[h] = string(b)
	}
	for n := range 100 {
		b := bytes.Repeat([]byte("x"), n)
		check(b)
		for i := range b {
			b[i] = 'y'
			check(b)
			b[i] = 'x'
		}
	}
}

// A dump in the order of the graph gets an index in the order of addresses, and
// everything is still found.
func TestStraighten(t *testing.T) {
	d := hprofgen.New(hprofgen.Options{Shuffle: true, Segment: 2000})
	x := d.Class("p.X", nil, hprofgen.F("v", hprofgen.Int))
	want := map[uint64]int{}
	for i := range smallKept - 100 {
		want[d.Object(x, "v", i)] = i
	}
	for _, memory := range []int64{0, 1} {
		h := read(t, bytes.NewReader(d.Encode().Data), Options{chunk: 4000, Memory: memory, TempDir: t.TempDir()})
		if s := h.Store.(*store); s.tangled() || s.index[0].part.origins == 0 {
			t.Fatal("the index was not made anew")
		}
		for id, v := range want {
			in, ok := h.Instance(heapdump.ID(id))
			if !ok {
				t.Fatalf("%x is not found", id)
			}
			if got, _ := in.Int("v"); got != v {
				t.Fatalf("%x has %d, want %d", id, got, v)
			}
		}
		for id := range h.Instances(theClass(t, h, "p.X").Index) {
			if _, ok := h.ClassOf(id.ID + 1); ok {
				t.Fatalf("an object was found at %x", id.ID+1)
			}
		}
	}
}
