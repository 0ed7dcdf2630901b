package disk

import (
	"fmt"
	"unsafe"
)

// Mapped is a file whose numbers are used as they lie there.
type Mapped struct{ bytes []byte }

// Bytes are the bytes of the file; they must not be changed.
func (m *Mapped) Bytes() []byte { return m.bytes }

// Close ends the use of the file.
func (m *Mapped) Close() error {
	if m.bytes != nil {
		unopen(m.bytes)
		m.bytes = nil
	}
	return nil
}

// Part gives n numbers of a mapped file from an offset on, which must be a multiple of
// their size.
func Part[T Number](m *Mapped, off, n int64) (Array[T], error) {
	var zero T
	size := int64(unsafe.Sizeof(zero))
	if n == 0 {
		return Array[T]{}, nil
	}
	if off < 0 || n < 0 || off%size != 0 || n > (int64(len(m.bytes))-off)/size {
		return Array[T]{}, fmt.Errorf("%d numbers of %d bytes at byte %d are not in a file of %d bytes", n, size, off, len(m.bytes))
	}
	return Array[T]{V: unsafe.Slice((*T)(unsafe.Pointer(&m.bytes[off])), n)}, nil
}

// Raw are the bytes of numbers as they lie in memory.
func Raw[T Number](v []T) []byte {
	var zero T
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(zero)))
}
