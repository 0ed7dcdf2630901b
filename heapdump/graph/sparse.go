package graph

import (
	"fmt"
	mathbits "math/bits"

	"example.com/kneeline/heapdump/graph/disk"
)

// sparse gives the objects of a part of all consecutive places, so that what only they
// have needs no room for the others.
type sparse struct {
	has disk.Array[uint64] // by rank
	// below is how many have lower ranks than the first object of a group.
	below disk.Array[uint32]
}

// sparseWords is how many words of bits are a group.
const sparseWords = 8

// newSparse makes it of the bits of the objects, which it takes, and tells how many
// there are.
func newSparse(a *disk.Arena, has disk.Array[uint64]) (s sparse, n int, err error) {
	s.has = has
	if s.below, err = disk.Make[uint32](a, (len(has.V)+sparseWords-1)/sparseWords); err != nil {
		return s, 0, err
	}
	for i, w := range has.V {
		if i%sparseWords == 0 {
			s.below.V[i/sparseWords] = uint32(n)
		}
		n += int(ones(w))
	}
	return s, n, nil
}

// place is the place of an object; false when it is not one of them.
func (s *sparse) place(r uint32) (uint32, bool) {
	at := r >> 6
	word := s.has.V[at]
	if word>>(r&63)&1 == 0 {
		return 0, false
	}
	n := s.below.V[at/sparseWords]
	for _, w := range s.has.V[at&^(sparseWords-1) : at] {
		n += ones(w)
	}
	return n + uint32(mathbits.OnesCount64(word&(1<<(r&63)-1))), true
}

// fits says whether what was read from a file is of n objects, of which some have places.
func (s *sparse) fits(n, places int) error {
	words := (n + 63) / 64
	if len(s.has.V) != words || len(s.below.V) != (words+sparseWords-1)/sparseWords {
		return fmt.Errorf("%d words and %d counts are not of %d objects", len(s.has.V), len(s.below.V), n)
	}
	count := 0
	for i, w := range s.has.V {
		if i%sparseWords == 0 && s.below.V[i/sparseWords] != uint32(count) {
			return fmt.Errorf("the count at word %d is %d, expected %d", i, s.below.V[i/sparseWords], count)
		}
		count += int(ones(w))
	}
	if count != places {
		return fmt.Errorf("%d places are kept for %d objects", places, count)
	}
	return nil
}

func countOnes(words []uint64) (n int) {
	for _, w := range words {
		n += int(ones(w))
	}
	return n
}
