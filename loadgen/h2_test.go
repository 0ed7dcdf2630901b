package loadgen

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/http2"

	"example.com/kneeline/internal/outcome"
)

// offer runs the network for d at a rate and checks that nothing is lost.
func (n *h2Net) offered(rate float64, d time.Duration) *Segment {
	n.t.Helper()
	n.offer(rate, d)
	s := n.l.acc.segment(0)
	if !s.Counts.Balanced() || s.Counts.Planned == 0 {
		n.t.Errorf("%+v", s.Counts)
	}
	if len(n.l.mux.all) != 0 || n.l.open != 0 || n.l.acc.inFlight != 0 {
		n.t.Errorf("%d connections, %d requests, %d in flight left", len(n.l.mux.all), n.l.open, n.l.acc.inFlight)
	}
	if a := n.l.acc.places.all[0].Counts; a.Planned+s.Counts.By[outcome.NeverSent] != s.Counts.Planned {
		n.t.Errorf("%d planned, %d of them for the address", s.Counts.Planned, a.Planned)
	}
	return s
}

var h2Offer = Offer{Timeout: time.Second, PeakRate: 1000, Arrivals: Constant}

// TestH2Plain guards the plain case: one connection, every request served, the
// settings acknowledged, the header list right.
func TestH2Plain(t *testing.T) {
	n := newH2Net(t, h2Offer, message{}, 0)
	s := n.offered(1000, time.Second)
	if s.Counts.By[outcome.Full] != s.Counts.Planned || n.hits != int(s.Counts.Planned) || len(n.all) != 1 || n.all[0].acks != 1 {
		t.Errorf("%+v, %d hits over %d connections, %d acknowledged", s.Counts, n.hits, len(n.all), n.all[0].acks)
	}
	var got []string
	for _, f := range n.all[0].fields {
		got = append(got, f.Name+" "+f.Value)
	}
	if want := ":method GET, :scheme http, :authority shop.test, :path /x, user-agent kneeline"; strings.Join(got, ", ") != want {
		t.Errorf("sent %q, want %q", got, want)
	}
}

// TestH2Streams guards that connections are added when the service takes no more
// streams, and that it never has more than it takes.
func TestH2Streams(t *testing.T) {
	n := newH2Net(t, h2Offer, message{}, 0)
	n.hello = func(p *h2Peer) {
		_ = p.said.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 3})
	}
	n.play = func(p *h2Peer, f http2.Frame) {
		if h, ok := f.(*http2.HeadersFrame); ok {
			p.ok(h.StreamID)
			p.open++ // until it is on its way
			p.after(20 * time.Millisecond)
			p.open--
		}
	}
	s := n.offered(1000, time.Second)
	if s.Counts.By[outcome.Full] != s.Counts.Planned {
		t.Errorf("%+v, causes %v", s.Counts, s.Causes)
	}
	// 20 ms at 1,000/s are 20 requests at once, and 40 come before the first
	// settings.
	if len(n.all) < 7 || len(n.all) > 20 {
		t.Errorf("%d connections for 20 requests at once, 3 on each", len(n.all))
	}
}

// TestH2NoStreams guards that a service which takes no stream is not met with
// connection after connection.
func TestH2NoStreams(t *testing.T) {
	for name, hello := range map[string]func(p *h2Peer){
		"none allowed": func(p *h2Peer) {
			_ = p.said.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 0})
		},
		"says nothing": func(*h2Peer) {},
	} {
		n := newH2Net(t, Offer{Timeout: time.Second, PeakRate: 100, Arrivals: Constant}, message{}, 0)
		n.hello = hello
		s := n.offered(50, 2*time.Second)
		if s.Counts.By[outcome.Full] > 0 || n.hits > 0 || len(n.all) > 6 {
			t.Errorf("%s: %+v, causes %v, %d connections", name, s.Counts, s.Causes, len(n.all))
		}
	}
}

