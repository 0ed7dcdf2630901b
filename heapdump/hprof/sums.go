package hprof

import "example.com/kneeline/heapdump/layout"

// counts is what is counted of a class by one goroutine.
type counts struct {
	n   int64
	gap gap
}

// gap is the smallest distance from objects of a kind to the next, with the
// lowest address that has it and how many have it: the same whatever the order
// in which objects are met, unlike [layout.Gap].
type gap struct{ min, at, seen uint64 }

func (g *gap) lower(at, d uint64) {
	if d == 0 || d > layout.MaxGap {
		return
	}
	g.min, g.at, g.seen = d, at, 1
}

func (g *gap) merge(o gap) {
	switch {
	case o.min == 0:
	case g.min == 0 || o.min < g.min:
		*g = o
	case o.min == g.min:
		g.seen += o.seen
		g.at = min(g.at, o.at)
	}
}

// sums is what one goroutine counts of all the chunks it goes through: sums,
// minima and bits, for which order does not matter.
type sums struct {
	classes []counts
	lengths []*layout.Lengths // of array classes
	spans   *spans
	filled  []int64 // slots of object arrays that are not null
	gaps    [layout.NumTypes][layout.ShortArrays]gap
	// short counts short primitive arrays by type and length where that is quicker
	// than [sums.length]; [sums.spread] adds them to the rest.
	short [layout.NumTypes][layout.ShortArrays]int64
	or    uint64
	// long are the lengths of texts too long to be compared.
	long [layout.NumTypes]layout.Lengths
}

func (s *sums) grow(n int) {
	if s.spans == nil {
		s.spans = newSpans()
	}
	for len(s.classes) < n {
		s.classes = append(s.classes, counts{})
		s.lengths = append(s.lengths, nil)
		s.filled = append(s.filled, 0)
	}
}

func (s *sums) length(class int32, n uint32) { s.several(class, n, 1) }

// several counts arrays of a class and a length.
func (s *sums) several(class int32, n uint32, count int64) {
	l := s.lengths[class]
	if l == nil {
		l = new(layout.Lengths)
		s.lengths[class] = l
	}
	l.NoteMany(uint64(n), uint64(count))
	s.spans.note(class, n, count)
	s.classes[class].n += count
}

// spread counts the short arrays as the others are; arrays are the classes of
// primitive arrays.
func (s *sums) spread(arrays [12]int32) {
	for t := range s.short {
		for n, count := range s.short[t] {
			if count > 0 {
				s.several(arrays[t], uint32(n), count)
			}
		}
	}
	clear(s.short[:])
}

func (s *sums) merge(o *sums) {
	s.grow(len(o.classes))
	s.spans.merge(o.spans)
	for i := range o.classes {
		s.classes[i].n += o.classes[i].n
		s.classes[i].gap.merge(o.classes[i].gap)
		s.filled[i] += o.filled[i]
		if l := o.lengths[i]; l != nil {
			if s.lengths[i] == nil {
				s.lengths[i] = new(layout.Lengths)
			}
			s.lengths[i].Merge(l)
		}
	}
	for t := range o.gaps {
		for n := range o.gaps[t] {
			s.gaps[t][n].merge(o.gaps[t][n])
		}
		s.long[t].Merge(&o.long[t])
	}
	s.or |= o.or
}

// gap is where the distance of an object of a kind is noted.
func (s *sums) gap(k kind) *gap {
	if k.class >= 0 {
		return &s.classes[k.class].gap
	}
	return &s.gaps[k.typ][k.length]
}
