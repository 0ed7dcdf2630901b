package heapinput

import (
	"bytes"
	"regexp"
	"unicode/utf8"
)

// Window is how many of the first bytes [Sniff] makes use of. Text may have lines
// of others before its own: the banner of a container, the prompt of a shell.
const Window = 32 << 10

// Sniffed is what the first bytes told.
type Sniffed struct {
	Kind Kind
	// What names a format that is known and not read, or says what the bytes look
	// like where they are unknown.
	What string
	// Instead says what to do about it; it may be empty.
	Instead string
}

// magic is a format that is known by how it begins.
type magic struct {
	begin         string
	at            int
	kind          Kind
	what, instead string
}

// magics are in the order in which they are tried.
var magics = []magic{
	{begin: "JAVA PROFILE 1.0.1, created", kind: Unread, what: "the text form of the old HPROF agent",
		instead: "take a binary dump: jmap -dump:format=b,file=dump.hprof PID"},
	{begin: "JAVA PROFILE 1.0.", kind: HPROF},
	{begin: "portable heap dump", at: 2, kind: Unread, what: "a portable heap dump (PHD) of OpenJ9, which this version does not read",
		instead: "it has no values of fields; of the same process take a class histogram and a javacore: jcmd PID GC.class_histogram, jcmd PID Dump.java"},
	{begin: "!FastSerialization", at: 4, kind: Unread, what: "a gcdump of .NET, which this version does not read"},
	{begin: "Nettrace", kind: Unread, what: "an event trace of .NET, which this version does not read"},
	{begin: "MDMP", kind: Unread, what: "a minidump of Windows or .NET, which this version does not read"},
	{begin: "PAGEDU", kind: Unread, what: "a crash dump of Windows, which this version does not read"},
	{begin: "\x7fELF", kind: Unread, what: "a core dump or a program (ELF)",
		instead: "make a heap dump of a JVM's core: jhsdb jmap --binaryheap --dumpfile dump.hprof --exe JAVA --core CORE; of Go, take profiles instead: docs/heap.md"},
	{begin: "FLR\x00", kind: Unread, what: "a recording of Java Flight Recorder, which this version does not read"},
	{begin: "PK\x03\x04", kind: Unread, what: "a zip archive", instead: "unpack it"},
	{begin: "go1.7 heap dump\n", kind: Unread, what: "a dump of Go's WriteHeapDump, which is not read",
		instead: "take profiles: /debug/pprof/heap and /debug/pprof/goroutine"},
	{begin: "SQLite format 3", kind: Unread, what: "an SQLite database"},
	{begin: "ustar", at: 257, kind: Unread, what: "a tar archive", instead: "unpack it"},
	{begin: "BZh", kind: Unread, what: "compressed by bzip2", instead: "pipe it: bzcat FILE | kneeline heap -"},
	{begin: "\xfd7zXZ\x00", kind: Unread, what: "compressed by xz", instead: "pipe it: xzcat FILE | kneeline heap -"},
}

// line is a format of text that is known by a line of its own.
type line struct {
	form          *regexp.Regexp
	kind          Kind
	what, instead string
}

// lines are in the order in which they are tried, the more certain first.
var lines = []line{
	{form: regexp.MustCompile(`^\s*\{\s*"snapshot"\s*:`), kind: V8},
	{form: regexp.MustCompile(`(?m)^(heap profile|goroutine profile|threadcreate profile|heap_v2/|--- ?(heapz|contention|mutex|threadz|Memory map|profile))\b`), kind: Pprof},
	{form: regexp.MustCompile(`(?m)^0SECTION\s+TITLE`), kind: Threads},
	{form: regexp.MustCompile(`(?m)(^|[\])] )\s*num\s+#instances\s+#bytes\s+[Cc]lass|^\s*num\s+object count\s+total size\s+class name`), kind: Histogram},
	{form: regexp.MustCompile(`(?m)^(.{1,200} )?Full thread dump .*:\s*$|^Full thread dump |^Deadlock Detection:\s*$|^Thread [0-9]+: \(state = \w+\)|^\s*"threadDump"\s*:|^\{\s*"threadDump"\s*:`), kind: Threads},
	{form: regexp.MustCompile(`(?m)^goroutine [0-9]+( gp=\S+)?( m=\S+)?( mp=\S+)? \[[^\]\n]+\]:`), kind: GoStacks},
	{form: regexp.MustCompile(`(?m)^".*" (#[0-9]+ |\[[0-9]+\] )?.*(prio=|tid=|virtual|nid=)`), kind: Threads},
	{form: regexp.MustCompile(`(?m)^#[0-9]+ ".*"( virtual)?( [A-Z_]+ [0-9]{4}-\S+)?\s*$`), kind: Threads},
	{form: regexp.MustCompile(`(?m)^\s*[0-9]+:\s+[0-9]+\s+[0-9]+\s+\S+`), kind: Histogram},
	{form: regexp.MustCompile(`\[gc[,\]* ]|\[GC[ (]|\[Full GC|(?m)^gc [0-9]+ @`), kind: Unread, what: "a log of garbage collection", instead: "kneeline gc FILE"},
	{form: regexp.MustCompile(`(?i)^\s*<(!doctype html|html)`), kind: Unread, what: "a page of HTML",
		instead: "the server answered with a page where a dump or profile was expected; look at it in a browser"},
}

// Sniff tells what an input is by its first bytes; whole says that they are all of
// it.
func Sniff(head []byte, whole bool) Sniffed {
	if len(head) == 0 && whole {
		return Sniffed{What: "an empty file"}
	}
	head = head[:min(len(head), Window)]
	for _, m := range magics {
		if len(head) > m.at && bytes.HasPrefix(head[m.at:], []byte(m.begin)) {
			return Sniffed{Kind: m.kind, What: m.what, Instead: m.instead}
		}
	}
	if narrow, ok := narrowed(head); ok {
		head = narrow
	}
	if !isText(head) {
		if looksLikeProfile(head) {
			return Sniffed{Kind: Pprof}
		}
		return Sniffed{What: "bytes that are no text and begin as nothing that is known"}
	}
	text := bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	for _, l := range lines {
		if l.form.Match(text) {
			return Sniffed{Kind: l.kind, What: l.what, Instead: l.instead}
		}
	}
	return Sniffed{What: "text without a line of a thread dump, histogram or profile"}
}

// narrowed turns UTF-16 with its mark, as PowerShell writes what it redirects, into
// bytes: what formats are known by is ASCII.
func narrowed(head []byte) ([]byte, bool) {
	low := 0
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		low = 1
	default:
		return nil, false
	}
	var out []byte
	for i := 2; i+1 < len(head); i += 2 {
		c := head[i+low]
		if head[i+1-low] != 0 {
			c = '?'
		}
		out = append(out, c)
	}
	return out, true
}

// isText says whether bytes are text: no control characters, and UTF-8 but for a
// few bytes, since names in a thread dump may be of any character set.
func isText(head []byte) bool {
	bad := 0
	for i := 0; i < len(head); {
		r, n := utf8.DecodeRune(head[i:])
		switch {
		case r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' && r != 0x1b:
			return false
		case r == utf8.RuneError && n == 1:
			bad++
		}
		i += n
	}
	return bad <= len(head)/50+3
}
