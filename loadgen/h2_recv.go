package loadgen

import (
	"bytes"
	"errors"
	"math"
	"slices"

	"golang.org/x/net/http2"
)

// This file reads what the service sends on a session.

const frameHead = 9

// maxResent is how often a request is sent again because services went away
// before they processed it. One that goes away from every connection would cost a
// connection for each time.
const maxResent = 3

// received is called with bytes that the link has read.
func (s *session) received(b []byte, t int64) {
	s.lastRead = t
	if len(s.in) > 0 {
		s.in = append(s.in, b...)
		b = s.in
	}
	for len(b) >= frameHead && !s.closed {
		n := frameHead + (int(b[0])<<16 | int(b[1])<<8 | int(b[2]))
		switch {
		case !s.ready && bytes.HasPrefix(b, []byte("HTTP/1.")):
			s.fail(t, CauseSpeaks1, true)
			return
		case n > frameHead+frameSize:
			s.broken(t, http2.ErrCodeFrameSize, protocolCause(http2.ErrCodeFrameSize))
			return
		case !s.ready && http2.FrameType(b[3]) != http2.FrameSettings:
			s.broken(t, http2.ErrCodeProtocol, CauseNoSettings)
			return
		}
		if len(b) < n {
			break
		}
		s.frame(b[:n], t)
		b = b[n:]
	}
	if s.closed {
		return
	}
	s.in = append(s.in[:0], b...)
	if s.sent < len(s.out) {
		s.touch()
	}
}

// frame reads one whole frame.
func (s *session) frame(b []byte, t int64) {
	s.feed.Reset(b)
	f, err := s.frames.ReadFrame()
	var se http2.StreamError
	switch {
	case errors.As(err, &se):
		if c := s.streams[se.StreamID]; c != nil {
			s.m.l.fail(c, t, protocolCause(se.Code))
		}
		return
	case err != nil:
		s.broken(t, codeOf(err), protocolCause(codeOf(err)))
		return
	}
	switch f := f.(type) {
	case *http2.DataFrame:
		s.data(f, t)
	case *http2.HeadersFrame:
		if s.begin(f.StreamID, f.StreamEnded(), t) {
			s.fragment(f.HeaderBlockFragment(), f.HeadersEnded(), t)
		}
	case *http2.ContinuationFrame:
		s.fragment(f.HeaderBlockFragment(), f.HeadersEnded(), t)
	case *http2.SettingsFrame:
		s.settings(f, t)
	case *http2.PingFrame:
		if !f.IsAck() {
			_ = s.frames.WritePing(true, f.Data)
		}
	case *http2.WindowUpdateFrame:
		s.windowUpdate(f, t)
	case *http2.RSTStreamFrame:
		s.reset(f, t)
	case *http2.GoAwayFrame:
		s.goAway(f, t)
	case *http2.PushPromiseFrame: // it was forbidden
		s.broken(t, http2.ErrCodeProtocol, protocolCause(http2.ErrCodeProtocol))
	}
}

// known reports whether a stream was opened by this client at some time; frames on
// others break the protocol.
func (s *session) known(id uint32, t int64) bool {
	if id%2 == 1 && id < s.nextID {
		return true
	}
	s.broken(t, http2.ErrCodeProtocol, protocolCause(http2.ErrCodeProtocol))
	return false
}

func (s *session) settings(f *http2.SettingsFrame, t int64) {
	if f.IsAck() {
		return
	}
	err := f.ForeachSetting(func(v http2.Setting) error {
		if err := v.Valid(); err != nil {
			return err
		}
		switch v.ID {
		case http2.SettingMaxConcurrentStreams:
			s.peerStreams = v.Val
		case http2.SettingMaxFrameSize:
			s.peerFrame = min(v.Val, 1<<20)
		case http2.SettingHeaderTableSize:
			s.enc.SetMaxDynamicTableSize(min(v.Val, 4096))
		case http2.SettingInitialWindowSize:
			delta := int64(v.Val) - s.peerWindow
			s.peerWindow = int64(v.Val)
			for _, c := range s.streams {
				if c.sendWindow += delta; c.sendWindow > math.MaxInt32 {
					return http2.ConnectionError(http2.ErrCodeFlowControl)
				}
			}
		}
		return nil
	})
	if err != nil {
		s.broken(t, codeOf(err), protocolCause(codeOf(err)))
		return
	}
	_ = s.frames.WriteSettingsAck()
	s.ready = true
	s.drain(t)
	s.unblock()
}

