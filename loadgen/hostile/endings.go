package hostile

import (
	"net"
	"time"
)

// What a client calls the ends of connections.
const (
	noAnswer    = "closed without an answer"
	noAnswerOld = "kept connection closed without an answer"
	cutOff      = "closed mid-answer"
	isReset     = "connection reset"
	resetMid    = "reset mid-answer"
)

// endings are connections that end when they should not, or do not when they
// should.
func endings() []Behaviour {
	full := []Outcome{{Class: "full", Must: true}}
	return []Behaviour{
		{Name: "closes without an answer", Does: "reads a request and closes", Over: anyH1, Want: failed(noAnswer),
			Play: func(u *Turn) { u.end() }},
		{Name: "resets", Does: "reads a request and resets the connection", Over: []Transport{Plain, TLS}, Want: failed(isReset),
			Play: func(u *Turn) { u.reset() }},
		{Name: "length too large", Does: "promises 100 bytes, sends 3 and closes", Over: anyH1, Want: failed(cutOff),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok\n")
				u.end()
			}},
		{Name: "closes between chunks", Does: "closes before the last chunk", Over: anyH1, Want: failed(cutOff),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nok\n\r\n")
				u.end()
			}},
		{Name: "closes within the headers", Does: "closes within a header line", Over: anyH1, Want: failed(cutOff),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 200 OK\r\nContent-Le")
				u.end()
			}},
		{Name: "resets mid-answer", Does: "resets the connection within the body", Over: []Transport{Plain, TLS},
			// A reset throws away what the client has not read yet.
			Want: perhaps(failed(resetMid), isReset),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok\n")
				u.pause(20 * time.Millisecond)
				u.reset()
			}},
		{Name: "body up to the close", Does: "ends the body with the connection", Over: anyH1, Want: all("full"),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 200 OK\r\n\r\nok\n")
				u.end()
			}},
		{Name: "HTTP/1.0", Does: "answers in HTTP/1.0 and closes", Over: anyH1, Want: all("full"),
			Play: func(u *Turn) {
				u.say("HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nok\n")
				u.end()
			}},
		{Name: "HTTP/1.0 kept", Does: "answers in HTTP/1.0 and keeps the connection", Over: anyH1, Want: all("full"),
			Play: func(u *Turn) { u.say("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\nok\n") }},
		{Name: "says close and closes", Does: "closes after each answer, and says so", Over: anyH1, Want: all("full"),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n")
				u.end()
			}},
		{Name: "says close and does not", Does: "says that it will close, and waits for the client to do it", Over: anyH1, Want: all("full"),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n")
				u.wait()
				u.end()
			}},
		// The close may meet the next request, which is then lost: the service may
		// have done its work, so that sending it again would be a second request.
		{Name: "closes without saying so", Does: "closes after each answer without saying so", Over: anyH1, Unread: true,
			Want: perhaps(full, noAnswerOld, isReset),
			Play: func(u *Turn) { u.ok(); u.end() }},
		{Name: "closes after five", Does: "closes each connection after five answers", Over: anyH1, Unread: true,
			Want: perhaps(full, noAnswerOld, isReset),
			Play: func(u *Turn) {
				u.ok()
				if u.Nth == 5 {
					u.end()
				}
			}},
		{Name: "second request is lost", Does: "answers the first request of a connection and closes at the second", Over: anyH1,
			Want: perhaps(full, noAnswerOld),
			Play: func(u *Turn) {
				if u.Nth == 1 {
					u.ok()
					return
				}
				u.end()
			}},
		{Name: "half-closes, then answers nothing", Does: "closes its side of the connection and goes on reading", Over: onSock, Want: failed(noAnswer),
			Play: func(u *Turn) {
				closeWrite(u.Raw)
				u.wait()
				u.end()
			}},
		{Name: "half-closes after the answer", Does: "answers, closes its side and goes on reading", Over: onSock, Unread: true,
			Want: perhaps(full, noAnswerOld, isReset),
			Play: func(u *Turn) {
				u.ok()
				closeWrite(u.Raw)
				u.wait()
				u.end()
			}},
		{Name: "stops listening to the request", Does: "closes its reading side, and answers", Over: onSock,
			Want: full, Unread: true,
			Play: func(u *Turn) {
				if c, ok := u.Raw.(interface{ CloseRead() error }); ok {
					_ = c.CloseRead()
				}
				u.say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n")
				u.end()
			}},
		{Name: "surplus answer later", Does: "answers, and answers again a little later", Over: anyH1,
			// What comes while the connection is idle costs no request; what meets the
			// next one is taken for its answer, since nothing tells the two apart.
			Want: perhaps(full, bad+"bytes after its end", isReset), Unread: true, Guesses: true,
			Play: func(u *Turn) {
				u.ok()
				u.pause(2 * time.Millisecond)
				u.ok()
			}},
		{Name: "answers before the body is read", Does: "refuses a body before it came, and closes", Over: anyH1,
			Method: "POST", Body: make([]byte, 4000), Want: failed("status 413"),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
				u.end()
			}},
		{Name: "changes its mind", Does: "does something else wrong with each request", Over: anyH1, Unread: true,
			Want: perhaps(append(full, Outcome{Class: "shed", Must: true}), noAnswer, noAnswerOld, cutOff, isReset, "status 500", bad+"bad status line"),
			Play: func(u *Turn) { motley[u.N%len(motley)](u) }},
	}
}

// motley is a round of quick misdeeds.
var motley = []func(*Turn){
	func(u *Turn) { u.ok() },
	func(u *Turn) { u.end() },
	func(u *Turn) {
		u.say("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n")
	},
	func(u *Turn) { u.say("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n") },
	func(u *Turn) { u.ok(); u.end() },
	func(u *Turn) { u.say("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok"); u.end() },
	func(u *Turn) { u.say("RUBBISH\r\n\r\n") },
	func(u *Turn) { u.reset() },
}

func closeWrite(c net.Conn) {
	if c, ok := c.(interface{ CloseWrite() error }); ok {
		_ = c.CloseWrite()
	}
}
