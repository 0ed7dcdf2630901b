package gcparse

import "bytes"

// legacyNamed reads the name after an opening bracket.
func legacyNamed(b []byte) legacyName {
	if len(b) < 2 {
		return legacyName{}
	}
	switch b[0] {
	case 'G':
		if b[1] == 'C' {
			return legacyGC(b)
		}
	case 'F':
		if has(b, "Full GC") {
			return legacyName{kind: Pause, generation: Whole, flags: Full, len: 7, title: 7}
		}
	case 'I':
		if has(b, "Inc GC") {
			return legacyName{kind: Pause, generation: Old, len: 6, title: 6}
		}
	case 'P':
		return legacyP(b)
	case 'D':
		if has(b, "DefNew") {
			return legacyName{what: legacyYoungFrame, collector: Serial, len: 6}
		}
	case 'A':
		switch {
		case has(b, "ASParNew"):
			return legacyName{what: legacyYoungFrame, collector: ParNew, len: 8}
		case has(b, "ASCMS-concurrent-"):
			return legacyPhase(b, len("ASCMS-concurrent-"), CMS)
		case has(b, "ASCMS"):
			return legacyName{what: legacyOldFrame, collector: CMS, len: 5}
		}
	case 'T':
		if has(b, "Tenured") {
			return legacyName{what: legacyOldFrame, len: 7}
		}
	case 'C':
		return legacyC(b)
	case 'M':
		if has(b, "Metaspace") {
			return legacyName{what: legacyMetaFrame, len: 9}
		}
	case '1':
		if has(b, "1 CMS-") || has(b, "1 ASCMS-") {
			n := legacyWord(b, 2)
			return legacyName{what: legacyMarkFrame, collector: CMS, len: n, title: n}
		}
	}
	return legacyName{}
}

// legacyGC reads a name that begins with GC.
func legacyGC(b []byte) legacyName {
	n := legacyName{kind: Pause, generation: Young, len: 2, title: 2}
	if len(b) < 4 || b[2] != ' ' {
		return n
	}
	switch rest := b[3:]; rest[0] {
	case 'p':
		if has(rest, "pause") {
			n.collector, n.len, n.title = G1, 8, 8
		}
	case 'r':
		switch {
		case has(rest, "remark"):
			n.collector, n.generation, n.len, n.title = G1, Old, 9, 9
		case has(rest, "ref-proc"):
			return legacyName{}
		}
	case 'c':
		switch {
		case has(rest, "cleanup"):
			n.collector, n.generation, n.len, n.title = G1, Old, 10, 10
		case has(rest, "concurrent-"):
			return legacyPhase(b, len("GC concurrent-"), G1)
		}
	case 'W':
		if has(rest, "Worker") {
			return legacyName{}
		}
	}
	return n
}

// legacyP reads a name that begins with P.
func legacyP(b []byte) legacyName {
	switch {
	case has(b, "ParNew"):
		return legacyName{what: legacyYoungFrame, collector: ParNew, len: 6}
	case has(b, "PSYoungGen"):
		return legacyName{what: legacyYoungFrame, collector: Parallel, len: 10}
	case has(b, "ParOldGen"), has(b, "PSOldGen"):
		return legacyName{what: legacyOldFrame, collector: Parallel, len: 8}
	case has(b, "PSPermGen"), has(b, "Perm"):
		return legacyName{what: legacyMetaFrame, len: 4}
	case has(b, "Pause "):
		return legacyShenandoah(b)
	}
	return legacyName{}
}

// legacyC reads a name that begins with C.
func legacyC(b []byte) legacyName {
	switch {
	case has(b, "CMS-concurrent-"):
		return legacyPhase(b, len("CMS-concurrent-"), CMS)
	case has(b, "CMS Perm"):
		return legacyName{what: legacyMetaFrame, collector: CMS, len: 8}
	case has(b, "CMS"):
		return legacyName{what: legacyOldFrame, collector: CMS, len: 3}
	case has(b, "Concurrent "):
		n := len("Concurrent ")
		for n < len(b) && (b[n] >= 'a' && b[n] <= 'z' || b[n] == ' ' || b[n] == '-') {
			n++
		}
		return legacyName{kind: Concurrent, collector: Shenandoah, len: n, title: len(bytes.TrimRight(b[:n], " "))}
	}
	return legacyName{}
}

// legacyShenandoah reads the name of a pause of Shenandoah in JDK 8.
func legacyShenandoah(b []byte) legacyName {
	n := len("Pause ")
	for n < len(b) && legacyBytes[b[n]]-1 < 2 || n < len(b) && b[n] == ' ' && n+1 < len(b) && legacyBytes[b[n+1]] == legacyLetter {
		n++
	}
	name := legacyName{kind: Pause, collector: Shenandoah, generation: Old, len: n, title: n}
	switch title := b[:n]; {
	case has(title, "Pause Degenerated"):
		name.flags = Degenerated
	case has(title, "Pause Full"):
		name.flags, name.generation = Full, Whole
	}
	return name
}

// legacyPhase reads the name of a concurrent phase, which goes on after n bytes.
// What begins and what is given up have no duration.
func legacyPhase(b []byte, n int, collector Collector) legacyName {
	n = legacyWord(b, n)
	title := n
	for _, end := range []string{"-end", "-start"} {
		if bytes.HasSuffix(b[:n], []byte(end)) {
			title = n - len(end)
		}
	}
	name := legacyName{kind: Concurrent, collector: collector, generation: Old, len: n, title: title}
	if has(b[:n], "GC concurrent-string-deduplication") {
		name.generation = AnyGeneration
	}
	return name
}

// legacyWord is the end of the word that goes on at n, with hyphens.
func legacyWord(b []byte, n int) int {
	for n < len(b) && (legacyBytes[b[n]]-1 < 2 || b[n] == '-') {
		n++
	}
	return n
}
