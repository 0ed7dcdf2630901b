package v8

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// text reads a string, with its quotes, and appends its first bytes, up to a total
// of most, to dst: what is longer is passed over.
func (s *scanner) text(dst []byte, most int) ([]byte, error) {
	if _, err := s.expect(`"`); err != nil {
		return dst, err
	}
	for {
		// Long runs without an escape are copied at once.
		from := s.at
		for s.at < s.end && s.buf[s.at] != '"' && s.buf[s.at] != '\\' {
			s.at++
		}
		if room := most - len(dst); room > 0 {
			dst = append(dst, s.buf[from:min(s.at, from+room)]...)
		}
		if s.at == s.end {
			if !s.fill() {
				return dst, s.err
			}
			continue
		}
		c := s.buf[s.at]
		s.at++
		if c == '"' {
			return dst, nil
		}
		var err error
		if dst, err = s.escape(dst, most); err != nil {
			return dst, err
		}
	}
}

// escape reads what follows a backslash.
func (s *scanner) escape(dst []byte, most int) ([]byte, error) {
	c, ok := s.next()
	if !ok {
		return dst, s.err
	}
	r := rune(0)
	switch c {
	case 'u':
		var err error
		if r, err = s.hex(); err != nil {
			return dst, err
		}
	case 'n':
		r = '\n'
	case 't':
		r = '\t'
	case 'r':
		r = '\r'
	case 'b':
		r = '\b'
	case 'f':
		r = '\f'
	case '"', '\\', '/':
		r = rune(c)
	default:
		return dst, s.wrong("an escape of JSON", c)
	}
	if utf16.IsSurrogate(r) {
		r = utf8.RuneError // halves of a pair; names have none
	}
	if len(dst)+utf8.RuneLen(r) > most {
		return dst, nil
	}
	return utf8.AppendRune(dst, r), nil
}

// hex reads four hexadecimal digits.
func (s *scanner) hex() (rune, error) {
	r := rune(0)
	for range 4 {
		c, ok := s.next()
		if !ok {
			return 0, s.err
		}
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, s.wrong("a hexadecimal digit", c)
		}
	}
	return r, nil
}

// key reads the name of a member and its colon.
func (s *scanner) key() (string, error) {
	name, err := s.text(nil, maxKey+1)
	if err != nil {
		return "", err
	}
	if len(name) > maxKey {
		return "", fmt.Errorf("offset %d: expected a name of at most %d bytes", s.pos(), maxKey)
	}
	_, err = s.expect(":")
	return string(name), err
}

// maxKey bounds the name of a member.
const maxKey = 256
