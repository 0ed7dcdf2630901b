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

// reach is what has to be known of the values of a column to choose its form:
// of those that are not 0 the smallest, the largest and the bits set in any.
type reach struct {
	lo, hi int64
	or     uint64
	zero   bool // some are 0
}

func newReach() reach { return reach{lo: 1<<63 - 1, hi: -1 << 63} }

// add takes a value. It is small enough to be inlined.
func (r *reach) add(v uint64) {
	if v == 0 {
		r.zero = true
		return
	}
	r.or |= v
	r.lo, r.hi = min(r.lo, int64(v)), max(r.hi, int64(v))
}

func reachOf(values []uint64) reach {
	r := newReach()
	for _, v := range values {
		r.add(v)
	}
	return r
}

// appendColumn appends the data of a column to a blob, of which the head is at
// an offset.
func appendColumn(blob []byte, head int, values []uint64, r reach) []byte {
	width, shift, base, apart := r.fit()
	le.PutUint64(blob[head:], base)
	le.PutUint32(blob[head+8:], uint32(len(blob)))
	blob[head+12], blob[head+13], blob[head+14], blob[head+15] = width, shift, 0, 0
	if width == 0 {
		return blob
	}
	if apart {
		blob[head+14] = 1
		// 0 becomes 0 and the smallest value 1: every value but 0 counts from one
		// step below the smallest.
		base -= 1 << shift
	}
	at := len(blob)
	blob = grown(blob, int(width)*len(values))
	out := blob[at:]
	if apart && r.zero {
		appendApart(out, values, width, shift, base)
		return blob
	}
	switch width {
	case 1:
		for i, v := range values {
			out[i] = byte((v - base) >> shift)
		}
	case 2:
		for i, v := range values {
			le.PutUint16(out[2*i:], uint16((v-base)>>shift))
		}
	case 4:
		for i, v := range values {
			le.PutUint32(out[4*i:], uint32((v-base)>>shift))
		}
	case 8:
		for i, v := range values {
			le.PutUint64(out[8*i:], (v-base)>>shift)
		}
	}
	return blob
}

func appendApart(out []byte, values []uint64, width, shift uint8, base uint64) {
	for i, v := range values {
		e := (v - base) >> shift
		if v == 0 {
			e = 0
		}
		switch width {
		case 1:
			out[i] = byte(e)
		case 2:
			le.PutUint16(out[2*i:], uint16(e))
		case 4:
			le.PutUint32(out[4*i:], uint32(e))
		case 8:
			le.PutUint64(out[8*i:], e)
		}
	}
}

// fit finds the narrowest form that holds all values.
func (r *reach) fit() (width, shift uint8, base uint64, apart bool) {
	if r.or == 0 { // all 0, or none
		return 0, 0, 0, false
	}
	shift = uint8(min(bits.TrailingZeros64(r.or), 8))
	span := (uint64(r.hi) - uint64(r.lo)) >> shift
	if !r.zero {
		return widthOf(span), shift, uint64(r.lo), false
	}
	// Beside 0: either 0 is one of the distances, or apart.
	lo0, hi0 := min(r.lo, 0), max(r.hi, 0)
	span0 := (uint64(hi0) - uint64(lo0)) >> shift
	if span == 1<<64-1 || widthOf(span0) <= widthOf(span+1) {
		return widthOf(span0), shift, uint64(lo0), false
	}
	return widthOf(span + 1), shift, uint64(r.lo), true
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
