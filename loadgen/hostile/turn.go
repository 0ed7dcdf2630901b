package hostile

import (
	"fmt"
	"strings"
	"time"
)

// Turn is one HTTP/1.1 request to a server and the means to answer it. What a
// behaviour does not answer stays unanswered; the connection stays open unless
// it says otherwise.
type Turn struct {
	*Conn
	// N is the request's number on the server, Nth on its connection, both from 1.
	N, Nth int
	Body   []byte
	over   bool
}

// okAnswer is an ordinary answer.
const okAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n"

// say writes bytes of an answer. That the client has gone is no concern of a
// hostile server.
func (u *Turn) say(format string, args ...any) bool {
	_, err := fmt.Fprintf(u.Conn, format, args...)
	return err == nil
}

func (u *Turn) ok() { u.say(okAnswer) }

// end closes the connection in order once the behaviour returns.
func (u *Turn) end() { u.over = true }

// reset makes the connection end with a reset.
func (u *Turn) reset() {
	u.Conn.reset()
	u.over = true
}

// trickle writes a text a few bytes at a time.
func (u *Turn) trickle(text string, step int, gap time.Duration) {
	for len(text) > 0 {
		n := min(step, len(text))
		if !u.say("%s", text[:n]) || !u.pause(gap) {
			return
		}
		text = text[n:]
	}
}

// forEver repeats a text until the client leaves, at most n times.
func (u *Turn) forEver(n int, gap time.Duration, text string) {
	for range n {
		if !u.say("%s", text) || gap > 0 && !u.pause(gap) {
			break
		}
	}
	u.end()
}

// bigHead is 100 kB of header lines.
var bigHead = strings.Repeat("X-Padding: "+strings.Repeat("v", 1000)+"\r\n", 100)
