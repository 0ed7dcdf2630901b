package hostile

import (
	"net"
	"syscall"
	"time"
)

const (
	refused     = "connection refused"
	connectTime = "connect timed out"
)

// listeners are services that are hard to reach.
func listeners() []Behaviour {
	return []Behaviour{
		{Name: "dead port", Does: "does not listen", Over: onSock, Want: failed(refused), Unread: true,
			Open: func(s *Server) error {
				ln, err := s.listen()
				if err == nil {
					if ul, ok := ln.(*net.UnixListener); ok {
						ul.SetUnlinkOnClose(false)
					}
					s.letGo(ln)
				}
				return err
			}},
		{Name: "full backlog", Does: "never accepts, so that the system drops what asks for a connection", Over: tcpOnly,
			Rate: 40, Timeout: ShortTimeout, Unread: true, Want: failed(connectTime), Open: fullBacklog},
		{Name: "closes at once", Does: "closes connections as they come", Over: onSock, Unread: true,
			Want:   perhaps([]Outcome{{Class: "failed", Cause: isReset}}, noAnswer),
			Accept: func(s *Server, c *Conn) {}},
		{Name: "resets at once", Does: "resets connections as they come", Over: tcpOnly, Unread: true,
			Want:   perhaps([]Outcome{{Class: "failed", Cause: isReset}}, noAnswer),
			Accept: func(s *Server, c *Conn) { c.reset() }},
		{Name: "comes and goes", Does: "stops listening after every few connections, and comes back", Over: tcpOnly, Unread: true,
			Rate: 200, For: 500 * time.Millisecond,
			Want: append(perhaps([]Outcome{{Class: "full", Must: true}}, isReset, noAnswer), Outcome{Class: "failed", Cause: refused, Must: true}),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n")
				u.end()
			},
			Open: comeAndGo},
	}
}

// fullBacklog listens without ever accepting, and fills the queue of the
// listener by itself. Linux then drops the first packet of whoever comes next.
func fullBacklog(s *Server) error {
	ln, err := s.listen()
	if err != nil {
		return err
	}
	raw, err := ln.(*net.TCPListener).SyscallConn()
	if err != nil {
		return err
	}
	if cerr := raw.Control(func(fd uintptr) { err = syscall.Listen(int(fd), 0) }); cerr != nil || err != nil {
		return cmpErr(cerr, err)
	}
	for range 4 { // a queue of length 0 holds one, and perhaps one more
		c, err := net.DialTimeout("tcp4", s.addr, 50*time.Millisecond)
		if err != nil {
			return nil
		}
		s.hold(c)
	}
	return nil
}

func cmpErr(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// comeAndGo listens for ten connections, goes away for a while, and listens
// again on the same port.
func comeAndGo(s *Server) error {
	ln, err := s.listen()
	if err != nil {
		return err
	}
	s.done.Go(func() {
		c := Conn{stop: s.stop}
		for {
			s.acceptSome(ln, 10)
			s.letGo(ln)
			if !c.pause(50 * time.Millisecond) {
				return
			}
			for ln, err = s.listen(); err != nil; ln, err = s.listen() {
				if !c.pause(5 * time.Millisecond) {
					return
				}
			}
			if s.isClosed() {
				s.letGo(ln)
				return
			}
		}
	})
	return nil
}
