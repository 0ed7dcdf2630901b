package biglog

import "io"

// G1 writes a log as JDK 17 does with -Xlog:gc*,safepoint, of at least size
// bytes.
func G1(to io.Writer, size int64, seed uint64) (Truth, error) {
	w := &g1{writer: newWriter(to, seed), heap: 900}
	w.header()
	for w.truth.Bytes < size && w.err == nil {
		w.now += w.between(50e6, 400e6)
		switch n := w.id; {
		case n%400 == 399:
			w.full()
		case n%40 == 39:
			w.cycle()
		default:
			w.young()
		}
	}
	return w.finish()
}

type g1 struct {
	*writer
	id   int64
	heap int64 // MiB in use
}

// head begins a line of collection id.
func (w *g1) head(tags string) *writer {
	return w.line(tags).str("GC(").num(w.id).str(") ")
}

// line begins a line without one.
func (w *g1) line(tags string) *writer {
	return w.str("[").fixed(w.now, 1e9, 3).str("s][info][").str(tags).str("] ")
}

func (w *g1) header() {
	w.now = 4e6
	w.line("gc          ").str("Using G1").end()
	w.line("gc,init     ").str("Version: 17.0.15+6 (release)").end()
	w.line("gc,init     ").str("CPUs: 8 total, 8 available").end()
	w.line("gc,init     ").str("Heap Region Size: 1M").end()
	w.line("gc,init     ").str("Heap Max Capacity: 2G").end()
}

func (w *g1) young() {
	eden := w.between(300, 600)
	before := w.heap + eden
	after := w.heap + w.between(-20, 25)
	after = min(max(after, 300), 1200)
	ns := w.between(2e3, 60e3) * 1e3
	title := "Pause Young (Normal) (G1 Evacuation Pause)"
	if w.id%7 == 0 {
		title = "Pause Young (Mixed) (G1 Evacuation Pause)"
	}
	w.head("gc,start    ").str(title).end()
	w.head("gc,task     ").str("Using 8 workers of 8 for evacuation").end()
	w.now += ns
	w.phase("Pre Evacuate Collection Set", ns/50)
	w.phase("Merge Heap Roots", ns/40)
	w.phase("Evacuate Collection Set", ns/2)
	w.phase("Post Evacuate Collection Set", ns/5)
	w.phase("Other", ns/30)
	w.regions("Eden", eden, 0, 600)
	w.regions("Survivor", 12, 20, 75)
	w.regions("Old", w.heap-20, after-20, -1)
	w.regions("Archive", 2, 2, -1)
	w.regions("Humongous", 5, 4, -1)
	w.head("gc,metaspace").str("Metaspace: 81234K(82112K)->81234K(82112K) NonClass: 71000K(71552K)->71000K(71552K) Class: 10234K(10560K)->10234K(10560K)").end()
	w.close(title, before, after, ns, false)
	w.heap = after
	w.id++
}

func (w *g1) phase(name string, ns int64) {
	w.head("gc,phases   ").str("  ").str(name).str(": ").fixed(ns, 1e6, 1).str("ms").end()
}

func (w *g1) regions(name string, before, after, capacity int64) {
	w.head("gc,heap     ").str(name).str(" regions: ").num(before).str("->").num(after)
	if capacity >= 0 {
		w.str("(").num(capacity).str(")")
	}
	w.end()
}

// close ends a pause: its closing line, CPU times and safepoint.
func (w *g1) close(title string, before, after, ns int64, full bool) {
	w.head("gc          ").str(title).str(" ").num(before).str("M->").num(after).str("M(2048M) ").fixed(ns, 1e6, 3).str("ms").end()
	w.head("gc,cpu      ").str("User=").fixed(ns*5, 1e9, 2).str("s Sys=").fixed(ns/3, 1e9, 2).str("s Real=").fixed(ns, 1e9, 2).str("s").end()
	w.line("safepoint   ").str(`Safepoint "G1CollectForAllocation", Time since last: `).num(w.between(1e6, 400e6)).
		str(" ns, Reaching safepoint: ").num(w.between(50e3, 900e3)).str(" ns, At safepoint: ").num(ns).
		str(" ns, Total: ").num(ns + 1e6).str(" ns").end()
	w.pause(ns, full)
}

func (w *g1) cycle() {
	ns := w.between(100e6, 300e6)
	w.head("gc          ").str("Concurrent Mark Cycle").end()
	w.head("gc,marking  ").str("Concurrent Mark From Roots").end()
	w.head("gc,task     ").str("Using 2 workers of 2 for marking").end()
	w.now += ns
	w.head("gc,marking  ").str("Concurrent Mark From Roots ").fixed(ns, 1e6, 3).str("ms").end()
	for _, title := range []string{"Pause Remark", "Pause Cleanup"} {
		pause := w.between(500, 9000) * 1e3
		w.head("gc,start    ").str(title).end()
		w.now += pause
		w.close(title, w.heap, w.heap-10, pause, false)
	}
	w.head("gc          ").str("Concurrent Mark Cycle ").fixed(ns+20e6, 1e6, 3).str("ms").end()
	w.id++
}

func (w *g1) full() {
	ns := w.between(200e3, 2000e3) * 1e3
	const title = "Pause Full (G1 Compaction Pause)"
	w.head("gc,start    ").str(title).end()
	w.now += ns
	w.close(title, w.heap, w.heap-50, ns, true)
	w.id++
}
