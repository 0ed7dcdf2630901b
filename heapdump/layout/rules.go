package layout

// rules are one way in which a VM may lay out objects.
type rules struct {
	// header is where fields begin: 8 with compact headers (JDK 24) and on 32
	// bits, 12 with compressed class pointers, 16 without.
	header uint64
	// relaxed is true when array elements begin right after the length, as far
	// as their own alignment allows (JDK 23), and not at a full word.
	relaxed bool
	// packed is true when fields fill the gaps of superclasses (JDK 15).
	packed bool
	ref    uint64
	align  uint64
}

// candidates are the rules of all VMs that are known, commonest first: of equal
// explanations the first is taken.
func candidates(idSize int, alignment uint64) []rules {
	if idSize == 4 {
		return []rules{
			{header: 8, relaxed: true, packed: true, ref: 4, align: alignment},
			{header: 8, relaxed: true, packed: false, ref: 4, align: alignment},
		}
	}
	var all []rules
	for _, ref := range []uint64{4, 8} {
		for _, packed := range []bool{true, false} {
			all = append(all, rules{12, false, packed, ref, alignment}, rules{16, false, packed, ref, alignment})
		}
		// these came after packing
		all = append(all, rules{12, true, true, ref, alignment}, rules{8, true, true, ref, alignment}, rules{16, true, true, ref, alignment})
	}
	return all
}

// base is the offset of the first element of arrays of elements of a size.
func (r rules) base(element uint64) uint64 {
	length := r.header + 4
	if r.relaxed {
		return align(length, max(element, 4))
	}
	return align(length, 8)
}

func (r rules) element(t Type) uint64 {
	if n := t.Size(); n != 0 {
		return n
	}
	return r.ref
}

func (r rules) array(t Type, n uint64) uint64 {
	e := r.element(t)
	return align(r.base(e)+n*e, r.align)
}

// root is the shape of an object without fields.
func (r rules) root() shape { return shape{end: r.header} }

// add lays out a class's own fields below its superclass's shape.
func (r rules) add(s shape, f Fields) shape {
	if r.packed {
		return r.addPacked(s, f)
	}
	return r.addClassic(s, f)
}

// addPacked is the way of HotSpot since JDK 15 (FieldLayoutBuilder,
// compute_regular_layout): primitive fields by falling size, then references,
// each into the smallest gap that takes it, else at the end.
func (r rules) addPacked(s shape, f Fields) shape {
	s.place(f.Bytes8, 8)
	s.place(f.Bytes4, 4)
	s.place(f.Bytes2, 2)
	s.place(f.Bytes1, 1)
	s.place(f.Refs, r.ref)
	return s
}

// addClassic is the way of HotSpot up to JDK 14 (ClassFileParser, layout_fields
// with its default style and CompactFields): a class begins at the end of its
// superclass, rounded up to a reference; the gap before 8-byte fields takes
// smaller ones of the same class.
func (r rules) addClassic(s shape, f Fields) shape {
	at := align(s.end, r.ref)
	if start := align(at, 8); f.Bytes8 > 0 && start > at {
		gap := start - at
		fill := func(count *uint32, size uint64) {
			for *count > 0 && gap >= size {
				*count--
				gap -= size
			}
		}
		fill(&f.Bytes4, 4)
		fill(&f.Bytes2, 2)
		fill(&f.Bytes1, 1)
		fill(&f.Refs, r.ref)
		at = start
	}
	at += f.sum(r.ref) - uint64(f.Refs)*r.ref
	if f.Refs > 0 {
		at = align(at, r.ref) + uint64(f.Refs)*r.ref
	}
	return shape{end: align(at, r.ref)}
}

// statics is the size of a class's static fields in its class object, in whole
// words: references, then primitives by falling size. The gap before 8-byte
// fields stays, as measured on JDK 17.
func (r rules) statics(f Fields) uint64 {
	at := uint64(f.Refs) * r.ref
	if f.Bytes8 > 0 {
		at = align(at, 8)
	}
	return align(at+f.sum(r.ref)-uint64(f.Refs)*r.ref, 8)
}

// maxHoles is how many gaps between fields are followed. Each class can leave
// three at most, and later fields fill them first.
const maxHoles = 8

// shape is how far the fields of an object reach, and the gaps between them.
type shape struct {
	end   uint64
	holes [maxHoles]hole
	n     int
}

type hole struct{ at, size uint64 }

// place lays count fields of size bytes, aligned to size.
func (s *shape) place(count uint32, size uint64) {
	for ; count > 0; count-- {
		best := -1
		for i, h := range s.holes[:s.n] {
			if align(h.at, size)+size <= h.at+h.size && (best < 0 || h.size < s.holes[best].size) {
				best = i
			}
		}
		if best < 0 { // none fits, so none fits the others of this size either
			at := align(s.end, size)
			s.leave(hole{s.end, at - s.end})
			s.end = at + size*uint64(count)
			return
		}
		h := s.holes[best]
		s.n--
		s.holes[best] = s.holes[s.n]
		at := align(h.at, size)
		s.leave(hole{h.at, at - h.at})
		s.leave(hole{at + size, h.at + h.size - at - size})
	}
}

func (s *shape) leave(h hole) {
	if h.size > 0 && s.n < maxHoles {
		s.holes[s.n] = h
		s.n++
	}
}
