package hprof

import (
	"encoding/binary"
	"math/bits"
)

// Values of a column are kept as distances from the smallest, in the fewest of
// 0, 1, 2, 4 or 8 bytes each, so that any of them can be read alone. References
// are multiples of the alignment mostly: their distances are shifted right. A
// column of which some values are 0 and the others far away, as references are,
// keeps 0 as 0 and others as distance plus 1.
//
// Its head in a blob: the smallest value in 8 bytes, the offset of the data in the
// blob in 4, and one byte each for the width, the shift and whether 0 is apart.
const columnHead = 16

var le = binary.LittleEndian

// appendColumn appends the data of a column to a blob, of which the head is at
// an offset.
func appendColumn(blob []byte, head int, values []uint64) []byte {
	width, shift, base, apart := fit(values)
	le.PutUint64(blob[head:], base)
	le.PutUint32(blob[head+8:], uint32(len(blob)))
	blob[head+12], blob[head+13], blob[head+14], blob[head+15] = width, shift, 0, 0
	if apart {
		blob[head+14] = 1
	}
	at := len(blob)
	n := int(width) * len(values)
	blob = grown(blob, n)
	out := blob[at : at+n]
	one := uint64(0)
	if apart {
		one = 1
	}
	enc := func(v uint64) uint64 {
		if apart && v == 0 {
			return 0
		}
		return (v-base)>>shift + one
	}
	switch width {
	case 1:
		for i, v := range values {
			out[i] = byte(enc(v))
		}
	case 2:
		for i, v := range values {
			le.PutUint16(out[2*i:], uint16(enc(v)))
		}
	case 4:
		for i, v := range values {
			le.PutUint32(out[4*i:], uint32(enc(v)))
		}
	case 8:
		for i, v := range values {
			le.PutUint64(out[8*i:], enc(v))
		}
	}
	return blob
}

// fit finds the narrowest form that holds all values.
func fit(values []uint64) (width, shift uint8, base uint64, apart bool) {
	lo, hi := int64(1<<63-1), int64(-1<<63)
	or, zero := uint64(0), false
	for _, v := range values {
		if v == 0 {
			zero = true
			continue
		}
		or |= v
		lo, hi = min(lo, int64(v)), max(hi, int64(v))
	}
	if or == 0 { // all 0, or none
		return 0, 0, 0, false
	}
	shift = uint8(min(bits.TrailingZeros64(or), 8))
	reach := (uint64(hi) - uint64(lo)) >> shift
	if !zero {
		return widthOf(reach), shift, uint64(lo), false
	}
	// Beside 0: either 0 is one of the distances, or apart.
	if lo0, hi0 := min(lo, 0), max(hi, 0); reach == 1<<64-1 || widthOf((uint64(hi0)-uint64(lo0))>>shift) <= widthOf(reach+1) {
		return widthOf((uint64(hi0) - uint64(lo0)) >> shift), shift, uint64(lo0), false
	}
	return widthOf(reach + 1), shift, uint64(lo), true
}

func widthOf(reach uint64) uint8 {
	switch {
	case reach == 0:
		return 0
	case reach < 1<<8:
		return 1
	case reach < 1<<16:
		return 2
	case reach < 1<<32:
		return 4
	}
	return 8
}

// columnAt reads a value of a column.
func columnAt(blob []byte, head, i int) uint64 {
	h := blob[head : head+columnHead]
	at := int(le.Uint32(h[8:]))
	var e uint64
	switch h[12] {
	case 1:
		e = uint64(blob[at+i])
	case 2:
		e = uint64(le.Uint16(blob[at+2*i:]))
	case 4:
		e = uint64(le.Uint32(blob[at+4*i:]))
	case 8:
		e = le.Uint64(blob[at+8*i:])
	}
	if h[14] != 0 {
		if e == 0 {
			return 0
		}
		e--
	}
	return le.Uint64(h) + e<<h[13]
}

// grown is b with n more bytes, of any content.
func grown(b []byte, n int) []byte {
	if cap(b)-len(b) < n {
		bigger := make([]byte, len(b), max(2*cap(b), len(b)+n))
		copy(bigger, b)
		b = bigger
	}
	return b[:len(b)+n]
}
