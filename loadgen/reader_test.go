package loadgen

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// readAll feeds a whole stream in pieces of the given sizes (the rest in one)
// and then its end, and returns what the reader made of it.
func readAll(stream []byte, headOnly bool, pieces ...int) (r *reader, used int) {
	r = &reader{head: headOnly, rules: &ruleSet{jsons: []DegradedRule{{}}}}
	r.reset()
	rest := stream
	for len(rest) > 0 && r.state < answerDone {
		n := len(rest)
		if len(pieces) > 0 {
			n, pieces = min(max(1, pieces[0]), n), pieces[1:]
		}
		m := r.feed(rest[:n])
		used += m
		rest = rest[n:]
	}
	if r.state < answerDone {
		r.end()
	}
	return r, used
}

// view is what counts of an answer, for comparing.
func view(r *reader, used int) string {
	switch {
	case r.state == answerBroken:
		return "broken: " + r.cause
	case r.state != answerDone:
		return fmt.Sprintf("cut off, status %d, started %v", r.status, r.started())
	}
	return fmt.Sprintf("status %d, keep %v, %d bytes, body %q, too long %v, hint %v %d", r.status, r.keep, used, r.body, r.tooLong, r.hasRetryAfter, r.retryAfter)
}

var answers = []struct{ name, stream, want string }{
	{"length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", `status 200, keep true, 40 bytes, body "ok", too long false, hint false -1`},
	{"surplus", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok!", `status 200, keep true, 40 bytes, body "ok", too long false, hint false -1`},
	{"no reason", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", `status 200, keep true, 35 bytes, body "", too long false, hint false -1`},
	{"same length twice", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\ncontent-length: 2\r\n\r\nok", `status 200, keep true, 59 bytes, body "ok", too long false, hint false -1`},
	{"chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n2;a=b\r\nok\r\nA \r\n0123456789\r\n00\r\nX: y\r\n\r\n", `status 200, keep true, 86 bytes, body "ok0123456789", too long false, hint false -1`},
	{"until close", "HTTP/1.1 200 OK\r\n\r\nok", `status 200, keep false, 21 bytes, body "ok", too long false, hint false -1`},
	{"HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", `status 200, keep false, 38 bytes, body "", too long false, hint false -1`},
	{"HTTP/1.0 kept", "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n", `status 200, keep true, 62 bytes, body "", too long false, hint false -1`},
	{"close", "HTTP/1.1 200 OK\r\nConnection: x, close\r\nContent-Length: 0\r\n\r\n", `status 200, keep false, 60 bytes, body "", too long false, hint false -1`},
	{"close wins", "HTTP/1.0 200 OK\r\nConnection: close\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n", `status 200, keep false, 81 bytes, body "", too long false, hint false -1`},
	{"1xx", "HTTP/1.1 100 Continue\r\nX: y\r\nConnection: close\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", `status 204, keep true, 77 bytes, body "", too long false, hint false -1`},
	{"101", "HTTP/1.1 101 Switching\r\n\r\nanything", `status 101, keep false, 26 bytes, body "", too long false, hint false -1`},
	{"304", "HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n", `status 304, keep true, 49 bytes, body "", too long false, hint false -1`},
	{"retry", "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n", `status 503, keep true, 56 bytes, body "", too long false, hint true 7`},
	{"retry date", "HTTP/1.1 503 Busy\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0\r\n\r\n", `status 503, keep true, 84 bytes, body "", too long false, hint false -1`},
	{"retry date, Date before", "HTTP/1.1 503 Busy\r\nDate: Sun, 06 Nov 1994 08:49:30 GMT\r\nRetry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0\r\n\r\n", `status 503, keep true, 121 bytes, body "", too long false, hint true 7`},
	{"retry date, Date after", "HTTP/1.1 429 Busy\r\nRetry-After: Sunday, 06-Nov-94 08:49:37 GMT\r\nDate: Sun Nov  6 08:49:30 1994\r\nContent-Length: 0\r\n\r\n", `status 429, keep true, 117 bytes, body "", too long false, hint true 7`},
	{"retry date gone by", "HTTP/1.1 503 Busy\r\nDate: Sun, 06 Nov 1994 08:49:30 GMT\r\nRetry-After: Sun, 06 Nov 1994 08:49:29 GMT\r\nContent-Length: 0\r\n\r\n", `status 503, keep true, 121 bytes, body "", too long false, hint true 0`},
	{"nothing", "", "cut off, status 0, started false"},
	{"part of a status line", "HT", "cut off, status 0, started true"},
	{"short body", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok", "cut off, status 200, started true"},
	{"short chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nok", "cut off, status 200, started true"},
	{"no trailer end", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "cut off, status 200, started true"},
	{"1xx alone", "HTTP/1.1 100 Continue\r\n\r\n", "cut off, status 0, started true"},

	{"bare LF", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", "broken: malformed answer: line ends without CR"},
	{"HTTP/2", "HTTP/2.0 200 OK\r\n\r\n", "broken: malformed answer: bad status line"},
	{"HTTP/1.2", "HTTP/1.2 200 OK\r\n\r\n", "broken: malformed answer: bad status line"},
	{"two digits", "HTTP/1.1 20 OK\r\n\r\n", "broken: malformed answer: bad status line"},
	{"four digits", "HTTP/1.1 2000 OK\r\n\r\n", "broken: malformed answer: bad status line"},
	{"status 099", "HTTP/1.1 099 Odd\r\n\r\n", "broken: malformed answer: bad status line"},
	{"folded", "HTTP/1.1 200 OK\r\nX: y\r\n z\r\nContent-Length: 0\r\n\r\n", `status 200, keep true, 48 bytes, body "", too long false, hint false -1`},
	{"folded first", "HTTP/1.1 200 OK\r\n X: y\r\n\r\n", "broken: malformed answer: bad header line"},
	{"folded length", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n 0\r\n\r\n", "broken: malformed answer: framing header over several lines"},
	{"space before colon", "HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok", "broken: malformed answer: bad header line"},
	{"no colon", "HTTP/1.1 200 OK\r\nnonsense\r\n\r\n", "broken: malformed answer: bad header line"},
	{"NUL", "HTTP/1.1 200 OK\r\nX: \x00\r\n\r\n", "broken: malformed answer: bad header line"},
	{"CR inside", "HTTP/1.1 200 OK\r\nX: a\rb\r\n\r\n", "broken: malformed answer: bad header line"},
	{"conflict", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok", "broken: malformed answer: conflicting Content-Length"},
	{"signed", "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok", "broken: malformed answer: bad Content-Length"},
	{"list", "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok", "broken: malformed answer: bad Content-Length"},
	{"huge", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nok", "broken: malformed answer: bad Content-Length"},
	{"both", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n", "broken: malformed answer: both Content-Length and Transfer-Encoding"},
	{"gzip", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "broken: malformed answer: unknown Transfer-Encoding"},
	{"chunked twice", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", "broken: malformed answer: unknown Transfer-Encoding"},
	{"old chunked", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "broken: malformed answer: Transfer-Encoding in HTTP/1.0"},
	{"chunk size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x2\r\nok\r\n", "broken: malformed answer: bad chunk size"},
	{"chunk size empty", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", "broken: malformed answer: bad chunk size"},
	{"chunk size huge", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8000000000000000\r\n", "broken: malformed answer: chunk size too large"},
	{"chunk size beyond 64 bits", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000000\r\n", "broken: malformed answer: chunk size too large"},
	{"long chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok!\r\n", "broken: malformed answer: chunk longer than its size"},
	{"bad trailer", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nnonsense\r\n\r\n", "broken: malformed answer: bad header line"},
}

func TestReader(t *testing.T) {
	for _, a := range answers {
		r, used := readAll([]byte(a.stream), false)
		if got := view(r, used); got != a.want {
			t.Errorf("%s:\n got %s\nwant %s", a.name, got, a.want)
		}
	}
	r, used := readAll([]byte("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"), true)
	if r.state != answerDone || !r.keep || used != 39 {
		t.Errorf("HEAD: %s", view(r, used))
	}
}

// TestReaderLimits guards each limit at its edge.
func TestReaderLimits(t *testing.T) {
	head := func(n int) []byte { // a whole answer with a head of n bytes
		const frame = "HTTP/1.1 204 No Content\r\nX: \r\n\r\n"
		return []byte(strings.Replace(frame, "X: ", "X: "+strings.Repeat("v", n-len(frame)), 1))
	}
	if r, _ := readAll(head(maxHeadBytes), false); r.state != answerDone {
		t.Errorf("a head of 1 MiB: %s", view(r, 0))
	}
	if r, _ := readAll(head(maxHeadBytes+1), false); r.cause != CauseHeaderSize {
		t.Errorf("a head over 1 MiB: %s", view(r, 0))
	}
	chunked := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	line := func(n int) []byte { return []byte(chunked + "0;" + strings.Repeat("e", n-4) + "\r\n\r\n") }
	if r, _ := readAll(line(maxChunkLine), false); r.state != answerDone {
		t.Errorf("a chunk line of 16 KiB: %s", view(r, 0))
	}
	if r, _ := readAll(line(maxChunkLine+1), false); r.state != answerBroken {
		t.Errorf("a chunk line over 16 KiB: %s", view(r, 0))
	}
	// Endless 1xx answers are headers too.
	if r, _ := readAll(bytes.Repeat([]byte("HTTP/1.1 103 E\r\n\r\n"), 1<<16), false); r.cause != CauseHeaderSize {
		t.Errorf("endless 103: %s", view(r, 0))
	}
	body := func(n int) []byte {
		return []byte(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", n, strings.Repeat("b", n)))
	}
	if r, _ := readAll(body(maxKeptBody), false); r.tooLong || len(r.body) != maxKeptBody {
		t.Error("a body of 1 MiB was not kept")
	}
	if r, _ := readAll(body(maxKeptBody+1), false); !r.tooLong || r.state != answerDone {
		t.Error("a body over 1 MiB was kept")
	}
}

// FuzzReader checks two properties of any stream: where it is split does not
// matter, and where net/http reads it too, both read the same.
func FuzzReader(f *testing.F) {
	for _, a := range answers {
		f.Add([]byte(a.stream), uint16(7), false)
	}
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"), uint16(3), true)
	f.Fuzz(func(t *testing.T, stream []byte, split uint16, headOnly bool) {
		whole, used := readAll(stream, headOnly)
		want := view(whole, used)
		cut := int(split) % (len(stream) + 1)
		r, n := readAll(stream, headOnly, cut)
		if got := view(r, n); whole.state != answerBroken && got != want || r.cause != whole.cause {
			t.Fatalf("split at %d: %s\nwhole: %s", cut, got, want)
		}
		ones := make([]int, len(stream))
		r, n = readAll(stream, headOnly, ones...)
		if got := view(r, n); whole.state != answerBroken && got != want || r.cause != whole.cause {
			t.Fatalf("byte by byte: %s\nwhole: %s", got, want)
		}
		if whole.state == answerDone {
			agree(t, stream, headOnly, whole)
		}
	})
}

// agree compares with net/http, where that accepts the stream.
func agree(t *testing.T, stream []byte, headOnly bool, r *reader) {
	req := &http.Request{Method: "GET"}
	if headOnly {
		req.Method = "HEAD"
	}
	br := bufio.NewReader(bytes.NewReader(stream))
	for {
		resp, err := http.ReadResponse(br, req)
		if err != nil {
			return
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			return
		}
		if resp.StatusCode < 200 && resp.StatusCode != 101 {
			continue
		}
		if resp.StatusCode != r.status {
			t.Fatalf("net/http reads status %d, we %d", resp.StatusCode, r.status)
		}
		if r.status == 101 {
			return // net/http hands the connection over as the body
		}
		if success(r.status) && !r.tooLong && !bytes.Equal(body, r.body) {
			t.Fatalf("net/http reads body %q, we %q", body, r.body)
		}
		if resp.Close && r.keep {
			t.Fatal("net/http closes the connection, we keep it")
		}
		return
	}
}
