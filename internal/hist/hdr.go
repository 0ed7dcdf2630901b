package hist

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// The layout of an HdrHistogram of two significant digits from 1 ns to [Limit]:
// 256 sub-buckets, of which the upper half is used from the second octave on.
const (
	hdrDigits        = 2
	hdrSubBuckets    = 256
	hdrHalfMagnitude = 7

	hdrCookie           = 0x1c849303 | 0x10
	hdrCompressedCookie = 0x1c849304 | 0x10
)

// HDR returns h in the compressed V2 encoding of HdrHistogram (version 2.1.12 of
// its reference implementation), base64 as in its logs, with values in
// nanoseconds. The least and the greatest sample keep their places, the others
// stand in the middles of their buckets; a value beyond [Limit] is written as the
// last one below it.
func (h *Hist) HDR() string {
	payload := hdrCounts(h)
	head := make([]byte, 40, 40+len(payload))
	binary.BigEndian.PutUint32(head[0:], hdrCookie)
	binary.BigEndian.PutUint32(head[4:], uint32(len(payload)))
	binary.BigEndian.PutUint32(head[8:], 0) // no normalising offset
	binary.BigEndian.PutUint32(head[12:], hdrDigits)
	binary.BigEndian.PutUint64(head[16:], 1)
	binary.BigEndian.PutUint64(head[24:], Limit)
	binary.BigEndian.PutUint64(head[32:], math.Float64bits(1))
	var packed bytes.Buffer
	packed.Write(make([]byte, 8))
	z := zlib.NewWriter(&packed)
	// Writes to a buffer do not fail.
	_, _ = z.Write(append(head, payload...))
	_ = z.Close()
	out := packed.Bytes()
	binary.BigEndian.PutUint32(out[0:], hdrCompressedCookie)
	binary.BigEndian.PutUint32(out[4:], uint32(len(out)-8))
	return base64.StdEncoding.EncodeToString(out)
}

// hdrIndex is the place of a value in the list of counts.
func hdrIndex(v int64) int {
	v = min(v, Limit-1)
	octave := bits.Len64(uint64(v)|(hdrSubBuckets-1)) - (hdrHalfMagnitude + 1)
	return octave<<hdrHalfMagnitude + int(v>>octave)
}

// hdrCounts is the list of counts up to the last that is not zero: each a signed
// number, of which a negative one stands for so many zeros.
func hdrCounts(h *Hist) []byte {
	if h.count == 0 {
		return nil
	}
	counts := make([]uint64, hdrIndex(h.max)+1)
	for b := range h.Buckets() {
		n := b.Count
		at := min(max(b.Low+(b.High-b.Low)/2, h.min), h.max)
		// Min and Max are known exactly, and lie in the first and the last bucket.
		if b.Low <= h.min && h.min <= b.High {
			counts[hdrIndex(h.min)]++
			n--
		}
		if n > 0 && (b.Low <= h.max && h.max <= b.High || b.High == Limit-1 && h.max >= Limit) {
			counts[hdrIndex(h.max)]++
			n--
		}
		counts[hdrIndex(at)] += n
	}
	var out []byte
	zeros := int64(0)
	for _, n := range counts {
		if n == 0 {
			zeros++
			continue
		}
		if zeros > 0 {
			out = zigzag(out, -zeros)
			zeros = 0
		}
		out = zigzag(out, int64(min(n, math.MaxInt64)))
	}
	return out
}

// zigzag appends a signed number as ZigZag LEB128, of which a ninth byte has eight
// bits.
func zigzag(b []byte, v int64) []byte {
	u := uint64(v)<<1 ^ uint64(v>>63)
	for range 8 {
		if u < 0x80 {
			return append(b, byte(u))
		}
		b = append(b, byte(u)|0x80)
		u >>= 7
	}
	return append(b, byte(u))
}

// HDRLogHead is what stands before the lines of an HdrHistogram log of version
// 1.3. start is in seconds since 1970.
func HDRLogHead(start float64) string {
	return fmt.Sprintf("#[Histogram log format version 1.3]\n#[StartTime: %.3f (seconds since epoch)]\n"+
		"\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n", start)
}

// HDRLogLine is one line of such a log: an interval that began so many seconds
// after the start, its length, and its histogram under a tag. The greatest value
// is in milliseconds, as the readers of such logs take it.
func (h *Hist) HDRLogLine(tag string, start, length float64) string {
	return fmt.Sprintf("Tag=%s,%.3f,%.3f,%.3f,%s\n", tag, start, length, float64(h.max)/1e6, h.HDR())
}
