package gcparse

import "bytes"

// openj9Skim settles lines that are one whole tag of an element which says
// nothing to an event.
func openj9Skim(b []byte) (Class, bool) {
	i := 0
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	if i == len(b) {
		return NoiseLine, true
	}
	if b[i] != '<' || bytes.IndexByte(b[i+1:], '<') >= 0 {
		return 0, false
	}
	end := len(b)
	for end > i && b[end-1] == ' ' {
		end--
	}
	if b[end-1] != '>' {
		return 0, false
	}
	name := openj9Name(b[i:end])
	switch string(name) {
	case "allocated-bytes", "largest-consumer", "trace-info", "finalization", "ownableSynchronizers", "references",
		"stringconstants", "classunload-info", "scavenger-info", "pending-finalizers", "remembered-set",
		"allocation-stats", "/allocation-stats", "/mem", "/mem-info", "/gc-op", "/exclusive-start", "allocation-satisfied",
		"cycle-end", "af-end", "sys-end", "soa", "loa", "refs", "minimum", "/tenured":
		return NoiseLine, true
	case "mem":
		// soa and loa are parts of tenure, allocate and survivor of the nursery.
		switch string(openj9Attr(b[i:end], "type")) {
		case "soa", "loa", "allocate", "survivor":
			return NoiseLine, true
		}
	}
	return 0, false
}

// openj9Claim tells how surely a line is one of a verbose:gc log.
func openj9Claim(b []byte) claim {
	i := 0
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	if i == len(b) || b[i] != '<' {
		return notMine
	}
	t := b[i:]
	switch string(openj9Name(t)) {
	case "verbosegc", "exclusive-start", "exclusive-end", "af-start", "cycle-start", "cycle-end", "gc-start", "gc-end",
		"gc-op", "sys-start", "concurrent-kickoff":
		return surelyMine
	case "af", "sys":
		if openj9Has(t, "timestamp") && openj9Has(t, "intervalms") {
			return surelyMine
		}
	case "initialized", "mem-info", "response-info", "allocation-stats":
		return maybeMine
	}
	if bytes.HasPrefix(t, []byte("<?xml ")) {
		return maybeMine
	}
	return notMine
}
