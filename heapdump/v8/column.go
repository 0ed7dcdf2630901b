package v8

// chunkBits is how many entries of a column are allocated at once, as a power of 2:
// a column grows without being copied, and a file that claims to have many nodes
// costs nothing until they come.
const (
	chunkBits = 12
	chunkSize = 1 << chunkBits
)

// column is an array that grows.
type column[T any] struct {
	chunks [][]T
	n      int
}

func (c *column[T]) add(v T) {
	if c.n>>chunkBits == len(c.chunks) {
		c.chunks = append(c.chunks, make([]T, chunkSize))
	}
	c.chunks[c.n>>chunkBits][c.n&(chunkSize-1)] = v
	c.n++
}

func (c *column[T]) at(i uint32) T { return c.chunks[i>>chunkBits][i&(chunkSize-1)] }

// bits is a set of numbers that grows.
type bits []uint64

func (b *bits) set(i uint32) {
	at := int(i >> 6)
	if at >= len(*b) {
		grown := make(bits, max(at+1, 2*len(*b)))
		copy(grown, *b)
		*b = grown
	}
	(*b)[at] |= 1 << (i & 63)
}

func (b bits) has(i uint32) bool {
	at := int(i >> 6)
	return at < len(b) && b[at]>>(i&63)&1 != 0
}
