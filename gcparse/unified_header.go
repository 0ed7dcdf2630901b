package gcparse

import "bytes"

// uniCollector reads the name of a collector as Using prints it.
func uniCollector(name []byte) Collector {
	switch string(bytes.TrimRight(name, " ")) {
	case "G1":
		return G1
	case "Parallel":
		return Parallel
	case "Serial":
		return Serial
	case "Concurrent Mark Sweep":
		return CMS
	case "Shenandoah":
		return Shenandoah
	case "The Z Garbage Collector":
		return ZGC
	case "Epsilon":
		return Epsilon
	}
	if hasPrefix(name, "Epsilon") {
		return Epsilon
	}
	if hasPrefix(name, "Shenandoah") {
		return Shenandoah
	}
	return AnyCollector
}

// uniIntroduces reports whether a message is one of those with which a process
// begins.
func uniIntroduces(body []byte) bool {
	switch body[0] {
	case 'U':
		return hasPrefix(body, "Using ") && uniCollector(body[len("Using "):]) != AnyCollector
	case 'I':
		return hasPrefix(body, "Initializing The Z Garbage Collector")
	case 'H':
		return hasPrefix(body, "Heap region size: ") || hasPrefix(body, "Heap Region Size: ")
	case 'V':
		return hasPrefix(body, "Version: ")
	}
	return false
}

// header reads what a process says of itself. It is false for other lines.
func (r *uniReader) header(body []byte) bool {
	if len(body) == 0 {
		return false
	}
	run := r.out.run()
	if uniIntroduces(body) && body[0] != 'H' {
		switch body[0] {
		case 'U':
			run.Collector = uniCollector(body[len("Using "):])
		case 'I':
			run.Collector = ZGC
		case 'V':
			run.Version = clip(body[len("Version: "):])
		}
		return true
	}
	if hasPrefix(body, "Heap configured. ") {
		return true
	}
	colon := bytes.IndexByte(body, ':')
	if colon < 0 || colon > 40 {
		return false
	}
	return r.setting(run, body[:colon], bytes.TrimLeft(body[colon+1:], " "))
}

// setting reads a line of a name and a value.
func (r *uniReader) setting(run *Run, name, value []byte) bool {
	size, n := scanSize(value)
	count, m := scanInt(value)
	if n == 0 {
		size = 0
	}
	switch string(name) {
	case "CPUs":
		run.CPUs = int32(min(count, 1<<20))
		if at := bytes.Index(value, []byte("total, ")); at >= 0 {
			if v, k := scanInt(value[at+len("total, "):]); k > 0 && v > 0 {
				run.CPUs = int32(min(v, 1<<20)) // available: what the container grants
			}
		}
	case "Memory":
		run.Memory = size
	case "Heap Region Size", "Heap region size":
		run.RegionSize, r.proc.region = size, size
	case "Heap Initial Capacity", "Initial Capacity", "Initial heap":
		run.HeapInitial = size
	case "Heap Max Capacity", "Max Capacity", "Max heap", "Maximum heap":
		run.HeapMax = size
	case "Parallel Workers", "GC Workers", "Runtime Workers", "GC Workers Max":
		run.ParallelWorkers = max(run.ParallelWorkers, int32(min(count, 1<<20)))
	case "Concurrent Workers", "GC Workers for Old Generation", "GC Workers for Young Generation":
		run.ConcurrentWorkers = max(run.ConcurrentWorkers, int32(min(count, 1<<20)))
	case "GC threads":
		run.ParallelWorkers = int32(min(count, 1<<20))
	default:
		return false
	}
	return n > 0 || m > 0
}

// uniKnow notes a collector that a line gives away, if none is known or a less
// particular one.
func uniKnow(run *Run, c Collector) {
	if run.Collector == AnyCollector {
		run.Collector = c
	}
}

// uniCollectorOf learns the collector from an event, and tells the event.
func uniCollectorOf(run *Run, e *Event) {
	if run.Collector == AnyCollector || run.Collector == ZGC || run.Collector == Shenandoah {
		if c := uniCollectorBy(run.Collector, e); c != AnyCollector {
			run.Collector = c
		}
	}
	e.Collector = run.Collector
}

// uniCollectorBy tells the collector from a title or cause that only it has.
func uniCollectorBy(known Collector, e *Event) Collector {
	switch e.Title {
	case "Minor Collection", "Major Collection":
		return GenerationalZGC
	case "Garbage Collection", "Pause Mark Start", "Pause Mark End", "Pause Relocate Start":
		return max(known, ZGC)
	case "Pause Mark Start (Major)":
		return GenerationalZGC
	case "Pause Young (Normal)", "Pause Young (Mixed)", "Pause Young (Concurrent Start)",
		"Pause Young (Prepare Mixed)", "Pause Mixed", "Concurrent Cycle", "Concurrent Mark Cycle",
		"Concurrent Undo Cycle", "Pause Cleanup":
		return G1
	case "Concurrent Sweep", "Concurrent Abortable Preclean":
		return CMS
	}
	if known == ZGC {
		return AnyCollector
	}
	switch {
	case len(e.Cause) > 3 && e.Cause[:3] == "G1 ":
		return G1
	case e.Cause == "Ergonomics":
		return Parallel
	}
	for _, t := range [...]string{"Pause Init Mark", "Pause Final Mark", "Pause Init Update Refs",
		"Pause Final Update Refs", "Pause Degenerated GC", "Pause Final Roots", "Concurrent reset"} {
		if len(e.Title) >= len(t) && e.Title[:len(t)] == t {
			if e.Title == t+" (Young)" || e.Title == t+" (Old)" || e.Title == t+" (Global)" {
				return GenerationalShenandoah
			}
			return max(known, Shenandoah)
		}
	}
	return AnyCollector
}
