package layout

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// TestSizesOfHotSpot guards the rules against sizes that jmap -histo printed for
// JDK 17 (packed) under the layouts of its flags; columns are references of 4
// bytes, of 8, and 8 with class pointers of 8.
func TestSizesOfHotSpot(t *testing.T) {
	tests := []struct {
		name  string
		chain []Fields // superclass first
		sizes [3]uint64
	}{
		{"Object", nil, [3]uint64{16, 16, 16}},
		{"String", []Fields{{Refs: 1, Bytes4: 1, Bytes1: 2}}, [3]uint64{24, 32, 32}},
		{"HashMap", []Fields{{Refs: 2}, {Refs: 2, Bytes4: 4}}, [3]uint64{48, 64, 64}},
		{"HashMap$Node", []Fields{{Refs: 3, Bytes4: 1}}, [3]uint64{32, 40, 48}},
		{"AtomicLong", []Fields{{}, {Bytes8: 1}}, [3]uint64{24, 24, 24}},
		{"byte, then long and byte, then reference and two shorts", []Fields{
			{Bytes1: 1}, {Bytes8: 1, Bytes1: 1}, {Refs: 1, Bytes2: 2},
		}, [3]uint64{32, 40, 40}},
	}
	for _, tt := range tests {
		for i, r := range []rules{
			{header: 12, packed: true, ref: 4, align: 8},
			{header: 12, packed: true, ref: 8, align: 8},
			{header: 16, packed: true, ref: 8, align: 8},
		} {
			s := r.root()
			for _, f := range tt.chain {
				s = r.add(s, f)
			}
			if got := align(s.end, r.align); got != tt.sizes[i] {
				t.Errorf("%s, layout %d: %d bytes, want %d", tt.name, i, got, tt.sizes[i])
			}
		}
	}
}

func TestArrayBases(t *testing.T) {
	tests := []struct {
		r                     rules
		bytes, objects, longs uint64
	}{
		{rules{header: 12, ref: 4}, 16, 16, 16},
		{rules{header: 16, ref: 8}, 24, 24, 24},                // up to JDK 22
		{rules{header: 16, ref: 8, relaxed: true}, 20, 24, 24}, // since JDK 23
		{rules{header: 8, ref: 4, relaxed: true}, 12, 12, 16},  // compact headers
		{rules{header: 8, ref: 8, relaxed: true}, 12, 16, 16},
	}
	for _, tt := range tests {
		got := [3]uint64{tt.r.base(1), tt.r.base(tt.r.ref), tt.r.base(8)}
		if want := [3]uint64{tt.bytes, tt.objects, tt.longs}; got != want {
			t.Errorf("%+v: %v, want %v", tt.r, got, want)
		}
	}
}

// world is a heap laid out by rules, and what a scanner notes of it.
type world struct {
	o       Observations
	sizes   []uint64
	mirrors []uint64
	next    map[uint64]uint64
	arrays  map[Type]uint64 // bytes
}

