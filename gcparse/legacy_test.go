package gcparse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tell describes an event in one line, without what is not known of it.
func tell(e *Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v", e.Kind)
	if e.Start.HasUptime {
		fmt.Fprintf(&b, " @%.3f", float64(e.Start.Uptime)/1e9)
	}
	if e.HasDuration {
		fmt.Fprintf(&b, " %.4fs", float64(e.Duration)/1e9)
	}
	fmt.Fprintf(&b, " %q", e.Title)
	for _, word := range []string{e.Collector.String(), e.Generation.String(), e.Cause} {
		if word != "" {
			fmt.Fprintf(&b, " %s", word)
		}
	}
	if names := e.Flags.Names(); len(names) > 0 {
		fmt.Fprintf(&b, " [%s]", strings.Join(names, ", "))
	}
	for _, s := range []struct {
		name string
		Space
	}{{"heap", e.Heap}, {"young", e.Young}, {"old", e.Old}, {"meta", e.Metaspace}} {
		if s.Zero() {
			continue
		}
		fmt.Fprintf(&b, " %s ", s.name)
		if s.HasBefore {
			fmt.Fprintf(&b, "%dK->", s.Before>>10)
		}
		fmt.Fprintf(&b, "%dK", s.After>>10)
		if s.HasCapacity {
			fmt.Fprintf(&b, "(%dK)", s.Capacity>>10)
		}
	}
	if e.HasPromoted {
		fmt.Fprintf(&b, " promoted %dK", e.Promoted>>10)
	}
	if e.HasCPU {
		fmt.Fprintf(&b, " cpu %.2f+%.2f/%.2f", float64(e.User)/1e9, float64(e.Sys)/1e9, float64(e.Real)/1e9)
	}
	if e.HasTimeToSafepoint {
		fmt.Fprintf(&b, " reach %.4fs", float64(e.TimeToSafepoint)/1e9)
	}
	if e.HasID {
		fmt.Fprintf(&b, " #%d", e.ID)
	}
	if e.Workers > 0 {
		fmt.Fprintf(&b, " workers %d", e.Workers)
	}
	return b.String()
}

func tellAll(events []Event) []string {
	lines := []string{}
	for i := range events {
		lines = append(lines, tell(&events[i]))
	}
	return lines
}

// lines joins lines of a log.
func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

// legacyTest is a log, the events in it, and how many of its lines are not
// understood.
type legacyTest struct {
	name    string
	log     string
	want    []string
	unknown int64
}

