package rank

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"example.com/kneeline/heapdump/graph/disk"
	"example.com/kneeline/internal/units"
)

const (
	chunkShift = 12 // places of a chunk, as a power of two
	chunkWords = 1 << chunkShift / 64
	groupWords = 8 // words between counts
	groups     = chunkWords / groupWords
	leafShift  = 12 // chunks of a leaf
)

// Plan collects where addresses are, before the bits are made. Addresses may be
// anywhere; memory is taken for the neighbourhoods that have some.
type Plan struct {
	shift  uint8
	chunks map[uint64]struct{}
	last   uint64
	any    bool
	limit  int
	over   bool
}

// NewPlan plans for addresses that are multiples of 1<<shift, and for no more
// neighbourhoods than fit into some memory.
func NewPlan(shift uint8, memory int64) *Plan {
	return &Plan{shift: shift, chunks: map[uint64]struct{}{}, limit: int(max(memory/chunkBytes, 1))}
}

// chunkBytes is what a neighbourhood of addresses takes: its bits, its counts, its
// place, and a part of the directory.
const chunkBytes = chunkWords*8 + groups*4 + 8 + 4

// Note takes an address.
func (p *Plan) Note(addr uint64) {
	c := addr >> p.shift >> chunkShift
	if p.any && c == p.last {
		return
	}
	p.last, p.any = c, true
	if _, ok := p.chunks[c]; ok {
		return
	}
	if len(p.chunks) >= p.limit {
		p.over = true
		return
	}
	p.chunks[c] = struct{}{}
}

// Merge takes what another plan has.
func (p *Plan) Merge(o *Plan) {
	for c := range o.chunks {
		p.Note(c << chunkShift << p.shift)
	}
	p.over = p.over || o.over
}

// Make makes the set, of which all addresses are still missing.
func (p *Plan) Make(a *disk.Arena) (*Set, error) {
	if p.over {
		return nil, fmt.Errorf("the addresses are too far apart: their bits take more than the %s there are for them",
			units.Size(int64(p.limit)*chunkBytes))
	}
	s := &Set{shift: p.shift, keys: slices.Sorted(maps.Keys(p.chunks))}
	var err error
	if s.bits, err = disk.Make[uint64](a, len(s.keys)*chunkWords); err != nil {
		return nil, err
	}
	if s.counts, err = disk.Make[uint32](a, len(s.keys)*groups); err != nil {
		return nil, err
	}
	s.direct()
	return s, nil
}

// direct makes the directory: a table by the upper part of the address of leaves by
// the part below.
func (s *Set) direct() {
	tops := 0
	for i, key := range s.keys {
		if i == 0 || key>>leafShift != s.keys[i-1]>>leafShift {
			tops++
		}
	}
	n := bits.Len(uint(max(4, 2*tops)))
	s.tops, s.leaves, s.topShift = make([]uint64, 1<<n), make([]*leaf, 1<<n), uint8(64-n)
	var at *leaf
	for i, key := range s.keys {
		if i == 0 || key>>leafShift != s.keys[i-1]>>leafShift {
			at = new(leaf)
			h := s.home(key >> leafShift)
			for s.leaves[h] != nil {
				h = (h + 1) & uint64(len(s.tops)-1)
			}
			s.tops[h], s.leaves[h] = key>>leafShift, at
		}
		at[key&(1<<leafShift-1)] = uint32(i + 1)
	}
}
