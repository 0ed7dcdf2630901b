package gcparse

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// openJSON opens a line that is one JSON object with the message in a field: what
// docker's json-file driver writes, journald with -o json, log4j and other
// loggers with a JSON layout, collectors in clouds.
func openJSON(text, scratch []byte) (opened, bool) {
	var o opened
	if len(text) < 2 || text[0] != '{' {
		return o, false
	}
	found := false
	docker := false
	s := jsonScanner{rest: text[1:]}
	for {
		key, value, quoted, ok := s.field()
		if !ok {
			return o, found && s.closed
		}
		switch string(key) {
		case "log", "message", "msg", "MESSAGE", "textPayload", "@message", "line":
			if !quoted || found {
				continue
			}
			o.text = unquote(value, scratch)
			found = true
			docker = string(key) == "log"
		case "stream":
			if string(value) == "stderr" {
				o.stream = 1
			}
			// Docker cuts lines at 16 KiB; only the last piece has the line end.
			if docker {
				o.more = !hasSuffix(o.text, "\n")
			}
		case "time", "@timestamp", "timestamp", "ts":
			if wall, ok := wallOf(value); ok {
				o.wall, o.hasWall = wall, true
			}
		case "__REALTIME_TIMESTAMP": // journald: microseconds
			if v, n := scanInt(value); n == len(value) && n > 0 && n < 17 {
				o.wall, o.hasWall = v*1000, true
			}
		}
	}
}

// jsonScanner walks over the fields of one object.
type jsonScanner struct {
	rest   []byte
	closed bool // the end of the object was seen
}

// field gives the next key and value; the value of a string without its quotes.
func (s *jsonScanner) field() (key, value []byte, quoted, ok bool) {
	s.space(',')
	if len(s.rest) == 0 || s.rest[0] != '"' {
		s.closed = len(s.rest) > 0 && s.rest[0] == '}'
		return nil, nil, false, false
	}
	if key, ok = s.text(); !ok {
		return nil, nil, false, false
	}
	s.space(':')
	if len(s.rest) == 0 {
		return nil, nil, false, false
	}
	switch s.rest[0] {
	case '"':
		value, ok = s.text()
		return key, value, true, ok
	case '{', '[':
		value, ok = s.nested()
		return key, value, false, ok
	}
	end := bytes.IndexAny(s.rest, ",}")
	if end < 0 {
		return nil, nil, false, false
	}
	value = bytes.TrimSpace(s.rest[:end])
	s.rest = s.rest[end:]
	return key, value, false, true
}

// space skips white space and the given separator.
func (s *jsonScanner) space(separator byte) {
	for len(s.rest) > 0 && (s.rest[0] == ' ' || s.rest[0] == '\t' || s.rest[0] == separator) {
		s.rest = s.rest[1:]
	}
}

// text takes a string, as it is between its quotes.
func (s *jsonScanner) text() ([]byte, bool) {
	b := s.rest[1:]
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			s.rest = b[i+1:]
			return b[:i], true
		}
	}
	return nil, false
}

// nested takes an object or array without looking into it.
func (s *jsonScanner) nested() ([]byte, bool) {
	whole := s.rest
	for depth := 0; len(s.rest) > 0; {
		switch s.rest[0] {
		case '"':
			if _, ok := s.text(); !ok {
				return nil, false
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		s.rest = s.rest[1:]
		if depth == 0 {
			return whole[:len(whole)-len(s.rest)], true
		}
	}
	return nil, false
}

// unquote resolves the escapes of a JSON string into scratch.
func unquote(b, scratch []byte) []byte {
	if bytes.IndexByte(b, '\\') < 0 {
		return b
	}
	out := scratch
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 == len(b) {
			out = append(out, b[i])
			continue
		}
		i++
		switch b[i] {
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'u':
			r, n := unquoteRune(b[i+1:])
			out = utf8.AppendRune(out, r)
			i += n
		default:
			out = append(out, b[i])
		}
	}
	return out
}

// unquoteRune reads the digits of \uXXXX, and the second half of a pair. It gives
// how many bytes it took.
func unquoteRune(b []byte) (rune, int) {
	high, ok := hex4(b)
	if !ok {
		return utf8.RuneError, 0
	}
	if !utf16.IsSurrogate(high) {
		return high, 4
	}
	if len(b) >= 10 && b[4] == '\\' && b[5] == 'u' {
		if low, ok := hex4(b[6:]); ok {
			if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
				return r, 10
			}
		}
	}
	return utf8.RuneError, 4
}

func hex4(b []byte) (v rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case c-'0' < 10:
			v = v<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			v = v<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return v, true
}
