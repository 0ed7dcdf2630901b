package rank

import (
	"math/bits"
	"sort"
	"sync/atomic"

	"example.com/kneeline/heapdump/graph/disk"
)

// leaf has the numbers of chunks, plus 1, by the part of the address that says where
// they are in it.
type leaf [1 << leafShift]uint32

// Set is a set of addresses with their numbers.
type Set struct {
	shift    uint8
	topShift uint8
	n        uint32
	tops     []uint64
	leaves   []*leaf
	keys     []uint64 // the chunks, by address
	bits     disk.Array[uint64]
	counts   disk.Array[uint32]
}

// factor spreads keys: 2^64 divided by the golden ratio.
const factor = 0x9e3779b97f4a7c15

func (s *Set) home(top uint64) uint64 { return top * factor >> s.topShift }

// place finds the word and the bit of an address that is planned for.
func (s *Set) place(addr uint64) (word uint64, bit uint8, ok bool) {
	slot := addr >> s.shift
	if slot<<s.shift != addr {
		return 0, 0, false
	}
	top := slot >> (chunkShift + leafShift)
	h := s.home(top)
	for s.tops[h] != top || s.leaves[h] == nil {
		if s.leaves[h] == nil {
			return 0, 0, false
		}
		h = (h + 1) & uint64(len(s.tops)-1)
	}
	c := s.leaves[h][slot>>chunkShift&(1<<leafShift-1)]
	if c == 0 {
		return 0, 0, false
	}
	return uint64(c-1)*chunkWords + slot>>6&(chunkWords-1), uint8(slot & 63), true
}

// Add adds an address; several goroutines may. It says whether the address is new.
func (s *Set) Add(addr uint64) bool {
	w, bit, ok := s.place(addr)
	if !ok {
		return false
	}
	m := uint64(1) << bit
	return atomic.OrUint64(&s.bits.V[w], m)&m == 0
}

// Seal counts; the addresses are complete. It gives how many there are, and false when
// they are more than 32 bits can count.
func (s *Set) Seal() (int64, bool) {
	n := uint64(0)
	for g := range s.counts.V {
		s.counts.V[g] = uint32(n)
		for _, w := range s.bits.V[g*groupWords : (g+1)*groupWords] {
			n += uint64(bits.OnesCount64(w))
		}
	}
	s.n = uint32(n)
	return int64(n), n < 1<<32
}

// Len is how many addresses there are.
func (s *Set) Len() int { return int(s.n) }

// Rank is the number of an address; false when it is not in the set.
func (s *Set) Rank(addr uint64) (uint32, bool) {
	w, bit, ok := s.place(addr)
	if !ok {
		return 0, false
	}
	word := s.bits.V[w]
	if word>>bit&1 == 0 {
		return 0, false
	}
	g := w / groupWords
	r := s.counts.V[g]
	for i := g * groupWords; i < w; i++ {
		r += uint32(bits.OnesCount64(s.bits.V[i]))
	}
	return r + uint32(bits.OnesCount64(word&(1<<bit-1))), true
}

// Address is the address with a number below Len.
func (s *Set) Address(r uint32) uint64 {
	// The last group that begins at or below r has it.
	g := sort.Search(len(s.counts.V), func(i int) bool { return s.counts.V[i] > r }) - 1
	left := int(r - s.counts.V[g])
	w := g * groupWords
	for ; ; w++ {
		c := bits.OnesCount64(s.bits.V[w])
		if left < c {
			break
		}
		left -= c
	}
	word := s.bits.V[w]
	for range left {
		word &= word - 1
	}
	slot := s.keys[w/chunkWords]<<chunkShift | uint64(w%chunkWords)<<6 | uint64(bits.TrailingZeros64(word))
	return slot << s.shift
}

// All gives the addresses in order to yield until it says false.
func (s *Set) All(yield func(rank uint32, addr uint64) bool) {
	r := uint32(0)
	for w, word := range s.bits.V {
		base := s.keys[w/chunkWords]<<chunkShift | uint64(w%chunkWords)<<6
		for ; word != 0; word &= word - 1 {
			if !yield(r, (base|uint64(bits.TrailingZeros64(word)))<<s.shift) {
				return
			}
			r++
		}
	}
}