// TestH2GoAway guards a service that goes away in mid-burst: requests up to the
// last one named are finished, later ones are sent again on a new connection, each
// as the planned request that it was, and nothing is lost or served twice.
func TestH2GoAway(t *testing.T) {
	for name, code := range map[string]http2.ErrCode{"in order": http2.ErrCodeNo, "with an error": http2.ErrCodeEnhanceYourCalm} {
		n := newH2Net(t, h2Offer, message{}, 0)
		served := 0
		n.hello = func(p *h2Peer) {
			_ = p.said.WriteSettings()
			p.after(time.Duration(1+19*p.number) * time.Millisecond)
		}
		n.play = func(p *h2Peer, f http2.Frame) {
			h, ok := f.(*http2.HeadersFrame)
			if !ok {
				return
			}
			switch id := h.StreamID; {
			case p.number > 0 || id < 101:
				served++
				p.ok(id)
			case id == 121: // 101 to 119 are unanswered until now
				_ = p.said.WriteGoAway(109, code, nil)
				for i := uint32(101); i <= 109; i += 2 {
					served++
					p.ok(i)
				}
			}
		}
		s := n.offered(1000, time.Second)
		again := n.l.acc.resent
		if again < 6 || again > 8 || s.Counts.By[outcome.Full] != s.Counts.Planned || uint64(served) != s.Counts.Planned || n.hits != served+int(again) || len(n.all) != 2 {
			t.Errorf("%s: %+v, causes %v, %d served, %d hits, %d sent again, %d connections", name, s.Counts, s.Causes, served, n.hits, again, len(n.all))
		}
		if r := n.l.acc.retries; r.Planned != 0 {
			t.Errorf("%s: %+v are in the account of retries", name, r)
		}
		// 5 ms until the service spoke, 1 ms on the way, 20 ms for a new connection, 1 ms
		// for the answer.
		if worst := time.Duration(s.Latency[outcome.Full].Max()); worst < 26*time.Millisecond || worst > 28*time.Millisecond {
			t.Errorf("%s: the longest took %v: it does not count from the planned instant", name, worst)
		}
		var sent, inFlight uint64
		for _, w := range n.l.acc.windows {
			sent += uint64(w.Sent)
			inFlight = uint64(w.InFlight)
		}
		if sent != s.Counts.Planned || inFlight != 0 || n.l.acc.depth.Load() != 0 {
			t.Errorf("%s: %d in the timeline as sent of %d, %d in flight at the end, depth %d", name, sent, s.Counts.Planned, inFlight, n.l.acc.depth.Load())
		}
	}
}

// TestH2GoAwayForEver guards that a service which goes away from every connection
// does not have the same requests for ever, and that those before the last one it
// names, which it may have processed, are not sent again.
func TestH2GoAwayForEver(t *testing.T) {
	n := newH2Net(t, h2Offer, message{}, 0)
	n.play = func(p *h2Peer, f http2.Frame) {
		if _, ok := f.(*http2.HeadersFrame); ok {
			_ = p.said.WriteGoAway(0, http2.ErrCodeNo, nil)
		}
	}
	s := n.offered(100, time.Second)
	if cause := "not processed: GOAWAY NO_ERROR"; s.Causes[cause] != s.Counts.Planned || uint64(n.hits) != (1+maxResent)*s.Counts.Planned || n.l.acc.resent != maxResent*s.Counts.Planned {
		t.Errorf("%+v, causes %v, %d hits, %d sent again", s.Counts, s.Causes, n.hits, n.l.acc.resent)
	}
	n = newH2Net(t, h2Offer, message{}, 0)
	n.play = func(p *h2Peer, f http2.Frame) {
		if h, ok := f.(*http2.HeadersFrame); ok && h.StreamID == 9 {
			_ = p.said.WriteGoAway(5, http2.ErrCodeEnhanceYourCalm, nil)
			p.end()
		}
	}
	s = n.offered(1000, 100*time.Millisecond)
	if s.Causes["connection ended: GOAWAY ENHANCE_YOUR_CALM"] == 0 || n.l.acc.resent == 0 {
		t.Errorf("causes %v, %d sent again", s.Causes, n.l.acc.resent)
	}
}

