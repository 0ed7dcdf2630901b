package hostile

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// Server plays one behaviour over one transport on loopback.
type Server struct {
	b     *Behaviour
	over  Transport
	addr  string // of the listener: host and port, or a path
	dir   string // of the unix socket
	hits  atomic.Int64
	conns atomic.Int64
	stop  chan struct{}
	done  sync.WaitGroup

	mu     sync.Mutex
	closed bool
	open   map[io.Closer]bool // connections, listeners and whatever else is to be closed
}

// Conn is a connection as a server has it: over TLS, the encrypted one.
type Conn struct {
	net.Conn
	// Raw is the connection below TLS, or the same as Conn.
	Raw  net.Conn
	stop <-chan struct{}
	// isReset says that the connection is to end with a reset.
	isReset bool
}

// reset makes the connection end with a reset when it is closed; a unix socket
// has none to give.
func (c *Conn) reset() {
	if tc, ok := c.Raw.(*net.TCPConn); ok {
		_ = tc.SetLinger(0)
	}
	c.isReset = true
}

// Start starts a server. Close ends it.
func Start(b Behaviour, over Transport) (*Server, error) {
	s := &Server{b: &b, over: over, stop: make(chan struct{}), open: map[io.Closer]bool{}}
	open := b.Open
	if open == nil {
		open = func(s *Server) error {
			ln, err := s.listen()
			if err == nil {
				s.accept(ln)
			}
			return err
		}
	}
	if err := open(s); err != nil {
		s.Close()
		return nil, fmt.Errorf("%s over %s: %w", b.Name, over, err)
	}
	return s, nil
}

// Addr is where the server listens: host and port, or the path of its socket.
func (s *Server) Addr() string { return s.addr }

// Hits is how many requests the server has received to their end.
func (s *Server) Hits() uint64 { return uint64(s.hits.Load()) }

// Conns is how many connections the server has accepted.
func (s *Server) Conns() uint64 { return uint64(s.conns.Load()) }

// Close ends the server with all its connections and waits for it.
func (s *Server) Close() {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.closed = true
	close(s.stop)
	for c := range s.open {
		_ = c.Close()
	}
	s.mu.Unlock()
	s.done.Wait()
	if s.dir != "" {
		_ = os.RemoveAll(s.dir)
	}
}

// hold makes Close close c. It reports false, having closed c, when the server
// is already closed.
func (s *Server) hold(c io.Closer) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		_ = c.Close()
		return false
	}
	s.open[c] = true
	return true
}

func (s *Server) letGo(c io.Closer) {
	_ = c.Close()
	s.mu.Lock()
	delete(s.open, c)
	s.mu.Unlock()
}

// listen opens the server's listener: at the address that it had before, if any.
func (s *Server) listen() (net.Listener, error) {
	network, addr := "tcp4", "127.0.0.1:0"
	if s.over == Unix {
		dir, err := os.MkdirTemp("", "hostile")
		if err != nil {
			return nil, err
		}
		s.dir = dir
		network, addr = "unix", filepath.Join(dir, "s")
	}
	if s.addr != "" {
		addr = s.addr
	}
	ln, err := net.Listen(network, addr)
	if err != nil {
		return nil, err
	}
	s.addr = ln.Addr().String()
	s.hold(ln)
	return ln, nil
}

// accept serves the connections of a listener until it is closed.
func (s *Server) accept(ln net.Listener) {
	s.done.Go(func() { s.acceptSome(ln, math.MaxInt) })
}

// acceptSome serves the next n connections of a listener.
func (s *Server) acceptSome(ln net.Listener, n int) {
	for range n {
		nc, err := ln.Accept()
		if err != nil {
			return
		}
		s.conns.Add(1)
		if !s.hold(nc) {
			return
		}
		s.done.Go(func() {
			defer s.letGo(nc)
			s.serve(&Conn{Conn: nc, Raw: nc, stop: s.stop})
		})
	}
}

func (s *Server) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// serve plays the behaviour on one connection.
func (s *Server) serve(c *Conn) {
	switch {
	case s.b.Accept != nil:
		s.b.Accept(s, c)
		return
	case s.over == TLS || s.over == H2:
		if !c.secure(serverTLS(s.over)) {
			return
		}
	}
	if s.over == H2 || s.over == H2C {
		s.serveH2(c)
		return
	}
	s.serveH1(c)
}

// secure does the handshake of a TLS server.
func (c *Conn) secure(conf *tls.Config) bool {
	tc := tls.Server(c.Raw, conf)
	c.Conn = tc
	return tc.Handshake() == nil
}

func (s *Server) serveH1(c *Conn) {
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
		u := &Turn{Conn: c, N: int(s.hits.Add(1)), Nth: nth, Body: body}
		s.b.Play(u)
		if u.over {
			if c.Conn != c.Raw && !c.isReset {
				_ = c.Conn.Close() // with a notify, as an orderly end over TLS has
			}
			return
		}
	}
}

// pause waits; it reports false when the server is being closed.
func (c *Conn) pause(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-c.stop:
		return false
	}
}

// wait does nothing until the client leaves or the server is closed.
func (c *Conn) wait() {
	_, _ = io.Copy(io.Discard, c.Conn)
}
