package layout

import "math"

// Type is the type of a field or of array elements, by HPROF's numbers.
type Type uint8

// The basic types of HPROF.
const (
	Object  Type = 2
	Boolean Type = 4
	Char    Type = 5
	Float   Type = 6
	Double  Type = 7
	Byte    Type = 8
	Short   Type = 9
	Int     Type = 10
	Long    Type = 11
)

// NumTypes is the length of a table indexed by [Type].
const NumTypes = 12

// Size is the size of a value in bytes; 0 for Object, whose size is what is to
// be learned, and for what is no type.
func (t Type) Size() uint64 {
	if t < NumTypes {
		return typeSizes[t]
	}
	return 0
}

// String is the type in Java's words.
func (t Type) String() string {
	if t < NumTypes && typeNames[t] != "" {
		return typeNames[t]
	}
	return "unknown"
}

var typeNames = [NumTypes]string{
	Object: "reference", Boolean: "boolean", Char: "char", Float: "float", Double: "double",
	Byte: "byte", Short: "short", Int: "int", Long: "long",
}

var typeSizes = [NumTypes]uint64{
	Boolean: 1, Byte: 1, Char: 2, Short: 2, Float: 4, Int: 4, Double: 8, Long: 8,
}

// Gap is the smallest distance from objects of one kind to the object that
// follows them.
type Gap struct {
	// Min is the smallest distance in bytes, 0 when none was noted.
	Min uint64
	// At is the address of an object with that distance. Where no distance was
	// noted it is the address of some object of the kind, if the scanner gave
	// one with [Gap.See].
	At uint64
	// Seen is how many objects had that distance.
	Seen uint32
}

// Note takes the distance next-at of an object at address at to the object
// after it in the file. Files need not be sorted by address: distances of zero
// or below, and those over [MaxGap], say nothing and are left out.
//
// It is small enough to be inlined and meant for the scanner's inner loop.
func (g *Gap) Note(at, next uint64) {
	d := next - at
	if d-1 < g.Min-1 { // with Min 0 every distance is smaller
		g.lower(at, d)
	} else if d == g.Min {
		g.Seen++
	}
}

// MaxGap is the longest distance that is taken for the size of an object. The
// largest object that is no array, with padded fields, is far below.
const MaxGap = math.MaxUint32

func (g *Gap) lower(at, d uint64) {
	if d == 0 || d > MaxGap {
		g.See(at)
		return
	}
	g.Min, g.At, g.Seen = d, at, 1
}

// See tells of an object at address at whose distance is not known, as the last
// one of a file.
func (g *Gap) See(at uint64) {
	if g.At == 0 {
		g.At = at
	}
}

// Merge adds what another worker saw of the same kind.
func (g *Gap) Merge(o Gap) {
	switch {
	case o.Min == 0:
		g.See(o.At)
	case g.Min == 0 || o.Min < g.Min:
		*g = o
	case o.Min == g.Min:
		g.Seen += o.Seen
	}
}

// ShortArrays is the number of lengths, from 0, of which [ArrayGaps] keeps
// distances.
const ShortArrays = 64

// ArrayGaps are the distances of short arrays of one element type, by length.
type ArrayGaps [ShortArrays]Gap

// residues is how many lengths modulo are counted apart: object alignments up
// to 256 bytes, the largest HotSpot takes, keep the sum of sizes exact.
const residues = 256

// Lengths is what has to be kept of the lengths of the arrays of one class for
// the exact sum of their sizes in any layout.
type Lengths struct {
	// Sum is the sum of all lengths in elements.
	Sum uint64
	// Residue counts the arrays by their length modulo 256.
	Residue [residues]uint64
}

// Note counts an array of n elements.
func (l *Lengths) Note(n uint64) { l.NoteMany(n, 1) }

// NoteMany counts several arrays of n elements.
func (l *Lengths) NoteMany(n, count uint64) {
	l.Sum += n * count
	l.Residue[n%residues] += count
}

