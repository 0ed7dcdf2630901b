package hprof

import (
	"errors"
	"io"
)

// source reads a stream with a look ahead, and knows where it is.
type source struct {
	r      io.Reader
	buf    []byte
	lo, hi int
	at     int64 // offset in the dump of buf[lo]
	err    error // why there is no more, io.EOF for the end
}

const (
	sourceBuf = 192 << 10
	// sourceFill is how much is read ahead at once; small, as most bytes go past
	// this buffer into chunks.
	sourceFill = 32 << 10
)

func newSource(r io.Reader) *source { return &source{r: r, buf: make([]byte, sourceBuf)} }

// peek gives the next n bytes, fewer at the end of the stream and no more than
// sourceBuf.
func (s *source) peek(n int) []byte {
	n = min(n, len(s.buf))
	for s.hi-s.lo < n && s.err == nil {
		if len(s.buf)-s.lo < n {
			s.hi = copy(s.buf, s.buf[s.lo:s.hi])
			s.lo = 0
		}
		end := min(len(s.buf), max(s.lo+n, s.hi+sourceFill))
		got, err := s.r.Read(s.buf[s.hi:end])
		s.hi += got
		s.err = err
	}
	return s.buf[s.lo:min(s.hi, s.lo+n)]
}

// advance passes over n bytes that were peeked at.
func (s *source) advance(n int) {
	s.lo += n
	s.at += int64(n)
}

// read fills p, less at the end of the stream.
func (s *source) read(p []byte) int {
	n := copy(p, s.buf[s.lo:s.hi])
	s.advance(n)
	for n < len(p) && s.err == nil {
		got, err := s.r.Read(p[n:])
		n += got
		s.at += int64(got)
		s.err = err
	}
	return n
}

// unread gives bytes back that were read last.
func (s *source) unread(p []byte) {
	s.at -= int64(len(p))
	if len(p) <= s.lo {
		s.lo -= len(p)
		copy(s.buf[s.lo:], p)
		return
	}
	rest := s.hi - s.lo
	need := len(p) + rest
	to := s.buf
	if need > len(to) {
		to = make([]byte, need+sourceFill)
	}
	copy(to[len(p):], s.buf[s.lo:s.hi])
	copy(to, p)
	s.buf, s.lo, s.hi = to, 0, need
}

// failure is why the stream ended, nil for its end.
func (s *source) failure() error {
	if errors.Is(s.err, io.EOF) {
		return nil
	}
	return s.err
}
