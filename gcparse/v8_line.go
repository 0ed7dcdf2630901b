package gcparse

import "bytes"

// v8Line is what a line says of a collection.
type v8Line struct {
	title         []byte
	coded         bool // the title stands for a code and says nothing else
	young, reduce bool
	during        bool // a young one while an old one is swept
	before, after int64
	promoted      int64 // -1 if not stated
	pause         int64
	// steps of incremental marking and how long they took. sinceLast tells that
	// they are counted since the collection before and not since marking began.
	incremental int64
	steps       int64
	marked      bool // the collection was prepared by marking before the pause
	sinceLast   bool
	mu          float64
	hasMu       bool
	// cause and reason of the choice of collector.
	cause, reason []byte
}

var (
	v8SinceLast = []byte("last GC")
	v8CurrentMu = []byte(", current mu = ")
)

// v8Title is the length of the name of a collection: what stands before the first
// number; 0 if b does not begin with one.
//
// Scavenge, Minor Mark-Compact and Minor Mark-Sweep collect the young generation;
// Mark-sweep and Mark-compact, Mark-Compact since V8 11, all of the heap.
func v8Title(b []byte) int {
	if len(b) < 8 {
		return 0
	}
	switch b[0] {
	case 'S':
		if !hasPrefix(b, "Scavenge ") && !hasPrefix(b, "Shared ") {
			return 0
		}
	case 'M':
		if !hasPrefix(b, "Mark-") && !hasPrefix(b, "Minor ") {
			return 0
		}
	default:
		return 0
	}
	for i := 8; i < len(b) && i < 64; i++ {
		if b[i]-'0' < 10 && b[i-1] == ' ' {
			return i - 1
		}
	}
	return 0
}

// scan reads the message of --trace-gc. What follows the length of the pause may
// be cut off: it is in the last words of a dead process.
func (l *v8Line) scan(b []byte) bool {
	n := v8Title(b)
	if n == 0 {
		return false
	}
	*l = v8Line{title: b[:n], promoted: -1}
	l.young = b[0] == 'S' && b[1] == 'c' || b[1] == 'i'
	l.reduce = bytes.Contains(l.title, []byte("(reduce)")) || hasPrefix(b, "Mark-compact")
	l.during = bytes.Contains(l.title, []byte("(during sweeping)"))
	at := n + 1
	var ok bool
	if l.before, at, ok = v8Size(b, at); !ok || !hasPrefix(b[at:], " -> ") {
		return false
	}
	if l.after, at, ok = v8Size(b, at+4); !ok || !hasPrefix(b[at:], " MB, ") {
		return false
	}
	at, ok = l.length(b, at+5)
	if !ok {
		return false
	}
	l.tail(b[at:])
	return true
}

// v8Size reads 3.7 (4.0), MB in use and committed, and gives the first in bytes.
func v8Size(b []byte, at int) (bytes int64, end int, ok bool) {
	v, n, _ := scanFixed(b[at:], 1e6)
	if n == 0 || v > 1e12 || !hasPrefix(b[at+n:], " (") {
		return 0, at, false
	}
	at += n + 2
	_, n, _ = scanFixed(b[at:], 1)
	if n == 0 || !hasPrefix(b[at+n:], ")") {
		return 0, at, false
	}
	return v * (1 << 20) / 1e6, at + n + 1, true
}

// length reads the length of the pause, after other figures that some versions
// have before it (pooled: 0.0 MB,):
//
//	39.17 / 0.00 ms    the pause, and what of it callbacks took; Node 4 and later
//	39.2 / 0 ms        the same
//	12 / 39.2 ms       the other way round, Node 0.12 and before
//	39.2 ms            without callbacks there
func (l *v8Line) length(b []byte, at int) (end int, ok bool) {
	for tries := 0; tries < 4; tries++ {
		v, n, digits := scanFixed(b[at:], 1e6)
		if n > 0 {
			switch rest := b[at+n:]; {
			case hasPrefix(rest, " ms"):
				l.pause = v
				return at + n + 3, true
			case hasPrefix(rest, " / "):
				w, m, more := scanFixed(rest[3:], 1e6)
				if m > 0 && hasPrefix(rest[3+m:], " ms") {
					l.pause = v
					if digits == 0 && more > 0 {
						l.pause = w
					}
					return at + n + 3 + m + 3, true
				}
			}
		}
		i := bytes.IndexByte(b[at:], ',')
		if i < 0 {
			return at, false
		}
		at = v8Blanks(b, at+i+1)
	}
	return at, false
}

// tail reads what follows the length: the steps of marking, the shares of time
// left to the program, and the causes.
func (l *v8Line) tail(b []byte) {
	b = b[v8Blanks(b, 0):]
	if hasPrefix(b, "(+ ") {
		v, n := scanMillis(b[3:])
		if n > 0 && hasPrefix(b[3+n:], " ms in ") {
			k, m := scanInt(b[3+n+7:])
			if m > 0 {
				l.incremental, l.steps, l.marked = v, k, true
			}
		}
		in := b
		if end := bytes.IndexByte(b, ')'); end >= 0 {
			in, b = b[:end], b[end+1:]
		} else {
			b = nil
		}
		l.sinceLast = bytes.HasSuffix(in, v8SinceLast)
		b = b[v8Blanks(b, 0):]
	}
	if hasPrefix(b, "(average mu = ") {
		in := b
		if end := bytes.IndexByte(b, ')'); end >= 0 {
			in, b = b[:end], b[end+1:]
		} else {
			b = nil
		}
		if i := bytes.Index(in, v8CurrentMu); i >= 0 {
			if v, n, _ := scanFixed(in[i+len(v8CurrentMu):], 1e6); n > 0 {
				l.mu, l.hasMu = float64(v)/1e6, true
			}
		}
	}
	l.why(bytes.TrimSpace(b))
}

// why reads the causes: task; GC in old space requested, or in brackets before
// Node 6, or without anything between them.
func (l *v8Line) why(b []byte) {
	if hasPrefix(b, "[") {
		b = bytes.TrimSuffix(b, []byte("."))
		if end := bytes.IndexByte(b, ']'); end > 0 {
			l.cause, b = b[1:end], bytes.TrimSpace(b[end+1:])
		}
		if len(b) > 2 && b[0] == '[' && b[len(b)-1] == ']' {
			l.reason = b[1 : len(b)-1]
		}
		return
	}
	if i := bytes.IndexByte(b, ';'); i >= 0 {
		l.cause, l.reason = bytes.TrimSpace(b[:i]), bytes.TrimSpace(b[i+1:])
		return
	}
	if !bytes.Equal(b, []byte(".")) {
		l.cause = b
	}
}