// TestH2GoAwayFixed guards that with a fixed number of connections requests which
// are to be sent again wait for a stream where there is none.
func TestH2GoAwayFixed(t *testing.T) {
	n := newH2Net(t, h2Offer, message{Request: Request{Method: "POST", Body: []byte("body")}}, 2)
	n.hello = func(p *h2Peer) {
		_ = p.said.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 8})
	}
	gone := false
	n.play = func(p *h2Peer, f http2.Frame) {
		d, ok := f.(*http2.DataFrame)
		switch {
		case !ok || !d.StreamEnded() || gone && p.number == 0:
		case p.number == 0 && d.StreamID > 60:
			gone = true
			_ = p.said.WriteGoAway(d.StreamID-6, http2.ErrCodeNo, nil)
			p.ok(d.StreamID - 6)
		case string(p.body[d.StreamID]) != "body":
			t.Errorf("the body is %q", p.body[d.StreamID])
		default:
			p.ok(d.StreamID)
			p.after(10 * time.Millisecond)
		}
	}
	s := n.offered(1000, 300*time.Millisecond)
	if !gone || !s.Counts.Balanced() || n.l.acc.resent == 0 || s.Causes[CauseNoStream]+s.Causes["not processed: GOAWAY NO_ERROR"] > 0 || len(n.all) != 3 {
		t.Errorf("%+v, causes %v, %d sent again, %d connections", s.Counts, s.Causes, n.l.acc.resent, len(n.all))
	}
}

// TestH2Reset guards that each code of RST_STREAM is a cause, mid-answer or not,
// and is not answered with a reset of ours.
func TestH2Reset(t *testing.T) {
	n := newH2Net(t, h2Offer, message{}, 0)
	n.play = func(p *h2Peer, f http2.Frame) {
		h, ok := f.(*http2.HeadersFrame)
		if !ok {
			return
		}
		switch h.StreamID / 2 % 4 {
		case 0:
			_ = p.said.WriteRSTStream(h.StreamID, http2.ErrCodeRefusedStream)
		case 1:
			p.head(h.StreamID, false, ":status", "200")
			_ = p.said.WriteRSTStream(h.StreamID, http2.ErrCodeInternal)
		case 2:
			_ = p.said.WriteRSTStream(h.StreamID, 999)
		case 3:
			p.ok(h.StreamID)
			_ = p.said.WriteRSTStream(h.StreamID, http2.ErrCodeNo)
		}
	}
	s := n.offered(1000, time.Second)
	quarter := s.Counts.Planned / 4
	for _, cause := range []string{"stream reset: REFUSED_STREAM", "stream reset mid-answer: INTERNAL_ERROR", "stream reset: unknown code"} {
		if s.Causes[cause] != quarter {
			t.Errorf("%s: %d of %d", cause, s.Causes[cause], quarter)
		}
	}
	if s.Counts.By[outcome.Full] != quarter || len(n.all) != 1 || len(n.all[0].resets) != 0 {
		t.Errorf("%+v, %d connections, resets %v", s.Counts, len(n.all), n.all[0].resets)
	}
}

// TestH2Timeout guards that the service is told when a request is given up, that a
// late answer harms nobody, and that a connection which is silent is not used on.
func TestH2Timeout(t *testing.T) {
	n := newH2Net(t, Offer{Timeout: 100 * time.Millisecond, PeakRate: 100, Arrivals: Constant}, message{}, 0)
	n.play = func(p *h2Peer, f http2.Frame) {
		h, ok := f.(*http2.HeadersFrame)
		switch {
		case !ok:
		case h.StreamID%4 == 1:
			p.ok(h.StreamID)
			p.after(150 * time.Millisecond)
		default:
			p.ok(h.StreamID)
		}
	}
	s := n.offered(100, time.Second)
	half := s.Counts.Planned / 2
	if s.Counts.By[outcome.TimedOut] < half-1 || s.Counts.By[outcome.Full] != half || len(n.all) != 1 {
		t.Errorf("%+v over %d connections", s.Counts, len(n.all))
	}
	for id, code := range n.all[0].resets {
		if id%4 != 1 || code != http2.ErrCodeCancel {
			t.Errorf("stream %d was reset with %v", id, code)
		}
	}
	if len(n.all[0].resets) < int(half)-2 {
		t.Errorf("%d resets for %d given up", len(n.all[0].resets), half)
	}
	n.play = nil
	n = newH2Net(t, Offer{Timeout: 100 * time.Millisecond, PeakRate: 100, Arrivals: Constant}, message{}, 0)
	n.play = func(p *h2Peer, f http2.Frame) {
		if h, ok := f.(*http2.HeadersFrame); ok && p.number > 0 {
			p.ok(h.StreamID)
		}
	}
	if s = n.offered(100, time.Second); s.Counts.By[outcome.Full] < s.Counts.Planned*8/10 {
		t.Errorf("after a dead connection: %+v over %d connections", s.Counts, len(n.all))
	}
}

