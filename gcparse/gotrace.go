package gcparse

import "bytes"

// The family of Go's GODEBUG=gctrace=1: the runtime writes one line to standard
// error when a collection is done. The line states when the collection began, and
// the lengths of its phases in their order:
//
//	gc 5 @0.071s 0%: 0.018+0.46+0.071 ms clock, 0.14+0.30/0.21/0+0.57 ms cpu, 4->4->1 MB, 5 MB goal, 8 P
//
// The first and the last phase stop the program (sweep termination, mark
// termination), what is between them does not. The line becomes up to four
// events, see goReader.emit. The percentage is a mean since the program began; it
// says nothing of a moment and is not taken.
//
//	gotrace.go        the family: what a line is given to
//	gotrace_line.go   the line of Go 1.5 and later
//	gotrace_old.go    the lines of Go 1.4 and before, and those of other traces
//	gotrace_mend.go   lines that the program's own output was written into
//	gotrace_proc.go   which process a line belongs to
//	gotrace_emit.go   events

var goKind = &familyKind{
	name:  "go",
	claim: goClaim,
	make:  func(out *sink) family { return &goReader{out: out} },
}

// goReader reads the traces of one stream.
type goReader struct {
	out   *sink
	procs []*goProc // that write to the stream, the last seen first
	torn  goTorn    // a line whose end has not come yet
	timed bool      // the next collection is begun by the clock
}

// skim settles lines that cannot be of this family. A line is a whole event: there
// is nothing else to be settled without state.
func (r *goReader) skim(text []byte) (Class, bool) { return 0, false }

// feed reads a line.
func (r *goReader) feed(in *line) Class {
	text := in.text
	if goHead(text) {
		return r.head(in, text)
	}
	if goOldHead(text) {
		if l, ok := goScanOld(text); ok {
			r.drop()
			return r.emitOld(in, &l)
		}
		return UnknownLine
	}
	if bytes.Equal(text, goForced) {
		r.timed = true
		return DetailLine
	}
	if goNoise(text) {
		return NoiseLine
	}
	if len(r.torn.ways) > 0 {
		if class, ok := r.mend(in); ok {
			return class
		}
	}
	if at := goInside(text); at > 0 {
		var s goScan
		if s.line(text[at:]) {
			s.more = true
			r.drop()
			return r.emit(in, &s)
		}
	}
	if hasPrefix(text, "gc ") && len(r.procs) > 0 {
		// Perhaps one that broke off before its time.
		var s goScan
		s.line(text)
		r.tear(in, text, &s)
	}
	return ForeignLine
}

// head reads a line from "gc " on.
func (r *goReader) head(in *line, text []byte) Class {
	r.drop()
	var s goScan
	if s.line(text) {
		return r.emit(in, &s)
	}
	r.tear(in, text, &s)
	if len(r.torn.ways) == 0 {
		return UnknownLine
	}
	return EventLine
}

// rest drops what is pending.
func (r *goReader) rest(why restReason) {
	if why != atIdle {
		r.drop()
		r.timed = false
	}
}

var (
	goForced = []byte("GC forced")
	goGC     = []byte("gc ")

	goSeconds = []byte("s ")
)

// goHead tells the beginning of a line: gc 5 @0.
func goHead(b []byte) bool {
	if !hasPrefix(b, "gc ") {
		return false
	}
	_, n := scanInt(b[3:])
	return n > 0 && hasPrefix(b[3+n:], " @") && len(b) > 5+n && b[5+n]-'0' < 10
}

// goInside finds the beginning of a line after text that the program wrote
// without a newline; 0 if there is none. Text in braces is the form of a log
// shipper, which is taken off elsewhere.
func goInside(b []byte) int {
	if len(b) == 0 || b[0] == '{' {
		return 0
	}
	for at := 1; at < len(b); {
		i := bytes.Index(b[at:], goGC)
		if i < 0 {
			return 0
		}
		at += i
		if goHead(b[at:]) {
			return at
		}
		at += len(goGC)
	}
	return 0
}

// goClaim tells how surely a line is one of Go's traces.
func goClaim(b []byte) claim {
	if len(b) < 8 {
		return notMine
	}
	switch b[0] {
	case 'g':
		if goHead(b) {
			// As far as the time: gc 5 @0.071s
			var s goScan
			if s.line(b); bytes.Contains(b[:s.at], goSeconds) {
				return surelyMine
			}
			return notMine
		}
		if goOldHead(b) {
			if _, ok := goScanOld(b); ok {
				return surelyMine
			}
		}
	case 's', 'p', 'f', 'i', 'G':
		if bytes.Equal(b, goForced) || goNoise(b) {
			return maybeMine
		}
	}
	return notMine
}
