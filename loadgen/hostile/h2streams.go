package hostile

import (
	"bytes"
	"strings"
	"time"

	"golang.org/x/net/http2"
)

// h2Streams are HTTP/2 servers that are awkward about single requests.
func h2Streams() []Behaviour {
	h2 := func(name, does string, want []Outcome, play func(*Stream)) Behaviour {
		return Behaviour{Name: "h2 " + name, Does: does, Over: anyH2, Want: want, PlayH2: play}
	}
	quick := func(b Behaviour) Behaviour { b.Timeout = ShortTimeout; return b }
	few := func(b Behaviour) Behaviour { b.Rate = 20; return b }
	post := func(b Behaviour, n int) Behaviour {
		b.Method, b.Body = "POST", make([]byte, n)
		return b
	}
	unread := func(b Behaviour) Behaviour { b.Rate, b.Unread = 20, true; return b }
	hint := func(b Behaviour, seconds float64) Behaviour { b.Hint = seconds; return b }
	head := func(b Behaviour) Behaviour { b.Method = "HEAD"; return b }
	return []Behaviour{
		h2("answers", "answers each request in an ordinary way", all("full"), (*Stream).ok),
		h2("early hints", "sends 103, then the answer", all("full"), func(st *Stream) {
			st.headers(false, ":status", "103", "link", "</a>; rel=preload")
			st.ok()
		}),
		h2("trailers", "ends its answers with trailers", all("full"), func(st *Stream) {
			st.headers(false, ":status", "200")
			st.data(false, []byte("ok\n"))
			st.headers(true, "x-sum", "abc")
		}),
		h2("padding", "pads its frames", all("full"), func(st *Stream) {
			st.headers(false, ":status", "200")
			st.write(func() error { return st.fr.WriteDataPadded(st.ID, true, []byte("ok\n"), make([]byte, 200)) })
		}),
		h2("unknown frames", "sends frames of types that nobody knows", all("full"), func(st *Stream) {
			st.H2Conn.frame(0xfa, 0xff, st.ID, make([]byte, 100))
			st.H2Conn.frame(http2.FramePriority, 0, st.ID, []byte{0, 0, 0, 0, 16})
			st.ok()
		}),
		h2("204", "answers without a body", all("full"), func(st *Stream) { st.status(204) }),
		head(h2("HEAD with a length", "answers HEAD with the length of a body", all("full"), func(st *Stream) {
			st.status(200, "content-length", "512")
		})),
		hint(h2("429 and 503", "refuses every other request", []Outcome{{Class: "full", Must: true}, {Class: "shed", Must: true}},
			func(st *Stream) {
				switch st.N % 4 {
				case 0:
					st.status(503, "retry-after", "3")
				case 2:
					st.status(429, "retry-after", "Fri, 31 Dec 1999 23:59:59 GMT", "date", "Fri, 31 Dec 1999 23:59:56 GMT")
				default:
					st.ok()
				}
			}), 3),
		h2("500", "fails each request", failed("status 500"), func(st *Stream) { st.status(500) }),
		few(h2("2 MB of body", "sends a long body", all("full"), func(st *Stream) {
			st.headers(false, ":status", "200")
			for range 125 {
				st.data(false, make([]byte, 16000))
			}
			st.data(true, nil)
		})),
		post(few(h2("long request", "reads a long request", all("full"), func(st *Stream) {
			if st.body == 512<<10 {
				st.ok()
			}
		})), 512<<10),
		post(h2("answers before the body is read", "answers and resets the rest of the request", all("full"), (*Stream).ok), 100),
		h2("out of order", "answers the second of two requests first", all("full"), func(st *Stream) {
			d := 30 * time.Millisecond
			if st.Nth%2 == 0 {
				d = 0
			}
			st.later(d, st.ok)
		}),
		h2("resets streams", "resets each request", failed("stream reset: INTERNAL_ERROR"), func(st *Stream) { st.rst(http2.ErrCodeInternal) }),
		h2("refuses streams", "refuses every other request before processing it",
			perhaps([]Outcome{{Class: "full", Must: true}, {Class: "failed", Cause: "stream reset: REFUSED_STREAM", Must: true}}),
			func(st *Stream) {
				if st.N%2 == 0 {
					st.rst(http2.ErrCodeRefusedStream)
					return
				}
				st.ok()
			}),
		h2("wants HTTP/1.1", "resets each request and asks for HTTP/1.1", failed("stream reset: HTTP_1_1_REQUIRED"), func(st *Stream) { st.rst(http2.ErrCodeHTTP11Required) }),
		h2("unknown error code", "resets with a code that nobody knows", failed("stream reset: unknown code"), func(st *Stream) { st.rst(0xbad) }),
		h2("resets mid-answer", "resets a request within its body", failed("stream reset mid-answer: CANCEL"), func(st *Stream) {
			st.headers(false, ":status", "200")
			st.data(false, []byte("o"))
			st.rst(http2.ErrCodeCancel)
		}),
		h2("length too large", "ends a body before its Content-Length", failed(bad+"body shorter than Content-Length"), func(st *Stream) {
			st.headers(false, ":status", "200", "content-length", "100")
			st.data(true, []byte("ok\n"))
		}),
		h2("length too small", "sends more body than its Content-Length", failed(bad+"body longer than Content-Length"), func(st *Stream) {
			st.headers(false, ":status", "200", "content-length", "1")
			st.data(true, []byte("ok\n"))
		}),
		h2("204 with a body", "sends a body where none is allowed", failed(bad+"body where none may be"), func(st *Stream) {
			st.headers(false, ":status", "204")
			st.data(true, []byte("ok\n"))
		}),
		h2("no status", "answers without a status", failed(bad+"bad status line"), func(st *Stream) { st.headers(true, "x-a", "b") }),
		h2("odd status", "answers with a status that is none", failed(bad+"bad status line"), func(st *Stream) { st.headers(true, ":status", "2x0") }),
		h2("upper-case header", "writes a header's name in upper case", failed(bad+"bad header line"), func(st *Stream) { st.status(200, "X-A", "b") }),
		h2("header of a connection", "sends a header that HTTP/2 forbids", failed(bad+"header of a connection in HTTP/2"), func(st *Stream) { st.status(200, "connection", "close") }),
		h2("body before the head", "sends a body before the head", failed(bad+"body before its head"), func(st *Stream) { st.data(true, []byte("ok\n")) }),
		h2("only interim answers", "ends with an interim answer", failed(bad+"answer ends before its status"), func(st *Stream) { st.status(103) }),
		h2("trailers that go on", "sends a second head within an answer", failed(bad+"trailers that do not end the answer"), func(st *Stream) {
			st.headers(false, ":status", "200")
			st.headers(false, "x-sum", "abc")
		}),
		quick(h2("hangs", "reads a request and says nothing", all("timed out"), func(*Stream) {})),
		quick(h2("hangs mid-answer", "sends the head of an answer and nothing more", all("timed out"), func(st *Stream) {
			st.headers(false, ":status", "200", "content-length", "9")
		})),
		quick(few(h2("endless body", "sends a body for ever", all("timed out"), func(st *Stream) {
			st.headers(false, ":status", "200")
			st.later(0, func() {
				for st.data(false, make([]byte, 4096)) && st.pause(5*time.Millisecond) {
				}
			})
		}))),
		quick(few(h2("endless empty frames", "sends empty frames of a body for ever", all("timed out"), func(st *Stream) {
			st.headers(false, ":status", "200")
			st.later(0, func() {
				for st.data(false, nil) && st.pause(time.Millisecond) {
				}
			})
		}))),
		h2("trickles", "sends its frames a byte at a time", all("full"), func(st *Stream) {
			st.write(func() error {
				var b bytes.Buffer
				fr := http2.NewFramer(&b, nil)
				_ = fr.WriteHeaders(http2.HeadersFrameParam{StreamID: st.ID, BlockFragment: st.encode(":status", "200"), EndHeaders: true})
				_ = fr.WriteData(st.ID, true, []byte("ok\n"))
				for _, c := range b.Bytes() {
					if _, err := st.Write([]byte{c}); err != nil {
						return err
					}
				}
				return nil
			})
		}),
		few(h2("100 kB of headers", "sends 100 kB of headers", all("full"), func(st *Stream) {
			st.headers(true, longHead(100)...)
		})),
		unread(h2("2 MB of headers", "sends more headers than a client can take", failed(bad+"headers over 1 MiB"), func(st *Stream) {
			st.headers(true, longHead(2000)...)
		})),
		unread(h2("small block, huge headers", "compresses many headers into a few bytes", failed(bad+"headers over 1 MiB"), func(st *Stream) {
			fields := []string{":status", "200"}
			for range 1000 {
				fields = append(fields, "x-a", strings.Repeat("v", 2000)) // an index after the first one
			}
			st.headers(true, fields...)
		})),
	}
}

// longHead is a head of so many thousand bytes.
func longHead(n int) []string {
	fields := []string{":status", "200"}
	for i := range n {
		fields = append(fields, "x-"+strings.Repeat("a", 1+i%50), strings.Repeat(string(rune('a'+i%26)), 1000))
	}
	return fields
}
