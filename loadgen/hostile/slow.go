package hostile

import (
	"strings"
	"time"
)

// slow are servers that take their time, or all of it.
func slow() []Behaviour {
	return []Behaviour{
		{Name: "trickles the head", Does: "sends head and body a byte at a time", Over: anyH1, Want: all("full"),
			Play: func(u *Turn) { u.trickle(okAnswer, 1, time.Millisecond) }},
		{Name: "trickles the body", Does: "sends a body byte by byte", Over: anyH1, Want: all("full"),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n")
				u.trickle(strings.Repeat("b", 40), 1, time.Millisecond)
			}},
		{Name: "trickles for ever", Does: "sends a body byte by byte that never ends", Over: anyH1, Timeout: ShortTimeout, Want: all("timed out"),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
				u.forEver(1000, 10*time.Millisecond, "b")
			}},
		{Name: "trickles headers for ever", Does: "sends a header line now and then, for ever", Over: anyH1, Timeout: ShortTimeout, Want: all("timed out"),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 200 OK\r\n")
				u.forEver(1000, 10*time.Millisecond, "X-A: b\r\n")
			}},
		{Name: "endless body", Does: "sends chunks for ever", Over: anyH1, Timeout: ShortTimeout, Rate: 20, Want: all("timed out"),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
				u.forEver(1000, 5*time.Millisecond, "1000\r\n"+strings.Repeat("c", 0x1000)+"\r\n")
			}},
		{Name: "hangs", Does: "reads a request and says nothing", Over: anyH1, Timeout: ShortTimeout, Want: all("timed out"),
			Play: func(u *Turn) { u.wait(); u.end() }},
		{Name: "hangs mid-answer", Does: "sends the head of an answer and nothing more", Over: anyH1, Timeout: ShortTimeout, Want: all("timed out"),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
				u.wait()
				u.end()
			}},
		{Name: "only interim answers", Does: "says 100 Continue and nothing more", Over: anyH1, Timeout: ShortTimeout, Want: all("timed out"),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 100 Continue\r\n\r\n")
				u.wait()
				u.end()
			}},
		{Name: "length of a body that is not there", Does: "answers GET as if it were HEAD, and keeps the connection", Over: anyH1,
			Timeout: ShortTimeout, Want: all("timed out"),
			Play: func(u *Turn) { u.say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n") }},
		{Name: "does not read", Does: "accepts and never reads, so that a long request cannot be written", Over: anyH1,
			Method: "POST", Body: make([]byte, 8<<20), Rate: 20, Timeout: ShortTimeout, Unread: true,
			Want: []Outcome{{Class: "timed out", Must: true}},
			Accept: func(s *Server, c *Conn) {
				if s.over == TLS && !c.secure(serverTLS(TLS)) {
					return
				}
				<-c.stop
			}},
	}
}
