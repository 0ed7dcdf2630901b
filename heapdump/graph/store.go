package graph

import (
	"errors"
	"slices"
	"sync"

	"example.com/kneeline/heapdump/graph/disk"
	"example.com/kneeline/heapdump/graph/rank"
)

// store has what is known of each object, by rank.
type store struct {
	n         int
	arena     *disk.Arena
	addresses *rank.Set
	class     classes
	lengths   lengths
	links
	idom     column
	retained amounts

	rootRanks []uint32
	rootKinds []RootKinds
	// mirrors are the class objects by class, mirrorAt the other way.
	mirrors  []Rank
	mirrorAt map[Rank]int
	// strength is, by class, which kind of reference instances are.
	strength []Strength

	mapped  *disk.Mapped // the index that the graph was loaded from, nil for others
	closing sync.Once
}

func (s *store) close() (err error) {
	s.closing.Do(func() {
		err = s.arena.Close()
		if s.mapped != nil {
			err = errors.Join(err, s.mapped.Close())
		}
	})
	return err
}

// column is a number for each object.
type column struct{ disk.Array[uint32] }

func (c column) at(r uint32) uint32 { return c.V[r] }

// noClass is the class of objects of which the dump does not tell it.
const noClass = 1<<32 - 1

// classes has the class of each object, in two bytes where that is enough.
type classes struct {
	narrow disk.Array[uint16]
	wide   disk.Array[uint32]
}

func newClasses(a *disk.Arena, n, classes int) (c classes, err error) {
	if classes < 1<<16-1 {
		c.narrow, err = disk.Make[uint16](a, n)
	} else {
		c.wide, err = disk.Make[uint32](a, n)
	}
	return c, err
}

func (c *classes) at(r uint32) uint32 {
	if c.wide.V != nil {
		return c.wide.V[r] - 1
	}
	return uint32(c.narrow.V[r]) - 1 // 0, which nobody set, is noClass
}

func (c *classes) set(r, class uint32) {
	if c.wide.V != nil {
		c.wide.V[r] = class + 1
	} else {
		c.narrow.V[r] = uint16(class + 1)
	}
}

// lengths has the lengths of arrays, of those that are not empty: in two bytes those
// below 65,535, which nearly all are, and the others apart.
type lengths struct {
	arrays sparse
	short  disk.Array[uint16] // by the places of arrays
	mu     *sync.Mutex
	long   map[uint32]uint32
	lost   int64
}

const (
	longLength = 1<<16 - 1
	// maxLong bounds the long arrays. Arrays of that length fill a petabyte, unless
	// the dump claims arrays that it does not have.
	maxLong = 4 << 20
)

func newLengths(a *disk.Arena, arrays disk.Array[uint64]) (l lengths, err error) {
	var n int
	l.long, l.mu = map[uint32]uint32{}, new(sync.Mutex)
	if l.arrays, n, err = newSparse(a, arrays); err != nil {
		return l, err
	}
	l.short, err = disk.Make[uint16](a, n)
	return l, err
}

func (l *lengths) at(r uint32) uint32 {
	i, ok := l.arrays.place(r)
	if !ok {
		return 0
	}
	n := l.short.V[i]
	if n == longLength {
		return l.long[r]
	}
	return uint32(n)
}

// set may be called by several goroutines for different objects.
func (l *lengths) set(r, n uint32) {
	i, ok := l.arrays.place(r)
	if !ok {
		return
	}
	if n < longLength {
		l.short.V[i] = uint16(n)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.long) >= maxLong {
		l.lost++
		l.short.V[i] = longLength - 1
		return
	}
	l.short.V[i] = longLength
	l.long[r] = n
}

// amounts has a number of bytes for each object, in units that all sizes are multiples
// of: in four bytes while that is enough for their sum, in five above.
type amounts struct {
	unit uint8 // as a power of two
	low  disk.Array[uint32]
	high disk.Array[uint8]
}

// maxAmount is the largest sum that amounts can hold with a unit of 1.
const maxAmount = 1<<40 - 1

func newAmounts(a *disk.Arena, n int, sum uint64, unit uint8) (m amounts, err error) {
	m.unit = unit
	if m.low, err = disk.Make[uint32](a, n); err != nil {
		return m, err
	}
	if sum>>unit >= 1<<32 {
		m.high, err = disk.Make[uint8](a, n)
	}
	return m, err
}

func (m *amounts) at(r uint32) uint64 {
	v := uint64(m.low.V[r])
	if m.high.V != nil {
		v |= uint64(m.high.V[r]) << 32
	}
	return v << m.unit
}

func (m *amounts) set(r uint32, bytes uint64) {
	v := bytes >> m.unit
	m.low.V[r] = uint32(v)
	if m.high.V != nil {
		m.high.V[r] = uint8(v >> 32)
	}
}

// move adds what from has to what to has.
func (m *amounts) move(to, from uint32) {
	if m.high.V == nil {
		m.low.V[to] += m.low.V[from]
		return
	}
	m.set(to, m.at(to)+m.at(from))
}

// follow are targets without the referent when that is of one of the kinds.
func (s *store) follow(r uint32, without Strength) []uint32 {
	list := s.targets(r)
	if without != 0 && len(list) > 0 && s.strengthOf(r)&without != 0 {
		return list[1:]
	}
	return list
}

func (s *store) strengthOf(r uint32) Strength {
	if c := s.class.at(r); c < uint32(len(s.strength)) {
		return s.strength[c]
	}
	return 0
}

// mirrorOf is the class object of an object's class, None when there is none.
func (s *store) mirrorOf(r uint32) uint32 {
	if c := s.class.at(r); c < uint32(len(s.mirrors)) {
		return uint32(s.mirrors[c])
	}
	return uint32(None)
}

func (s *store) rootIndex(r Rank) (int, bool) { return slices.BinarySearch(s.rootRanks, uint32(r)) }

// bits is a set of objects.
type bits []uint64

func newBits(n int) bits { return make(bits, (n+63)/64) }

func (b bits) has(r uint32) bool { return b[r>>6]>>(r&63)&1 != 0 }
func (b bits) set(r uint32)      { b[r>>6] |= 1 << (r & 63) }
func (b bits) clear(r uint32)    { b[r>>6] &^= 1 << (r & 63) }