// build lays objects of random classes side by side; one in holes is followed
// by free memory, 0 for none. instances is how many a class has at least.
func build(t *rapid.T, r rules, idSize, instances, holes int) *world {
	w := &world{
		o:    Observations{IDSize: idSize, ClassClass: 1, ObjectClass: 0},
		next: map[uint64]uint64{}, arrays: map[Type]uint64{},
	}
	w.o.Classes = []Class{{Super: -1}, {Super: 0, Fields: Fields{Refs: 14, Bytes4: 1}}}
	for i := range rapid.IntRange(5, 20).Draw(t, "classes") {
		small := rapid.Uint32Range(0, 3)
		w.o.Classes = append(w.o.Classes, Class{
			Super:   int32(rapid.IntRange(0, i).Draw(t, "super")),
			Fields:  Fields{small.Draw(t, "refs"), small.Draw(t, "8"), small.Draw(t, "4"), small.Draw(t, "2"), small.Draw(t, "1")},
			Statics: Fields{Refs: small.Draw(t, "static refs"), Bytes8: small.Draw(t, "static longs")},
		})
		if c := &w.o.Classes[i+2]; c.Super == 1 {
			c.Super = 0
		}
	}
	const injected = 24
	shapes := make([]shape, len(w.o.Classes))
	for i := range w.o.Classes {
		c := &w.o.Classes[i]
		shapes[i] = r.add(inherited(c, r, shapes), c.Fields)
		w.sizes = append(w.sizes, align(shapes[i].end, r.align))
	}
	w.sizes[1] = align(shapes[1].end+injected, r.align)
	at := uint64(1 << 32)
	var or uint64
	var last uint64
	var cell *Gap
	object := func(size uint64, g *Gap) uint64 {
		if last != 0 {
			w.next[last] = at
			or |= at - last
			cell.Note(last, at)
		}
		last, cell = at, g
		at += size
		if holes > 0 && rapid.IntRange(0, holes).Draw(t, "hole") == 0 {
			at += r.align * uint64(2+rapid.IntRange(0, 50).Draw(t, "width"))
		}
		return last
	}
	for i := range w.o.Classes {
		size := align(w.sizes[1]+r.statics(w.o.Classes[i].Statics), r.align)
		w.mirrors = append(w.mirrors, size)
		w.o.Classes[i].Mirror = object(size, new(Gap))
	}
	for i := range w.o.Classes {
		c := &w.o.Classes[i]
		n := instances + rapid.IntRange(0, 3).Draw(t, "instances")
		for range n {
			object(w.sizes[i], &c.Gap)
		}
		c.Count = int64(n)
	}
	for _, kind := range []Type{Object, Byte, Char, Int, Long} {
		c := Class{Super: 0, Array: kind, Lengths: &Lengths{}}
		for n := range uint64(40) {
			for range 3 {
				n := n * n / 8
				g := new(Gap)
				if n < ShortArrays {
					g = &w.o.Arrays[kind][n]
				}
				object(r.array(kind, n), g)
				c.Count++
				c.Lengths.Note(n)
				w.arrays[kind] += r.array(kind, n)
			}
		}
		w.o.Classes = append(w.o.Classes, c)
	}
	object(16, new(Gap))
	w.o.Or = or
	return w
}

func draw(t *rapid.T, idSize int) rules {
	alignment := uint64(8)
	if idSize == 8 {
		alignment = rapid.SampledFrom([]uint64{8, 8, 16, 32}).Draw(t, "alignment")
	}
	return rapid.SampledFrom(candidates(idSize, alignment)).Draw(t, "rules")
}

func (w *world) check(t *rapid.T, r rules) {
	l := Learn(&w.o)
	for i, want := range w.sizes {
		if l.Sizes[i] != want {
			t.Fatalf("class %d %+v of %+v: %d bytes, want %d (learned %d %d %d packed %v)", i, w.o.Classes[i], r, l.Sizes[i], want, l.Header, l.Ref, l.Alignment, l.Packed)
		}
	}
	for i, want := range w.mirrors {
		if l.Mirrors[i] != want {
			t.Fatalf("class object %d of %+v: %d bytes, want %d", i, r, l.Mirrors[i], want)
		}
	}
	for i := range w.o.Classes {
		if c := &w.o.Classes[i]; c.Array != 0 {
			if got := l.Arrays(c.Array, c.Lengths); got != w.arrays[c.Array] {
				t.Fatalf("arrays of %d by %+v: %d bytes, want %d", c.Array, r, got, w.arrays[c.Array])
			}
		}
	}
}

// TestLearnCompacted guards the main promise: in a heap without holes every
// class, class object and array is exact, whatever the layout.
func TestLearnCompacted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		idSize := rapid.SampledFrom([]int{4, 8, 8, 8}).Draw(t, "id size")
		r := draw(t, idSize)
		w := build(t, r, idSize, 2, 0)
		w.refine()
		w.check(t, r)
	})
}

func (w *world) refine() {
	w.o.Refine(func(a uint64) (uint64, bool) { n, ok := w.next[a]; return n, ok })
}

// TestLearnHoles guards heaps that were not compacted: single objects before
// holes do not make their classes bigger.
func TestLearnHoles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := draw(t, 8)
		if r.align != 8 {
			t.Skip("a hole of one alignment step looks like an injected field")
		}
		w := build(t, r, 8, 1, 3)
		w.refine()
		l := Learn(&w.o)
		var got, want uint64
		for i := range w.sizes {
			got += l.Sizes[i] * uint64(w.o.Classes[i].Count)
			want += w.sizes[i] * uint64(w.o.Classes[i].Count)
		}
		for _, c := range w.o.Classes {
			if c.Array != 0 {
				got += l.Arrays(c.Array, c.Lengths)
				want += w.arrays[c.Array]
			}
		}
		if diff := float64(got)/float64(want) - 1; diff < -0.02 || diff > 0.02 {
			t.Fatalf("%d bytes, want %d", got, want)
		}
	})
}

