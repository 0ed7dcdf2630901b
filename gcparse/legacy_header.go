package gcparse

import "bytes"

// legacyHeader is what the first lines of a log say of the process. They stand at
// the head of every file of a rotated set, so that only the clock tells whether
// another run has begun.
type legacyHeader struct {
	version, options     string
	memory               int64
	heapInitial, heapMax int64
	workers, concurrent  int32
	collector            Collector
	any                  bool
}

// apply writes a header to a run.
func (h *legacyHeader) apply(run *Run) {
	if h.version != "" {
		run.Version = h.version
	}
	if h.options != "" {
		run.Options = h.options
	}
	if h.memory > 0 {
		run.Memory = h.memory
	}
	if h.heapInitial > 0 {
		run.HeapInitial = h.heapInitial
	}
	if h.heapMax > 0 {
		run.HeapMax = h.heapMax
	}
	if h.workers > 0 {
		run.ParallelWorkers = h.workers
	}
	if h.concurrent > 0 {
		run.ConcurrentWorkers = h.concurrent
	}
	if h.collector != AnyCollector {
		run.Collector = h.collector
	}
}

// legacyHead reports whether a line of the head of a log may begin with c.
func legacyHead(c byte) bool {
	switch c {
	case 'J', 'O', 'M', 'C':
		return true
	}
	return false
}

// header reads a line of the head of a log, or gives false.
func (r *legacyReader) header(b []byte) bool {
	h := &r.next
	switch {
	case legacyVersionLine(b):
		if r.opens > 0 {
			r.abandon() // the process is gone, and with it what it was doing
		}
		h.version = r.out.word(legacyVersion(b))
	case has(b, "Memory: "):
		if j := bytes.Index(b, []byte("physical ")); j > 0 {
			kib, n := scanInt(b[j+len("physical "):])
			if n > 0 && n < 16 {
				h.memory = kib << 10
			}
		}
	case has(b, "CommandLine flags: "):
		h.flags(b[len("CommandLine flags: "):])
	default:
		return false
	}
	h.any = true
	if !r.clock.known && r.opens == 0 && !r.hasPending && r.out.run().First.Zero() {
		h.apply(r.out.run())
		return true
	}
	r.clock.header = !r.rotated
	return true
}

// legacyVersionLine reports whether a line names the virtual machine:
// "OpenJDK 64-Bit Server VM (25.45-b02) for linux-amd64 JRE (1.8.0_45-b13), …".
func legacyVersionLine(b []byte) bool {
	if len(b) == 0 || b[0] != 'J' && b[0] != 'O' {
		return false
	}
	return (has(b, "Java HotSpot(TM)") || has(b, "OpenJDK ")) &&
		bytes.Contains(b[:min(len(b), 80)], []byte(" VM ("))
}

// legacyVersion is the version of the runtime in that line.
func legacyVersion(b []byte) []byte {
	if j := bytes.Index(b, []byte(" JRE (")); j > 0 {
		v := b[j+len(" JRE ("):]
		// Some vendors put their name first, in parentheses of its own.
		if k := bytes.Index(v, []byte(") (")); k >= 0 && k < 80 {
			v = v[k+len(") ("):]
		}
		if k := bytes.IndexByte(v, ')'); k > 0 {
			return v[:min(k, 80)]
		}
	}
	return nil
}

// flags reads the options of the process.
func (h *legacyHeader) flags(b []byte) {
	h.options = string(bytes.TrimSpace(b[:min(len(b), 4<<10)]))
	for f := range bytes.FieldsSeq(b) {
		name, ok := bytes.CutPrefix(f, []byte("-XX:"))
		if !ok {
			continue
		}
		key, value, _ := bytes.Cut(name, []byte("="))
		v, _ := scanInt(value)
		switch string(key) {
		case "InitialHeapSize":
			h.heapInitial = v
		case "MaxHeapSize":
			h.heapMax = v
		case "ParallelGCThreads":
			h.workers = int32(min(v, 1<<20))
		case "ConcGCThreads":
			h.concurrent = int32(min(v, 1<<20))
		case "+UseG1GC":
			h.collector = G1
		case "+UseConcMarkSweepGC":
			h.collector = CMS
		case "+UseParallelGC", "+UseParallelOldGC":
			h.collector = Parallel
		case "+UseSerialGC":
			h.collector = Serial
		case "+UseShenandoahGC":
			h.collector = Shenandoah
		case "+UseParNewGC":
			if h.collector == AnyCollector {
				h.collector = ParNew
			}
		}
	}
}
