package loadgen

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// hostile is a server that misbehaves in one way and counts the requests that
// reached it.
type hostile struct {
	ln    net.Listener
	hits  atomic.Int64
	conns atomic.Int64
	play  func(*turn)
	mu    sync.Mutex
	open  map[net.Conn]bool
	done  sync.WaitGroup
}

// turn is one request to a hostile server. What it does not answer stays
// unanswered; end closes the connection after it.
type turn struct {
	net.Conn
	n     int // the request's number on the server, from 1
	nth   int // the request's number on this connection, from 1
	body  []byte
	close bool
	stop  <-chan struct{}
}

func (u *turn) say(format string, args ...any) { fmt.Fprintf(u.Conn, format, args...) }
func (u *turn) ok()                            { u.say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n") }
func (u *turn) end()                           { u.close = true }
func (u *turn) reset() {
	_ = u.Conn.(*net.TCPConn).SetLinger(0)
	u.close = true
}

func startHostile(t *testing.T, network string, play func(*turn)) *hostile {
	t.Helper()
	addr := "127.0.0.1:0"
	if network == "tcp6" {
		addr = "[::1]:0"
	}
	ln, err := net.Listen(network, addr)
	if err != nil {
		t.Skipf("no %s on this machine: %v", network, err)
	}
	h := &hostile{ln: ln, play: play, open: map[net.Conn]bool{}}
	stop := make(chan struct{})
	h.done.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			h.conns.Add(1)
			h.mu.Lock()
			h.open[c] = true
			h.mu.Unlock()
			h.done.Go(func() { h.serve(c, stop) })
		}
	})
	t.Cleanup(func() {
		close(stop)
		ln.Close()
		h.mu.Lock()
		for c := range h.open {
			c.Close()
		}
		h.mu.Unlock()
		h.done.Wait()
	})
	return h
}

func (h *hostile) serve(c net.Conn, stop <-chan struct{}) {
	defer func() {
		c.Close()
		h.mu.Lock()
		delete(h.open, c)
		h.mu.Unlock()
	}()
	br := bufio.NewReader(c)
	for nth := 1; ; nth++ {
		req, err := http.ReadRequest(br)
		if err != nil {
			return
		}
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		u := &turn{Conn: c, n: int(h.hits.Add(1)), nth: nth, body: body, stop: stop}
		h.play(u)
		if u.close {
			return
		}
	}
}

func (h *hostile) url() string { return "http://" + h.ln.Addr().String() + "/" }

// bigHead is 100 kB of headers.
var bigHead = strings.Repeat("X-Padding: "+strings.Repeat("v", 1000)+"\r\n", 100)

