package hostile

import "strings"

const bad = "malformed answer: "

// malformed are answers that RFC 9112 does not allow, or that a client must not
// read to their end. A client must name them and never guess.
func malformed() []Behaviour {
	rubbish := func(name, does, cause, text string) Behaviour {
		return Behaviour{Name: name, Does: does, Over: anyH1, Want: failed(cause),
			Play: func(u *Turn) { u.say("%s", text) }}
	}
	const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	return []Behaviour{
		rubbish("not HTTP", "answers with something else", bad+"bad status line", "NOT HTTP AT ALL\r\n\r\n"),
		rubbish("lower-case version", "writes http/1.1 in lower case", bad+"bad status line", "http/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n"),
		rubbish("another version", "answers in a version of HTTP that was not asked for", bad+"bad status line", "HTTP/2.0 200 OK\r\nContent-Length: 3\r\n\r\nok\n"),
		rubbish("status of two digits", "sends a status that is none", bad+"bad status line", "HTTP/1.1 20 OK\r\nContent-Length: 3\r\n\r\nok\n"),
		rubbish("ICY", "answers as a radio server", bad+"bad status line", "ICY 200 OK\r\nContent-Length: 3\r\n\r\nok\n"),
		rubbish("header without a colon", "sends a header line that is none", bad+"bad header line", "HTTP/1.1 200 OK\r\nnonsense\r\nContent-Length: 3\r\n\r\nok\n"),
		rubbish("space before the colon", "sends a space between a header's name and the colon", bad+"bad header line", "HTTP/1.1 200 OK\r\nContent-Length : 3\r\n\r\nok\n"),
		rubbish("bare line feeds", "ends its lines without CR", bad+"line ends without CR", "HTTP/1.1 200 OK\nContent-Length: 3\n\nok\n"),
		rubbish("NUL in a header", "sends a control character in a header", bad+"bad header line", "HTTP/1.1 200 OK\r\nX-A: a\x00b\r\nContent-Length: 3\r\n\r\nok\n"),
		rubbish("folded length", "continues Content-Length on a second line", bad+"framing header over several lines", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n 0\r\n\r\nok\n"),
		rubbish("conflicting lengths", "sends two values of Content-Length", bad+"conflicting Content-Length", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nok\n"),
		rubbish("negative length", "sends a Content-Length below 0", bad+"bad Content-Length", "HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nok\n"),
		rubbish("length and chunks", "frames the body in two ways at once", bad+"both Content-Length and Transfer-Encoding", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nok\n\r\n0\r\n\r\n"),
		rubbish("unknown coding", "sends a transfer coding that nobody knows", bad+"unknown Transfer-Encoding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
		rubbish("chunks in HTTP/1.0", "sends chunks in a version that has none", bad+"Transfer-Encoding in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
		rubbish("chunk size of letters", "sends a chunk size that is no number", bad+"bad chunk size", chunked+"zz\r\nok\n\r\n0\r\n\r\n"),
		rubbish("negative chunk size", "sends a chunk size below 0", bad+"bad chunk size", chunked+"-3\r\nok\n\r\n0\r\n\r\n"),
		rubbish("huge chunk size", "sends a chunk size over 64 bits", bad+"chunk size too large", chunked+"fffffffffffffffff\r\nok\n"),
		rubbish("chunk longer than it says", "sends more bytes than the chunk's size", bad+"chunk longer than its size", chunked+"2\r\nok\n\r\n0\r\n\r\n"),
		rubbish("two answers", "answers each request twice in one packet", bad+"bytes after its end", okAnswer+okAnswer),
		rubbish("length too small", "sends more body than its Content-Length", bad+"bytes after its end", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok and more\n"),
		rubbish("204 with a body", "sends a body where none is allowed", bad+"bytes after its end", "HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\nok\n"),
		{Name: "HEAD with a body", Does: "answers HEAD with a body", Over: anyH1, Method: "HEAD", Want: failed(bad + "bytes after its end"),
			Play: func(u *Turn) { u.ok() }},
		{Name: "endless headers", Does: "sends header lines without end", Over: anyH1, Rate: 20, Want: failed(bad + "headers over 1 MiB"),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 200 OK\r\n")
				u.forEver(50, 0, bigHead)
			}},
		{Name: "endless interim answers", Does: "sends interim answers without end", Over: anyH1, Rate: 20, Want: failed(bad + "headers over 1 MiB"),
			Play: func(u *Turn) {
				u.forEver(50, 0, strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", 2000))
			}},
		{Name: "endless trailers", Does: "sends trailers without end", Over: anyH1, Rate: 20, Want: failed(bad + "headers over 1 MiB"),
			Play: func(u *Turn) {
				u.say(chunked + "0\r\n")
				u.forEver(50, 0, bigHead)
			}},
		{Name: "endless chunk extension", Does: "sends a chunk's size line without end", Over: anyH1, Rate: 20, Want: failed(bad + "chunk line over 16 KiB"),
			Play: func(u *Turn) {
				u.say(chunked + "3;")
				u.forEver(100, 0, strings.Repeat("e", 10000))
			}},
		{Name: "header line without end", Does: "sends one header line without end", Over: anyH1, Rate: 20, Want: failed(bad + "headers over 1 MiB"),
			Play: func(u *Turn) {
				u.say("HTTP/1.1 200 OK\r\nX-A: ")
				u.forEver(200, 0, strings.Repeat("e", 50000))
			}},
	}
}
