package hostile

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"time"
)

// tlsTrouble are servers that get TLS wrong.
func tlsTrouble() []Behaviour {
	shake := func(name, does, cause string, f func(*Server, *Conn)) Behaviour {
		return Behaviour{Name: "TLS " + name, Does: does, Over: anyTLS, Want: failed(cause), Unread: true, Accept: f}
	}
	// play is a trouble that comes after a good handshake, at each request.
	play := func(name, does string, want []Outcome, f func(*Turn)) Behaviour {
		return Behaviour{Name: "TLS " + name, Does: does, Over: tlsOnly, Want: want, Play: f}
	}
	quick := func(b Behaviour) Behaviour { b.Timeout = ShortTimeout; return b }
	certificate := func(name, does, cause string, change func(*x509.Certificate)) Behaviour {
		return shake(name, does, cause, func(s *Server, c *Conn) {
			conf := serverTLS(s.over)
			conf.Certificates = []tls.Certificate{madeFrom(change)}
			if c.secure(conf) {
				c.wait()
			}
		})
	}
	return []Behaviour{
		shake("plain HTTP", "speaks HTTP without TLS", "TLS: the service does not speak TLS", func(s *Server, c *Conn) {
			buf := make([]byte, 1024)
			_, _ = c.Read(buf)
			_, _ = c.Write([]byte("HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"))
			c.pause(20 * time.Millisecond)
		}),
		shake("closed in the handshake", "closes at the first bytes of the handshake", "TLS: closed in the handshake", func(s *Server, c *Conn) {
			buf := make([]byte, 4096)
			_, _ = c.Read(buf)
		}),
		shake("reset in the handshake", "resets at the first bytes of the handshake", "TLS: reset in the handshake", func(s *Server, c *Conn) {
			buf := make([]byte, 4096)
			_, _ = c.Read(buf)
			c.reset()
		}),
		quick(shake("handshake hangs", "accepts and says nothing", "TLS handshake timed out", func(s *Server, c *Conn) { <-c.stop })),
		certificate("expired certificate", "has a certificate of last century", "TLS: certificate expired or not yet valid", func(t *x509.Certificate) {
			t.NotBefore, t.NotAfter = time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(1991, 1, 1, 0, 0, 0, 0, time.UTC)
		}),
		certificate("unknown authority", "has a certificate that nobody vouches for", "TLS: certificate of an unknown authority", func(t *x509.Certificate) {
			t.Subject = pkix.Name{CommonName: "somebody else"}
		}),
		shake("no common version", "speaks TLS 1.0 and 1.1 alone", "TLS alert from the service: protocol version not supported", func(s *Server, c *Conn) {
			conf := serverTLS(s.over)
			conf.MinVersion, conf.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
			c.secure(conf)
			c.pause(20 * time.Millisecond)
		}),
		{Name: "TLS closed after the handshake", Does: "closes once the handshake is done", Over: tlsOnly, Unread: true,
			Want: perhaps([]Outcome{{Class: "failed", Cause: noAnswer}}, isReset),
			Accept: func(s *Server, c *Conn) {
				c.secure(serverTLS(s.over))
			}},
		{Name: "TLS without HTTP/2", Does: "agrees on HTTP/1.1 alone", Over: []Transport{H2}, Unread: true,
			Want: failed("TLS: the service does not agree on HTTP/2"),
			Accept: func(s *Server, c *Conn) {
				conf := serverTLS(TLS)
				conf.NextProtos = nil
				if c.secure(conf) {
					c.wait()
				}
			}},
		play("cut without notify", "ends a body of no stated length by closing below TLS",
			failed("closed mid-answer: TLS without close_notify"), func(u *Turn) {
				u.say("HTTP/1.1 200 OK\r\n\r\nok\n")
				_ = u.Raw.Close()
				u.end()
			}),
		play("closed without notify after the answer", "closes below TLS after a whole answer", all("full"), func(u *Turn) {
			u.say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n")
			_ = u.Raw.Close()
			u.end()
		}),
		play("closed without notify or answer", "closes below TLS in place of an answer", perhaps(failed(noAnswer), noAnswerOld), func(u *Turn) {
			_ = u.Raw.Close()
			u.end()
		}),
		play("rubbish below TLS", "writes bytes below TLS that are no record", failed("TLS: protocol error"), func(u *Turn) {
			_, _ = u.Raw.Write([]byte("HTTP/1.1 200 OK\r\n\r\n"))
			u.pause(20 * time.Millisecond)
			u.end()
		}),
		play("one byte in each record", "writes an answer in records of one byte", all("full"), func(u *Turn) {
			u.trickle(okAnswer, 1, 0)
		}),
	}
}
