package hist

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// textVersion is the first byte of the packed form.
const textVersion = 1

// maxText bounds what UnmarshalText looks at: a histogram with samples in every
// bucket has less.
const maxText = 64 << 10

// MarshalText packs h into a word of printable characters from which
// [Hist.UnmarshalText] makes the same histogram again, to the last count: base64
// (RFC 4648, standard alphabet, no padding) of a version byte and unsigned
// varints: the least and the greatest sample and the two halves of the sum, in
// nanoseconds, then for each bucket with samples the number of empty buckets
// before it and its count. An empty histogram is the version byte alone.
func (h *Hist) MarshalText() ([]byte, error) {
	b := []byte{textVersion}
	if h.count > 0 {
		for _, v := range []uint64{uint64(h.min), uint64(h.max), h.sumHi, h.sumLo} {
			b = binary.AppendUvarint(b, v)
		}
		gap := uint64(0)
		for _, n := range h.buckets {
			if n == 0 {
				gap++
				continue
			}
			b = binary.AppendUvarint(binary.AppendUvarint(b, gap), n)
			gap = 0
		}
	}
	return base64.RawStdEncoding.AppendEncode(nil, b), nil
}

// UnmarshalText unpacks what [Hist.MarshalText] wrote. h is not changed by a text
// that is none.
func (h *Hist) UnmarshalText(text []byte) error {
	if len(text) > maxText {
		return fmt.Errorf("histogram: expected at most %d characters, found %d", maxText, len(text))
	}
	b, err := base64.RawStdEncoding.AppendDecode(nil, text)
	if err != nil {
		return fmt.Errorf("histogram: %w", err)
	}
	if len(b) == 0 || b[0] != textVersion {
		return fmt.Errorf("histogram: expected version %d, found %q", textVersion, b[:min(1, len(b))])
	}
	if len(b) == 1 {
		*h = Hist{}
		return nil
	}
	r := varints{b: b[1:]}
	lo, hi := r.next(), r.next()
	u := Hist{buckets: new([numBuckets]uint64), min: int64(lo), max: int64(hi), sumHi: r.next(), sumLo: r.next()}
	first, last := -1, -1
	for at := uint64(0); len(r.b) > 0 && r.err == nil; at++ {
		gap, n := r.next(), r.next()
		if at += gap; at >= numBuckets || gap >= numBuckets {
			return fmt.Errorf("histogram: expected at most %d buckets, found more", numBuckets)
		}
		sum, carry := bits.Add64(u.count, n, 0)
		if n == 0 || carry > 0 {
			return errors.New("histogram: expected counts of 1 or more that add up to less than 2^64")
		}
		u.buckets[at], u.count = n, sum
		if first < 0 {
			first = int(at)
		}
		last = int(at)
	}
	switch {
	case r.err != nil:
		return r.err
	case first < 0:
		return errors.New("histogram: expected counts, found none")
	case u.min < 0 || u.max < u.min || index(u.min) != first || index(u.max) != last:
		return fmt.Errorf("histogram: least sample %d and greatest %d are not in its first and last bucket", u.min, u.max)
	}
	*h = u
	return nil
}

// varints reads one number after the other.
type varints struct {
	b   []byte
	err error
}

func (r *varints) next() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.err, r.b = errors.New("histogram: it breaks off within a number"), nil
		return 0
	}
	r.b = r.b[n:]
	return v
}
