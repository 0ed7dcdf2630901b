package gcparse

// goScan reads the line of Go 1.5 and later, token by token. The runtime writes
// every token by itself, so that other output can only stand between two of them;
// where the line breaks off tells what is still to come.
//
// Versions differ in the number of terms: Go 1.5 has five phases (sweep
// termination, scan, installing the write barrier, mark, mark termination), later
// ones three; the second number of processors, stacks and globals came with 1.18,
// the search for leaked goroutines with 1.26. The scan takes any number of terms.
type goScan struct {
	b  []byte
	at int // how far it is understood
	// num is where the number before at begins; at if the last token is none.
	num int

	id    int64
	start int64 // nanoseconds since the program began
	// first and last are the phases that stop the program, middle the sum of those
	// between, in nanoseconds.
	first, middle, last int64
	phases              int
	// CPU times in nanoseconds: of the pauses, of the assists, of the background
	// workers, and of idle processors.
	firstCPU, lastCPU        int64
	assist, background, idle int64
	hasCPU                   bool
	// MB, -1 if not stated: the heap when the collection began, when marking
	// ended, and what of it lives; and the heap's goal.
	before, marked, live, goal int64
	procs                      int64
	forced                     bool
	// more is text after the line's end.
	more bool
}

// lit takes a literal token.
func (s *goScan) lit(token string) bool {
	if !hasPrefix(s.b[s.at:], token) {
		return false
	}
	s.at += len(token)
	s.num = s.at
	return true
}

// fixed takes a number times scale. It stops at one that a date follows on.
func (s *goScan) fixed(scale int64) (int64, bool) {
	v, n, _ := scanFixed(s.b[s.at:], scale)
	if n == 0 {
		return 0, false
	}
	s.num, s.at = s.at, s.at+n
	return v, !s.dated()
}

// dated tells whether the last number ends with the year of a date. A date would
// pass for the three parts of a CPU time: 0.14+2026/11/29 10:00:00 request done.
func (s *goScan) dated() bool {
	b := s.b[s.at:]
	if len(b) < 6 || b[0] != '/' && b[0] != '-' || s.at-s.num < 4 {
		return false
	}
	if !goYear(s.b[s.at-4:]) {
		return false
	}
	digits := b[1]-'0' < 10 && b[2]-'0' < 10 && b[4]-'0' < 10 && b[5]-'0' < 10
	return digits && b[3] == b[0] && (len(b) == 6 || b[6] != '+' && b[6] != '.' && b[6]-'0' >= 10)
}

// integer takes a whole number.
func (s *goScan) integer() (int64, bool) {
	v, n := scanInt(s.b[s.at:])
	if n == 0 || n > 18 {
		return 0, false
	}
	s.num, s.at = s.at, s.at+n
	return v, true
}

// line reads a line from its beginning; false if it breaks off before its end.
func (s *goScan) line(b []byte) bool {
	*s = goScan{b: b, before: -1, marked: -1, live: -1, goal: -1}
	var ok bool
	if !s.lit("gc ") {
		return false
	}
	if s.id, ok = s.integer(); !ok || !s.lit(" @") {
		return false
	}
	if s.start, ok = s.fixed(1e9); !ok || !s.lit("s ") {
		return false
	}
	if _, ok = s.integer(); !ok || !s.lit("%") {
		return false
	}
	s.lit(" (checking for goroutine leaks)")
	return s.lit(": ") && s.clock() && s.cpu() && s.heap() && s.end()
}

// clock reads the phases: 0.018+0.46+0.071 ms clock.
func (s *goScan) clock() bool {
	for {
		v, ok := s.fixed(1e6)
		if !ok {
			return false
		}
		if s.phases++; s.phases == 1 {
			s.first = v
		} else {
			s.middle, s.last = s.middle+s.last, v
		}
		if !s.lit("+") {
			break
		}
	}
	return s.phases >= 3 && s.lit(" ms clock, ")
}

// cpu reads the CPU times: 0.14+0.30/0.21/0+0.57 ms cpu. The first and the last
// term are those of the phases that stop the program, which the clock says
// already. A term of three parts is marking: assists, workers, idle processors.
func (s *goScan) cpu() bool {
	var pending int64 // the last simple term, which may be the last of all
	for terms := 0; ; terms++ {
		v, ok := s.fixed(1e6)
		if !ok {
			return false
		}
		if s.lit("/") {
			w, ok := s.fixed(1e6)
			if !ok || !s.lit("/") {
				return false
			}
			i, ok := s.fixed(1e6)
			if !ok {
				return false
			}
			s.assist, s.background, s.idle, s.hasCPU = s.assist+v, s.background+w+pending, s.idle+i, true
			pending = 0
		} else if terms == 0 {
			s.firstCPU = v
		} else {
			s.background, pending = s.background+pending, v
		}
		if !s.lit("+") {
			break
		}
	}
	s.lastCPU = pending
	return s.lit(" ms cpu, ")
}

// heap reads the sizes: 4->4->1 MB, 5 MB goal, 0 MB stacks, 0 MB globals, .
func (s *goScan) heap() bool {
	var ok bool
	if s.before, ok = s.integer(); !ok || !s.lit("->") {
		return false
	}
	if s.marked, ok = s.integer(); !ok || !s.lit("->") {
		return false
	}
	if s.live, ok = s.integer(); !ok || !s.lit(" MB, ") {
		return false
	}
	if s.goal, ok = s.integer(); !ok || !s.lit(" MB goal, ") {
		return false
	}
	for {
		if s.procs, ok = s.integer(); !ok {
			return false
		}
		if !s.lit(" MB stacks, ") && !s.lit(" MB globals, ") {
			return true
		}
	}
}

// end reads the end of the line: 8 P (forced).
func (s *goScan) end() bool {
	if !s.lit(" P") {
		return false
	}
	s.forced = s.lit(" (forced)")
	s.more = s.at < len(s.b)
	return true
}
