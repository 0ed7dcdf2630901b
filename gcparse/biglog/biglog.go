// Package biglog writes synthetic GC logs of any size whose pauses are known: the
// input for measuring how fast readers are, and an oracle for whether they miss
// anything on the way. The lines have the form of HotSpot's; what they say is
// drawn at random from a seed.
package biglog

import (
	"bufio"
	"io"
	"math/rand/v2"
	"strconv"
)

// Truth is what a log contains.
type Truth struct {
	Bytes, Lines int64
	// Pauses counts stop-the-world pauses, Full those of the whole heap; Total
	// and Longest are their durations in nanoseconds.
	Pauses, Full   int64
	Total, Longest int64
}

// writer writes lines and keeps the books.
type writer struct {
	out   *bufio.Writer
	rng   *rand.Rand
	err   error
	truth Truth
	buf   []byte
	now   int64 // uptime in nanoseconds
}

func newWriter(w io.Writer, seed uint64) *writer {
	return &writer{out: bufio.NewWriterSize(w, 256<<10), rng: rand.New(rand.NewPCG(seed, 1))}
}

// end ends a line.
func (w *writer) end() {
	w.buf = append(w.buf, '\n')
	n, err := w.out.Write(w.buf)
	w.truth.Bytes += int64(n)
	w.truth.Lines++
	if w.err == nil {
		w.err = err
	}
	w.buf = w.buf[:0]
}

func (w *writer) str(s string) *writer { w.buf = append(w.buf, s...); return w }
func (w *writer) num(v int64) *writer  { w.buf = strconv.AppendInt(w.buf, v, 10); return w }

// fixed writes v/scale with the given number of digits after the point; scale
// is a power of ten with more zeros.
func (w *writer) fixed(v, scale int64, digits int) *writer {
	w.num(v / scale)
	w.buf = append(w.buf, '.')
	for v %= scale; digits > 0; digits-- {
		scale /= 10
		w.buf = append(w.buf, byte('0'+v/scale))
		v %= scale
	}
	return w
}

// between draws from lo to hi.
func (w *writer) between(lo, hi int64) int64 { return lo + w.rng.Int64N(hi-lo+1) }

// pause keeps the books of a pause.
func (w *writer) pause(ns int64, full bool) {
	w.truth.Pauses++
	w.truth.Total += ns
	w.truth.Longest = max(w.truth.Longest, ns)
	if full {
		w.truth.Full++
	}
}

// finish flushes what is written.
func (w *writer) finish() (Truth, error) {
	if err := w.out.Flush(); w.err == nil {
		w.err = err
	}
	return w.truth, w.err
}
