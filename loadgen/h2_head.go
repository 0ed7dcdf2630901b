package loadgen

import (
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// headBlock is the header block that a session is reading. Blocks of requests
// that were given up are read too, since they change the compression's state.
type headBlock struct {
	c       *conn // nil when nobody waits for it
	end     bool  // it ends the answer
	trailer bool
	wire    int // bytes as they came
	size    int // bytes as they count
	status  int // 0 until it was seen
	regular bool
	cause   string // what is wrong with it
}

// begin begins a header block.
func (s *session) begin(id uint32, end bool, t int64) bool {
	if !s.known(id, t) {
		return false
	}
	c := s.streams[id]
	s.head = headBlock{c: c, end: end}
	if c != nil {
		s.head.trailer = c.rd.state == inClose
		s.head.size = c.rd.headed
	}
	s.dec.SetEmitEnabled(c != nil)
	return true
}

// fragment reads a part of a header block.
func (s *session) fragment(b []byte, last bool, t int64) {
	h := &s.head
	// An empty CONTINUATION counts too, or a block could go on for ever.
	if h.wire += frameHead + len(b); h.wire > maxHeadBytes {
		s.broken(t, http2.ErrCodeEnhanceYourCalm, CauseHeaderSize)
		return
	}
	_, err := s.dec.Write(b)
	if err == nil && last {
		err = s.dec.Close()
	}
	if err != nil {
		s.broken(t, http2.ErrCodeCompression, protocolCause(http2.ErrCodeCompression))
		return
	}
	if c := h.c; last && c != nil {
		h.c = nil
		s.headDone(c, h, t)
	}
}

// headDone is called at the end of a block that somebody waits for.
func (s *session) headDone(c *conn, h *headBlock, t int64) {
	cause := h.cause
	if cause == "" {
		cause = c.rd.h2Head(h)
	}
	if cause != "" {
		s.m.l.fail(c, t, cause)
		return
	}
	if h.end {
		s.finish(c, t)
	}
}

// field takes one header.
func (h *headBlock) field(f hpack.HeaderField) {
	if h.c == nil || h.cause != "" {
		return
	}
	r := &h.c.rd
	if h.size += int(f.Size()); h.size > maxHeadBytes {
		h.cause = CauseHeaderSize
		return
	}
	r.headed = h.size
	if f.IsPseudo() {
		h.pseudo(f)
		return
	}
	h.regular = true
	if !lowerToken(f.Name) || !cleanText([]byte(f.Value)) {
		h.cause = malformed + "bad header line"
		return
	}
	if h.trailer {
		return
	}
	switch f.Name {
	case "connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade":
		h.cause = malformed + "header of a connection in HTTP/2"
	case "content-length":
		r.contentLength([]byte(f.Value))
	case "retry-after":
		r.retryAfterValue([]byte(f.Value))
	case "date":
		if refusal(h.status) {
			r.dateValue([]byte(f.Value))
		}
	}
	if r.state == answerBroken {
		h.cause = r.cause
	}
	if r.rules != nil && len(r.rules.headers) > 0 && r.rules.matchHeader([]byte(f.Name), []byte(f.Value)) {
		r.matched = true
	}
}

// pseudo takes the status, of which there is one and before all else.
func (h *headBlock) pseudo(f hpack.HeaderField) {
	n, ok := decimal([]byte(f.Value))
	switch {
	case f.Name != ":status" || h.regular || h.trailer || h.status != 0,
		!ok || len(f.Value) != 3 || n < 100:
		h.cause = malformed + "bad status line"
	default:
		h.status = int(n)
	}
}

// lowerToken reports whether a name is one that HTTP/2 allows.
func lowerToken(s string) bool {
	for i := range len(s) {
		if c := s[i]; !tokenByte[c] || 'A' <= c && c <= 'Z' {
			return false
		}
	}
	return s != ""
}

// h2Head takes the end of a header block. An answer is in the state atStatus
// before its final head and inClose after it.
func (r *reader) h2Head(h *headBlock) string {
	switch {
	case h.trailer && !h.end:
		return malformed + "trailers that do not end the answer"
	case h.trailer:
		return ""
	case h.status == 0 || h.status == 101:
		return malformed + "bad status line"
	case h.status < 200 && h.end:
		return malformed + "answer ends before its status"
	case h.status < 200:
		headed := r.headed
		r.reset()
		r.headed = headed
		return ""
	}
	r.status, r.state, r.keep = h.status, inClose, true
	r.wantBody = r.rules != nil && !r.head && r.rules.needBody(r.status)
	return ""
}

// h2Body takes a part of the body.
func (r *reader) h2Body(b []byte) string {
	if r.headed == 0 {
		r.headed = 1 // something came
	}
	switch {
	case r.state != inClose:
		return malformed + "body before its head"
	case len(b) == 0:
		return ""
	case r.bodiless():
		return malformed + "body where none may be"
	}
	if r.hasLen {
		if r.remain -= int64(len(b)); r.remain < 0 {
			return malformed + "body longer than Content-Length"
		}
	}
	if r.wantBody {
		r.keepBody(b)
	}
	return ""
}

// h2End takes the end of an answer.
func (r *reader) h2End() string {
	switch {
	case r.state != inClose:
		return malformed + "answer ends before its status"
	case r.hasLen && r.remain > 0 && !r.bodiless():
		return CauseShortBody
	}
	r.state = answerDone
	return ""
}

// bodiless reports whether the answer has no body whatever its headers say.
func (r *reader) bodiless() bool { return r.head || r.status == 204 || r.status == 304 }
