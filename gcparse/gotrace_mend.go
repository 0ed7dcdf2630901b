package gcparse

import (
	"bytes"
	"slices"
)

// The runtime writes a line in some forty pieces, and the program goes on
// meanwhile. What it logs to the same standard error lands between pieces, and as
// both wait for the same file, not seldom between all of them:
//
//	gc 2026/11/29 21:37:43 request 11729 done
//	1032026/11/29 21:37:43 request 11730 done
//	 @2026/11/29 21:37:43 request 11731 done
//
// From a line that breaks off on, beginnings of a trace line are kept, and each
// line that follows is tried as the next piece. Where the foreign text begins with
// digits there are several ways to cut, and a line of the program may look like a
// piece; so old beginnings are kept beside those that were carried on, and the
// first one that comes to an end and makes sense is taken.

const (
	// goTornLines is how many lines later the end of a line may come.
	goTornLines = 4096
	// goTornMax bounds a trace line, which has some 150 bytes.
	goTornMax = 400
	// goTornWays is how many beginnings are kept, the latest.
	goTornWays = 8
)

// goTorn is a line whose end has not come yet.
type goTorn struct {
	ways   [][]byte // beginnings of it, each whole tokens
	left   int      // lines until they are given up
	joined []byte   // scratch

	// strong tells that it surely is one; then it is accounted for as it stood.
	strong bool
	source int32
	no     int64
	text   []byte
}

// tear keeps the beginnings of a line that broke off where the scan stopped.
func (r *goReader) tear(in *line, text []byte, s *goScan) {
	t := &r.torn
	if len(t.ways) == 0 || !t.strong {
		t.strong, t.left = goHead(text), goTornLines
		t.source, t.no = in.source, in.no
		t.text = append(t.text[:0], text[:min(len(text), goTornMax)]...)
	}
	t.keep(text, s, 0)
}

// keep keeps the ways to cut text where the scan stopped, if they lead further
// than over bytes, and tells whether there is one.
func (t *goTorn) keep(text []byte, s *goScan, over int) bool {
	if s.at > goTornMax {
		return false
	}
	if s.num == s.at { // the last token is a literal
		kept := false
		if s.at > 0 && text[s.at-1] == '/' {
			// Or the foreign text is a path.
			kept = t.add(text[:s.at-1], over)
		}
		return t.add(text[:s.at], over) || kept
	}
	// The last token is a number: all of it may be foreign, or its end, or nothing.
	kept := t.add(text[:s.num], over)
	n := goForeign(text[s.num:s.at], text[s.at:])
	if end := s.at - n; n >= 0 && end > s.num && text[end-1] != '.' {
		return t.add(text[:end], over) || kept
	}
	return kept
}

// add keeps a beginning.
func (t *goTorn) add(way []byte, over int) bool {
	if len(way) <= over || slices.ContainsFunc(t.ways, func(w []byte) bool { return bytes.Equal(w, way) }) {
		return false
	}
	var buf []byte
	if len(t.ways) == goTornWays {
		buf = t.ways[0]
		copy(t.ways, t.ways[1:])
		t.ways = t.ways[:goTornWays-1]
	} else if len(t.ways) < cap(t.ways) {
		buf = t.ways[:len(t.ways)+1][len(t.ways)]
	}
	t.ways = append(t.ways, append(buf[:0], way...))
	return true
}

// goForeign is how many of a number's last digits belong to the foreign text that
// goes on after it: those of a date or a time of day. -1 if that cannot be told.
func goForeign(number, text []byte) int {
	digits := len(number)
	if i := bytes.LastIndexByte(number, '.'); i >= 0 {
		digits -= i + 1
	}
	if len(text) < 3 {
		return 0
	}
	two := text[1]-'0' < 10 && text[2]-'0' < 10
	switch c := text[0]; {
	case c == '/' || c == '-':
		if digits >= 4 && two && goYear(number[len(number)-4:]) {
			return 4
		}
		if two && len(text) > 3 && text[3] == c {
			return min(digits, 2)
		}
	case c == ':' && two:
		return min(digits, 2)
	case (c == '.' || c == ',') && text[1]-'0' < 10:
		return -1
	}
	return 0
}

// goYear tells a year of this century or the one before.
func goYear(b []byte) bool {
	return (hasPrefix(b, "20") || hasPrefix(b, "19")) && b[2]-'0' < 10 && b[3]-'0' < 10
}

// drop gives up a line whose end did not come.
func (r *goReader) drop() {
	t := &r.torn
	if len(t.ways) > 0 && t.strong {
		r.out.unread(EventLine, 1, t.source, t.no, t.text)
	}
	t.ways, t.strong = t.ways[:0], false
}

// mend tries whether a line goes on where another broke off.
func (r *goReader) mend(in *line) (Class, bool) {
	t := &r.torn
	if t.left--; t.left <= 0 {
		r.drop()
		return 0, false
	}
	text := in.text
	if len(text) == 0 {
		return 0, false
	}
	on := false
	var s goScan
	for i := len(t.ways) - 1; i >= 0; i-- {
		way := t.ways[i]
		if end := way[len(way)-1]; end-'0' < 10 && (text[0]-'0' < 10 || text[0] == '.') {
			continue
		}
		t.joined = append(append(t.joined[:0], way...), text[:min(len(text), goTornMax)]...)
		n := len(way)
		if s.line(t.joined) {
			s.more = true
			if s.plausible() && r.known(&s) {
				t.ways, t.strong = t.ways[:0], false
				return r.emit(in, &s), true
			}
			continue
		}
		if s.at > n && t.keep(t.joined, &s, n) {
			on = true
			break
		}
	}
	return EventLine, on
}

// plausible checks a line that was put together: the CPU time of a pause is that
// of one to all processors for its length, that of marking no more. The times have
// two digits that count.
func (s *goScan) plausible() bool {
	all := max(s.procs, 1)
	most := func(wall int64) int64 { return (wall+wall/8+2e3)*all + 1e3 }
	for _, p := range [...]struct{ wall, cpu int64 }{{s.first, s.firstCPU}, {s.last, s.lastCPU}} {
		if p.cpu > most(p.wall) || p.cpu < p.wall-p.wall/8-2e3 {
			return false
		}
	}
	return max(s.background+s.idle, s.assist) <= most(s.middle)
}

// known tells whether a collection goes on with a process without a hole.
func (r *goReader) known(s *goScan) bool {
	return len(r.procs) == 0 || slices.ContainsFunc(r.procs, func(p *goProc) bool {
		missing, ok := p.goes(s.id, s.start)
		return ok && missing < goLost
	})
}