// behaviours are what services do. Each says what the client must make of it.
var behaviours = []struct {
	name    string
	play    func(*turn)
	want    string // class of all requests, or "" when check says
	cause   string
	timeout time.Duration
	rate    float64 // 100 when 0
	check   func(t *testing.T, s *Segment)
	rules   []string
	body    []byte
}{
	{name: "answers", play: func(u *turn) { u.ok() }, want: "full"},
	{name: "closes without an answer", play: func(u *turn) { u.end() }, want: "failed", cause: CauseNoAnswer},
	{name: "resets", play: func(u *turn) { u.reset() }, want: "failed", cause: CauseReset},
	{name: "short body", play: func(u *turn) {
		u.say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok\n")
		u.end()
	}, want: "failed", cause: CauseCutOff},
	{name: "reset mid-answer", play: func(u *turn) {
		u.say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok\n")
		time.Sleep(20 * time.Millisecond) // let the client read before the reset overtakes
		u.reset()
	}, want: "failed", cause: CauseResetAnswer},
	{name: "two answers", play: func(u *turn) {
		const a = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n"
		u.say(a + a)
	}, want: "failed", cause: CauseSurplus},
	{name: "chunked with extension and trailers", play: func(u *turn) {
		u.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3;ext=\"1\"\r\nok\n\r\n0\r\nX-Sum: abc\r\n\r\n")
	}, want: "full"},
	{name: "chunk longer than it says", play: func(u *turn) {
		u.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\n\r\n0\r\n\r\n")
	}, want: "failed", cause: "malformed answer: chunk longer than its size"},
	{name: "bad chunk size", play: func(u *turn) {
		u.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok\n\r\n0\r\n\r\n")
	}, want: "failed", cause: "malformed answer: bad chunk size"},
	{name: "1xx first", play: func(u *turn) {
		u.say("HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n")
		time.Sleep(5 * time.Millisecond)
		u.say("HTTP/1.1 100 Continue\r\n\r\n")
		u.ok()
	}, want: "full"},
	{name: "100 kB of headers", play: func(u *turn) {
		u.say("HTTP/1.1 200 OK\r\n%sContent-Length: 0\r\n\r\n", bigHead)
	}, want: "full"},
	{name: "trickle", play: func(u *turn) {
		for _, b := range []byte("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n") {
			_, _ = u.Write([]byte{b})
			time.Sleep(time.Millisecond)
		}
	}, want: "full"},
	{name: "ends with the connection", play: func(u *turn) {
		u.say("HTTP/1.1 200 OK\r\n\r\nok\n")
		u.end()
	}, want: "full"},
	{name: "HTTP/1.0", play: func(u *turn) {
		u.say("HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nok\n")
		u.end()
	}, want: "full"},
	{name: "connection close each time", play: func(u *turn) {
		u.say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n")
		u.end()
	}, want: "full"},
	{name: "says close and does not", play: func(u *turn) {
		u.say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n")
		<-u.stop
	}, want: "full"},
	{name: "every other 429", play: func(u *turn) {
		if u.n%2 == 0 {
			u.say("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n")
			return
		}
		u.ok()
	}, check: func(t *testing.T, s *Segment) {
		if shed := s.Counts.By[2]; shed != s.Counts.Planned/2 || s.RetryAfterN != shed || s.RetryAfterSum != 2*float64(shed) {
			t.Errorf("of %d planned: %d shed, %d hints of %v s in all", s.Counts.Planned, shed, s.RetryAfterN, s.RetryAfterSum)
		}
	}},
	{name: "hangs", play: func(u *turn) { <-u.stop }, want: "timed out", timeout: 150 * time.Millisecond},
	{name: "hangs mid-answer", play: func(u *turn) {
		u.say("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
		<-u.stop
	}, want: "timed out", timeout: 150 * time.Millisecond},
	{name: "redirects to itself", play: func(u *turn) {
		u.say("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n")
	}, want: "full"},
	{name: "204", play: func(u *turn) { u.say("HTTP/1.1 204 No Content\r\n\r\n") }, want: "full"},
	{name: "304 with a length", play: func(u *turn) {
		u.say("HTTP/1.1 304 Not Modified\r\nContent-Length: 512\r\n\r\n")
	}, want: "full"},
	{name: "500", play: func(u *turn) {
		u.say("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 3\r\n\r\nno\n")
	}, want: "failed", cause: "status 500"},
	{name: "not HTTP", play: func(u *turn) { u.say("NOT HTTP AT ALL\r\n\r\n") }, want: "failed", cause: "malformed answer: bad status line"},
	{name: "conflicting lengths", play: func(u *turn) {
		u.say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nok\n")
	}, want: "failed", cause: "malformed answer: conflicting Content-Length"},
	{name: "over 1 MiB of headers", play: func(u *turn) {
		u.say("HTTP/1.1 200 OK\r\n%s", strings.Repeat(bigHead, 11))
		u.ok()
	}, want: "failed", cause: CauseHeaderSize, rate: 20},
	{name: "degraded by header", rules: []string{"header:X-Partial=1"}, play: func(u *turn) {
		u.say("HTTP/1.1 200 OK\r\nx-partial: 1\r\nContent-Length: 0\r\n\r\n")
	}, want: "degraded"},
	{name: "degraded by body", rules: []string{"json:$.partial==true"}, play: func(u *turn) {
		b := `{"items":[],"partial":true}`
		u.say("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(b), b)
	}, want: "degraded"},
	{name: "answers before the body is read", body: bytes.Repeat([]byte("x"), 4000), play: func(u *turn) {
		u.say("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		u.end()
	}, want: "failed", cause: "status 413"},
	{name: "2 MB of body", play: func(u *turn) {
		u.say("HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n")
		_, _ = u.Write(make([]byte, 2000000))
	}, want: "full", rate: 20},
	{name: "half a MB of request", body: bytes.Repeat([]byte("x"), 512<<10), play: func(u *turn) {
		if len(u.body) == 512<<10 {
			u.ok()
		}
	}, want: "full", rate: 20},
}
