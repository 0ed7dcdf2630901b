package loadgen

import "bytes"

// This file is the part of the reader that understands the head of an answer:
// the status line and the few headers that frame the body or classify it.

// statusLine reads "HTTP/1.1 200 OK".
func (r *reader) statusLine(line []byte) {
	if len(line) < 12 || string(line[:7]) != "HTTP/1." || line[7] != '0' && line[7] != '1' || line[8] != ' ' {
		r.fail(malformed + "bad status line")
		return
	}
	status := 0
	for _, c := range line[9:12] {
		if c < '0' || c > '9' {
			r.fail(malformed + "bad status line")
			return
		}
		status = status*10 + int(c-'0')
	}
	if status < 100 || len(line) > 12 && line[12] != ' ' || !cleanText(line[12:]) {
		r.fail(malformed + "bad status line")
		return
	}
	r.old = line[7] == '0'
	r.status = status
	r.keep = !r.old
	r.state = atHeader
}

// headerLine reads "Name: value". Trailers are checked in the same way and
// then left alone: they come too late to frame anything.
func (r *reader) headerLine(line []byte, trailer bool) {
	if line[0] == ' ' || line[0] == '\t' {
		r.foldedLine(line)
		return
	}
	colon := bytes.IndexByte(line, ':')
	if colon <= 0 || !isToken(line[:colon]) {
		r.fail(malformed + "bad header line")
		return
	}
	name, value := line[:colon], trimSpace(line[colon+1:])
	if !cleanText(value) {
		r.fail(malformed + "bad header line")
		return
	}
	r.named, r.frames = true, false
	if trailer {
		return
	}
	switch len(name) {
	case len("connection"):
		if foldEqual(name, "connection") {
			r.frames = true
			r.connection(value)
		}
	case len("content-length"):
		if foldEqual(name, "content-length") {
			r.frames = true
			r.contentLength(value)
		}
	case len("transfer-encoding"):
		if foldEqual(name, "transfer-encoding") {
			r.frames = true
			r.transferEncoding(value)
		}
	case len("date"):
		if refusal(r.status) && foldEqual(name, "date") {
			r.dateValue(value)
		}
	}
	if len(name) == len("retry-after") && foldEqual(name, "retry-after") {
		r.retryAfterValue(value)
	}
	if r.rules != nil && len(r.rules.headers) > 0 && r.rules.matchHeader(name, value) {
		r.matched = true
	}
}

// foldedLine passes over a line that goes on with the header before it. A user
// agent has to take such lines (RFC 9112, section 5.2); where they are part of
// what frames the body they are as good as an attack.
func (r *reader) foldedLine(line []byte) {
	switch {
	case !r.named || !cleanText(line):
		r.fail(malformed + "bad header line")
	case r.frames:
		r.fail(malformed + "framing header over several lines")
	}
}

func (r *reader) contentLength(value []byte) {
	n, ok := decimal(value)
	switch {
	case !ok:
		r.fail(malformed + "bad Content-Length")
	case r.hasLen && n != r.remain:
		r.fail(malformed + "conflicting Content-Length")
	default:
		r.hasLen, r.remain = true, n
	}
}

func (r *reader) transferEncoding(value []byte) {
	if r.te || !foldEqual(value, "chunked") {
		r.fail(malformed + "unknown Transfer-Encoding")
		return
	}
	r.te = true
}

// connection reads the list of a Connection header. "close" wins over
// "keep-alive" whatever their order.
func (r *reader) connection(list []byte) {
	for len(list) > 0 {
		item := list
		if i := bytes.IndexByte(list, ','); i >= 0 {
			item, list = list[:i], list[i+1:]
		} else {
			list = nil
		}
		switch item = trimSpace(item); {
		case foldEqual(item, "close"):
			r.keep, r.close = false, true
		case foldEqual(item, "keep-alive"):
			r.keep = !r.close
		}
	}
}

// headEnd decides how the body is framed, RFC 9112 section 6.3.
func (r *reader) headEnd() {
	switch {
	case r.status == 101:
		// What follows is another protocol.
		r.state, r.keep = answerDone, false
	case r.status < 200:
		headed := r.headed
		r.reset()
		r.headed = headed
	case r.te && r.old:
		r.fail(malformed + "Transfer-Encoding in HTTP/1.0")
	case r.te && r.hasLen:
		r.fail(malformed + "both Content-Length and Transfer-Encoding")
	case r.head || r.status == 204 || r.status == 304:
		r.state = answerDone
	case r.te:
		r.state = atChunkSize
	case r.hasLen && r.remain == 0:
		r.state = answerDone
	case r.hasLen:
		r.state = inLength
	default:
		r.state, r.keep = inClose, false
	}
	r.wantBody = r.state < answerDone && r.state != atStatus && r.rules != nil && r.rules.needBody(r.status)
}

// decimal reads a number of digits alone, at most 18 of them.
func decimal(b []byte) (int64, bool) {
	if len(b) == 0 || len(b) > 18 {
		return 0, false
	}
	var n int64
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// foldEqual compares b with a word in lower case, ignoring the case of b.
func foldEqual(b []byte, lower string) bool {
	if len(b) != len(lower) {
		return false
	}
	for i := range b {
		c := b[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

func trimSpace(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	return b
}

// cleanText reports whether b is free of control characters other than tabs.
func cleanText(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}

// isToken reports whether b is a token of RFC 9110 section 5.6.2.
func isToken(b []byte) bool {
	for _, c := range b {
		if !tokenByte[c] {
			return false
		}
	}
	return len(b) > 0
}

var tokenByte = func() (t [256]bool) {
	for c := '0'; c <= '9'; c++ {
		t[c] = true
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-0x20] = true, true
	}
	for _, c := range "!#$%&'*+-.^_`|~" {
		t[c] = true
	}
	return t
}()
