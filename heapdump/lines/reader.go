package lines

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxLength is how many bytes of a line are kept. The rest of a longer line is
// read and dropped. The longest lines that virtual machines write are headers with
// the name of a thread, which programs choose; a few kilobytes have been seen.
const MaxLength = 64 << 10

// Reader yields the lines of a text.
type Reader struct {
	in     *bufio.Reader
	line   []byte
	number int64
	cut    int64
	err    error
}

// New returns a reader of the lines of in.
func New(in io.Reader) *Reader {
	b := bufio.NewReaderSize(in, 64<<10)
	head, _ := b.Peek(3)
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		_, _ = b.Discard(3)
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		b = bufio.NewReader(&wide{in: b, low: 0})
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		b = bufio.NewReader(&wide{in: b, low: 1})
	}
	return &Reader{in: b}
}

// Next reads the next line and says whether there is one.
func (r *Reader) Next() bool {
	if r.err != nil {
		return false
	}
	r.line = r.line[:0]
	got, long := false, false
	for {
		part, err := r.in.ReadSlice('\n')
		got = got || len(part) > 0
		if room := MaxLength - len(r.line); len(part) > room {
			// What ends the line is no part of its length.
			long = long || len(bytes.TrimRight(part[room:], "\r\n")) > 0
			part = part[:room]
		}
		r.line = append(r.line, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			r.err = err
		}
		break
	}
	if !got {
		return false
	}
	if long {
		r.cut++
	}
	r.line = bytes.TrimRight(r.line, "\r\n")
	r.number++
	return true
}

// Line is the line that was read, without its end; it is valid until the next.
func (r *Reader) Line() []byte { return r.line }

// Number is the number of the line that was read, from 1.
func (r *Reader) Number() int64 { return r.number }

// Cut is how many lines so far were longer than [MaxLength].
func (r *Reader) Cut() int64 { return r.cut }

// Err is what ended the reading, nil at the end of the text.
func (r *Reader) Err() error {
	if errors.Is(r.err, io.EOF) {
		return nil
	}
	return r.err
}

// wide turns UTF-16 into UTF-8. Halves of a pair without the other become the
// replacement character; a byte too many at the end is dropped.
type wide struct {
	in  io.Reader
	low int // where the low byte of a unit stands
	// units of two bytes, their odd rest, and text not yet asked for
	odd  []byte
	high rune
	text []byte
	err  error
}

func (w *wide) Read(p []byte) (int, error) {
	for len(w.text) == 0 {
		if w.err != nil {
			return 0, w.err
		}
		w.fill()
	}
	n := copy(p, w.text)
	w.text = w.text[n:]
	return n, nil
}

func (w *wide) fill() {
	var buf [4096]byte
	n := copy(buf[:], w.odd)
	m, err := w.in.Read(buf[n:])
	n += m
	w.err = err
	w.text = w.text[:0]
	for i := 0; i+1 < n; i += 2 {
		w.unit(rune(buf[i+w.low]) | rune(buf[i+1-w.low])<<8)
	}
	w.odd = append(w.odd[:0], buf[n&^1:n]...)
	if err != nil && w.high != 0 {
		w.text = utf8.AppendRune(w.text, utf8.RuneError)
		w.high = 0
	}
}

func (w *wide) unit(u rune) {
	if u == 0xfeff {
		return // the mark at the start, or of a file appended to another
	}
	if w.high != 0 {
		pair := utf16.DecodeRune(w.high, u)
		w.high = 0
		w.text = utf8.AppendRune(w.text, pair)
		if pair != utf8.RuneError {
			return
		}
	}
	if u >= 0xd800 && u < 0xdc00 {
		w.high = u
		return
	}
	w.text = utf8.AppendRune(w.text, u)
}