// TestBelieve guards which distances beyond the rules are taken for fields that
// the file does not have.
func TestBelieve(t *testing.T) {
	tests := []struct {
		what  string
		gap   Gap
		tight float64
		want  uint64
	}{
		{"none seen", Gap{}, 1, 48},
		{"equal", Gap{Min: 48, Seen: 1}, 0, 48},
		{"smaller: the rules are wrong", Gap{Min: 40, Seen: 1}, 0, 40},
		{"smaller than any object", Gap{Min: 8, Seen: 1}, 0, 16},
		{"one pointer", Gap{Min: 56, Seen: 1}, 0, 56},
		{"a hole after one object", Gap{Min: 72, Seen: 1}, 1, 48},
		{"the same hole after many, not compacted", Gap{Min: 72, Seen: 226}, 0.87, 48},
		{"several agree, compacted", Gap{Min: 64, Seen: 110}, 0.98, 64},
		{"padded fields of a single pool", Gap{Min: 48 + 256, Seen: 1}, 0.87, 48 + 256},
		{"far beyond", Gap{Min: 4096, Seen: 5}, 1, 48},
	}
	for _, tt := range tests {
		l := &Layout{Header: 12, Alignment: 8, Tight: tt.tight}
		if got := l.believe(tt.gap, 48); got != tt.want {
			t.Errorf("%s: %d bytes, want %d", tt.what, got, tt.want)
		}
	}
}

// TestInheritedExtra guards that what a class holds beside the file's fields is
// in its subclasses as well.
func TestInheritedExtra(t *testing.T) {
	o := &Observations{IDSize: 8, ClassClass: -1, ObjectClass: 0, Classes: []Class{
		{Super: -1},
		{Super: 0, Fields: Fields{Bytes4: 5}, Count: 20, Gap: Gap{Min: 32 + 256, At: 1, Seen: 20}},
		{Super: 1, Fields: Fields{Refs: 2}},
	}}
	l := Learn(o)
	if l.Sizes[1] != 288 || l.Sizes[2] != 296 {
		t.Errorf("sizes %v, want 288 and 296", l.Sizes[1:])
	}
}

// TestChunks guards the sizes of stacks of virtual threads, as measured on JDK 25
// by the distances of 3,000 of them.
func TestChunks(t *testing.T) {
	for _, tt := range []struct {
		ref, base, words, size uint64
	}{
		{4, 48, 191, 1624}, {4, 48, 265, 2240}, {4, 48, 489, 4088},
		{8, 56, 182, 1536}, {8, 56, 486, 4008},
	} {
		o := &Observations{IDSize: 8, ClassClass: -1, ObjectClass: 0, Classes: []Class{
			{Super: -1},
			{Super: 0, Fields: Fields{Refs: 1, Bytes4: 3}, Chunks: true, Count: 9, Gap: Gap{Min: tt.size, At: 8, Seen: 9}},
			// a class that gives the reference size away
			{Super: 0, Fields: Fields{Refs: 9}, Count: 9, Gap: Gap{Min: align(12+9*tt.ref, 8), At: 8, Seen: 9}},
		}}
		if tt.ref == 8 {
			o.Classes[2].Gap.Min = 88
		}
		l := Learn(o)
		if got := l.Chunk(l.Sizes[1], tt.words); l.Sizes[1] != tt.base || got != tt.size {
			t.Errorf("references of %d: fields of %d bytes and chunk of %d, want %d and %d", l.Ref, l.Sizes[1], got, tt.base, tt.size)
		}
	}
}

