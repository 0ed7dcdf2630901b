package loadgen

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
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
