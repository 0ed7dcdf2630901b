package rank

import (
	"fmt"
	"slices"

	"example.com/kneeline/heapdump/graph/disk"
)

// Parts are what a set is made of, for keeping it in a file.
type Parts struct {
	// Shift and Len are what addresses are multiples of, as a power of two, and how many
	// there are.
	Shift uint8
	Len   uint32
	// Keys, Bits and Counts are lists that only this package knows.
	Keys   []uint64
	Bits   disk.Array[uint64]
	Counts disk.Array[uint32]
}

// Parts gives the parts of a set that is sealed.
func (s *Set) Parts() Parts { return Parts{s.shift, s.n, s.keys, s.bits, s.counts} }

// Restore makes a set of its parts, which must fit together.
func Restore(p Parts) (*Set, error) {
	if len(p.Bits.V) != len(p.Keys)*chunkWords || len(p.Counts.V) != len(p.Keys)*groups || !slices.IsSorted(p.Keys) {
		return nil, fmt.Errorf("%d words and %d counts of %d neighbourhoods do not fit together", len(p.Bits.V), len(p.Counts.V), len(p.Keys))
	}
	s := &Set{shift: p.Shift, n: p.Len, keys: p.Keys, bits: p.Bits, counts: p.Counts}
	s.direct()
	return s, nil
}