func (s *session) windowUpdate(f *http2.WindowUpdateFrame, t int64) {
	if f.StreamID == 0 {
		if s.sendWindow += int64(f.Increment); s.sendWindow > math.MaxInt32 {
			s.broken(t, http2.ErrCodeFlowControl, protocolCause(http2.ErrCodeFlowControl))
			return
		}
		s.unblock()
		return
	}
	if !s.known(f.StreamID, t) {
		return
	}
	c := s.streams[f.StreamID]
	if c == nil {
		return
	}
	if c.sendWindow += int64(f.Increment); c.sendWindow > math.MaxInt32 {
		s.m.l.fail(c, t, protocolCause(http2.ErrCodeFlowControl))
		return
	}
	s.unblock()
}

// reset ends a request that the service gave up.
func (s *session) reset(f *http2.RSTStreamFrame, t int64) {
	if !s.known(f.StreamID, t) {
		return
	}
	if c := s.streams[f.StreamID]; c != nil {
		c.answered, c.uploaded = true, true
		s.m.l.fail(c, t, resetCause(f.ErrCode, c.rd.started()))
	}
}

// goAway sends the requests again that the service says it has not processed;
// those before them are waited for, and what was not sent yet goes elsewhere.
func (s *session) goAway(f *http2.GoAwayFrame, t int64) {
	s.gone, s.goneCode = true, f.ErrCode
	s.m.retire(s)
	var lost []uint32
	for id := range s.streams {
		if id > f.LastStreamID {
			lost = append(lost, id)
		}
	}
	slices.Sort(lost) // in the order in which they were sent
	for _, id := range lost {
		if c := s.streams[id]; c != nil {
			s.unprocessed(c, t)
		}
	}
	s.drain(t)
	s.rest()
}

// unprocessed sends a request again that the service says it has not processed and
// will not: RFC 9113 section 6.8 allows that for every method, and clients do it
// unseen. It stays the same planned request, due when it was.
func (s *session) unprocessed(c *conn, t int64) {
	c.answered, c.uploaded = true, true
	switch r := &c.req; {
	case r.settled, c.rd.started(), r.resent >= maxResent:
		s.m.l.fail(c, t, goAwayCause(s.goneCode, false))
	default:
		s.forget(c)
		s.m.l.acc.unsent(r, t)
		c.out, c.state = 0, connConnecting
		c.rd.reset()
		s.m.again(c, t)
	}
}

// data takes a part of an answer's body: it is counted and thrown away as it
// comes, and the service may send as much again.
func (s *session) data(f *http2.DataFrame, t int64) {
	n := int64(f.Length)
	if s.grant -= n; s.grant < 0 {
		s.broken(t, http2.ErrCodeFlowControl, protocolCause(http2.ErrCodeFlowControl))
		return
	}
	if s.unread += n; s.unread >= linkWindow/2 {
		_ = s.frames.WriteWindowUpdate(0, uint32(s.unread))
		s.grant, s.unread = s.grant+s.unread, 0
	}
	if !s.known(f.StreamID, t) {
		return
	}
	c := s.streams[f.StreamID]
	if c == nil {
		return // it was given up
	}
	if c.grant -= n; c.grant < 0 {
		s.m.l.fail(c, t, protocolCause(http2.ErrCodeFlowControl))
		return
	}
	if c.unread += n; c.unread >= streamWindow/2 && !f.StreamEnded() {
		_ = s.frames.WriteWindowUpdate(c.id, uint32(c.unread))
		c.grant, c.unread = c.grant+c.unread, 0
	}
	if cause := c.rd.h2Body(f.Data()); cause != "" {
		s.m.l.fail(c, t, cause)
		return
	}
	if f.StreamEnded() {
		s.finish(c, t)
	}
}

// finish ends a request with its whole answer.
func (s *session) finish(c *conn, t int64) {
	c.answered = true
	if cause := c.rd.h2End(); cause != "" {
		s.m.l.fail(c, t, cause)
		return
	}
	s.m.l.complete(c, t)
}
