package hprof

import (
	"cmp"
	"slices"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/layout"
)

// spans counts the arrays of each class by length, for what has buffers of one
// size as often as there are requests. It is a hash table with linear probing,
// as every array of the dump goes through it.
type spans struct {
	keys   []uint64 // class and length, plus one; 0 is free
	counts []int64
	used   int
	// lost says that there were more classes and lengths than are counted.
	lost bool
}

// firstSpans is the size that a table begins with, a power of two.
const firstSpans = 1 << 10

func newSpans() *spans {
	return &spans{keys: make([]uint64, firstSpans), counts: make([]int64, firstSpans)}
}

func (s *spans) note(class int32, length uint32, n int64) {
	s.add(uint64(class)<<32+uint64(length)+1, n)
}

func (s *spans) add(key uint64, n int64) {
	mask := uint64(len(s.keys) - 1)
	for i := key * 0x9e3779b97f4a7c15 >> 32 & mask; ; i = (i + 1) & mask {
		switch s.keys[i] {
		case key:
			s.counts[i] += n
			return
		case 0:
			if s.used >= maxSpans {
				s.lost = true
				return
			}
			s.keys[i], s.counts[i] = key, n
			if s.used++; 2*s.used > len(s.keys) {
				s.grow()
			}
			return
		}
	}
}

func (s *spans) grow() {
	old := *s
	*s = spans{keys: make([]uint64, 2*len(old.keys)), counts: make([]int64, 2*len(old.keys)), lost: old.lost}
	for i, key := range old.keys {
		if key != 0 {
			s.add(key, old.counts[i])
		}
	}
}

func (s *spans) merge(o *spans) {
	if o == nil {
		return
	}
	s.lost = s.lost || o.lost
	for i, key := range o.keys {
		if key != 0 {
			s.add(key, o.counts[i])
		}
	}
}

// lengths gives each class the lengths that many of its arrays have. When some
// were not counted there are none: which would be missing depends on the order
// of reading.
func (s *spans) lengths(classes []*heapdump.Class, l *layout.Layout) {
	if s.lost {
		return
	}
	for i, key := range s.keys {
		if key == 0 || s.counts[i] < minRepeated {
			continue
		}
		key--
		c := classes[key>>32]
		length := uint64(uint32(key))
		c.Lengths = append(c.Lengths, heapdump.Length{
			Length: int64(length), Count: s.counts[i], Bytes: s.counts[i] * int64(l.Array(c.Element, length)),
		})
	}
	for _, c := range classes {
		slices.SortFunc(c.Lengths, func(a, b heapdump.Length) int {
			return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Length, b.Length))
		})
		c.Lengths = c.Lengths[:min(len(c.Lengths), maxRepeated)]
	}
}
