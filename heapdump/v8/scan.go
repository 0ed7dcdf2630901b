package v8

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// bufferSize is how much is read at once.
const bufferSize = 128 << 10

// scanner goes through a JSON document byte by byte, and through its arrays of
// numbers much faster than that.
type scanner struct {
	ctx      context.Context
	src      io.Reader
	buf      []byte
	at, end  int
	base     int64 // offset of buf[0]
	progress func(int64)
	err      error
}

func newScanner(ctx context.Context, src io.Reader, progress func(int64)) *scanner {
	return &scanner{ctx: ctx, src: src, buf: make([]byte, bufferSize), progress: progress}
}

// errEnd is a document that ends before it should.
var errEnd = errors.New("the snapshot ends too early")

// pos is the offset of the next byte.
func (s *scanner) pos() int64 { return s.base + int64(s.at) }

// fill reads more. It is false at the end and after an error, which stays in err.
func (s *scanner) fill() bool {
	if s.err != nil {
		return false
	}
	if err := context.Cause(s.ctx); err != nil {
		s.err = err
		return false
	}
	s.base += int64(s.end)
	s.at, s.end = 0, 0
	if s.progress != nil {
		s.progress(s.base)
	}
	for empty := 0; s.end == 0; empty++ {
		n, err := s.src.Read(s.buf)
		s.end = n
		switch {
		case n > 0:
			// An error that comes with bytes comes again without them.
		case err == io.EOF || err == nil && empty > 100:
			s.err = errEnd
			return false
		case err != nil:
			s.err = err
			return false
		}
	}
	return true
}

// peek is the next byte that is no white space; 0 when there is none.
func (s *scanner) peek() byte {
	for {
		for s.at < s.end {
			switch c := s.buf[s.at]; c {
			case ' ', '\n', '\r', '\t':
				s.at++
			default:
				return c
			}
		}
		if !s.fill() {
			return 0
		}
	}
}

// next takes one byte as it is.
func (s *scanner) next() (byte, bool) {
	if s.at == s.end && !s.fill() {
		return 0, false
	}
	c := s.buf[s.at]
	s.at++
	return c, true
}

// expect takes one of the bytes in any, after white space.
func (s *scanner) expect(any string) (byte, error) {
	c := s.peek()
	if s.err != nil && c == 0 {
		return 0, s.err
	}
	for i := range len(any) {
		if any[i] == c {
			s.at++
			return c, nil
		}
	}
	want := fmt.Sprintf("%q", any[:1])
	for i := 1; i < len(any); i++ {
		want += fmt.Sprintf(" or %q", any[i:i+1])
	}
	return 0, s.wrong(want, c)
}

func (s *scanner) wrong(want string, found byte) error {
	return fmt.Errorf("offset %d: expected %s, found %q", s.pos(), want, string(rune(found)))
}

// maxDepth bounds how deep a value that is skipped may be nested.
const maxDepth = 1 << 20

// skip passes over one value of any kind: nothing of it is kept.
func (s *scanner) skip() error {
	depth := 0
	for {
		switch c := s.peek(); c {
		case 0:
			if s.err != nil {
				return s.err
			}
			return s.wrong("a value", c)
		case '{', '[':
			if depth++; depth > maxDepth {
				return fmt.Errorf("offset %d: expected values at most %d deep", s.pos(), maxDepth)
			}
			s.at++
		case '}', ']':
			if depth == 0 {
				return s.wrong("a value", c)
			}
			depth--
			s.at++
		case '"':
			if _, err := s.text(nil, 0); err != nil {
				return err
			}
		case ',', ':':
			if depth == 0 {
				return s.wrong("a value", c)
			}
			s.at++
			continue
		default:
			if err := s.word(); err != nil {
				return err
			}
		}
		if depth == 0 {
			return nil
		}
	}
}

// word passes over a number, true, false or null.
func (s *scanner) word() error {
	for n := 0; ; n++ {
		if s.at == s.end && !s.fill() {
			return s.err
		}
		c := s.buf[s.at]
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == '-' || c == '+' || c == '.' || c == 'E' {
			s.at++
			continue
		}
		if n == 0 {
			return s.wrong("a value", c)
		}
		return nil
	}
}
