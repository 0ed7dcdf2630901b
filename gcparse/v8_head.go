package gcparse

// v8Head is what stands before the message of a line.
//
//	[pid:isolate]   ms: …     since V8 4.9 (Node 6)
//	[pid] [I:isolate]   ms: … name-value lines before that
//	[pid]   ms: …             before
//	  ms: …                   the oldest, and the last collections of a dead process
type v8Head struct {
	prefixed bool // a process number in brackets
	pid      int64
	isolate  uint64 // its address, 0 if not stated
	timed    bool
	time     int64 // nanoseconds since the isolate began
	body     []byte
	cut      bool // the line's end is missing
}

// v8ScanHead reads the head of a line. A line without a time must name its isolate
// to have one.
func v8ScanHead(b []byte) (h v8Head, ok bool) {
	at := 0
	if len(b) > 0 && b[0] == '[' {
		n := 0
		h.pid, h.isolate, n = v8Prefix(b)
		if n == 0 {
			return h, false
		}
		h.prefixed = true
		at = v8Blanks(b, n)
		if hasPrefix(b[at:], "[I:") {
			if isolate, n := v8Address(b[at+3:]); n > 0 && hasPrefix(b[at+3+n:], "]") {
				h.isolate = isolate
				at = v8Blanks(b, at+4+n)
			}
		}
	}
	from := v8Blanks(b, at)
	ms, n := scanInt(b[from:])
	if n > 0 && n < 12 && hasPrefix(b[from+n:], " ms: ") {
		h.timed, h.time, h.body = true, ms*1e6, b[from+n+5:]
		return h, true
	}
	return h, h.isolate != 0
}

// v8Prefix reads [pid:isolate] or [pid] and gives its length.
func v8Prefix(b []byte) (pid int64, isolate uint64, n int) {
	pid, n = scanInt(b[1:])
	if n == 0 || n > 10 {
		return 0, 0, 0
	}
	at := 1 + n
	if at < len(b) && b[at] == ':' {
		var m int
		isolate, m = v8Address(b[at+1:])
		if m == 0 {
			return 0, 0, 0
		}
		at += 1 + m
	}
	if at >= len(b) || b[at] != ']' {
		return 0, 0, 0
	}
	return pid, isolate, at + 1
}

// v8Address reads an address in hexadecimal digits, with 0x before it or, on
// Windows, at least eight of them.
func v8Address(b []byte) (v uint64, n int) {
	least := 8
	if hasPrefix(b, "0x") {
		n, least = 2, 3
	}
	for ; n < len(b) && n < 18; n++ {
		c := b[n]
		switch {
		case c-'0' < 10:
			c -= '0'
		case c-'a' < 6:
			c -= 'a' - 10
		case c-'A' < 6:
			c -= 'A' - 10
		default:
			if n < least {
				return 0, 0
			}
			return v, n
		}
		v = v<<4 | uint64(c)
	}
	if n < least {
		return 0, 0
	}
	return v, n
}

// v8Blanks skips blanks from at.
func v8Blanks(b []byte, at int) int {
	for at < len(b) && b[at] == ' ' {
		at++
	}
	return at
}
