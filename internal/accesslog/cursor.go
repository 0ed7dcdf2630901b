package accesslog

import "bytes"

// cursor goes over the fields of a line, which spaces part.
type cursor struct {
	b []byte
}

// word takes the next field up to a space; empty at the line's end.
func (c *cursor) word() []byte {
	i := bytes.IndexByte(c.b, ' ')
	if i < 0 {
		w := c.b
		c.b = nil
		return w
	}
	w := c.b[:i]
	c.b = c.b[i+1:]
	return w
}

// quoted takes a field in double quotes, in which a backslash hides the character
// behind it. ok is false where there is none.
func (c *cursor) quoted() (text []byte, ok bool) {
	if len(c.b) == 0 || c.b[0] != '"' {
		return nil, false
	}
	b := c.b[1:]
	for from := 0; ; {
		i := bytes.IndexByte(b[from:], '"')
		if i < 0 {
			return nil, false
		}
		i += from
		if !escaped(b[:i]) {
			text, c.b = b[:i], b[i+1:]
			c.space()
			return text, true
		}
		from = i + 1
	}
}

// escaped reports whether a character behind b is hidden by a backslash.
func escaped(b []byte) bool {
	n := 0
	for n < len(b) && b[len(b)-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}

// field takes the next field, in quotes or not.
func (c *cursor) field() []byte {
	if text, ok := c.quoted(); ok {
		return text
	}
	return c.word()
}

func (c *cursor) space() {
	if len(c.b) > 0 && c.b[0] == ' ' {
		c.b = c.b[1:]
	}
}

// number reads a whole number; ok is false for anything else, as for "-".
func number(b []byte) (v int64, ok bool) {
	if len(b) == 0 || len(b) > 18 {
		return 0, false
	}
	for _, c := range b {
		if !isDigit(c) {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	return v, true
}

// size reads a number of bytes; "-" is how Apache writes 0.
func size(b []byte) int64 {
	if len(b) == 1 && b[0] == '-' {
		return 0
	}
	if v, ok := number(b); ok {
		return v
	}
	return Unknown
}

// status reads a status code; 0 where there is none.
func status(b []byte) (code int, ok bool) {
	if len(b) == 1 && (b[0] == '-' || b[0] == '0') || len(b) == 3 && string(b) == "000" || string(b) == "-1" {
		return 0, true
	}
	v, ok := number(b)
	if !ok || v < 100 || v > 999 {
		return 0, false
	}
	return int(v), true
}

// decimal reads a number such as 12 or 0.034 times unit; ok is false for anything
// else.
func decimal(b []byte, unit int64) (v int64, ok bool) {
	i := 0
	for i < len(b) && isDigit(b[i]) {
		if i == 12 {
			return 0, false
		}
		v = v*10 + int64(b[i]-'0')
		i++
	}
	if i == 0 || v > (1<<62)/unit {
		return 0, false
	}
	v *= unit
	if i == len(b) {
		return v, true
	}
	if b[i] != '.' || i+1 == len(b) {
		return 0, false
	}
	for _, c := range b[i+1:] {
		if !isDigit(c) {
			return 0, false
		}
		unit /= 10
		v += int64(c-'0') * unit
	}
	return v, true
}

// sumDecimals reads what nginx writes of several servers asked one after the other,
// "0.010, 0.020 : 0.005", and adds it up.
func sumDecimals(b []byte, unit int64) (sum int64, ok bool) {
	for len(b) > 0 {
		i := bytes.IndexAny(b, ",:")
		part := b
		if i >= 0 {
			part, b = b[:i], b[i+1:]
		} else {
			b = nil
		}
		if v, is := decimal(bytes.TrimSpace(part), unit); is {
			sum, ok = sum+v, true
		}
	}
	return sum, ok
}

// requestLine reads "GET /path HTTP/1.1". A line that is none leaves the record
// without a method: such requests came as well.
func requestLine(b []byte, r *Record) {
	i := bytes.IndexByte(b, ' ')
	if i <= 0 || !isMethod(b[:i]) {
		return
	}
	rest := b[i+1:]
	path := rest
	if k := bytes.LastIndexByte(rest, ' '); k >= 0 && bytes.HasPrefix(rest[k+1:], []byte("HTTP/")) {
		path, r.Protocol = rest[:k], rest[k+1:]
	}
	if len(path) == 0 {
		r.Protocol = nil
		return
	}
	r.Method, r.Path = b[:i], pathOf(path)
}

// isMethod reports whether b looks like a method: letters, and no more than twenty.
func isMethod(b []byte) bool {
	if len(b) == 0 || len(b) > 20 {
		return false
	}
	for _, c := range b {
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

var slash = []byte("/")

// pathOf takes the path with its query out of what may be a whole URL.
func pathOf(b []byte) []byte {
	if b[0] == '/' {
		return b
	}
	i := bytes.Index(b, []byte("://"))
	if i < 0 {
		return b
	}
	rest := b[i+3:]
	k := bytes.IndexAny(rest, "/?")
	switch {
	case k < 0:
		return slash
	case rest[k] == '?':
		return append([]byte("/"), rest[k:]...)
	}
	return rest[k:]
}

// unescape undoes what servers write for characters that would break a line: \x22,
// \" and \\. It returns b where there is nothing to undo.
func unescape(b []byte) []byte {
	if bytes.IndexByte(b, '\\') < 0 {
		return b
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 == len(b) {
			out = append(out, b[i])
			continue
		}
		i++
		if b[i] == 'x' && i+2 < len(b) {
			if h, l := hexDigit(b[i+1]), hexDigit(b[i+2]); h >= 0 && l >= 0 {
				out = append(out, byte(h<<4|l))
				i += 2
				continue
			}
		}
		out = append(out, b[i])
	}
	return out
}

func hexDigit(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
