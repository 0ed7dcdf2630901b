package gcparse

import "bytes"

// legacyClaim tells how surely a line is one of HotSpot before JDK 9.
func legacyClaim(b []byte) claim {
	if len(b) == 0 {
		return notMine
	}
	b, stamped := legacyUnstamped(b)
	if len(b) == 0 {
		return notMine
	}
	switch b[0] {
	case '[':
		if legacyForeignDialect(b) {
			return maybeMine
		}
		return legacyClaimBracket(b[1:], stamped)
	case 'T', 'A':
		if has(b, legacyStopped) || has(b, legacyRan) {
			if stamped {
				return surelyMine
			}
			return maybeMine
		}
	case 'J', 'O':
		if legacyVersionLine(b) {
			return surelyMine
		}
	case 'C':
		if has(b, "CommandLine flags: -X") {
			return surelyMine
		}
	case '{', 'H':
		if has(b, "{Heap before ") || has(b, "Heap after GC invocations=") {
			return surelyMine
		}
	case ' ':
		if has(b, " [Times: user=") || has(b, " CMS: abort preclean") {
			return surelyMine
		}
	}
	if legacyForeignDialect(b) || legacyRotation(b) || legacyHeapDump(b, 0) || string(b) == "Heap" {
		return maybeMine
	}
	if c, ok := legacySkim(b); ok && c == NoiseLine {
		return maybeMine
	}
	return notMine
}

// legacyForeignDialect reports whether a line is one of a collector's log that is
// known by sight only: JDK 1.2.2 and HP-UX begin lines with <GC:, JRockit with its
// memory module. Such lines are listed as not understood.
func legacyForeignDialect(b []byte) bool {
	return has(b, "<GC: ") || has(b, "[memory ]") || has(b, "[INFO ][memory ]")
}

// legacyClaimBracket claims a line by what stands in its first bracket.
func legacyClaimBracket(b []byte, stamped bool) claim {
	n := legacyNamed(b)
	switch {
	case n.kind == 0 && n.what == legacyOther:
		if has(b, "Times: user=") || stamped && has(b, "Unloading, ") ||
			stamped && has(b, "Rescan ") {
			return surelyMine
		}
		return notMine
	case n.kind != 0 || stamped:
		// Words such as [GC] or [Pause handler] stand in the lines of programs.
		if !stamped && (len(b) == n.len || b[n.len] == ']') && n.kind == Pause {
			return notMine
		}
		if !stamped && n.collector == Shenandoah {
			return maybeMine
		}
		return surelyMine
	}
	return maybeMine
}

// legacyUnstamped takes date stamp, uptime and number of the collection off the
// beginning of a line.
func legacyUnstamped(b []byte) (rest []byte, stamped bool) {
	rest, stamps := legacyStamps(b)
	return rest, stamps > 0
}

// legacyStamps takes the same off, and counts the stamps.
func legacyStamps(b []byte) (rest []byte, stamps int) {
	if b[0]-'0' >= 10 {
		return b, 0
	}
	if _, n, _ := legacyDate(b); n > 0 {
		b = b[legacyColon(b, n):]
		stamps++
	}
	if _, n, digits := scanFixed(b, 1e9); n > 0 && digits > 0 && n < len(b) && b[n] == ':' {
		b = b[legacyColon(b, n):]
		stamps++
	}
	if len(b) > 1 && b[0] == '#' {
		if _, n := scanInt(b[1:]); n > 0 && n+1 < len(b) && b[n+1] == ':' {
			b = b[legacyColon(b, n+1):]
		}
	}
	return b, stamps
}

// legacyPlain classifies a line outside of events from which nothing was read.
func legacyPlain(b []byte) Class {
	text, stamps := bytes.TrimLeft(b, " \t"), 0
	if len(text) > 0 {
		text, stamps = legacyStamps(text)
	}
	text = bytes.TrimLeft(text, " \t")
	switch {
	case len(text) == 0:
		return NoiseLine
	case legacyNoise(text):
		return NoiseLine
	case legacyForeignDialect(text):
		return UnknownLine
	case bytes.Contains(b, []byte(" secs]")):
		return UnknownLine // the end of an event whose beginning is not there
	case stamps > 1, stamps > 0 && legacyClaimBracket(bytes.TrimPrefix(text, []byte("[")), true) == surelyMine:
		return UnknownLine
	}
	return ForeignLine
}

// legacyNoiseWords begin lines that belong to the log and say nothing of events.
var legacyNoiseWords = legacyByFirst(
	"{Heap", "Heap after ", "Avg:", "Sum:", "Desired survivor", "- age",
	"No shared spaces", "/proc/meminfo", "Before GC:", "After GC:",
	"Statistics for ", "-----", "=====", "num     #instances", "Total  ",
	"Av.  Block", "free=", "CMSCollector", "time_until_cms_gen_full",
	"contiguous_available", "promotion_rate", "cms_allocation_rate", "occupancy=",
	"initiatingOccupancy", "initiatingPermOccupancy", "metadata initialized",
	"cms_time_since", "CMS: ", "AdaptiveSize", "PSAdaptiveSize", "CMSAdaptiveSize",
	"demand:", "avg_survived_padded_avg", "[G1Ergonomics", "GC log file",
	"[Parallel Time", "[Eden:", "[Ref Proc", "[SATB", "[GC Worker",
	"[Ext Root", "[Update RS", "[Scan RS", "[Object Copy", "[Termination",
	"[Processed Buffers", "[Mark Stack", "[Other:", "[Clear CT", "[Choose CSet",
	"[Table]", "[Queue]", "[Total Exec", "[Last Exec", "[Age Threshold",
	"[Memory Usage", "[Size:", "[Entries", "[Resize", "[Rehash", "[Dropped",
	"[Inspected", "[Skipped", "[Hashed", "[Known", "[New:", "[Deduplicated",
	"[Young:", "[Old:", "[Unloading class", ", [Metaspace", "[String Dedup", "[Root Region",
	"PSYoungGen", "ParOldGen", "PSOldGen", "PSPermGen", "Metaspace", "class space", "par new",
	"concurrent mark-sweep", "Free: ", "Pacer for ", "Collectable Garbage", "Adaptive CSet",
	"Good progress", "Cancelling GC", "All times are wall", "all workers. Dividing",
	"Allocation pacing", "Free headroom", "Failed to allocate", "GC locker:", "Update Region States",
)

// legacyByFirst sorts words by their first byte.
func legacyByFirst(words ...string) (by [256][]string) {
	for _, w := range words {
		by[w[0]] = append(by[w[0]], w)
	}
	return by
}

// legacyNoise reports whether a line begins with such words, or is a row of
// Shenandoah's table of phases.
func legacyNoise(text []byte) bool {
	for _, w := range legacyNoiseWords[text[0]] {
		if has(text, w) {
			return true
		}
	}
	if bytes.Contains(text, []byte(" us, workers (us)")) || bytes.HasSuffix(text, []byte(" us")) ||
		bytes.Contains(text, []byte(" us, parallelism: ")) {
		return true
	}
	switch {
	case len(text) < 8 && (text[0] == '{' || text[0] == '}'), string(text) == "Heap":
		return true
	case has(text, "Using ") && bytes.Contains(text, []byte(" workers for ")):
		return true
	}
	return bytes.Contains(text, []byte("% used [")) || bytes.Contains(text, []byte("[0x")) || legacyRotation(text)
}

// legacyRotation reports whether a line announces the next file of a rotated set.
func legacyRotation(b []byte) bool { return bytes.Contains(b, []byte("GC log file ")) }
