package hprof

// slabs is memory for what is kept to the end, taken in large pieces that are
// filled to the last byte. The blobs that are copied into it can be made in the
// same buffers again and again, which stay in the caches and are no garbage.
// (Advising the system to use large pages was tried: the time saved on faults
// went into clearing and finding them.)
type slabs struct {
	free []byte
	next int // size of the next piece
}

const (
	firstSlab = 256 << 10
	// lastSlab is the size that pieces grow to; larger ones only would leave more
	// of the last one empty.
	lastSlab = 16 << 20
)

// keep copies b into a slab.
func (s *slabs) keep(b []byte) []byte {
	if len(b) > len(s.free) {
		s.next = min(max(2*s.next, firstSlab), lastSlab)
		s.free = make([]byte, max(s.next, len(b)))
	}
	kept := s.free[:len(b):len(b)]
	copy(kept, b)
	s.free = s.free[len(b):]
	return kept
}
