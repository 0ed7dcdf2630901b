package gcparse

import (
	"bytes"
	"strconv"
)

// end is the index after the > that ends the tag which b begins, or goes on with;
// -1 if it is not in b. A > in quotes is none.
func (r *openj9Reader) end(b []byte) int {
	for i, c := range b {
		switch c {
		case '"':
			r.quoted = !r.quoted
		case '>':
			if !r.quoted {
				return i + 1
			}
		}
	}
	return -1
}

// openj9Name is the name of a tag, with its slash if it closes an element; nil if
// this is no tag of these logs.
func openj9Name(t []byte) []byte {
	i := 1
	if i < len(t) && t[i] == '/' {
		i++
	}
	start := i
	for i < len(t) && (legacyBytes[t[i]]-1 < 2 || t[i] == '-') {
		i++
	}
	if i == start || i < len(t) && t[i] != ' ' && t[i] != '>' && t[i] != '/' && t[i] != '\t' {
		return nil
	}
	return t[1:i]
}

// openj9Attr is the value of an attribute as it is written; nil if the tag has
// none of that name.
func openj9Attr(t []byte, name string) []byte {
	for rest := t; ; {
		i := bytes.Index(rest, []byte(name))
		if i < 0 {
			return nil
		}
		after := rest[i+len(name):]
		whole := i > 0 && (rest[i-1] == ' ' || rest[i-1] == '\t')
		if whole && len(after) > 1 && after[0] == '=' && after[1] == '"' {
			end := bytes.IndexByte(after[2:], '"')
			if end < 0 {
				return nil
			}
			return after[2 : 2+end]
		}
		rest = after
	}
}

func openj9Has(t []byte, name string) bool { return openj9Attr(t, name) != nil }

// openj9Millis is an attribute in milliseconds, in nanoseconds.
func openj9Millis(t []byte, name string) (ns int64, ok bool) {
	ns, n := scanMillis(openj9Attr(t, name))
	return ns, n > 0
}

// openj9Int is an attribute that is a number.
func openj9Int(t []byte, name string) (v int64, ok bool) {
	v, n := scanInt(openj9Attr(t, name))
	return v, n > 0 && n <= 18
}

// openj9Hex is a size such as 0x40000000.
func openj9Hex(value []byte) int64 {
	v, err := strconv.ParseInt(string(value[:min(len(value), 20)]), 0, 64)
	if err != nil || v < 0 {
		return 0
	}
	return v
}

var openj9Months = []byte("JanFebMarAprMayJunJulAugSepOctNovDec")

// openj9Date reads "Oct 07 11:46:23 2012", with the name of the day before it in
// some versions, as nanoseconds since 1970.
func openj9Date(b []byte) (wall int64, n int) {
	const length = len("Oct 07 11:46:23 2012")
	skip := 0
	if len(b) == length+4 && b[3] == ' ' {
		skip = 4
	}
	if len(b) != length+skip {
		return 0, 0
	}
	d := b[skip:]
	month := bytes.Index(openj9Months, d[:3])
	if month < 0 || month%3 != 0 || d[3] != ' ' || d[6] != ' ' || d[9] != ':' || d[12] != ':' || d[15] != ' ' {
		return 0, 0
	}
	day := d[4:6]
	if day[0] == ' ' {
		day = day[1:]
	}
	dd, ok1 := legacyDigits(day)
	hh, ok2 := legacyDigits(d[7:9])
	mm, ok3 := legacyDigits(d[10:12])
	ss, ok4 := legacyDigits(d[13:15])
	year, ok5 := legacyDigits(d[16:20])
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 {
		return 0, 0
	}
	return (((daysSince1970(year, int64(month/3+1), dd)*24+hh)*60+mm)*60 + ss) * 1e9, len(b)
}

// openj9Words makes a set.
func openj9Words(words ...string) map[string]bool {
	set := map[string]bool{}
	for _, w := range words {
		set[w] = true
		set["/"+w] = true
	}
	return set
}

// openj9Known are the elements that say nothing an event holds.
var openj9Known = openj9Words("initialized", "system", "vmargs", "region", "exclusive-start", "exclusive-end", "gc-start",
	"gc-end", "gc-op", "allocation-stats", "allocated-bytes", "largest-consumer", "trace-info", "finalization",
	"ownableSynchronizers", "references", "stringconstants", "classunload-info", "scavenger-info", "pending-finalizers",
	"remembered-set", "mem-info", "mem", "cycle-start", "cycle-end", "cycle-continue", "allocation-satisfied",
	"allocation-unsatisfied", "af-start", "af-end", "sys-start", "sys-end", "concurrent-kickoff", "kickoff",
	"concurrent-collection-start", "concurrent-collection-end", "concurrent-start", "concurrent-end",
	"concurrent-mark-start", "concurrent-mark-end", "concurrent-trace-info", "concurrent-aborted", "concurrent-halted",
	"concurrent-global-final", "card-cleaning", "compact-info", "numa", "memory-cardclean", "memory-traced",
	"memory-copied", "heap-resize", "arraylet-reference", "arraylet-primitive", "copyforward-info", "copy-failed",
	"sweep", "attribute", "vmarg", "allocation-taxation", "event", "warning", "excessivegc", "object-monitors",
	"continuations", "stall", "response-info", "trigger-start", "trigger-end", "heartbeat", "quanta", "synchgc-start",
	"synchgc-end", "exclusiveaccess-info", "utilization", "out-of-memory", "thread-start", "thread-end", "stack", "hot-fields",
	"percolate-collect", "aggressive", "tlh-allocation", "scavenger", "con", "stats", "minimum", "refs", "nursery",
	"tenured", "soa", "loa", "timesms", "time", "classunloading", "classloadersunloaded", "compaction", "flipped", "expansion",
	"contraction", "failed", "collection", "refs_cleared", "forcedsweep", "heap-walk")
