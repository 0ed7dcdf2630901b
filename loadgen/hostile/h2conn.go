package hostile

import "net"

// H2Conn is one HTTP/2 connection to a server.
type H2Conn struct{ net.Conn }

func (s *Server) serveH2(c *Conn) { s.b.PlayH2(&H2Conn{c}) }

func h2Streams() []Behaviour { return nil }

func h2Frames() []Behaviour { return nil }