// Merge adds what another worker counted of the same class.
func (l *Lengths) Merge(o *Lengths) {
	l.Sum += o.Sum
	for i, n := range o.Residue {
		l.Residue[i] += n
	}
}

// Count is the number of arrays.
func (l *Lengths) Count() (n uint64) {
	for _, c := range l.Residue {
		n += c
	}
	return n
}

// Fields counts the fields of one class by size, without its superclasses'.
type Fields struct {
	Refs, Bytes8, Bytes4, Bytes2, Bytes1 uint32
}

// Add counts one field.
func (f *Fields) Add(t Type) {
	switch t.Size() {
	case 8:
		f.Bytes8++
	case 4:
		f.Bytes4++
	case 2:
		f.Bytes2++
	case 1:
		f.Bytes1++
	default:
		f.Refs++
	}
}

// sum is the size of the fields side by side.
func (f Fields) sum(ref uint64) uint64 {
	return uint64(f.Refs)*ref + uint64(f.Bytes8)*8 + uint64(f.Bytes4)*4 + uint64(f.Bytes2)*2 + uint64(f.Bytes1)
}

// Class is what is observed of one class.
type Class struct {
	// Super is the index of the superclass, -1 for none or unknown.
	Super int32
	// Array is the type of the elements of an array class, 0 for other classes.
	Array Type
	// Fields are the class's own instance fields.
	Fields Fields
	// Statics are the class's static fields, without those that the VM makes up
	// for the dump: names in angle brackets as <resolved_references>, which
	// MadeUp counts.
	Statics Fields
	MadeUp  uint32
	// Chunks is true of the class named [StackChunk]: each instance has its own
	// size, see [Layout.Chunk].
	Chunks bool
	// Count is how many instances were read, without class objects.
	Count int64
	// Gap is of the instances; not needed of arrays.
	Gap Gap
	// Mirror is the address of the class object, 0 when it is not on the heap.
	Mirror uint64
	// MirrorGap is the distance from the class object to the object after it in
	// memory, 0 when it is not known. [Observations.Refine] fills it in.
	MirrorGap uint64
	// Lengths are of an array class with instances, else nil.
	Lengths *Lengths
}

// Observations are what a scanner hands over at the end of a dump.
type Observations struct {
	// IDSize is the size of identifiers in the file, 4 or 8 bytes.
	IDSize int
	// Or is the bitwise or of all distances between objects, or of all
	// addresses: its lowest bit is the alignment. Negative distances may be in it
	// as they are.
	Or uint64
	// Classes has every class of the dump, superclasses in any order.
	Classes []Class
	// Arrays are the distances of arrays by element type; all classes of object
	// arrays are one.
	Arrays [NumTypes]ArrayGaps
	// ClassClass and ObjectClass are the indices of java.lang.Class and
	// java.lang.Object in Classes, -1 when they are missing.
	ClassClass, ObjectClass int
}

// Refine replaces distances in the file by distances in memory, of one object
// per kind and of every class object. next returns the address of the first
// object or class object above an address; false when there is none or it is
// not known. It is asked a few times per class, not per object, and makes sizes
// exact where a class object lies between two neighbours of the file, or where
// the file follows the graph and not the addresses (ZGC, Shenandoah).
func (o *Observations) Refine(next func(addr uint64) (uint64, bool)) {
	refine := func(g *Gap) {
		if g.At == 0 {
			return
		}
		n, ok := next(g.At)
		if !ok || n <= g.At || n-g.At > MaxGap {
			return
		}
		if d := n - g.At; g.Min == 0 || d < g.Min {
			g.Min, g.Seen = d, 1
		}
	}
	for i := range o.Classes {
		c := &o.Classes[i]
		refine(&c.Gap)
		if c.Mirror == 0 {
			continue
		}
		if n, ok := next(c.Mirror); ok && n > c.Mirror && n-c.Mirror <= MaxGap {
			c.MirrorGap = n - c.Mirror
		}
	}
	for t := range o.Arrays {
		for n := range o.Arrays[t] {
			refine(&o.Arrays[t][n])
		}
	}
}
