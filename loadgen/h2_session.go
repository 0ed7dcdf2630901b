package loadgen

import (
	"bytes"
	"errors"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"example.com/kneeline/internal/outcome"
)

const (
	// streamWindow is how much of one answer the service may send ahead, and
	// linkWindow of all answers on a connection.
	streamWindow = 4 << 20
	linkWindow   = 64 << 20
	// frameSize is the longest frame that is taken; RFC 9113 allows no smaller
	// limit.
	frameSize = 16 << 10
	// maxLinkBacklog bounds what is owed to a service that does not read.
	maxLinkBacklog = 2 << 20
	lastStream     = 1<<31 - 1
)

// session is one HTTP/2 connection: what was agreed on, and the streams on it.
// Frames and header compression are golang.org/x/net's; what they mean for
// requests is decided here.
type session struct {
	m     *mux
	c     *conn // the link
	addr  int
	began int64
	ready bool // the service's settings have come
	// leaving says that no more requests go on it, closed that it is gone.
	leaving, closed bool
	lastRead        int64 // when bytes last came

	streams map[uint32]*conn // open, by number
	waiting []streamRef      // begun and not sent
	queued  int              // requests bound to it and not sent
	blocked []streamRef      // with more body than the windows allow
	nextID  uint32

	peerStreams, peerFrame uint32
	peerWindow, sendWindow int64
	// grant is what the service may still send on the connection, unread what of
	// that came and was not granted again.
	grant, unread int64

	in       []byte // the start of a frame
	feed     bytes.Reader
	out      []byte // to be written
	sent     int    // of out
	dirty    bool
	frames   *http2.Framer
	enc      *hpack.Encoder
	encoded  bytes.Buffer
	dec      *hpack.Decoder
	head     headBlock
	goneCode http2.ErrCode // of a GOAWAY
	gone     bool          // a GOAWAY came
}

func newSession(m *mux, addr int, t int64) *session {
	s := &session{
		m: m, addr: addr, began: t, nextID: 1, lastRead: t,
		streams:     map[uint32]*conn{},
		peerStreams: lastStream, peerFrame: frameSize,
		peerWindow: 65535, sendWindow: 65535, grant: linkWindow,
	}
	s.frames = http2.NewFramer((*linkWriter)(s), &s.feed)
	s.frames.SetReuseFrames()
	s.frames.SetMaxReadFrameSize(frameSize)
	s.enc = hpack.NewEncoder(&s.encoded)
	s.dec = hpack.NewDecoder(4096, s.head.field)
	s.dec.SetMaxStringLength(maxHeadBytes)
	return s
}

// linkWriter takes the frames that a session writes.
type linkWriter session

func (w *linkWriter) Write(b []byte) (int, error) {
	w.out = append(w.out, b...)
	return len(b), nil
}

// load is how many requests the session has.
func (s *session) load() int { return len(s.streams) + s.queued }

// full reports whether it carries as many streams as the service allows.
func (s *session) full() bool { return len(s.streams) >= int(min(s.peerStreams, lastStream)) }

// room is how many more it takes.
func (s *session) room() int {
	if s.leaving || len(s.out)-s.sent > maxLinkOut || s.nextID > lastStream-assumedStreams {
		return 0
	}
	most := int64(assumedStreams)
	if s.ready {
		most = int64(s.peerStreams)
	}
	return int(max(0, most-int64(s.load())))
}

// connect opens the session's connection.
func (s *session) connect(t int64) {
	l := s.m.l
	l.noteOpen(s.addr, t)
	s.c.state = connConnecting
	s.c.tried++
	ready, cause := l.tr.open(s.c)
	switch {
	case cause != "":
		s.ended(t, cause)
	case ready:
		s.connected(t)
	}
}

// connected is called when the link stands, TLS included: the client speaks
// first, and its requests wait until the service has told how many it takes.
func (s *session) connected(t int64) {
	s.m.l.routes.took(s.addr)
	s.c.state = connBusy
	s.out = append(s.out, http2.ClientPreface...)
	_ = s.frames.WriteSettings(
		http2.Setting{ID: http2.SettingEnablePush, Val: 0},
		http2.Setting{ID: http2.SettingInitialWindowSize, Val: streamWindow},
		http2.Setting{ID: http2.SettingMaxHeaderListSize, Val: maxHeadBytes},
	)
	_ = s.frames.WriteWindowUpdate(0, linkWindow-65535)
	s.flush(t)
}

// ended is called when the connection has come to its end: in order when cause is
// "".
func (s *session) ended(t int64, cause string) {
	if s.closed {
		return
	}
	if s.c.state == connConnecting {
		if next, ok := s.m.l.routes.instead(s.addr, s.c.tried, cause); ok {
			s.moveTo(next, t)
			return
		}
		s.fail(t, s.m.l.connectCause(cause), true)
		return
	}
	s.fail(t, cause, false)
}

// moveTo tries another address of the same host. The waiting requests go with it.
func (s *session) moveTo(addr int, t int64) {
	l := s.m.l
	l.tr.shut(s.c)
	s.c.gen++
	was, now := l.routes.lane(s.addr), l.routes.lane(addr)
	if was != now {
		s.m.byLane[was] = without(s.m.byLane[was], s)
		s.m.byLane[now] = append(s.m.byLane[now], s)
	}
	s.addr, s.c.addr = addr, addr
	for _, r := range s.waiting {
		if r.alive() {
			r.c.addr, r.c.req.place = addr, int32(addr)+1
		}
	}
	s.connect(t)
}

