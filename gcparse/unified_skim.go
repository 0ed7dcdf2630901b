package gcparse

import "bytes"

// uniSkim settles lines by their bytes alone: the details of phases, tables of
// ages and regions, which are most of a detailed log. It gives false for all
// that it is not sure of.
func uniSkim(text []byte) (Class, bool) {
	if len(text) == 0 {
		return NoiseLine, true
	}
	msg := text
	if text[0] == '[' {
		if msg = uniMessage(text); msg == nil {
			return 0, false
		}
		if len(msg) == 0 {
			return NoiseLine, true
		}
	} else if !hasPrefix(text, "GC(") {
		return 0, false
	}
	_, hasID, body := uniID(msg)
	if len(body) == 0 {
		return NoiseLine, hasID
	}
	switch body[0] {
	case ' ', '\t':
		// Indented lines are details, but for the sum of pacing delays.
		if !hasID && hasSuffix(body, "<total>") {
			return 0, false
		}
		return NoiseLine, hasID || text[0] == '['
	case '-', '|', '=':
		return NoiseLine, true
	case 'P':
		return NoiseLine, hasID && hasPrefix(body, "Phase ")
	case 'S':
		return NoiseLine, hasID && hasPrefix(body, "Skipped ")
	}
	return 0, false
}

// uniMessage is the text after the decorations, nil if the line does not begin
// with one that has a known form.
func uniMessage(text []byte) []byte {
	end := bytes.IndexByte(text, ']')
	if end < 2 || !uniFirst(text[1:end]) {
		return nil
	}
	i := end + 1
	for i < len(text) && text[i] == '[' {
		n := bytes.IndexByte(text[i:], ']')
		if n < 0 {
			return nil
		}
		i += n + 1
	}
	if i == len(text) {
		return text[i:]
	}
	if text[i] != ' ' {
		return nil
	}
	return text[i+1:]
}

// uniFirst reports whether b can be the first decoration of a line: a time, or a
// level or gc tags. It is quick, and says no to host names and process numbers.
func uniFirst(b []byte) bool {
	if b[0]-'0' < 10 {
		return b[len(b)-1] == 's' || len(b) >= 19 && b[4] == '-' && b[10] == 'T' && b[13] == ':'
	}
	switch b = bytes.TrimRight(b, " "); string(b) {
	case "error", "warning", "info", "debug", "trace", "gc", "safepoint":
		return true
	}
	return hasPrefix(b, "gc,") && bytes.IndexByte(b, ' ') < 0
}

// uniID takes the number of the collection off a message.
func uniID(msg []byte) (id int64, has bool, body []byte) {
	if len(msg) < 6 || msg[0] != 'G' || msg[1] != 'C' || msg[2] != '(' {
		return 0, false, msg
	}
	id, n := scanInt(msg[3:])
	if n == 0 || n > 18 || 3+n >= len(msg) || msg[3+n] != ')' {
		return 0, false, msg
	}
	body = msg[4+n:]
	if len(body) > 0 && body[0] == ' ' {
		body = body[1:]
	}
	return id, true, body
}

// uniLetter takes off the mark of a generation that generational ZGC puts before
// a message: y a minor, Y a major young collection, O an old one.
func uniLetter(body []byte) ([]byte, byte) {
	if len(body) >= 2 && body[1] == ':' && (body[0] == 'y' || body[0] == 'Y' || body[0] == 'O') {
		return bytes.TrimLeft(body[2:], " "), body[0]
	}
	return body, 0
}

// uniClaim tells how surely a line is unified logging.
func uniClaim(text []byte) claim {
	if len(text) < 4 {
		return notMine
	}
	if text[0] != '[' {
		switch {
		case uniBare(text) && text[0] == 'G':
			return surelyMine
		case uniBare(text):
			return maybeMine
		}
		return notMine
	}
	var d uniDate
	var h uniHead
	if !d.head(text, &h) || len(h.msg) == 0 {
		return notMine
	}
	timed := !h.stamp.Zero()
	_, hasID, _ := uniID(h.msg)
	gc := hasPrefix(h.tags, "gc") || hasPrefix(h.tags, "safepoint")
	switch {
	case hasID, gc && (timed || h.level != 0), timed && h.level != 0 && h.tags != nil && uniBare(h.msg):
		return surelyMine
	case timed && uniBare(h.msg):
		return surelyMine
	case gc, timed && h.level != 0:
		return maybeMine
	}
	return notMine
}

// uniBare reports whether a text without decorations is a message of a collector.
func uniBare(msg []byte) bool {
	if len(msg) < 6 {
		return false
	}
	switch msg[0] {
	case 'G':
		_, has, _ := uniID(msg)
		return has
	case 'S':
		return hasPrefix(msg, "Safepoint \"")
	case 'U':
		return hasPrefix(msg, "Using ") && uniCollector(msg[6:]) != AnyCollector
	case 'E':
		return hasPrefix(msg, "Entering safepoint region: ")
	case 'L':
		return hasPrefix(msg, "Leaving safepoint region")
	case 'A':
		return hasPrefix(msg, "Allocation Stall (") || hasPrefix(msg, "Allocation pacing accrued:")
	case 'I':
		return hasPrefix(msg, "Initializing The Z Garbage Collector")
	}
	return false
}

// uniRemainder classifies what no reader of messages knew. Logs at debug level
// have hundreds of kinds of lines; only those that look as if they closed an
// event are called unknown.
func uniRemainder(h *uniHead, body []byte) Class {
	if !h.decorated && !hasPrefix(h.msg, "GC(") {
		return ForeignLine
	}
	if len(h.tags) > 0 && string(h.tags) != "gc" && string(h.tags) != "gc,start" && string(h.tags) != "safepoint" {
		return NoiseLine
	}
	if !uniTimed(body) || bytes.Contains(body, []byte(": ")) {
		return NoiseLine
	}
	for _, known := range uniPhases {
		if hasPrefix(body, known) {
			return NoiseLine
		}
	}
	return UnknownLine
}

// uniTimed reports whether a message ends in a duration.
func uniTimed(body []byte) bool {
	body = bytes.TrimRight(body, " ")
	if !hasSuffix(body, "s") {
		return false
	}
	at := bytes.LastIndexByte(body, ' ') + 1
	_, ok := uniDuration(body[at:])
	return ok
}

// uniPhases begin the phases inside pauses that are not indented.
var uniPhases = []string{
	"Reference Processing", "Weak Processing", "ClassLoaderData", "Class Unloading", "Report Object Count",
	"Trigger cleanups", "Unregister NMethods", "Purge ", "Free Code Blobs", "Finalize ", "Flush Task Caches",
	"Reclaim Empty Regions", "Update Remembered Set Tracking", "Preclean ", "Marking Phase", "Summary Phase",
	"Compaction Phase", "Adjust ", "Post Compact", "Scrub", "Weak JNI", "Scan Weak", "Pre Compact", "Prepare ",
	"Rebuild ", "Resize ", "Clear ", "Expand Heap", "Compute ", "Move ", "Mark Live", "String Dedup", "Merge ",
	"Cleanup", "Remark", "Root ", "Relocate ", "Unlink", "Drain", "Deduplicate", "Setup", "Verify", "Uncommitted",
	"G1 Service Thread", "Phase ", "Gather ", "Redirty", "Free Collection Set", "Evacuate ", "Deferred", "Heap ",
	"Subphase", "Verifying", "Rescan", "Grey", "Parallel ", "Reset ", "Hash", "Inspect",
}
