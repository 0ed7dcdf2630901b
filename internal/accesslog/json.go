package accesslog

import (
	"bytes"
	"unicode/utf8"
)

// jsonLines reads one JSON object a line. Keys of objects inside count as well, down
// to the second level: Caddy's request.method, Elastic's http.response.status_code.
type jsonLines struct{ stamps stamps }

func (p *jsonLines) parse(line []byte, r *Record) string {
	i := bytes.IndexByte(line, '{')
	if i < 0 || len(bytes.TrimSpace(line[:i])) > 0 {
		return "no JSON object"
	}
	f := fields{stamps: &p.stamps, r: r}
	s := scanner{b: line, i: i + 1}
	if !s.members(&f, nil, 0) || len(bytes.TrimSpace(s.b[s.i:])) > 0 {
		return "JSON that does not hold together"
	}
	return f.finish()
}

// scanner goes over JSON text without building anything of it.
type scanner struct {
	b []byte
	i int
}

const (
	// maxJSONDepth bounds how deep objects and lists may lie.
	maxJSONDepth = 64
	// keyDepth is from which depth on keys say nothing: http.response.status_code is
	// two below the top.
	keyDepth = 3
)

// saysNothing reports whether an object's members are of no interest, whatever their
// names: headers and certificates have names of others' choosing.
func saysNothing(key []byte) bool {
	switch string(key) {
	case "headers", "resp_headers", "tls":
		return true
	}
	return false
}

func (s *scanner) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return
		}
	}
}

func (s *scanner) next(c byte) bool {
	s.space()
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

// members reads the members of an object whose brace was read. f may be nil, where
// they say nothing.
func (s *scanner) members(f *fields, parent []byte, depth int) bool {
	if depth > maxJSONDepth {
		return false
	}
	if s.next('}') {
		return true
	}
	for {
		s.space()
		key, ok := s.text()
		if !ok || !s.next(':') || !s.member(f, parent, key, depth) {
			return false
		}
		if s.next('}') {
			return true
		}
		if !s.next(',') {
			return false
		}
	}
}

// member reads one value.
func (s *scanner) member(f *fields, parent, key []byte, depth int) bool {
	s.space()
	if s.i >= len(s.b) {
		return false
	}
	switch s.b[s.i] {
	case '{':
		s.i++
		inner := f
		if depth >= keyDepth || saysNothing(key) {
			inner = nil
		}
		return s.members(inner, key, depth+1)
	case '[':
		s.i++
		return s.list(depth + 1)
	case '"':
		v, ok := s.text()
		if ok && f != nil {
			f.put(nested(parent, key), v, true)
		}
		return ok
	}
	from := s.i
	for s.i < len(s.b) && bytes.IndexByte([]byte(",}] \t\r\n"), s.b[s.i]) < 0 {
		s.i++
	}
	v := s.b[from:s.i]
	if len(v) == 0 || !isScalar(v) {
		return false
	}
	if f != nil {
		f.put(nested(parent, key), v, false)
	}
	return true
}

// nested is the key by which a member of an inner object counts: "request_id"
// beside "request" is not its id. Of a response only status and size count.
func nested(parent, key []byte) []byte {
	switch string(parent) {
	case "response", "res":
		switch string(key) {
		case "status", "status_code", "statusCode", "size", "bytes":
			return key
		}
		return nil
	}
	return key
}

func (s *scanner) list(depth int) bool {
	if depth > maxJSONDepth {
		return false
	}
	if s.next(']') {
		return true
	}
	for {
		if !s.member(nil, nil, nil, depth) {
			return false
		}
		if s.next(']') {
			return true
		}
		if !s.next(',') {
			return false
		}
	}
}

// isScalar reports whether b is true, false, null or the like of a number.
func isScalar(b []byte) bool {
	switch string(b) {
	case "true", "false", "null":
		return true
	}
	return isDigit(b[0]) || b[0] == '-' && len(b) > 1
}

// text reads a string. It is a part of the line where nothing in it is escaped.
func (s *scanner) text() ([]byte, bool) {
	if s.i >= len(s.b) || s.b[s.i] != '"' {
		return nil, false
	}
	s.i++
	from := s.i
	for {
		k := bytes.IndexByte(s.b[s.i:], '"')
		if k < 0 {
			return nil, false
		}
		s.i += k + 1
		if !escaped(s.b[from : s.i-1]) {
			break
		}
	}
	v := s.b[from : s.i-1]
	if bytes.IndexByte(v, '\\') >= 0 {
		v = unescapeJSON(v)
	}
	return v, true
}

// unescapeJSON undoes the escapes of a JSON string.
func unescapeJSON(b []byte) []byte {
	out := make([]byte, 0, len(b))
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
			if r, ok := hexRune(b[i+1:]); ok {
				out = utf8.AppendRune(out, r)
				i += 4
			}
		default:
			out = append(out, b[i])
		}
	}
	return out
}

func hexRune(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		h := hexDigit(c)
		if h < 0 {
			return 0, false
		}
		r = r<<4 | rune(h)
	}
	return r, true
}