func legacyTests() []legacyTest {
	return []legacyTest{
		{
			name: "verbose:gc alone",
			log: lines("0.101: [GC 2000K->500K(8000K), 0.0125000 secs]",
				"0.202: [Full GC (System.gc())  500K->400K(8000K), 0.0500000 secs]"),
			want: []string{
				`pause @0.101 0.0125s "GC" young heap 2000K->500K(8000K)`,
				`pause @0.202 0.0500s "Full GC" whole System.gc() [full, explicit] heap 500K->400K(8000K)`,
			},
		},
		{
			name: "without any stamps",
			log:  lines("[GC 2000K->500K(8000K), 0.0125000 secs]", "[Full GC 500K->400K(8000K), 0.0500000 secs]"),
			want: []string{
				`pause 0.0125s "GC" young heap 2000K->500K(8000K)`,
				`pause 0.0500s "Full GC" whole [full] heap 500K->400K(8000K)`,
			},
		},
		{
			name: "serial collector that runs into its old generation",
			log: lines("7.5: [GC (Allocation Failure) 7.5: [DefNew (promotion failed) : 900K->900K(1000K), 0.0100000 secs]7.51: " +
				"[Tenured: 3000K->1000K(4000K), 0.2000000 secs] 3900K->1000K(5000K), [Metaspace: 50K->50K(1024K)], 0.2100000 secs] " +
				"[Times: user=0.20 sys=0.01, real=0.21 secs]"),
			want: []string{
				`pause @7.500 0.2100s "GC" Serial whole Allocation Failure [full, promotion failed, allocation failure] ` +
					`heap 3900K->1000K(5000K) young 900K->900K(1000K) old 3000K->1000K(4000K) meta 50K->50K(1024K) cpu 0.20+0.01/0.21`,
			},
		},
		{
			name: "parallel collector with promotion from the sizes, and a failed one",
			log: lines("1.000: [GC (Allocation Failure) [PSYoungGen: 1000K->100K(1200K)] 3000K->2300K(5200K), 0.0100000 secs] [Times: user=0.04 sys=0.00, real=0.01 secs]",
				"2.000: [GC-- [PSYoungGen: 1000K->1000K(1200K)] 5000K->5100K(5200K), 0.3000000 secs]"),
			want: []string{
				`pause @1.000 0.0100s "GC" Parallel young Allocation Failure [allocation failure] heap 3000K->2300K(5200K) young 1000K->100K(1200K) old 2000K->2200K(4000K) promoted 200K cpu 0.04+0.00/0.01`,
				`pause @2.000 0.3000s "GC" Parallel young [promotion failed] heap 5000K->5100K(5200K) young 1000K->1000K(1200K) old 4000K->4100K(4000K) promoted 100K`,
			},
		},
		{
			name: "the runtime's own limit, inside the event and on its own line",
			log: lines("1.000: [Full GC [PSYoungGen: 9K->9K(10K)] [ParOldGen: 90K->90K(90K)] 99K->99K(100K) [PSPermGen: 5K->5K(9K)]\tGC time is exceeding GCTimeLimit of 98%",
				", 2.5000000 secs]",
				"4.000: [Full GC [PSYoungGen: 9K->9K(10K)] [ParOldGen: 90K->90K(90K)] 99K->99K(100K) [PSPermGen: 5K->5K(9K)], 2.0000000 secs]",
				"GC time would exceed GCTimeLimit of 98%"),
			want: []string{
				`pause @1.000 2.5000s "Full GC" Parallel whole [full, time limit] heap 99K->99K(100K) young 9K->9K(10K) old 90K->90K(90K) meta 5K->5K(9K)`,
				`pause @4.000 2.0000s "Full GC" Parallel whole [full, time limit] heap 99K->99K(100K) young 9K->9K(10K) old 90K->90K(90K) meta 5K->5K(9K)`,
			},
		},
		{
			name: "adaptive sizing glued to the name, tenuring table, reference times",
			log: lines("3.000: [GCAdaptiveSizePolicy::compute_survivor_space_size_and_thresh:  survived: 52  promoted: 8192  overflow: falseAdaptiveSizeStart: 3.1 collection: 4 ",
				"Desired survivor size 1048576 bytes, new threshold 7 (max 15)",
				"- age   1:     100000 bytes,     100000 total",
				"- age   2:      50000 bytes,     150000 total",
				"3.05: [SoftReference, 0 refs, 0.0000100 secs]3.05: [WeakReference, 4 refs, 0.0000100 secs]AdaptiveSizeStop: collection: 4 ",
				" [PSYoungGen: 1000K->100K(1200K)] 3000K->2300K(5200K), 0.0300000 secs]"),
			want: []string{
				`pause @3.000 0.0300s "GC" Parallel young heap 3000K->2300K(5200K) young 1000K->100K(1200K) old 2000K->2200K(4000K) promoted 200K`,
			},
		},
		{
			name: "a concurrent phase ends inside a concurrent mode failure",
			log: lines("100.000: [GC 100.000: [ParNew (promotion failed): 900K->900K(1000K), 0.5000000 secs]100.500: [CMS2015-02-03T10:00:00.500+0100: 103.000: "+
				"[CMS-concurrent-sweep: 2.400/2.500 secs] [Times: user=5.00 sys=0.10, real=2.50 secs]",
				" (concurrent mode failure): 7000K->2000K(8000K), 120.5000000 secs] 7900K->2000K(9000K), [CMS Perm : 50K->50K(90K)], 121.0000000 secs] [Times: user=121.00 sys=0.10, real=121.01 secs]"),
			want: []string{
				`concurrent @100.500 2.5000s "CMS-concurrent-sweep" CMS old cpu 5.00+0.10/2.50`,
				`pause @100.000 121.0000s "GC" CMS whole [full, promotion failed, concurrent mode failure, interleaved] heap 7900K->2000K(9000K) young 900K->900K(1000K) old 7000K->2000K(8000K) meta 50K->50K(90K) cpu 121.00+0.10/121.01`,
			},
		},
		{
			name: "a young collection inside a remark counts once",
			log: lines("5.000: [GC[YG occupancy: 400 K (1000 K)]5.001: [GC 5.001: [ParNew: 400K->40K(1000K), 0.0300000 secs] 4400K->4050K(9000K), 0.0310000 secs] [Times: user=0.06 sys=0.00, real=0.03 secs] ",
				"5.032: [Rescan (parallel) , 0.0100000 secs]5.042: [weak refs processing, 0.0010000 secs] [1 CMS-remark: 4010K(8000K)] 4050K(9000K), 0.0500000 secs] [Times: user=0.10 sys=0.00, real=0.05 secs] "),
			want: []string{
				`pause @5.001 0.0310s "GC" CMS young [nested] heap 4400K->4050K(9000K) young 400K->40K(1000K) old 4000K->4010K(8000K) promoted 10K cpu 0.06+0.00/0.03`,
				`pause @5.000 0.0500s "CMS-remark" CMS old heap 4050K(9000K) old 4010K(8000K) cpu 0.10+0.00/0.05`,
			},
		},
		{
			name: "class histograms, whose rows have brackets of their own",
			log: lines("9.000: [Full GC 9.000: [Class Histogram:",
				" num     #instances         #bytes  class name",
				"----------------------------------------------",
				"   1:       2050241     4701812112  [Ljava.lang.Object;",
				"   2:            12            384  [[C",
				"Total       2050253     4701812496",
				", 4.0000000 secs]",
				"13.000: [CMS: 700K->200K(800K), 6.0000000 secs]19.000: [Class Histogram",
				"   1:             1             16  [B",
				", 1.0000000 secs]",
				" 790K->200K(900K), [CMS Perm : 5K->5K(9K)], 11.0000000 secs] [Times: user=11.00 sys=0.00, real=11.00 secs]",
				"30.000: [GC 30.000: [ParNew: 90K->9K(100K), 0.0100000 secs] 290K->210K(900K), 0.0100000 secs]"),
			want: []string{
				`pause @9.000 11.0000s "Full GC" CMS whole [full] heap 790K->200K(900K) old 700K->200K(800K) meta 5K->5K(9K) cpu 11.00+0.00/11.00`,
				`pause @30.000 0.0100s "GC" CMS young heap 290K->210K(900K) young 90K->9K(100K) old 200K->201K(800K) promoted 1K`,
			},
		},
		{
			name: "free list statistics before and after",
			log: lines("2.000: [GCBefore GC:", "Statistics for BinaryTreeDictionary:", "------------------------------------",
				"Total Free Space: 7289486", "Av.  Block  Size: 177792",
				"2.001: [ParNew: 400K->40K(1000K), 0.0200000 secs] 400K->240K(9000K)After GC:", "Total Free Space: 7289486", ", 0.0250000 secs]"),
			want: []string{`pause @2.000 0.0250s "GC" ParNew young heap 400K->240K(9000K) young 400K->40K(1000K) old 0K->200K(8000K) promoted 200K`},
		},
		{
			name: "G1 with markers in any order, sizes and times on later lines",
			log: lines("2016-01-02T03:04:05.678+0100: 84.653: [GC pause (G1 Humongous Allocation) (young) (to-space exhausted) (initial-mark), 0.0058000 secs]",
				"   [Parallel Time: 2.4 ms, GC Workers: 8]",
				"      [GC Worker Start (ms): Min: 84652.9, Avg: 84652.9, Max: 84653.0, Diff: 0.1]",
				"   [Eden: 1024.0K(2048.0K)->0.0B(3072.0K) Survivors: 0.0B->1024.0K Heap: 10.0M(20.0M)->9.0M(20.0M)]",
				" [Times: user=0.03 sys=0.00, real=0.01 secs] "),
			want: []string{
				`pause @84.653 0.0058s "GC pause (young)" G1 young G1 Humongous Allocation [to-space exhausted, humongous, initial mark] heap 10240K->9216K(20480K) young 1024K->1024K(4096K) old 9216K->8192K(16384K) cpu 0.03+0.00/0.01 workers 8`,
			},
		},
		{
			name: "G1 full collection with a concurrent phase inside",
			log: lines("35911.404: [Full GC (Allocation Failure)35911.405: [GC concurrent-root-region-scan-end, 0.0127000 secs]",
				"35911.405: [GC concurrent-mark-start]", " 21G->20G(22G), 40.6000000 secs]",
				"   [Eden: 0.0B(1024.0M)->0.0B(1024.0M) Survivors: 0.0B->0.0B Heap: 21.0G(22.0G)->20.0G(22.0G)], [Metaspace: 12K->12K(2048K)]",
				" [Times: user=56.30 sys=1.70, real=40.60 secs]"),
			want: []string{
				`concurrent @35911.392 0.0127s "GC concurrent-root-region-scan" G1 old`,
				`pause @35911.404 40.6000s "Full GC" G1 whole Allocation Failure [full, allocation failure, interleaved] heap 22020096K->20971520K(23068672K) young 0K->0K(1048576K) old 22020096K->20971520K(22020096K) meta 12K->12K(2048K) cpu 56.30+1.70/40.60`,
			},
		},
		{
			name: "G1 remark, cleanup and evacuation failure",
			log: lines("1.000: [GC remark 1.001: [Finalize Marking, 0.0010000 secs] 1.002: [GC ref-proc, 0.0020000 secs] 1.004: [Unloading, 0.0030000 secs], 0.0070000 secs]",
				" [Times: user=0.02 sys=0.00, real=0.01 secs] ",
				"1.010: [GC cleanup 30M->20M(40M), 0.0010000 secs]",
				"2.000: [GC pause (young)-- 39M->38M(40M), 0.1000000 secs]"),
			want: []string{
				`pause @1.000 0.0070s "GC remark" G1 old cpu 0.02+0.00/0.01`,
				`pause @1.010 0.0010s "GC cleanup" G1 old heap 30720K->20480K(40960K)`,
				`pause @2.000 0.1000s "GC pause (young)" G1 young [evacuation failure] heap 39936K->38912K(40960K)`,
			},
		},
		{
			name: "decimal commas, stopped and application time",
			log: lines("2014-06-18T11:24:16.819+0200: 215,793: Application time: 0,5001290 seconds",
				"2014-06-18T11:24:16.820+0200: 215,794: [GC pause (young), 0,0854230 secs]",
				"   [Eden: 2,0M(2,0M)->0,0B(2,0M) Survivors: 0,0B->0,0B Heap: 4,5M(8,0M)->2,5M(8,0M)]",
				" [Times: user=0,87 sys=0,00, real=0,08 secs]",
				"2014-06-18T11:24:16.910+0200: 215,884: Total time for which application threads were stopped: 0,0905300 seconds, Stopping threads took: 0,0010000 seconds"),
			want: []string{
				`pause @215.794 0.0854s "GC pause (young)" G1 young heap 4608K->2560K(8192K) young 2048K->0K(2048K) old 2560K->2560K(6144K) cpu 0.87+0.00/0.08`,
				`safepoint @215.793 0.0905s "application threads stopped" G1 reach 0.0010s`,
			},
		},
		{
			name: "a sentence inside a stamp",
			log:  lines("725.000: Application time: 0.4000000 seconds", "725.583Application time: 0.5001290 seconds", ": [GC pause (young) 20M->10M(30M), 0.0200000 secs]"),
			want: []string{`pause @725.583 0.0200s "GC pause (young)" G1 young heap 20480K->10240K(30720K)`},
		},
		{
			name: "promotion failures of single workers, a locker's line between",
			log: lines("8.000: [GC 8.000: [ParNew (0: promotion failure size = 4098)  (2: promotion failure size = 12)  (promotion failed): 900K->900K(1000K), 0.5000000 secs]"+
				"GC locker: Trying a full collection because scavenge failed", "8.500: [Full GC 8.500: [CMS8.600: [CMS-concurrent-sweep: 0.100/0.100 secs] ",
				" (concurrent mode failure): 7000K->2000K(8000K), 64.0000000 secs] 7900K->2000K(9000K), [CMS Perm : 50K->50K(90K)], 64.5000000 secs] [Times: user=64.00 sys=0.10, real=64.51 secs]"),
			want: []string{
				`pause @8.000 0.5000s "GC" ParNew young [promotion failed, duration derived] young 900K->900K(1000K)`,
				`concurrent @8.500 0.1000s "CMS-concurrent-sweep" CMS old`,
				`pause @8.500 64.5000s "Full GC" CMS whole [full, concurrent mode failure, interleaved] heap 7900K->2000K(9000K) old 7000K->2000K(8000K) meta 50K->50K(90K) cpu 64.00+0.10/64.51`,
			},
			unknown: 1,
		},
		{
			name: "scavenge before remark without details",
			log: lines("5.000: [GC (CMS Final Remark) 5.001: [GC (CMS Final Remark)  4400K->4050K(9000K), 0.0310000 secs] 4050K(9000K), 0.0500000 secs]",
				"6.000: [GC 6.001: [GC 4400K->4050K(9000K), 0.0310000 secs] 4050K(9000K), 0.0500000 secs]"),
			want: []string{
				`pause @5.001 0.0310s "GC" young CMS Final Remark [nested] heap 4400K->4050K(9000K)`,
				`pause @5.000 0.0500s "GC" CMS old CMS Final Remark heap 4050K(9000K)`,
				`pause @6.001 0.0310s "GC" CMS young [nested] heap 4400K->4050K(9000K)`,
				`pause @6.000 0.0500s "GC" CMS young heap 4050K(9000K)`,
			},
		},
		{
			name: "incremental collection and the eden columns of JDK 1.3",
			log:  lines("1.000: [Inc GC 2000K->1500K(8000K), 0.0125000 secs]", "[GC 2000K->500K(8000K) eden 90K, 0.0200000 secs]"),
			want: []string{`pause @1.000 0.0125s "Inc GC" old heap 2000K->1500K(8000K)`, `pause @1.000 0.0200s "GC" young heap 2000K->500K(8000K)`},
		},
		{
			name: "collection numbers",
			log:  lines("1.000: #7: [GC (Allocation Failure) 1.000: #7: [ParNew: 90K->9K(100K), 0.0100000 secs] 290K->210K(900K), 0.0110000 secs]"),
			want: []string{`pause @1.000 0.0110s "GC" ParNew young Allocation Failure [allocation failure] heap 290K->210K(900K) young 90K->9K(100K) old 200K->201K(800K) promoted 1K #7`},
		},
		{
			name: "Shenandoah of JDK 8",
			log: lines("1.000: [Pause Init Mark, start]", "1.000: [Pause Init Mark, 0.500 ms]", "1.010: [Concurrent marking, 9.000 ms]",
				"1.020: [Pause Degenerated GC (Mark) 90M->40M(100M), 20.000 ms]"),
			want: []string{
				`pause @1.000 0.0005s "Pause Init Mark" Shenandoah old`,
				`concurrent @1.001 0.0090s "Concurrent marking" Shenandoah`,
				`pause @1.020 0.0200s "Pause Degenerated GC" Shenandoah old Mark [degenerated] heap 92160K->40960K(102400K)`,
			},
		},
		{
			name: "an event that never closes gives way to the next, and keeps what it told",
			log: lines("1.000: [GC 1.000: [ParNew: 90K->9K(100K), 0.0100000 secs] 290K->210K(900K), 0.7000000 secs",
				"2.000: [GC 2.000: [ParNew: 90K->9K(100K), 0.0100000 secs] 290K->210K(900K), 0.0200000 secs]",
				"3.000: [Full GC 3.000: [CMS: 90K->",
				"4.000: [GC 4.000: [ParNew: 90K->9K(100K), 0.0100000 secs] 290K->210K(900K), 0.0300000 secs]"),
			want: []string{
				`pause @1.000 0.7000s "GC" ParNew young heap 290K->210K(900K) young 90K->9K(100K) old 200K->201K(800K) promoted 1K`,
				`pause @2.000 0.0200s "GC" ParNew young heap 290K->210K(900K) young 90K->9K(100K) old 200K->201K(800K) promoted 1K`,
				`pause @4.000 0.0300s "GC" ParNew young heap 290K->210K(900K) young 90K->9K(100K) old 200K->201K(800K) promoted 1K`,
			},
			unknown: 2,
		},
		{
			name: "the log ends in a collection",
			log:  lines("1.000: [Full GC (Allocation Failure) 1.000: [CMS1.500: [CMS-concurrent-mark: 2.1/2.2 secs] [Times: user=2.18 sys=0.00, real=2.18 secs]"),
			want: []string{`concurrent @-0.700 2.2000s "CMS-concurrent-mark" CMS old cpu 2.18+0.00/2.18`},
		},
		{
			name: "dialects that are known by sight only",
			log: lines("<GC: 1 3 12.500 40 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 >",
				"[INFO ][memory ] [YC#1] 1.028-1.077: YC 33232KB->33774KB (65536KB), 0.049 s, sum of pauses 48.474 ms, longest pause 48.474 ms."),
			want:    []string{},
			unknown: 2,
		},
		{
			name:    "the dialect of JDK 1.2.2 among others",
			log:     lines("1.000: [GC 2000K->500K(8000K), 0.0125000 secs]", "<GC: managing allocation failure: need 1032 bytes, type=1, action=1>"),
			want:    []string{`pause @1.000 0.0125s "GC" young heap 2000K->500K(8000K)`},
			unknown: 1,
		},
	}
}

func TestLegacy(t *testing.T) {
	for _, tt := range legacyTests() {
		t.Run(tt.name, func(t *testing.T) {
			events, res := parse(t, tt.log)
			if diff := cmp.Diff(tt.want, tellAll(events)); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if got := res.Ledger.Unknown(); got != tt.unknown {
				t.Errorf("%d unknown lines, want %d: %v", got, tt.unknown, res.Ledger.Shapes)
			}
		})
	}
}
