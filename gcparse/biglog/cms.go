package biglog

import (
	"io"
	"strconv"
	"time"
)

// CMS writes a log as JDK 8 does with ParNew and CMS, -XX:+PrintGCDetails,
// -XX:+PrintGCDateStamps, -XX:+PrintTenuringDistribution and
// -XX:+PrintGCApplicationStoppedTime, of at least size bytes.
func CMS(to io.Writer, size int64, seed uint64) (Truth, error) {
	w := &cms{writer: newWriter(to, seed), epoch: time.Date(2020, 3, 1, 8, 0, 0, 0, time.UTC)}
	w.str("Java HotSpot(TM) 64-Bit Server VM (25.45-b02) for linux-amd64 JRE (1.8.0_45-b14), built on Apr 10 2015 10:07:45 by \"java_re\" with gcc 4.3.0").end()
	w.str("Memory: 4k page, physical 32872400k(1234567k free), swap 0k(0k free)").end()
	w.str("CommandLine flags: -XX:+UseConcMarkSweepGC -XX:+UseParNewGC").end()
	for n := int64(0); w.truth.Bytes < size && w.err == nil; n++ {
		w.now += w.between(50e6, 900e6)
		switch {
		case n%300 == 299:
			w.failure()
		case n%30 == 29:
			w.cycle()
		default:
			w.parNew()
		}
	}
	return w.finish()
}

type cms struct {
	*writer
	epoch  time.Time
	minute int64  // of the date that is formatted
	date   []byte // up to the minute
}

// stamp writes the date and uptime before an event.
func (w *cms) stamp() *writer {
	if m := w.now / 60e9; m != w.minute || w.date == nil {
		w.minute = m
		w.date = w.epoch.Add(time.Duration(m)*time.Minute).AppendFormat(w.date[:0], "2006-01-02T15:04:")
	}
	w.buf = append(w.buf, w.date...)
	ms := w.now / 1e6 % 60e3
	if ms < 10e3 {
		w.buf = append(w.buf, '0')
	}
	w.fixed(ms, 1e3, 3).str("+0000: ")
	return w.fixed(w.now, 1e9, 3).str(": ")
}

// times writes the end of an event.
func (w *cms) times(ns int64) {
	w.str(", ").fixed(ns, 1e9, 7).str(" secs] [Times: user=").fixed(ns*4, 1e9, 2).str(" sys=0.01, real=").
		fixed(ns, 1e9, 2).str(" secs] ").end()
}

func (w *cms) stopped(ns int64) {
	w.now += ns
	w.stamp().str("Total time for which application threads were stopped: ").fixed(ns+300e3, 1e9, 7).
		str(" seconds, Stopping threads took: 0.0001234 seconds").end()
}

func (w *cms) parNew() {
	ns := w.between(5e3, 900e3) * 100
	old := w.between(400_000, 900_000)
	w.stamp().str("[GC (Allocation Failure) ")
	w.stamp().str("[ParNew").end()
	w.str("Desired survivor size 53673984 bytes, new threshold 6 (max 6)").end()
	var sum int64
	for age := range int64(6) {
		bytes := w.between(100_000, 9_000_000)
		sum += bytes
		w.str("- age   ").num(age + 1).str(":   ").num(bytes).str(" bytes,   ").num(sum).str(" total").end()
	}
	w.str(": 943744K->").num(w.between(20_000, 104_000)).str("K(943744K), ").fixed(ns-20e3, 1e9, 7).str(" secs] ").
		num(943744 + old).str("K->").num(old + 60_000).str("K(3040896K)")
	w.times(ns)
	w.pause(ns, false)
	w.stopped(ns)
}

func (w *cms) cycle() {
	ns := w.between(1e6, 90e6) / 100 * 100
	w.stamp().str("[GC (CMS Initial Mark) [1 CMS-initial-mark: 800000K(2097152K)] 900000K(3040896K)")
	w.times(ns)
	w.pause(ns, false)
	w.stopped(ns)
	for _, phase := range []string{"mark", "preclean", "abortable-preclean"} {
		w.stamp().str("[CMS-concurrent-" + phase + "-start]").end()
		length := w.between(50e6, 900e6)
		w.now += length
		w.stamp().str("[CMS-concurrent-"+phase+": ").fixed(length, 1e9, 3).str("/").fixed(length, 1e9, 3).
			str(" secs] [Times: user=0.30 sys=0.02, real=0.30 secs] ").end()
	}
	ns = w.between(5e6, 300e6) / 100 * 100
	w.stamp().str("[GC (CMS Final Remark) [YG occupancy: 400000 K (943744 K)]")
	w.stamp().str("[Rescan (parallel) , 0.0100000 secs]")
	w.stamp().str("[weak refs processing, 0.0001000 secs]")
	w.stamp().str("[class unloading, 0.0100000 secs]")
	w.stamp().str("[scrub symbol table, 0.0050000 secs]")
	w.stamp().str("[scrub string table, 0.0010000 secs][1 CMS-remark: 800000K(2097152K)] 1200000K(3040896K)")
	w.times(ns)
	w.pause(ns, false)
	w.stopped(ns)
	w.stamp().str("[CMS-concurrent-sweep-start]").end()
	w.now += 300e6
	w.stamp().str("[CMS-concurrent-sweep: 0.300/0.300 secs] [Times: user=0.30 sys=0.02, real=0.30 secs] ").end()
}

// failure is a concurrent mode failure with a concurrent phase's line inside.
func (w *cms) failure() {
	ns := w.between(1e9, 20e9) / 100 * 100
	w.stamp().str("[GC (Allocation Failure) ")
	w.stamp().str("[ParNew (promotion failed): 943744K->943744K(943744K), 0.5000000 secs]")
	w.stamp().str("[CMS")
	w.stamp().str("[CMS-concurrent-mark: 1.000/1.200 secs] [Times: user=2.30 sys=0.02, real=1.20 secs] ").end()
	w.str(" (concurrent mode failure): 2000000K->"+strconv.Itoa(900000)+"K(2097152K), ").fixed(ns-600e6, 1e9, 7).
		str(" secs] 2900000K->900000K(3040896K), [Metaspace: 50000K->50000K(1095680K)]")
	w.times(ns)
	w.pause(ns, true)
	w.stopped(ns)
}
