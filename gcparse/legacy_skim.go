package gcparse

import "bytes"

// legacySkim settles lines that say nothing to an event wherever they stand:
// phase times of G1, tenuring tables, rows of class histograms, heap dumps. Each
// is balanced in brackets, or its brackets are no ones of events.
func legacySkim(b []byte) (Class, bool) {
	if len(b) == 0 {
		return NoiseLine, true
	}
	noise := false
	switch c := b[0]; {
	case c == ' ':
		noise = legacyIndented(b)
	case c == '-':
		noise = has(b, "- age ") || b[len(b)-1] == '-'
	case c >= '0' && c <= '9':
		noise = legacyRow(b)
	case c == 'D':
		noise = has(b, "Desired survivor size ")
	case c == 'T':
		noise = has(b, "TLAB") || has(b, "Total Free Space") ||
			has(b, "Tree      Height")
	case c == 'M':
		noise = has(b, "Max   Chunk Size")
	case c == 'N':
		noise = has(b, "Number of Blocks")
	case c == 's':
		noise = has(b, "size[") && !bytes.Contains(b, []byte("secs"))
		if noise {
			return NoiseLine, true // the brackets in it are balanced
		}
	}
	if noise && bytes.IndexByte(b, '[') >= 0 {
		noise = b[0] == ' ' || b[0] >= '0' && b[0] <= '9'
	}
	return NoiseLine, noise
}

// legacyIndented settles lines that begin with a blank.
func legacyIndented(b []byte) bool {
	i := 1
	for i < len(b) && b[i] == ' ' {
		i++
	}
	if i == len(b) {
		return true
	}
	switch c := b[i]; {
	case c == '[':
		return i >= 3 && legacyPhaseTimes(b[i:])
	case c >= '0' && c <= '9':
		return legacyRow(b[i:])
	}
	return legacyHeapDump(b, i)
}

// legacyPhaseTimes reports whether b is one phase of a pause of G1 and nothing
// else: one bracket that closes at the end of the line and is none of those that
// tell something of the event.
func legacyPhaseTimes(b []byte) bool {
	end := len(b)
	for end > 0 && b[end-1] == ' ' {
		end--
	}
	if end < 8 || b[end-1] != ']' || bytes.IndexByte(b[1:end-1], '[') >= 0 || bytes.IndexByte(b[:end-1], ']') >= 0 {
		return false
	}
	switch b[1] {
	case 'G':
		return has(b, "[GC Worker")
	case 'E':
		return has(b, "[Ext Root")
	case 'P':
		return has(b, "[Processed Buffers") || has(b, "[Parallel Other")
	case 'F':
		return !has(b, "[Full GC")
	case 'U', 'S', 'O', 'C', 'R', 'H', 'Q', 'N', 'Y', 'D', 'I', 'K', 'A':
		return !bytes.Contains(b, []byte(" secs")) && !has(b, "[CMS") && !has(b, "[Concurrent")
	case 'T':
		return has(b, "[Termination") || has(b, "[Table") || has(b, "[Thread")
	case 'M':
		return has(b, "[M") && !has(b, "[Metaspace")
	}
	return false
}

// legacyRow reports whether b is a row of a class histogram, whose class names
// have brackets of their own: "1:  2050241  470181211  [Ljava.lang.Object;".
func legacyRow(b []byte) bool {
	_, n := scanInt(b)
	if n == 0 || n > 9 || n+2 >= len(b) || b[n] != ':' || b[n+1] != ' ' || b[n+2] != ' ' {
		return false
	}
	b = b[n+1:]
	for range 2 {
		b = bytes.TrimLeft(b, " ")
		_, n := scanInt(b)
		if n == 0 || n >= len(b) || b[n] != ' ' {
			return false
		}
		b = b[n:]
	}
	return len(b) > 2 && b[1] == ' ' && bytes.IndexByte(b[2:], ' ') < 0
}

// legacyHeapDump reports whether a line with its first word at i is one of a heap
// dump: "  eden space 42624K,  12% used [0x00f6400000, 0x00f690c520, 0x00f8da0000)".
func legacyHeapDump(b []byte, i int) bool {
	w := b[i:]
	known := false
	switch w[0] {
	case 'e':
		known = has(w, "eden space")
	case 'f':
		known = has(w, "from space")
	case 't':
		known = has(w, "to   space") || has(w, "the space") ||
			has(w, "tenured generation")
	case 'p':
		known = has(w, "par new generation")
	case 'd':
		known = has(w, "def new generation")
	case 'c':
		known = has(w, "concurrent mark-sweep") || has(w, "concurrent-mark-sweep") ||
			has(w, "class space") || has(w, "compacting perm gen")
	case 'g':
		known = has(w, "garbage-first heap")
	case 'r':
		known = has(w, "region size")
	case 'o':
		known = has(w, "object space")
	case 'P':
		known = has(w, "PSYoungGen") || has(w, "ParOldGen") ||
			has(w, "PSOldGen") || has(w, "PSPermGen")
	case 'M':
		known = has(w, "Metaspace")
	}
	if !known {
		return false
	}
	// Nothing but address ranges may stand in brackets.
	for {
		j := bytes.IndexByte(w, '[')
		if j < 0 {
			return bytes.IndexByte(w, ']') < 0
		}
		if w = w[j+1:]; !legacyAddress(w) {
			return false
		}
		w = w[legacyRange(w):]
	}
}
