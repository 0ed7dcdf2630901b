package layout

// Layout is how the VM laid out its objects, and the sizes that follow.
type Layout struct {
	// Header is where the fields of an object begin: 8, 12 or 16 bytes.
	Header uint64
	// Ref is the size of a reference in the heap, 4 or 8 bytes.
	Ref uint64
	// Alignment is what all sizes are a multiple of, 8 to 256 bytes.
	Alignment uint64
	// Bases are the offsets of the first element of arrays, by element type.
	Bases [NumTypes]uint64
	// Packed is true when fields fill the gaps that superclasses left (HotSpot
	// since JDK 15).
	Packed bool
	// Sizes are the bytes of one instance by class, 0 for arrays.
	Sizes []uint64
	// Mirrors are the bytes of the class object by class, 0 when it is not on
	// the heap.
	Mirrors []uint64
	// Tight is the share of kinds of objects whose smallest distance is the size
	// that the rules give: near 1 in a compacted heap.
	Tight float64
	// Explained is the number of array lengths and classes with distances that
	// the rules explain to the byte; 0 means that nothing was learned and the
	// commonest layout was assumed. Contradicted counts those that are smaller
	// than the rules say.
	Explained, Contradicted int
}

// Array is the size of an array of n elements. The product is 64 bits wide, as
// arrays over 4 GiB exist.
func (l *Layout) Array(t Type, n uint64) uint64 {
	return align(l.base(t)+n*l.element(t), l.Alignment)
}

// Arrays is the sum of the sizes of all arrays of one class.
func (l *Layout) Arrays(t Type, a *Lengths) uint64 {
	return sumArrays(a, l.base(t), l.element(t), l.Alignment)
}

func (l *Layout) base(t Type) uint64 {
	if t < NumTypes {
		return l.Bases[t]
	}
	return l.Bases[Object]
}

func (l *Layout) element(t Type) uint64 {
	if n := t.Size(); n != 0 {
		return n
	}
	return l.Ref
}

// sumArrays adds up rounded sizes from the lengths' sum and residues: rounding
// base+n*element up to a multiple of to depends on n modulo 256 alone, as to is
// a power of two up to 256.
func sumArrays(a *Lengths, base, element, to uint64) uint64 {
	sum := a.Sum * element
	for r, count := range a.Residue {
		if count == 0 {
			continue
		}
		tail := uint64(r) * element
		sum += count * (align(base+tail, to) - tail)
	}
	return sum
}

// align rounds n up to a multiple of the power of two to.
func align(n, to uint64) uint64 { return (n + to - 1) &^ (to - 1) }