// TestH2Upload guards that a body keeps to the service's windows, that it goes on
// when they open, and that a socket which takes little at a time loses nothing.
func TestH2Upload(t *testing.T) {
	body := bytes.Repeat([]byte("0123456789"), 5000)
	for _, took := range []int{0, 777} {
		n := newH2Net(t, Offer{Timeout: 10 * time.Second, PeakRate: 100, Arrivals: Constant}, message{Request: Request{Method: "POST", Body: body}}, 0)
		n.took = took
		n.hello = func(p *h2Peer) {
			_ = p.said.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 1000})
		}
		n.play = func(p *h2Peer, f http2.Frame) {
			d, ok := f.(*http2.DataFrame)
			if !ok {
				return
			}
			if len(d.Data()) > 1000 {
				t.Errorf("%d bytes at once, the window is 1,000", len(d.Data()))
			}
			if !d.StreamEnded() {
				_ = p.said.WriteWindowUpdate(0, uint32(len(d.Data())))
				_ = p.said.WriteWindowUpdate(d.StreamID, uint32(len(d.Data())))
				return
			}
			_ = p.said.WriteWindowUpdate(0, uint32(len(d.Data())))
			if !bytes.Equal(p.body[d.StreamID], body) {
				t.Errorf("stream %d: %d bytes came", d.StreamID, len(p.body[d.StreamID]))
			}
			p.ok(d.StreamID)
		}
		s := n.offered(20, time.Second)
		if s.Counts.By[outcome.Full] != s.Counts.Planned {
			t.Errorf("took %d: %+v, causes %v", took, s.Counts, s.Causes)
		}
	}
}

// TestH2Download guards that windows are given back on both levels, and that a
// service which sends more than it may is told.
func TestH2Download(t *testing.T) {
	chunk := make([]byte, frameSize)
	const each = 6 << 20 // more than a stream's window
	n := newH2Net(t, Offer{Timeout: 30 * time.Second, PeakRate: 20, Arrivals: Constant}, message{}, 0)
	sent := map[uint32]int64{}
	var all int64
	n.play = func(p *h2Peer, f http2.Frame) {
		var ids []uint32
		switch f := f.(type) {
		case *http2.HeadersFrame:
			p.head(f.StreamID, false, ":status", "200")
			ids = append(ids, f.StreamID)
		case *http2.WindowUpdateFrame:
			for id := range sent {
				ids = append(ids, id)
			}
		}
		for _, id := range ids {
			for sent[id] < each && sent[id]+frameSize <= streamWindow+p.granted[id] && all+frameSize <= 65535+p.granted[0] {
				sent[id] += frameSize
				all += frameSize
				_ = p.said.WriteData(id, sent[id] == each, chunk)
			}
		}
	}
	s := n.offered(10, 2*time.Second)
	if s.Counts.By[outcome.Full] != s.Counts.Planned || all != int64(s.Counts.Planned)*each {
		t.Errorf("%+v, causes %v, %d bytes", s.Counts, s.Causes, all)
	}
	n = newH2Net(t, h2Offer, message{}, 0)
	n.play = func(p *h2Peer, f http2.Frame) {
		h, ok := f.(*http2.HeadersFrame)
		if !ok {
			return
		}
		p.head(h.StreamID, false, ":status", "200")
		for i := 0; i <= streamWindow; i += frameSize / 2 {
			_ = p.said.WriteDataPadded(h.StreamID, false, nil, make([]byte, 255)) // padding counts too
			_ = p.said.WriteData(h.StreamID, false, chunk)
		}
	}
	if s = n.offered(10, 300*time.Millisecond); s.Counts.By[outcome.Full] != 0 {
		t.Errorf("%+v, causes %v", s.Counts, s.Causes)
	}
}

