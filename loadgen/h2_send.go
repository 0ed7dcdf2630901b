package loadgen

import "golang.org/x/net/http2"

// This file writes requests on a session.

// drain sends what waits, as far as the service allows, and gives the rest to
// other connections where there may be more of them.
func (s *session) drain(t int64) {
	if !s.ready || s.closed || len(s.waiting) == 0 {
		return
	}
	waiting := s.waiting
	s.waiting = nil
	for i, r := range waiting {
		if !r.alive() || r.c.sess != s {
			continue
		}
		full := s.full()
		if full && s.m.fixed > 0 && !s.leaving {
			s.waiting = append(s.waiting, waiting[i:]...)
			return
		}
		s.queued--
		if full || s.leaving {
			s.m.again(r.c, t)
		} else {
			s.send(r.c, t)
		}
	}
}

// send writes a request.
func (s *session) send(c *conn, t int64) {
	l := s.m.l
	c.id = s.nextID
	s.nextID += 2
	s.streams[c.id] = c
	c.state = connBusy
	c.sendWindow, c.grant, c.unread = s.peerWindow, streamWindow, 0
	body := c.msg.Body
	c.uploaded, c.answered = len(body) == 0, false
	s.encoded.Reset()
	for i := range c.msg.fields {
		_ = s.enc.WriteField(c.msg.fields[i]) // into memory
	}
	block := s.encoded.Bytes()
	first := block[:min(len(block), int(s.peerFrame))]
	block = block[len(first):]
	_ = s.frames.WriteHeaders(http2.HeadersFrameParam{
		StreamID: c.id, BlockFragment: first, EndHeaders: len(block) == 0, EndStream: c.uploaded,
	})
	for len(block) > 0 {
		next := block[:min(len(block), int(s.peerFrame))]
		block = block[len(next):]
		_ = s.frames.WriteContinuation(c.id, len(block) == 0, next)
	}
	l.acc.sent(&c.req, t)
	if !c.uploaded {
		s.upload(c)
	}
	s.touch()
}

// upload writes as much of a request's body as the service's windows allow.
func (s *session) upload(c *conn) {
	body := c.msg.Body
	for c.out < len(body) {
		n := min(int64(len(body)-c.out), c.sendWindow, s.sendWindow, int64(s.peerFrame))
		if n <= 0 || len(s.out)-s.sent > maxLinkOut {
			s.blocked = append(s.blocked, streamRef{c, c.gen})
			return
		}
		chunk := body[c.out : c.out+int(n)]
		c.out += int(n)
		c.sendWindow -= n
		s.sendWindow -= n
		c.uploaded = c.out == len(body)
		_ = s.frames.WriteData(c.id, c.uploaded, chunk)
	}
}

// unblock goes on with the bodies that had to wait.
func (s *session) unblock() {
	if len(s.blocked) == 0 || s.sendWindow <= 0 || len(s.out)-s.sent > maxLinkOut {
		return
	}
	waiting := s.blocked
	s.blocked = nil
	for _, r := range waiting {
		if r.alive() && r.c.sess == s && r.c.id != 0 && !r.c.uploaded {
			was := r.c.out
			s.upload(r.c)
			if r.c.out > was { // else the stream's own window is shut, and there is nothing to write
				s.touch()
			}
		}
	}
}