// TestMAT guards MAT's rule, worked out by hand from its source.
func TestMAT(t *testing.T) {
	o := &Observations{IDSize: 8, ClassClass: 1, ObjectClass: 0, Classes: []Class{
		{Super: -1},
		{Super: 0, Statics: Fields{Refs: 2, Bytes1: 1}, MadeUp: 1},
		{Super: 0, Fields: Fields{Refs: 3, Bytes4: 1}},            // HashMap$Node
		{Super: 0, Fields: Fields{Bytes1: 1}},                     // rounded up to a reference
		{Super: 3, Fields: Fields{Bytes1: 1}},                     // and again
		{Super: -1, Fields: Fields{Bytes4: 3}, Statics: Fields{}}, // superclass missing
	}}
	for ref, want := range map[uint64][]uint64{
		4: {16, 16, 32, 16, 24, 24},
		8: {16, 16, 48, 24, 32, 32},
	} {
		m := MAT(o, &Layout{Ref: ref, Alignment: 8})
		if fmt.Sprint(m.Sizes) != fmt.Sprint(want) {
			t.Errorf("references of %d: %v, want %v", ref, m.Sizes, want)
		}
		if ref == 4 && m.Mirrors[1] != 16 {
			t.Errorf("class object %d bytes, want 16", m.Mirrors[1])
		}
	}
	m := MAT(o, &Layout{Ref: 8, Alignment: 8})
	if a, b := m.Array(Object, 3), m.Array(Byte, 1); a != 48 || b != 32 {
		t.Errorf("arrays of %d and %d bytes, want 48 and 32", a, b)
	}
}

// TestSumOfLengths guards that residues keep sums exact for every alignment.
func TestSumOfLengths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &Layout{Ref: 4, Alignment: 8 << rapid.IntRange(0, 5).Draw(t, "alignment")}
		for i := range l.Bases {
			l.Bases[i] = rapid.SampledFrom([]uint64{12, 16, 20, 24}).Draw(t, "base")
		}
		kind := rapid.SampledFrom([]Type{Object, Byte, Char, Int, Long}).Draw(t, "type")
		var a, b Lengths
		var want uint64
		for i, n := range rapid.SliceOf(rapid.Uint64Range(0, 1<<33)).Draw(t, "lengths") {
			if i%2 == 0 {
				a.Note(n)
			} else {
				b.Note(n)
			}
			want += l.Array(kind, n)
		}
		count := a.Count() + b.Count()
		a.Merge(&b)
		if got := l.Arrays(kind, &a); got != want || a.Count() != count {
			t.Fatalf("%d bytes in %d arrays, want %d in %d", got, a.Count(), want, count)
		}
	})
}

// TestGap guards what a scanner's inner loop leaves out.
func TestGap(t *testing.T) {
	var g Gap
	g.Note(100, 60)                // backwards
	g.Note(100, 100)               // the same object twice
	g.Note(100, 100+MaxGap+1)      // another region
	if g.Min != 0 || g.At != 100 { // but an object was seen
		t.Errorf("%+v, want only an address", g)
	}
	g.Note(200, 264)
	g.Note(300, 332)
	g.Note(400, 432)
	g.Note(500, 564)
	if g != (Gap{Min: 32, At: 300, Seen: 2}) {
		t.Errorf("%+v, want 32 bytes twice", g)
	}
	g.Merge(Gap{Min: 32, At: 900, Seen: 5})
	g.Merge(Gap{Min: 40, At: 901, Seen: 50})
	g.Merge(Gap{})
	if g != (Gap{Min: 32, At: 300, Seen: 7}) {
		t.Errorf("%+v after merging, want 32 bytes seven times", g)
	}
}

// TestHostileClasses guards against class records that cannot be: cycles,
// superclasses out of range, nothing at all.
func TestHostileClasses(t *testing.T) {
	for name, o := range map[string]*Observations{
		"nothing": {},
		"cycle": {IDSize: 8, ClassClass: 5, ObjectClass: 7, Classes: []Class{
			{Super: 1, Fields: Fields{Refs: 1}}, {Super: 2}, {Super: 0, Count: 1},
		}},
		"out of range": {IDSize: 8, ClassClass: -1, Classes: []Class{{Super: 99}, {Super: 1}, {Super: -7}}},
		"huge":         {IDSize: 4, Classes: []Class{{Super: -1, Fields: Fields{Refs: 1 << 31, Bytes8: 1 << 31}}}},
	} {
		l := Learn(o)
		MAT(o, l)
		for i, s := range l.Sizes {
			if s < 8 {
				t.Errorf("%s: class %d of %d bytes", name, i, s)
			}
		}
		if l.Ref == 0 || l.Alignment < 8 {
			t.Errorf("%s: %+v", name, l)
		}
	}
}