// TestH2Lost guards the causes of requests whose connection ends under them.
func TestH2Lost(t *testing.T) {
	n := newH2Net(t, h2Offer, message{}, 0)
	n.play = func(p *h2Peer, f http2.Frame) {
		h, ok := f.(*http2.HeadersFrame)
		switch {
		case !ok:
		case h.StreamID == 1:
			p.head(1, false, ":status", "200")
		case h.StreamID == 5:
			p.end()
		}
	}
	s := n.offered(1000, 100*time.Millisecond)
	if s.Causes[CauseCutOff] == 0 || s.Causes[CauseNoAnswer]+s.Causes[CauseNoAnswerReused] == 0 || s.Counts.By[outcome.Full] != 0 {
		t.Errorf("causes %v", s.Causes)
	}
}

// TestH2Answers guards what counts as an answer, and the names of what does not.
func TestH2Answers(t *testing.T) {
	big := strings.Repeat("x", 10<<10)
	for _, c := range []struct {
		name   string
		method string
		want   string // a cause, or full, degraded, shed
		say    func(p *h2Peer, id uint32)
	}{
		{"200", "", "full", func(p *h2Peer, id uint32) { p.ok(id) }},
		{"404", "", "status 404", func(p *h2Peer, id uint32) { p.head(id, true, ":status", "404") }},
		{"503", "", "shed", func(p *h2Peer, id uint32) { p.head(id, true, ":status", "503", "retry-after", "2") }},
		{"partial", "", "degraded", func(p *h2Peer, id uint32) { p.head(id, true, ":status", "200", "x-partial", "1") }},
		{"early hints", "", "full", func(p *h2Peer, id uint32) {
			p.head(id, false, ":status", "103", "link", "</a>")
			p.head(id, false, ":status", "100")
			p.ok(id)
		}},
		{"body in parts", "", "full", func(p *h2Peer, id uint32) {
			p.head(id, false, ":status", "200", "content-length", "4")
			_ = p.said.WriteData(id, false, []byte("ab"))
			_ = p.said.WriteDataPadded(id, false, []byte("cd"), make([]byte, 9))
			_ = p.said.WriteData(id, true, nil)
		}},
		{"trailers", "", "full", func(p *h2Peer, id uint32) {
			p.head(id, false, ":status", "200")
			_ = p.said.WriteData(id, false, []byte("ab"))
			p.head(id, true, "grpc-status", "0")
		}},
		{"HEAD", "HEAD", "full", func(p *h2Peer, id uint32) { p.head(id, true, ":status", "200", "content-length", "99") }},
		{"304", "", "full", func(p *h2Peer, id uint32) { p.head(id, true, ":status", "304", "content-length", "99") }},
		{"continued head", "", "full", func(p *h2Peer, id uint32) {
			b := block(":status", "200", "x-long", big)
			_ = p.said.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: b[:10], EndStream: true})
			_ = p.said.WriteContinuation(id, false, b[10:100])
			_ = p.said.WriteContinuation(id, true, b[100:])
		}},
		{"frames of no known type, priority, ping", "", "full", func(p *h2Peer, id uint32) {
			_ = p.said.WriteRawFrame(0xfa, 0xff, id, []byte("?"))
			_ = p.said.WritePing(false, [8]byte{1})
			_ = p.said.WritePriority(id, http2.PriorityParam{StreamDep: 0, Weight: 1})
			p.ok(id)
		}},
		{"no status", "", "malformed answer: bad status line", func(p *h2Peer, id uint32) { p.head(id, true, "x", "y") }},
		{"status late", "", "malformed answer: bad status line", func(p *h2Peer, id uint32) { p.head(id, true, "x", "y", ":status", "200") }},
		{"two of it", "", "malformed answer: bad status line", func(p *h2Peer, id uint32) { p.head(id, true, ":status", "200", ":status", "200") }},
		{"odd status", "", "malformed answer: bad status line", func(p *h2Peer, id uint32) { p.head(id, true, ":status", "+20") }},
		{"101", "", "malformed answer: bad status line", func(p *h2Peer, id uint32) { p.head(id, false, ":status", "101") }},
		{"upper case", "", "malformed answer: bad header line", func(p *h2Peer, id uint32) { p.head(id, true, ":status", "200", "X-A", "b") }},
		{"line break", "", "malformed answer: bad header line", func(p *h2Peer, id uint32) { p.head(id, true, ":status", "200", "a", "b\r\nc") }},
		{"connection", "", "malformed answer: header of a connection in HTTP/2", func(p *h2Peer, id uint32) { p.head(id, true, ":status", "200", "connection", "close") }},
		{"lengths at odds", "", "malformed answer: conflicting Content-Length", func(p *h2Peer, id uint32) {
			p.head(id, true, ":status", "200", "content-length", "1", "content-length", "2")
		}},
		{"too short", "", CauseShortBody, func(p *h2Peer, id uint32) {
			p.head(id, false, ":status", "200", "content-length", "9")
			_ = p.said.WriteData(id, true, []byte("ab"))
		}},
		{"too long", "", "malformed answer: body longer than Content-Length", func(p *h2Peer, id uint32) {
			p.head(id, false, ":status", "200", "content-length", "1")
			_ = p.said.WriteData(id, true, []byte("ab"))
		}},
		{"body of HEAD", "HEAD", "malformed answer: body where none may be", func(p *h2Peer, id uint32) {
			p.head(id, false, ":status", "200")
			_ = p.said.WriteData(id, true, []byte("ab"))
		}},
		{"body first", "", "malformed answer: body before its head", func(p *h2Peer, id uint32) { _ = p.said.WriteData(id, true, []byte("ab")) }},
		{"1xx ends", "", "malformed answer: answer ends before its status", func(p *h2Peer, id uint32) { p.head(id, true, ":status", "103") }},
		{"trailers do not end", "", "malformed answer: trailers that do not end the answer", func(p *h2Peer, id uint32) {
			p.head(id, false, ":status", "200")
			p.head(id, false, "x", "y")
		}},
		{"over 1 MiB of headers", "", CauseHeaderSize, func(p *h2Peer, id uint32) {
			for range 110 {
				p.head(id, false, ":status", "103", "x", big)
			}
		}},
		{"endless continuation", "", CauseHeaderSize, func(p *h2Peer, id uint32) {
			_ = p.said.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: block(":status", "200")})
			for range 80 {
				_ = p.said.WriteContinuation(id, false, block("x", big, "y", big[:5000]))
			}
		}},
		{"pushes", "", "HTTP/2 protocol error: PROTOCOL_ERROR", func(p *h2Peer, id uint32) {
			_ = p.said.WritePushPromise(http2.PushPromiseParam{StreamID: id, PromiseID: 2, EndHeaders: true})
		}},
		{"stream that is none", "", "HTTP/2 protocol error: PROTOCOL_ERROR", func(p *h2Peer, id uint32) { p.ok(id + 2000) }},
		{"frame too large", "", "HTTP/2 protocol error: FRAME_SIZE_ERROR", func(p *h2Peer, id uint32) {
			_ = p.said.WriteRawFrame(0xfa, 0, 0, make([]byte, frameSize+1))
		}},
		{"bad compression", "", "HTTP/2 protocol error: COMPRESSION_ERROR", func(p *h2Peer, id uint32) {
			_ = p.said.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: []byte{0xff, 0xff, 0xff}, EndHeaders: true})
		}},
		{"window overflows", "", "HTTP/2 protocol error: FLOW_CONTROL_ERROR", func(p *h2Peer, id uint32) { _ = p.said.WriteWindowUpdate(0, 1<<31-1) }},
		{"a stream's window overflows", "", "HTTP/2 protocol error: FLOW_CONTROL_ERROR", func(p *h2Peer, id uint32) { _ = p.said.WriteWindowUpdate(id, 1<<31-1) }},
		{"window update of nothing", "", "HTTP/2 protocol error: PROTOCOL_ERROR", func(p *h2Peer, id uint32) { _ = p.said.WriteWindowUpdate(id, 0) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := newH2Net(t, Offer{Timeout: 200 * time.Millisecond, PeakRate: 100, Arrivals: Constant}, message{Request: Request{Method: c.method}}, 0)
			rule, err := ParseDegradedRule("header:X-Partial=1")
			if err != nil {
				t.Fatal(err)
			}
			n.l.rules = newRuleSet([]DegradedRule{rule})
			n.play = func(p *h2Peer, f http2.Frame) {
				if h, ok := f.(*http2.HeadersFrame); ok {
					c.say(p, h.StreamID)
				}
			}
			s := n.offered(20, 500*time.Millisecond)
			got := s.Causes[c.want]
			for _, k := range []outcome.Class{outcome.Full, outcome.Degraded, outcome.Shed} {
				if k.String() == c.want {
					got = s.Counts.By[k]
				}
			}
			if got != s.Counts.Planned {
				t.Errorf("%+v, causes %v, want all %q", s.Counts, s.Causes, c.want)
			}
			if c.want == "shed" && s.RetryAfterN != got {
				t.Errorf("%d hints", s.RetryAfterN)
			}
			if pongs := n.all[0].pongs; strings.Contains(c.name, "ping") && pongs != int(got) {
				t.Errorf("%d pings answered", pongs)
			}
		})
	}
}

