package accesslog

import (
	"bytes"
	"errors"
	"io"
)

// MaxLine bounds one line; a longer one is passed over and counted.
const MaxLine = 1 << 20

// chunk is how much is read at once.
const chunk = 256 << 10

// lines cuts a stream into lines in a buffer of its own.
type lines struct {
	src  io.Reader
	buf  []byte
	i, n int // what is in the buffer and was not given out
	err  error
	no   int // number of the last line given out, from 1
}

func newLines(src io.Reader) *lines { return &lines{src: src, buf: make([]byte, chunk)} }

// fill reads more behind what is there. It returns false at the end of the stream,
// and where the buffer is full.
func (l *lines) fill() bool {
	if l.err != nil {
		return false
	}
	if l.i > 0 {
		copy(l.buf, l.buf[l.i:l.n])
		l.i, l.n = 0, l.n-l.i
	}
	if l.n == len(l.buf) {
		if len(l.buf) >= MaxLine {
			return false
		}
		bigger := make([]byte, min(2*len(l.buf), MaxLine))
		copy(bigger, l.buf[:l.n])
		l.buf = bigger
	}
	for tries := 0; tries < 100; tries++ {
		n, err := l.src.Read(l.buf[l.n:])
		l.n += n
		if err != nil {
			l.err = err
		}
		if n > 0 || err != nil {
			return n > 0
		}
	}
	l.err = io.ErrNoProgress
	return false
}

// next returns the next line without its end; it is valid until the next call. long
// says that the line was longer than [MaxLine]: what is returned is its beginning.
func (l *lines) next() (line []byte, long, ok bool) {
	for from := 0; ; {
		if k := bytes.IndexByte(l.buf[l.i+from:l.n], '\n'); k >= 0 {
			line = l.buf[l.i : l.i+from+k]
			l.i += from + k + 1
			l.no++
			return trimCR(line), false, true
		}
		from = l.n - l.i
		if l.fill() {
			continue
		}
		switch {
		case from == 0:
			return nil, false, false
		case l.err == nil:
			l.no++
			return l.skip(), true, true
		}
		line = l.buf[l.i:l.n]
		l.i = l.n
		l.no++
		return trimCR(line), false, true
	}
}

// skip passes over the rest of a line that fills the buffer. It returns the line's
// first bytes.
func (l *lines) skip() []byte {
	head := bytes.Clone(l.buf[:maxShown])
	for {
		l.i, l.n = 0, 0
		if !l.fill() {
			return head
		}
		if k := bytes.IndexByte(l.buf[:l.n], '\n'); k >= 0 {
			l.i = k + 1
			return head
		}
	}
}

// peek returns whole lines from the start of what was not given out yet, as many as
// the buffer has of at most want.
func (l *lines) peek(want int) [][]byte {
	for bytes.Count(l.buf[l.i:l.n], []byte("\n")) < want && l.n-l.i < chunk && l.fill() {
	}
	var out [][]byte
	for b := l.buf[l.i:l.n]; len(b) > 0 && len(out) < want; {
		k := bytes.IndexByte(b, '\n')
		if k < 0 {
			if l.err != nil {
				out = append(out, trimCR(b))
			}
			break
		}
		if line := trimCR(b[:k]); len(bytes.TrimSpace(line)) > 0 {
			out = append(out, line)
		}
		b = b[k+1:]
	}
	return out
}

// failure is the error that ended the stream, but for its end.
func (l *lines) failure() error {
	if errors.Is(l.err, io.EOF) {
		return nil
	}
	return l.err
}

func trimCR(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\r' {
		return b[:n-1]
	}
	return b
}
