package gcparse

// goOld is a line of Go 1.4 or before, when all of a collection but (from 1.3 on)
// sweeping stopped the program. They have no time stamps.
//
//	gc7(4): 15+0+1045+15 us, 10 -> 24 MB, 96 (5-2) objects, 9 goroutines, …    1.3, 1.4
//	gc7(4): 1+2+3 ms, 4 -> 2 MB 96 -> 50 (5-2) objects, …                      1.1, 1.2
//	gc7: 1+2+3 ms 4 -> 2 MB 96 -> 50 (5-2) objects …                           1.0
type goOld struct {
	id, procs int64
	pause     int64 // nanoseconds
	// MB: sizes before and after, -1 where the line does not state it.
	before, after int64
}

// goOldHead tells the beginning of such a line: gc7.
func goOldHead(b []byte) bool {
	return len(b) > 3 && b[0] == 'g' && b[1] == 'c' && b[2]-'0' < 10
}

// goScanOld reads such a line.
func goScanOld(b []byte) (l goOld, ok bool) {
	s := goScan{b: b, at: 2}
	if l.id, ok = s.integer(); !ok {
		return l, false
	}
	if s.lit("(") {
		if l.procs, ok = s.integer(); !ok || !s.lit(")") {
			return l, false
		}
	}
	if !s.lit(": ") {
		return l, false
	}
	var sum int64
	for {
		v, ok := s.integer()
		if !ok || v > 1e12 {
			return l, false
		}
		sum += v
		if !s.lit("+") {
			break
		}
	}
	us := s.lit(" us")
	if !us && !s.lit(" ms") {
		return l, false
	}
	s.lit(",")
	if !s.lit(" ") {
		return l, false
	}
	a, ok := s.integer()
	if !ok || !s.lit(" -> ") {
		return l, false
	}
	c, ok := s.integer()
	if !ok || !s.lit(" MB") {
		return l, false
	}
	if us {
		// The first size is what was taken to live after the collection before, the
		// second the heap before this one was swept: there is none after it.
		l.pause, l.before, l.after = sum*1e3, c, -1
	} else {
		l.pause, l.before, l.after = sum*1e6, a, c
	}
	return l, true
}

// goNoise tells lines of the runtime's other traces, which say nothing that an
// event holds: the scavenger (scvg to Go 1.14, scavtrace since), the pacer, scan
// statistics of gctrace=2, finalizers, initialisation.
func goNoise(b []byte) bool {
	if len(b) < 5 {
		return false
	}
	switch b[0] {
	case 's':
		switch {
		case hasPrefix(b, "scvg"):
			b = b[4:]
			_, n := scanInt(b)
			return hasPrefix(b[n:], ": ")
		case hasPrefix(b, "scav "):
			_, n := scanInt(b[5:])
			return n > 0 && (hasPrefix(b[5+n:], " KiB work") || hasPrefix(b[5+n:], " MiB work") || hasPrefix(b[5+n:], " B work"))
		}
		return hasPrefix(b, "scan: total ") || hasPrefix(b, "scan: class ")
	case 'p':
		return hasPrefix(b, "pacer: ")
	case 'f':
		return hasPrefix(b, "forced scvg: ")
	case 'c':
		return hasPrefix(b, "checkfinalizers: queue: ")
	case 'i':
		return hasPrefix(b, "init ") && hasSuffix(b, " allocs")
	}
	return false
}
