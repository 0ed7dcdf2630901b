package loadgen

import (
	"bytes"
	"math"
)

// Limits of what one answer may be. The body has none: it is counted and
// thrown away as it comes.
const (
	// maxHeadBytes bounds the header block with its status line, the 1xx answers
	// before it and the trailers after it, all together.
	maxHeadBytes = 1 << 20
	// maxChunkLine bounds one chunk's size line with its extensions.
	maxChunkLine = 16 << 10
	// maxKeptBody bounds the body kept for a JSON rule.
	maxKeptBody = 1 << 20
)

// readState is where in an answer a reader is.
type readState uint8

const (
	atStatus readState = iota
	atHeader
	inLength     // body with a known length; remain counts down
	inClose      // body that ends with the connection
	atChunkSize  // the line with a chunk's size
	inChunk      // a chunk's bytes; remain counts down
	atChunkEnd   // the line end after a chunk's bytes
	atTrailer    // after the last chunk
	answerDone   // complete; keep says whether the connection may serve again
	answerBroken // cause says what was wrong
)

// reader takes one HTTP/1.1 answer apart as its bytes come, in constant memory:
// a whole line is read where it lies, only a line cut by the end of a read is
// copied. It is strict: what RFC 9112 does not allow is malformed, with the
// exception of a status line without the space before an empty reason, which
// many servers send.
type reader struct {
	state  readState
	head   bool // the request was HEAD: no body whatever the headers say
	keep   bool // the connection can be used again
	old    bool // HTTP/1.0
	close  bool // "Connection: close" was seen
	te     bool // Transfer-Encoding: chunked
	hasLen bool
	named  bool // a header line came before, which the next one may continue
	frames bool // it was one that frames the body
	status int
	remain int64 // bytes of body or chunk to come; Content-Length while in the head
	headed int   // bytes of head, trailers and 1xx answers so far
	line   []byte
	cause  string // of a broken answer

	// What classification needs.
	retryAfter    int64 // seconds
	hasRetryAfter bool
	hintDates     hintDates
	rules         *ruleSet
	matched       bool // a header rule matched
	wantBody      bool
	tooLong       bool
	body          []byte
}

// reset prepares r for the next answer and keeps its memory.
func (r *reader) reset() {
	*r = reader{
		head: r.head, rules: r.rules,
		line: r.line[:0], body: r.body[:0],
		retryAfter: -1,
	}
}

// started reports whether any byte of an answer was read.
func (r *reader) started() bool { return r.headed > 0 || len(r.line) > 0 }

// feed reads from b and returns how many bytes belonged to the answer; they are
// fewer than len(b) only when the answer is complete or broken.
func (r *reader) feed(b []byte) int {
	n := 0
	for n < len(b) && r.state < answerDone {
		switch r.state {
		case inLength, inChunk, inClose:
			n += r.skip(b[n:])
		default:
			n += r.feedLine(b[n:])
		}
	}
	return n
}

// end tells r that the connection was closed in order. It returns whether that
// completes the answer.
func (r *reader) end() bool {
	if r.state == inClose {
		r.state, r.keep = answerDone, false
	}
	return r.state == answerDone
}

// skip reads body bytes.
func (r *reader) skip(b []byte) int {
	n := len(b)
	if r.state != inClose && int64(n) > r.remain {
		n = int(r.remain)
	}
	if r.wantBody {
		r.keepBody(b[:n])
	}
	if r.state == inClose {
		return n
	}
	r.remain -= int64(n)
	if r.remain == 0 {
		if r.state == inLength {
			r.state = answerDone
		} else {
			r.state = atChunkEnd
		}
	}
	return n
}

func (r *reader) keepBody(b []byte) {
	if len(r.body)+len(b) > maxKeptBody {
		r.tooLong, r.wantBody = true, false
		r.body = nil
		return
	}
	r.body = append(r.body, b...)
}

// feedLine reads up to the end of the current line.
func (r *reader) feedLine(b []byte) int {
	i := bytes.IndexByte(b, '\n')
	n := i + 1
	if i < 0 {
		n = len(b)
	}
	if r.state == atChunkSize || r.state == atChunkEnd {
		if len(r.line)+n > maxChunkLine {
			r.fail(malformed + "chunk line over 16 KiB")
			return n
		}
	} else if r.headed += n; r.headed > maxHeadBytes {
		r.fail(CauseHeaderSize)
		return n
	}
	if i < 0 {
		r.line = append(r.line, b...)
		return n
	}
	line := b[:n]
	if len(r.line) > 0 {
		r.line = append(r.line, line...)
		line = r.line
	}
	if len(line) < 2 || line[len(line)-2] != '\r' {
		cause := malformed + "line ends without CR"
		if r.state == atChunkEnd {
			cause = malformed + "chunk longer than its size"
		}
		r.fail(cause)
		return n
	}
	r.takeLine(line[:len(line)-2])
	r.line = r.line[:0]
	if cap(r.line) > 4<<10 {
		r.line = nil // a rare long line must not stay with every connection
	}
	return n
}

// takeLine handles one line without its end.
func (r *reader) takeLine(line []byte) {
	switch r.state {
	case atStatus:
		r.statusLine(line)
	case atHeader:
		if len(line) == 0 {
			r.headEnd()
		} else {
			r.headerLine(line, false)
		}
	case atChunkSize:
		r.chunkSize(line)
	case atChunkEnd:
		if len(line) != 0 {
			r.fail(malformed + "chunk longer than its size")
			return
		}
		r.state = atChunkSize
	case atTrailer:
		if len(line) == 0 {
			r.state = answerDone
		} else {
			r.headerLine(line, true)
		}
	}
}

// chunkSize reads "1a2b;extension". Extensions are passed over.
func (r *reader) chunkSize(line []byte) {
	var size int64
	i := 0
	for ; i < len(line); i++ {
		d := hexDigit(line[i])
		if d < 0 {
			break
		}
		if size > math.MaxInt64>>4 {
			r.fail(malformed + "chunk size too large")
			return
		}
		size = size<<4 | int64(d)
	}
	rest := bytes.TrimLeft(line[i:], " \t")
	if i == 0 || len(rest) > 0 && rest[0] != ';' || bytes.IndexByte(rest, '\r') >= 0 {
		r.fail(malformed + "bad chunk size")
		return
	}
	if size == 0 {
		r.state = atTrailer
		return
	}
	r.remain, r.state = size, inChunk
}

func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// fail gives the answer up. The causes are constants, so that a service that
// answers rubbish costs no memory.
func (r *reader) fail(cause string) {
	r.state, r.keep, r.cause = answerBroken, false, cause
}