// fail ends the session and all that is on it. With named the cause holds for
// every request; otherwise each has its own, by how far it had come.
func (s *session) fail(t int64, cause string, named bool) {
	if s.closed {
		return
	}
	l, ready := s.m.l, s.ready
	s.m.retire(s)
	limit := cause == LimitFiles || cause == LimitPorts
	waiting := s.waiting
	s.waiting = nil
	for _, c := range s.streams {
		delete(s.streams, c.id)
		c.id = 0
		if named {
			l.fail(c, t, cause)
		} else {
			l.fail(c, t, s.lost(c, cause))
		}
	}
	if !named && !ready && (cause == "" || cause == CauseNoNotify) {
		cause = CauseNoSettings
	}
	s.m.close(s)
	for _, r := range waiting {
		if !r.alive() || r.c.sess != s {
			continue
		}
		s.queued--
		if ready {
			s.m.again(r.c, t)
			continue
		}
		if limit {
			l.acc.limit(&r.c.req, cause)
		}
		r.c.sess = nil
		l.failUnsent(r.c, t, cause)
	}
}

// lost names the end of a request whose connection ended.
func (s *session) lost(c *conn, cause string) string {
	if s.gone && s.goneCode != http2.ErrCodeNo {
		return goAwayCause(s.goneCode, true)
	}
	switch cause {
	case "", CauseNoNotify:
		return c.cutCause()
	case CauseReset:
		if c.rd.started() {
			return CauseResetAnswer
		}
	}
	return cause
}

// abandon gives up a connection that did not come about.
func (s *session) abandon(t int64) {
	waiting := s.waiting
	s.waiting = nil
	s.m.retire(s)
	s.m.close(s)
	for _, r := range waiting {
		if r.alive() && r.c.sess == s {
			s.queued--
			s.m.again(r.c, t)
		}
	}
}

// forget takes a request off the session, and tells the service when its answer
// is no longer waited for.
func (s *session) forget(c *conn) {
	if c.sess != s {
		return
	}
	if c.id == 0 {
		if c.state == connConnecting && s.queued > 0 {
			s.queued--
		}
	} else {
		if s.streams[c.id] == c {
			delete(s.streams, c.id)
		}
		if !s.closed && !(c.answered && c.uploaded) {
			_ = s.frames.WriteRSTStream(c.id, http2.ErrCodeCancel)
			s.touch()
		}
	}
	if s.head.c == c {
		s.head.c = nil
	}
	c.sess, c.id = nil, 0
	if len(s.waiting) > 0 {
		s.touch() // there may be room for one that waits
	}
	s.rest()
}

// rest closes a connection on which nothing more will come.
func (s *session) rest() {
	if s.leaving && !s.closed && len(s.streams) == 0 && s.queued == 0 {
		s.m.resting = append(s.m.resting, s)
	}
}

// expired is called when a request on the session misses its deadline. A
// connection on which nothing came since that request was sent may be dead: the
// next requests go on another one.
func (s *session) expired(c *conn) {
	if c.req.sent && s.lastRead < c.req.began {
		s.m.retire(s)
	}
}

// touch has the session flushed at the end of the turn.
func (s *session) touch() {
	if !s.dirty {
		s.dirty = true
		s.m.dirty = append(s.m.dirty, s)
	}
}

// flush writes as much as there is room for.
func (s *session) flush(t int64) {
	if s.closed || s.c.state != connBusy {
		return
	}
	for s.sent < len(s.out) {
		n, cause := s.m.l.tr.write(s.c, s.out[s.sent:])
		s.sent += n
		if cause != "" {
			s.ended(t, cause)
			return
		}
		if n == 0 {
			break
		}
	}
	if s.sent == len(s.out) {
		s.out, s.sent = s.out[:0], 0
		if cap(s.out) > 256<<10 {
			s.out = nil
		}
	} else if s.sent > 64<<10 {
		s.out = s.out[:copy(s.out, s.out[s.sent:])]
		s.sent = 0
	}
	s.unblock()
	if len(s.out)-s.sent > maxLinkBacklog {
		s.broken(t, http2.ErrCodeEnhanceYourCalm, CauseNotReading)
	}
}

// broken ends a session whose service breaks the protocol, and says so to it.
func (s *session) broken(t int64, code http2.ErrCode, cause string) {
	if s.closed {
		return
	}
	_ = s.frames.WriteGoAway(0, code, nil)
	if s.c.state == connBusy && s.sent < len(s.out) {
		_, _ = s.m.l.tr.write(s.c, s.out[s.sent:])
	}
	s.fail(t, cause, true)
}

// codeOf returns the code of an error of golang.org/x/net's reading.
func codeOf(err error) http2.ErrCode {
	var ce http2.ConnectionError
	switch {
	case errors.As(err, &ce):
		return http2.ErrCode(ce)
	case errors.Is(err, http2.ErrFrameTooLarge):
		return http2.ErrCodeFrameSize
	}
	return http2.ErrCodeProtocol
}

// failUnsent ends a request for which there never was a connection.
func (l *loop) failUnsent(c *conn, t int64, cause string) {
	if !c.req.settled {
		l.acc.settle(&c.req, t, outcome.Failed, cause)
		l.tryAgain(&c.req, t)
	}
	l.drop(c)
}