// TestH2Beginnings guards connections that begin with something else than HTTP/2.
func TestH2Beginnings(t *testing.T) {
	for want, hello := range map[string]func(p *h2Peer){
		CauseSpeaks1:    func(p *h2Peer) { fmt.Fprint(&p.out, "HTTP/1.1 400 Bad Request\r\n\r\n") },
		CauseNoSettings: func(p *h2Peer) { _ = p.said.WritePing(false, [8]byte{}) },
		"HTTP/2 protocol error: FRAME_SIZE_ERROR": func(p *h2Peer) { fmt.Fprint(&p.out, "220 smtp.test ESMTP\r\n") },
	} {
		n := newH2Net(t, Offer{Timeout: time.Second, PeakRate: 100, Arrivals: Constant}, message{}, 0)
		n.hello = hello
		if s := n.offered(50, 200*time.Millisecond); s.Causes[want] != s.Counts.Planned || n.hits > 0 {
			t.Errorf("want %q: %+v, causes %v, %d hits", want, s.Counts, s.Causes, n.hits)
		}
	}
	n := newH2Net(t, Offer{Timeout: time.Second, PeakRate: 100, Arrivals: Constant}, message{}, 0)
	n.hello = func(p *h2Peer) { p.end() }
	if s := n.offered(50, 200*time.Millisecond); s.Causes[CauseNoSettings] != s.Counts.Planned {
		t.Errorf("closed at once: %+v, causes %v", s.Counts, s.Causes)
	}
}

