package gcparse

import (
	"bufio"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// decode turns UTF-16 into UTF-8, as PowerShell's redirection makes it, and takes
// off a byte order mark, and ends lines with newlines. Anything else is passed on
// as it is. It reads nothing
// before it is read from.
func decode(src io.Reader) io.Reader { return &lineEnds{src: &decoder{src: src}} }

type decoder struct {
	src  io.Reader
	text io.Reader // nil until the first bytes have told what src is
}

func (d *decoder) Read(p []byte) (int, error) {
	if d.text == nil {
		b := bufio.NewReaderSize(d.src, 4096)
		head, err := b.Peek(4)
		if err != nil && len(head) == 0 {
			return 0, err
		}
		d.text = encoded(b, head)
	}
	return d.text.Read(p)
}

// encoded tells the encoding by the first bytes.
func encoded(b *bufio.Reader, head []byte) io.Reader {
	switch {
	case len(head) >= 3 && head[0] == 0xef && head[1] == 0xbb && head[2] == 0xbf:
		b.Discard(3)
	case len(head) >= 2 && head[0] == 0xff && head[1] == 0xfe:
		b.Discard(2)
		return &utf16Reader{src: b}
	case len(head) >= 2 && head[0] == 0xfe && head[1] == 0xff:
		b.Discard(2)
		return &utf16Reader{src: b, big: true}
	case len(head) == 4 && head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return &utf16Reader{src: b}
	case len(head) == 4 && head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return &utf16Reader{src: b, big: true}
	}
	return b
}

// utf16Reader decodes UTF-16. Unpaired halves become U+FFFD.
type utf16Reader struct {
	src     *bufio.Reader
	big     bool
	pending []byte // decoded, not handed out yet
	high    rune   // first half of a pair
	buf     [utf8.UTFMax * 2]byte
}

func (r *utf16Reader) Read(p []byte) (int, error) {
	n := copy(p, r.pending)
	r.pending = r.pending[n:]
	for n < len(p) {
		if n > 0 && r.src.Buffered() < 2 {
			return n, nil // do not wait for more than there is
		}
		unit, err := r.unit()
		if err != nil {
			if n > 0 {
				return n, nil
			}
			return 0, err
		}
		out := r.add(rune(unit))
		m := copy(p[n:], out)
		n += m
		if m < len(out) {
			r.pending = out[m:]
		}
	}
	return n, nil
}

func (r *utf16Reader) unit() (uint16, error) {
	head, err := r.src.Peek(2)
	if len(head) < 2 {
		if err == nil || err == io.EOF {
			err = io.EOF
		}
		return 0, err
	}
	unit := uint16(head[0]) | uint16(head[1])<<8
	if r.big {
		unit = uint16(head[0])<<8 | uint16(head[1])
	}
	r.src.Discard(2)
	return unit, nil
}

// add decodes one unit; the result is valid until the next call.
func (r *utf16Reader) add(unit rune) []byte {
	out := r.buf[:0]
	if r.high != 0 {
		high := r.high
		r.high = 0
		if c := utf16.DecodeRune(high, unit); c != utf8.RuneError {
			return utf8.AppendRune(out, c)
		}
		out = utf8.AppendRune(out, utf8.RuneError)
	}
	if unit >= 0xd800 && unit < 0xdc00 {
		r.high = unit
		return out
	}
	return utf8.AppendRune(out, unit)
}
