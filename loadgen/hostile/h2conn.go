package hostile

import (
	"bytes"
	"io"
	"strconv"
	"sync"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// H2Conn is one HTTP/2 connection to a server. Frames are written by hand, so that
// they can be wrong.
type H2Conn struct {
	*Conn
	srv *Server

	mu      sync.Mutex // of what is written
	fr      *http2.Framer
	enc     *hpack.Encoder
	block   bytes.Buffer
	nth     int    // requests on this connection
	gone    bool   // a GOAWAY was sent
	last    uint32 // requests over this number are not processed then
	pending []*Stream
	over    bool
}

// Stream is one HTTP/2 request and the means to answer it.
type Stream struct {
	*H2Conn
	ID uint32
	// N is the request's number on the server, Nth on its connection, both from 1.
	N, Nth int
	body   int
}

// serveH2 plays the behaviour on a connection over which HTTP/2 is spoken.
func (s *Server) serveH2(c *Conn) {
	h := &H2Conn{Conn: c, srv: s}
	h.fr = http2.NewFramer(c, c)
	h.fr.SetMaxReadFrameSize(1 << 20)
	h.enc = hpack.NewEncoder(&h.block)
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := io.ReadFull(c, preface); err != nil || string(preface) != http2.ClientPreface {
		return
	}
	h.fr.ReadMetaHeaders = hpack.NewDecoder(4096, nil)
	if s.b.HelloH2 != nil {
		s.b.HelloH2(h)
	} else {
		h.hello()
	}
	open := map[uint32]*Stream{}
	for !h.isOver() {
		f, err := h.fr.ReadFrame()
		if err != nil {
			return
		}
		s.frame(h, f, open)
	}
}

// frame takes one frame of the client.
func (s *Server) frame(h *H2Conn, f http2.Frame, open map[uint32]*Stream) {
	switch f := f.(type) {
	case *http2.SettingsFrame:
		if !f.IsAck() {
			h.write(func() error { return h.fr.WriteSettingsAck() })
		}
	case *http2.PingFrame:
		if !f.IsAck() {
			h.write(func() error { return h.fr.WritePing(true, f.Data) })
		}
	case *http2.MetaHeadersFrame:
		st := &Stream{H2Conn: h, ID: f.StreamID}
		if f.StreamEnded() {
			s.request(st)
			return
		}
		open[st.ID] = st
		if s.b.UploadH2 != nil {
			s.b.UploadH2(st)
		}
	case *http2.DataFrame:
		st := open[f.StreamID]
		if st == nil {
			return
		}
		st.body += len(f.Data())
		if n := uint32(f.Length); n > 0 && s.b.UploadH2 == nil {
			h.write(func() error { _ = h.fr.WriteWindowUpdate(0, n); return h.fr.WriteWindowUpdate(st.ID, n) })
		}
		if f.StreamEnded() {
			delete(open, f.StreamID)
			s.request(st)
		}
	case *http2.RSTStreamFrame:
		delete(open, f.StreamID)
	}
}

// request plays the behaviour on a request that is here in full. After a GOAWAY the
// server processes no more than it said, and counts no more.
func (s *Server) request(st *Stream) {
	st.mu.Lock()
	refused := st.gone && st.ID > st.last
	st.mu.Unlock()
	if refused {
		return
	}
	st.nth++
	st.N, st.Nth = int(s.hits.Add(1)), st.nth
	s.b.PlayH2(st)
}

// hello sends ordinary settings, or others.
func (h *H2Conn) hello(settings ...http2.Setting) {
	h.write(func() error { return h.fr.WriteSettings(settings...) })
}

// write runs f, which writes frames, undisturbed by others.
func (h *H2Conn) write(f func() error) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return f() == nil
}

// end closes the connection; a behaviour that waits elsewhere uses it too.
func (h *H2Conn) end() {
	h.mu.Lock()
	h.over = true
	h.mu.Unlock()
	_ = h.Raw.Close()
}

// leave closes the server's side of the connection and goes on reading, so that
// nothing unread turns the close into a reset.
func (h *H2Conn) leave() { closeWrite(h.Raw) }

func (h *H2Conn) isOver() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.over
}

// raw writes bytes as they are.
func (h *H2Conn) raw(b []byte) bool {
	return h.write(func() error { _, err := h.Write(b); return err })
}

// frame writes a frame of any type with any payload.
func (h *H2Conn) frame(t http2.FrameType, flags http2.Flags, id uint32, payload []byte) bool {
	return h.write(func() error { return h.fr.WriteRawFrame(t, flags, id, payload) })
}

// goAway says that the connection ends after a stream.
func (h *H2Conn) goAway(last uint32, code http2.ErrCode) {
	h.write(func() error {
		if !h.gone || last < h.last {
			h.gone, h.last = true, last
		}
		return h.fr.WriteGoAway(last, code, nil)
	})
}

// later runs f after a while, unless the server is closed before.
func (h *H2Conn) later(d time.Duration, f func()) {
	h.srv.done.Go(func() {
		if h.pause(d) {
			f()
		}
	})
}

// encode returns a header block of names and values.
func (h *H2Conn) encode(fields ...string) []byte {
	h.block.Reset()
	for i := 0; i+1 < len(fields); i += 2 {
		_ = h.enc.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]}) // into memory
	}
	return h.block.Bytes()
}

// headers sends a header block of names and values, whatever its length.
func (st *Stream) headers(end bool, fields ...string) bool {
	return st.write(func() error {
		block := st.encode(fields...)
		first := block[:min(len(block), 16<<10)]
		block = block[len(first):]
		err := st.fr.WriteHeaders(http2.HeadersFrameParam{StreamID: st.ID, BlockFragment: first, EndStream: end, EndHeaders: len(block) == 0})
		for len(block) > 0 && err == nil {
			next := block[:min(len(block), 16<<10)]
			block = block[len(next):]
			err = st.fr.WriteContinuation(st.ID, len(block) == 0, next)
		}
		return err
	})
}

func (st *Stream) data(end bool, b []byte) bool {
	return st.write(func() error { return st.fr.WriteData(st.ID, end, b) })
}

func (st *Stream) rst(code http2.ErrCode) {
	st.write(func() error { return st.fr.WriteRSTStream(st.ID, code) })
}

// status answers without a body.
func (st *Stream) status(code int, fields ...string) {
	st.headers(true, append([]string{":status", strconv.Itoa(code)}, fields...)...)
}

// ok answers in an ordinary way.
func (st *Stream) ok() {
	if st.headers(false, ":status", "200", "content-length", "3") {
		st.data(true, []byte("ok\n"))
	}
}