// TestH2Flood guards that a service which asks for answers and does not read them
// costs a bounded memory.
func TestH2Flood(t *testing.T) {
	n := newH2Net(t, Offer{Timeout: time.Second, PeakRate: 100, Arrivals: Constant}, message{}, 0)
	n.deaf = true
	n.hello = func(p *h2Peer) {
		_ = p.said.WriteSettings()
		for range 150_000 {
			_ = p.said.WritePing(false, [8]byte{})
		}
	}
	s := n.offered(50, 100*time.Millisecond)
	if s.Causes[CauseNotReading] == 0 {
		t.Errorf("%+v, causes %v", s.Counts, s.Causes)
	}
}

// FuzzH2 feeds any bytes to a session with requests on it.
func FuzzH2(f *testing.F) {
	var b bytes.Buffer
	w := http2.NewFramer(&b, nil)
	_ = w.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 4})
	head := b.Len()
	add := func() { f.Add(bytes.Clone(b.Bytes()), uint8(7)); b.Truncate(head) }
	add()
	_ = w.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: block(":status", "200"), EndHeaders: true})
	_ = w.WriteData(1, true, []byte("x"))
	_ = w.WriteRSTStream(3, http2.ErrCodeRefusedStream)
	add()
	_ = w.WriteGoAway(1, http2.ErrCodeNo, nil)
	_ = w.WritePing(false, [8]byte{})
	_ = w.WriteWindowUpdate(0, 5)
	add()
	_ = w.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: []byte{0x88}})
	_ = w.WriteContinuation(1, true, block("a", "b"))
	add()
	f.Fuzz(func(t *testing.T, data []byte, cut uint8) {
		n := newH2Net(t, Offer{Timeout: 50 * time.Millisecond, PeakRate: 100, Arrivals: Constant}, message{Request: Request{Method: "POST", Body: []byte("body")}}, 0)
		n.hello = func(p *h2Peer) {
			step := int(cut) + 1
			for i := 0; i < len(data); i += step {
				p.out.Write(data[i:min(i+step, len(data))])
				p.flush()
			}
		}
		n.play = func(*h2Peer, http2.Frame) {}
		n.offered(100, 100*time.Millisecond)
	})
}

