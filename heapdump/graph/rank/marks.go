package rank

import (
	"math/bits"
	"sync/atomic"

	"example.com/kneeline/heapdump/graph/disk"
)

// Marks is a part of the addresses of a set, while these are still added.
type Marks struct{ bits disk.Array[uint64] }

// Marks makes marks for a set that no address has.
func (s *Set) Marks(a *disk.Arena) (m Marks, err error) {
	m.bits, err = disk.Make[uint64](a, len(s.bits.V))
	return m, err
}

// Mark marks an address that was planned for; several goroutines may.
func (s *Set) Mark(m Marks, addr uint64) {
	if w, bit, ok := s.place(addr); ok {
		atomic.OrUint64(&m.bits.V[w], 1<<bit)
	}
}

// Numbers gives a bit for the number of each address of a sealed set, set for those that
// are marked, and frees the marks.
func (s *Set) Numbers(a *disk.Arena, m *Marks) (disk.Array[uint64], error) {
	out, err := disk.Make[uint64](a, (int(s.n)+63)/64)
	if err != nil {
		return out, err
	}
	r := uint32(0)
	for w, word := range s.bits.V {
		marked := m.bits.V[w] & word
		if marked == 0 {
			r += uint32(bits.OnesCount64(word))
			continue
		}
		for ; word != 0; word &= word - 1 {
			if marked&word&-word != 0 {
				out.V[r>>6] |= 1 << (r & 63)
			}
			r++
		}
	}
	m.bits.Free()
	return out, nil
}
