package hostile

import (
	"bytes"
	"compress/gzip"
	"time"
)

// answers are whole answers that a client has to take as they are: unusual, but
// allowed by RFC 9110 and 9112.
func answers() []Behaviour {
	return []Behaviour{
		{Name: "answers", Does: "answers each request in an ordinary way", Over: anyH1, Want: all("full"),
			Play: func(u *Turn) { u.ok() }},
		{Name: "chunked with trailers", Does: "sends chunks with extensions, then trailers", Over: anyH1, Want: all("full"),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3;ext=\"1\"\r\nok\n\r\n0\r\nX-Sum: abc\r\nX-Two: d\r\n\r\n")
			}},
		{Name: "early hints", Does: "sends 103 Early Hints, waits, then answers", Over: anyH1, Want: all("full"),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n")
				u.pause(5 * time.Millisecond)
				u.ok()
			}},
		{Name: "100-continue", Does: "sends 100 Continue that nobody asked for, then answers", Over: anyH1, Want: all("full"),
			Method: "POST", Body: []byte("ping"),
			Play: func(u *Turn) { u.say("HTTP/1.1 100 Continue\r\n\r\n" + okAnswer) }},
		{Name: "many interim answers", Does: "sends 200 interim answers before the final one", Over: anyH1, Want: all("full"),
			Play: func(u *Turn) {
				u.say("%s", bytes.Repeat([]byte("HTTP/1.1 102 Processing\r\n\r\n"), 200))
				u.ok()
			}},
		{Name: "100 kB of headers", Does: "sends 100 kB of header lines", Over: anyH1, Want: all("full"), Rate: 40,
			Play: func(u *Turn) { u.say("HTTP/1.1 200 OK\r\n%sContent-Length: 0\r\n\r\n", bigHead) }},
		{Name: "folded header line", Does: "continues a header on a second line, as RFC 7230 once allowed", Over: anyH1, Want: all("full"),
			Play: func(u *Turn) { u.say("HTTP/1.1 200 OK\r\nX-Long: one\r\n  two\r\nContent-Length: 3\r\n\r\nok\n") }},
		{Name: "same length twice", Does: "sends Content-Length twice with one value", Over: anyH1, Want: all("full"),
			Play: func(u *Turn) { u.say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nok\n") }},
		{Name: "no reason phrase", Does: "ends the status line after the digits", Over: anyH1, Want: all("full"),
			Play: func(u *Turn) { u.say("HTTP/1.1 200\r\ncontent-length:3\r\n\r\nok\n") }},
		{Name: "gzip body", Does: "sends a compressed body that nobody asked for", Over: anyH1, Want: all("full"),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", len(zipped), zipped)
			}},
		{Name: "204", Does: "answers without a body", Over: anyH1, Want: all("full"),
			Play: func(u *Turn) { u.say("HTTP/1.1 204 No Content\r\n\r\n") }},
		{Name: "304 with a length", Does: "says 304 with the length of the body that it leaves out", Over: anyH1, Want: all("full"),
			Play: func(u *Turn) { u.say("HTTP/1.1 304 Not Modified\r\nContent-Length: 512\r\n\r\n") }},
		{Name: "HEAD with a length", Does: "answers HEAD with the length of a body", Over: anyH1, Want: all("full"), Method: "HEAD",
			Play: func(u *Turn) { u.say("HTTP/1.1 200 OK\r\nContent-Length: 512\r\n\r\n") }},
		{Name: "redirects to itself", Does: "redirects each request to itself", Over: anyH1, Want: all("full"),
			Play: func(u *Turn) { u.say("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n") }},
		{Name: "2 MB of body", Does: "sends a long body", Over: anyH1, Want: all("full"), Rate: 20,
			Play: func(u *Turn) { u.say("HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n%s", make([]byte, 2000000)) }},
		{Name: "half a MB of request", Does: "reads a long request before it answers", Over: anyH1, Want: all("full"), Rate: 20,
			Method: "POST", Body: bytes.Repeat([]byte("x"), 512<<10),
			Play: func(u *Turn) {
				if len(u.Body) == 512<<10 {
					u.ok()
				}
			}},
		{Name: "500", Does: "fails each request", Over: anyH1, Want: failed("status 500"),
			Play: func(u *Turn) { u.say("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 3\r\n\r\nno\n") }},
		{Name: "101", Does: "switches protocols unasked", Over: anyH1, Want: failed("status 101"),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
			}},
		{Name: "503 with seconds", Does: "refuses with Retry-After in seconds", Over: anyH1, Want: all("shed"), Hint: 1,
			Play: func(u *Turn) {
				u.say("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 5\r\n\r\nbusy\n")
			}},
		{Name: "503 with a date", Does: "refuses with Retry-After as a date", Over: anyH1, Want: all("shed"), Hint: 2,
			Play: func(u *Turn) {
				u.say("HTTP/1.1 503 Service Unavailable\r\nDate: Fri, 31 Dec 1999 23:59:57 GMT\r\nRetry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\nContent-Length: 0\r\n\r\n")
			}},
		{Name: "every other 429", Does: "refuses every other request", Over: anyH1, Hint: 2,
			Want: []Outcome{{Class: "full", Must: true}, {Class: "shed", Must: true}},
			Play: func(u *Turn) {
				if u.N%2 == 0 {
					u.say("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n")
					return
				}
				u.ok()
			}},
		{Name: "degraded by header", Does: "marks its answers as partial in a header", Over: anyH1, Want: all("degraded"),
			Rules: []string{"header:X-Partial=1"},
			Play:  func(u *Turn) { u.say("HTTP/1.1 200 OK\r\nx-partial: 1\r\nContent-Length: 0\r\n\r\n") }},
		{Name: "degraded by body", Does: "marks its answers as partial in a JSON body", Over: anyH1, Want: all("degraded"),
			Rules: []string{"json:$.partial==true"},
			Play: func(u *Turn) {
				const body = `{"items":[],"partial":true}`
				u.say("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
			}},
	}
}

// zipped is a compressed body.
var zipped = func() []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte("ok\n"))
	_ = w.Close()
	return b.Bytes()
}()
