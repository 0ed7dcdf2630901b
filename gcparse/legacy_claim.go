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
		return legacyClaimBracket(b[1:], stamped)
	case 'T', 'A':
		if bytes.HasPrefix(b, legacyStopped) || bytes.HasPrefix(b, legacyRan) {
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
		if bytes.HasPrefix(b, []byte("CommandLine flags: -X")) {
			return surelyMine
		}
	case '{', 'H':
		if bytes.HasPrefix(b, []byte("{Heap before ")) || bytes.HasPrefix(b, []byte("Heap after GC invocations=")) {
			return surelyMine
		}
	case ' ':
		if bytes.HasPrefix(b, []byte(" [Times: user=")) || bytes.HasPrefix(b, []byte(" CMS: abort preclean")) {
			return surelyMine
		}
	}
	if c, ok := legacySkim(b); ok && c == NoiseLine {
		return maybeMine
	}
	return notMine
}

// legacyClaimBracket claims a line by what stands in its first bracket.
func legacyClaimBracket(b []byte, stamped bool) claim {
	n := legacyNamed(b)
	switch {
	case n.kind == 0 && n.what == legacyOther:
		if bytes.HasPrefix(b, []byte("Times: user=")) || stamped && bytes.HasPrefix(b, []byte("Unloading, ")) ||
			stamped && bytes.HasPrefix(b, []byte("Rescan ")) {
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
	if b[0]-'0' >= 10 {
		return b, false
	}
	if _, n, _ := legacyDate(b); n > 0 {
		b, stamped = b[legacyColon(b, n):], true
	}
	if _, n, digits := scanFixed(b, 1e9); n > 0 && digits > 0 && n < len(b) && b[n] == ':' {
		b, stamped = b[legacyColon(b, n):], true
	}
	if len(b) > 1 && b[0] == '#' {
		if _, n := scanInt(b[1:]); n > 0 && n+1 < len(b) && b[n+1] == ':' {
			b = b[legacyColon(b, n+1):]
		}
	}
	return b, stamped
}

// legacyPlain classifies a line outside of events from which nothing was read.
func legacyPlain(b []byte) Class {
	text, stamped := bytes.TrimLeft(b, " \t"), false
	if len(text) > 0 {
		text, stamped = legacyUnstamped(text)
	}
	text = bytes.TrimLeft(text, " \t")
	switch {
	case len(text) == 0:
		return NoiseLine
	case legacyNoise(text):
		return NoiseLine
	case bytes.HasPrefix(text, []byte("<GC: ")):
		return UnknownLine // the dialect of JDK 1.2.2, not supported
	case bytes.Contains(b, []byte(" secs]")):
		return UnknownLine // the end of an event whose beginning is not there
	case stamped && legacyClaimBracket(bytes.TrimPrefix(text, []byte("[")), true) == surelyMine:
		return UnknownLine
	}
	return ForeignLine
}

// legacyNoiseWords begin lines that belong to the log and say nothing of events.
var legacyNoiseWords = [][]byte{
	[]byte("{Heap"), []byte("Heap after "), []byte("Avg:"), []byte("Sum:"), []byte("Desired survivor"), []byte("- age"),
	[]byte("No shared spaces"), []byte("/proc/meminfo"), []byte("Before GC:"), []byte("After GC:"),
	[]byte("Statistics for "), []byte("-----"), []byte("====="), []byte("num     #instances"), []byte("Total  "),
	[]byte("Av.  Block"), []byte("free="), []byte("CMSCollector"), []byte("time_until_cms_gen_full"),
	[]byte("contiguous_available"), []byte("promotion_rate"), []byte("cms_allocation_rate"), []byte("occupancy="),
	[]byte("initiatingOccupancy"), []byte("initiatingPermOccupancy"), []byte("metadata initialized"),
	[]byte("cms_time_since"), []byte("CMS: "), []byte("AdaptiveSize"), []byte("PSAdaptiveSize"), []byte("CMSAdaptiveSize"),
	[]byte("demand:"), []byte("avg_survived_padded_avg"), []byte("[G1Ergonomics"), []byte("GC log file"),
	[]byte("[Parallel Time"), []byte("[Eden:"), []byte("[Ref Proc"), []byte("[SATB"), []byte("[GC Worker"),
	[]byte("[Ext Root"), []byte("[Update RS"), []byte("[Scan RS"), []byte("[Object Copy"), []byte("[Termination"),
	[]byte("[Processed Buffers"), []byte("[Mark Stack"), []byte("[Other:"), []byte("[Clear CT"), []byte("[Choose CSet"),
	[]byte("[Table]"), []byte("[Queue]"), []byte("[Total Exec"), []byte("[Last Exec"), []byte("[Age Threshold"),
	[]byte("[Memory Usage"), []byte("[Size:"), []byte("[Entries"), []byte("[Resize"), []byte("[Rehash"), []byte("[Dropped"),
	[]byte("[Inspected"), []byte("[Skipped"), []byte("[Hashed"), []byte("[Known"), []byte("[New:"), []byte("[Deduplicated"),
	[]byte("[Young:"), []byte("[Old:"), []byte("[Unloading class"), []byte("[String Dedup"), []byte("[Root Region"),
	[]byte("PSYoungGen"), []byte("ParOldGen"), []byte("PSOldGen"), []byte("PSPermGen"), []byte("Metaspace"), []byte("class space"), []byte("par new"),
	[]byte("concurrent mark-sweep"), []byte("Free: "), []byte("Pacer for "), []byte("Collectable Garbage"), []byte("Adaptive CSet"),
	[]byte("Good progress"), []byte("Cancelling GC"), []byte("All times are wall"), []byte("all workers. Dividing"),
	[]byte("Allocation pacing"), []byte("Free headroom"), []byte("Failed to allocate"), []byte("Update Region States"),
}

// legacyNoise reports whether a line begins with such words, or is a row of
// Shenandoah's table of phases.
func legacyNoise(text []byte) bool {
	for _, w := range legacyNoiseWords {
		if bytes.HasPrefix(text, w) {
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
	case bytes.HasPrefix(text, []byte("Using ")) && bytes.Contains(text, []byte(" workers for ")):
		return true
	}
	return bytes.Contains(text, []byte("% used [")) || bytes.Contains(text, []byte("[0x")) || legacyRotation(text)
}

// legacyRotation reports whether a line announces the next file of a rotated set.
func legacyRotation(b []byte) bool { return bytes.Contains(b, []byte("GC log file ")) }