// TestH2Fixed guards that with a fixed number of connections requests wait for
// streams without being lost, which is no fault of the generator.
func TestH2Fixed(t *testing.T) {
	n := newH2Net(t, h2Offer, message{}, 2)
	n.hello = func(p *h2Peer) {
		_ = p.said.WriteSettings(http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 3})
	}
	n.play = func(p *h2Peer, f http2.Frame) {
		if h, ok := f.(*http2.HeadersFrame); ok {
			p.ok(h.StreamID)
			p.after(10 * time.Millisecond)
		}
	}
	s := n.offered(900, 300*time.Millisecond) // six streams bear 600/s
	if s.Counts.By[outcome.Full] != s.Counts.Planned || len(n.all) != 2 || n.l.acc.limits[LimitStreams] == 0 || n.l.acc.limits[LimitConns] != 0 || n.l.acc.inTimeHits[0] != 0 {
		t.Errorf("%+v, %d connections, limits %v", s.Counts, len(n.all), n.l.acc.limits)
	}
	if worst := time.Duration(s.Latency[outcome.Full].Max()); worst < 100*time.Millisecond {
		t.Errorf("the longest wait was %v: it does not count from the planned instant", worst)
	}
}

// TestH2Again guards the client's own retries, and patient probes, over HTTP/2.
func TestH2Again(t *testing.T) {
	o := h2Offer
	o.Retries, o.RetryAfter = 1, 10*time.Millisecond
	n := newH2Net(t, o, message{}, 0)
	n.play = func(p *h2Peer, f http2.Frame) {
		if h, ok := f.(*http2.HeadersFrame); ok {
			if n.hits%2 == 1 {
				_ = p.said.WriteRSTStream(h.StreamID, http2.ErrCodeRefusedStream)
			} else {
				p.ok(h.StreamID)
			}
		}
	}
	s := n.offered(100, time.Second)
	if again := n.l.acc.retries; again.Planned == 0 || !again.Balanced() || uint64(n.hits) != s.Counts.Planned+again.Planned {
		t.Errorf("%+v planned, %+v again, %d hits", s.Counts, again, n.hits)
	}
	o = Offer{Timeout: 100 * time.Millisecond, PeakRate: 100, Arrivals: Constant, ProbeShare: 1, ProbeDeadline: time.Second}
	n = newH2Net(t, o, message{}, 0)
	n.play = func(p *h2Peer, f http2.Frame) {
		if h, ok := f.(*http2.HeadersFrame); ok {
			p.ok(h.StreamID)
			p.after(300 * time.Millisecond)
		}
	}
	s = n.offered(100, time.Second)
	if s.Counts.By[outcome.TimedOut] != s.Counts.Planned || s.Probes.Count()+s.ProbesLost != s.Counts.Planned || s.ProbesLost > 0 {
		t.Errorf("%+v, %d probes seen, %d lost", s.Counts, s.Probes.Count(), s.ProbesLost)
	}
}
