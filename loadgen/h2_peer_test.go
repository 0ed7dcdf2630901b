package loadgen

import (
	"bytes"
	"container/heap"
	"net/netip"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// h2Net is a network in virtual time whose services speak HTTP/2 frame by frame,
// as a script says.
type h2Net struct {
	*virtual
	peers map[*conn]*h2Peer
	all   []*h2Peer
	play  func(p *h2Peer, f http2.Frame)
	// hello is what a service says at first; settings when nil.
	hello func(p *h2Peer)
	hits  int
	// took bounds how much of one write is taken; 0 takes all. deaf takes nothing
	// after the client's first words.
	took int
	deaf bool
}

// h2Peer is the service's side of one connection.
type h2Peer struct {
	n      *h2Net
	link   *conn
	gen    uint32
	number int // of the connection, from 0
	in     bytes.Buffer
	out    bytes.Buffer
	frames *http2.Framer
	said   *http2.Framer
	dec    *hpack.Decoder
	fields []hpack.HeaderField
	hello  bool
	// what was seen
	open, mostOpen int
	resets         map[uint32]http2.ErrCode
	acks, pongs    int
	granted        map[uint32]int64 // by WINDOW_UPDATE
	body           map[uint32][]byte
	last           uint32
}

func newH2Net(t *testing.T, o Offer, m message, fixed int) *h2Net {
	t.Helper()
	n := &h2Net{virtual: newVirtual(t, o, nil), peers: map[*conn]*h2Peer{}}
	if m.Method == "" {
		m.Method = "GET"
	}
	m.Path = "/x"
	m.headOnly = m.Method == "HEAD"
	m.fields = h2Fields("http", "shop.test", &m)
	n.l.msgs = []message{m}
	n.l.tr = n
	n.l.routes = newRoutes([]address{{ip: netip.MustParseAddrPort("127.0.0.1:80")}}, false, 0)
	n.l.acc.places = newPlaces(n.l.routes.addrs)
	n.l.mux = newMux(n.l, fixed)
	n.play = func(p *h2Peer, f http2.Frame) {
		if h, ok := f.(*http2.HeadersFrame); ok && h.StreamEnded() {
			p.ok(h.StreamID)
		}
	}
	return n
}

func (n *h2Net) open(c *conn) (bool, string) {
	p := &h2Peer{
		n: n, link: c, gen: c.gen, number: len(n.all), resets: map[uint32]http2.ErrCode{},
		granted: map[uint32]int64{}, body: map[uint32][]byte{},
	}
	p.frames = http2.NewFramer(nil, &p.in)
	p.said = http2.NewFramer(&p.out, nil)
	p.said.AllowIllegalWrites = true
	p.dec = hpack.NewDecoder(4096, func(f hpack.HeaderField) { p.fields = append(p.fields, f) })
	n.peers[c] = p
	n.all = append(n.all, p)
	return true, ""
}

func (n *h2Net) write(c *conn, b []byte) (int, string) {
	p := n.peers[c]
	if n.deaf && p.hello {
		return 0, ""
	}
	if n.took > 0 && len(b) > n.took {
		b = b[:n.took]
		heap.Push(&n.events, event{at: n.now + 1000, c: c, gen: c.gen})
	}
	p.in.Write(b)
	p.read()
	return len(b), ""
}

func (n *h2Net) shut(c *conn) { delete(n.peers, c) }

// read plays whole frames of the client.
func (p *h2Peer) read() {
	if !p.hello {
		if p.in.Len() < len(http2.ClientPreface) {
			return
		}
		if string(p.in.Next(len(http2.ClientPreface))) != http2.ClientPreface {
			p.n.t.Error("no preface")
		}
		p.hello = true
		if p.n.hello != nil {
			p.n.hello(p)
		} else {
			_ = p.said.WriteSettings()
		}
		p.flush()
	}
	for p.in.Len() >= 9 {
		b := p.in.Bytes()
		if p.in.Len() < 9+(int(b[0])<<16|int(b[1])<<8|int(b[2])) {
			return
		}
		f, err := p.frames.ReadFrame()
		if err != nil {
			p.n.t.Errorf("the client sent a bad frame: %v", err)
			return
		}
		p.note(f)
		p.n.play(p, f)
		p.flush()
	}
}

func (p *h2Peer) note(f http2.Frame) {
	switch f := f.(type) {
	case *http2.HeadersFrame:
		p.n.hits++
		p.last = f.StreamID
		p.open++
		p.mostOpen = max(p.mostOpen, p.open)
		p.fields = nil
		if _, err := p.dec.Write(f.HeaderBlockFragment()); err != nil {
			p.n.t.Error(err)
		}
	case *http2.RSTStreamFrame:
		p.resets[f.StreamID] = f.ErrCode
		p.open--
	case *http2.SettingsFrame:
		if f.IsAck() {
			p.acks++
		}
	case *http2.PingFrame:
		if f.IsAck() {
			p.pongs++
		}
	case *http2.WindowUpdateFrame:
		p.granted[f.StreamID] += int64(f.Increment)
	case *http2.DataFrame:
		p.body[f.StreamID] = append(p.body[f.StreamID], f.Data()...)
	}
}

// flush sends what was said, 1 ms later.
func (p *h2Peer) flush() {
	if p.out.Len() > 0 {
		p.after(time.Millisecond)
	}
}

// after sends what was said after d.
func (p *h2Peer) after(d time.Duration) {
	heap.Push(&p.n.events, event{at: p.n.now + int64(d), seq: len(p.n.sentAt), c: p.link, gen: p.gen, served: served{bytes: p.out.String()}})
	p.n.sentAt = append(p.n.sentAt, p.n.now)
	p.out.Reset()
}

// end closes the connection after what was said.
func (p *h2Peer) end() {
	heap.Push(&p.n.events, event{at: p.n.now + int64(time.Millisecond), seq: len(p.n.sentAt), c: p.link, gen: p.gen, served: served{bytes: p.out.String(), end: true}})
	p.n.sentAt = append(p.n.sentAt, p.n.now)
	p.out.Reset()
}

// head writes a header block of literals that change no table.
func (p *h2Peer) head(id uint32, end bool, fields ...string) {
	_ = p.said.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: block(fields...), EndHeaders: true, EndStream: end})
	if end {
		p.open--
	}
}

func block(fields ...string) []byte {
	var b bytes.Buffer
	e := hpack.NewEncoder(&b)
	for i := 0; i+1 < len(fields); i += 2 {
		_ = e.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1], Sensitive: true})
	}
	return b.Bytes()
}

func (p *h2Peer) ok(id uint32) { p.head(id, true, ":status", "200") }
