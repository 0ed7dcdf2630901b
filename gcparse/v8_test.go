package gcparse

import (
	"fmt"
	"strings"
	"testing"
)

// v8Tests has a log for every version of the format and for what happens to it.
func v8Tests() []traceTest {
	return []traceTest{{
		name: "Node 0.10 and 0.12: callbacks before the pause, causes in brackets",
		log: "[4711]     1200 ms: Scavenge 10.5 (40.0) -> 9.5 (41.0) MB, 3.5 ms [allocation failure].\n" +
			"[4711]     1300 ms: Mark-sweep 30.0 (60.0) -> 20.5 (61.0) MB, 12 / 40.5 ms [Runtime::PerformGC] [GC in old space requested].\n" +
			"[4711]     1400 ms: Mark-compact 31.0 (60.0) -> 20.0 (50.0) MB, 70.0 ms [last resort gc].\n",
		want: []string{
			`pause Scavenge @1196.5ms 3.5ms 10.5M->9.5M(?) "allocation failure" [allocation failure]`,
			`pause Mark-sweep @1259.5ms 40.5ms 30M->20.5M(?) "Runtime::PerformGC; GC in old space requested" [full]`,
			`pause Mark-compact @1330ms 70ms 31M->20M(?) "last resort gc" [full last resort compacting]`,
		},
	}, {
		name: "Node 4: the pause before callbacks; young collections tell of steps that the old one sums up",
		log: "[4711:0x2a10]     2000 ms: Scavenge 50.0 (90.0) -> 48.0 (90.0) MB, 2.5 / 0 ms (+ 6.0 ms in 3 steps since last GC) [allocation failure].\n" +
			"[4711:0x2a10]     2100 ms: Scavenge 52.0 (90.0) -> 49.0 (90.0) MB, 2.5 / 0 ms (+ 4.0 ms in 2 steps since last GC) [allocation failure].\n" +
			"[4711:0x2a10]     2200 ms: Mark-sweep 53.0 (91.0) -> 40.0 (91.0) MB, 8.0 / 1 ms (+ 15.0 ms in 9 steps since start of marking, biggest step 2.0 ms) [GC interrupt] [GC in old space requested].\n" +
			"[4711:0x2a10]     2300 ms: Mark-sweep 53.0 (91.0) -> 40.0 (91.0) MB, 8.0 / 1 ms (+ 5.0 ms in 3 steps since start of marking, biggest step 2.0 ms) [GC interrupt] [GC in old space requested].\n",
		want: []string{
			`pause Scavenge @1997.5ms 2.5ms +6ms in 3 50M->48M(?) "allocation failure" [allocation failure]`,
			`pause Scavenge @2097.5ms 2.5ms +4ms in 2 52M->49M(?) "allocation failure" [allocation failure]`,
			`pause Mark-sweep @2192ms 8ms +5ms in 9 53M->40M(?) "GC interrupt; GC in old space requested"`,
			`pause Mark-sweep @2292ms 8ms +5ms in 3 53M->40M(?) "GC interrupt; GC in old space requested"`,
		},
	}, {
		name: "Node 8: causes without anything between them",
		log:  "[4711:0x3d1ab40]      900 ms: Mark-sweep 25.2 (40.0) -> 20.1 (41.5) MB, 3.2 / 0.0 ms  (+ 21.3 ms in 40 steps since start of marking, biggest step 3.1 ms, walltime since start of marking 77 ms) finalize incremental marking via stack guard GC in old space requested\n",
		want: []string{`pause Mark-sweep @896.8ms 3.2ms +21.3ms in 40 25.2M->20.1M(?) "finalize incremental marking via stack guard GC in old space requested"`},
	}, {
		name: "Node 10 to 16: shares of time; only those of old collections are new",
		log: "[4711:0x3d1ab40]     1000 ms: Scavenge 25.0 (40.0) -> 24.0 (41.0) MB, 1.5 / 0.0 ms  (average mu = 0.900, current mu = 0.800) allocation failure \n" +
			"[4711:0x3d1ab40]     1100 ms: Mark-sweep (reduce) 26.0 (41.0) -> 20.0 (30.0) MB, 30.5 / 0.5 ms  (average mu = 0.650, current mu = 0.400) last resort GC in old space requested\n",
		want: []string{
			`pause Scavenge @998.5ms 1.5ms 25M->24M(?) "allocation failure" [allocation failure]`,
			`pause Mark-sweep (reduce) @1069.5ms 30.5ms 26M->20M(?) mu 0.4 "last resort GC in old space requested" [full last resort compacting]`,
		},
	}, {
		name: "Node 18 and 20: a semicolon between causes",
		log: "[4711:0x3d1ab40]       50 ms: Mark-Compact 10.5 (11.5) -> 10.0 (12.5) MB, 32.50 / 0.25 ms  (average mu = 1.000, current mu = 1.000) testing; GC in old space requested\n" +
			"[4711:0x3d1ab40]       90 ms: Scavenge 10.5 (11.5) -> 10.0 (12.5) MB, 2.50 / 0.00 ms  (average mu = 1.000, current mu = 1.000) task; \n",
		want: []string{
			`pause Mark-Compact @17.5ms 32.5ms 10.5M->10M(?) mu 1 "testing; GC in old space requested" [full explicit]`,
			`pause Scavenge @87.5ms 2.5ms 10.5M->10M(?) "task"`,
		},
	}, {
		name: "Node 22 and later: pooled memory, young collections while sweeping, minor mark-sweep",
		log: "[4711:0x3d1ab40]      100 ms: Scavenge (during sweeping) 20.0 (30.0) -> 19.0 (31.0) MB, pooled: 2.5 MB, 1.25 / 0.00 ms (average mu = 0.950, current mu = 0.950) task; \n" +
			"[4711:0x3d1ab40]      200 ms: Minor Mark-Sweep 20.0 (30.0) -> 19.0 (31.0) MB, pooled: 0.0 MB, 4.50 / 0.00 ms (average mu = 0.950, current mu = 0.950) allocation failure; \n",
		want: []string{
			`pause Scavenge (during sweeping) @98.75ms 1.25ms 20M->19M(?) "task"`,
			`pause Minor Mark-Sweep @195.5ms 4.5ms 20M->19M(?) "allocation failure" [allocation failure]`,
		},
	}, {
		name: "addresses of Windows, other traces, and the program between",
		log: "server listening on 8080\n[4711:000001E2A3B4C5D0] Shrinking page 0x15ef7ef40000: end 0x15ef7ef80000 -> 0x15ef7ef4d000\n" +
			"[4711:000001E2A3B4C5D0]       61 ms: Scavenge 4.0 (5.0) -> 3.5 (5.0) MB, 3.50 / 0.00 ms  (average mu = 1.000, current mu = 1.000) task; \n" +
			"[4711:000001E2A3B4C5D0] Memory allocator,       used:   5096 KB, available: 4238360 KB\n" +
			"[4711:000001E2A3B4C5D0]       70 ms: [HeapController] Limit: old size: 9 KB, new limit: 12 KB (1.5)\n" +
			"[17] not of the collector\n",
		want: []string{`pause Scavenge @57.5ms 3.5ms 4M->3.5M(?) "task"`},
	}, {
		name: "a title that is known and a line that is not",
		log: "[4711:0x3d1ab40]       61 ms: Scavenge 4.0 (5.0) -> 3.5 (5.0) MB, 3.50 / 0.00 ms  (average mu = 1.000, current mu = 1.000) task; \n" +
			"[4711:0x3d1ab40]       71 ms: Scavenge 4.0 megabytes\n",
		want:    []string{`pause Scavenge @57.5ms 3.5ms 4M->3.5M(?) "task"`},
		unknown: 1,
	}, {
		name: "names and values: Node 4",
		log: "[4711:0x2a10] [I:0x2a10]      300 ms: pause=2.5 mutator=90.1 gc=s external=0.0 mark=0.0 total_size_before=5242880 total_size_after=4194304 promoted=524288 promotion_ratio=10.5% steps_count=2 steps_took=3.0 scavenge_throughput=100\n" +
			"[4711:0x2a10] [I:0x2a10]      400 ms: pause=9.5 mutator=90.1 gc=ms external=0.0 mark=5.0 total_size_before=5242880 total_size_after=4194304 steps_count=7 steps_took=10.0 longest_step=4.0\n",
		want: []string{
			"pause Scavenge @297.5ms 2.5ms +3ms in 2 5M->4M(?) promoted 0.5M",
			"pause Mark-Compact @390.5ms 9.5ms +7ms in 7 5M->4M(?)",
		},
	}, {
		name: "names and values: Node 8 to 22",
		log: "[4711:0x3d1ab40]      300 ms: pause=2.5 mutator=90.1 gc=s reduce_memory=0 time_to_safepoint=0.01 scavenge=0.78 incremental.steps_count=3 incremental.steps_took=5.5 total_size_before=5242880 total_size_after=4194304 promoted=0 unmapper_chunks=0\n" +
			"[4711:0x3d1ab40]      400 ms: pause=9.5 mutator=90.1 gc=mc reduce_memory=1 incremental=7.5 incremental.sweeping=1.0 incremental_longest_step=0.2 incremental_steps_count=4 incremental_walltime_duration=90 total_size_before=5242880 total_size_after=4194304 promoted=0 compaction_speed=677977\n" +
			"[4711:0x3d1ab40]      500 ms: pause=9.5 mutator=90.1 gc=mc reduce_memory=0 incremental=0.0 incremental_steps_count=0 incremental_walltime_duration=0 total_size_before=5242880 total_size_after=4194304\n",
		want: []string{
			"pause Scavenge @297.5ms 2.5ms 5M->4M(?) promoted 0M",
			"pause Mark-Compact (reduce) @390.5ms 9.5ms +7.5ms in 4 5M->4M(?) promoted 0M [compacting]",
			"pause Mark-Compact @490.5ms 9.5ms 5M->4M(?) [full]",
		},
	}, {
		name: "names and values: JSON",
		log:  `[4711:0x3d1ab40]      300 ms: GC: {"pause":2.5,"mutator":90.1,"gc":"mc","reduce_memory":false,"stack":true,"reason":"testing","collector_reason":"GC in old space requested","start_object_size":5242880,"end_object_size":4194304,"promoted":0,"incremental":0,"incremental_steps_count":0}` + "\n",
		want: []string{`pause Mark-Compact @297.5ms 2.5ms 5M->4M(?) promoted 0M "testing; GC in old space requested" [full explicit]`},
	}, {
		name: "every isolate is a run, and one at an old address with a lower clock another",
		log: v8Scavenged(0x1000, 100) + v8Scavenged(0x2000, 40) + v8Scavenged(0x1000, 200) + v8Scavenged(0x2000, 140) +
			v8Scavenged(0x2000, 20),
		want: []string{v8Said(100, 0), v8Said(40, 1), v8Said(200, 0), v8Said(140, 1), v8Said(20, 2)},
		runs: 3,
	}}
}

// v8Scavenged is the line of a young collection that ended at ms.
func v8Scavenged(isolate, ms int) string {
	return fmt.Sprintf("[4711:0x%x] %8d ms: Scavenge 4.0 (5.0) -> 3.5 (5.0) MB, 3.50 / 0.00 ms  (average mu = 1.000, current mu = 1.000) task; \n", isolate, ms)
}

func v8Said(ms, run int) string {
	said := fmt.Sprintf(`pause Scavenge @%gms 3.5ms 4M->3.5M(?) "task"`, float64(ms)-3.5)
	if run > 0 {
		said += fmt.Sprintf(" run %d", run)
	}
	return said
}

func TestV8(t *testing.T) {
	for _, tt := range v8Tests() {
		t.Run(tt.name, func(t *testing.T) { tt.run(t) })
	}
}

// A process that dies of a full heap says its last words twice at most, and they
// are taken once, wherever they stand.
func TestV8LastWords(t *testing.T) {
	const end = "\n<--- JS stacktrace --->\n\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n 1: 0xb78db3 node::Abort() [node]\n"
	full := `[4711:0x1000]      300 ms: Mark-Compact (reduce) 40.0 (50.0) -> 39.5 (50.0) MB, 60.50 / 0.00 ms  (+ 20.5 ms in 7 steps since start of marking, biggest step 10.1 ms, walltime since start of marking 140 ms) (average mu = 0.250, current mu = 0.125) finalize incremental marking via stack guard; GC in old space requested` + "\n"
	saidFull := `pause Mark-Compact (reduce) @239.5ms 60.5ms +20.5ms in 7 40M->39.5M(?) mu 0.125 "finalize incremental marking via stack guard; GC in old space requested" [compacting]`
	saidCut := `pause Mark-Compact (reduce) @239.5ms 60.5ms +20.5ms in 7 40M->39.5M(?) mu 0.125 [compacting]`
	dead := `occupancy heap out of memory @300ms ?->39.5M(?) "Reached heap limit Allocation failed" [last resort]`
	cut := full[:255]
	tests := []traceTest{{
		name: "printed before",
		log:  v8Scavenged(0x1000, 100) + v8Scavenged(0x1000, 200) + full + "\n<--- Last few GCs --->\n\n" + v8Scavenged(0x1000, 200) + cut + "\n" + end,
		want: []string{v8Said(100, 0), v8Said(200, 0), saidFull, dead},
	}, {
		name: "the only ones",
		log:  "app started\n\n<--- Last few GCs --->\n\n" + v8Scavenged(0x1000, 200) + full + "\n" + end,
		want: []string{v8Said(200, 0), saidFull, dead},
	}, {
		name: "cut at both ends and glued",
		log:  "<--- Last few GCs --->\nem" + strings.TrimSuffix(v8Scavenged(0x1000, 100), "\n") + cut + "[4711:0x1000]      400 ms: Mark-Co\n" + end,
		want: []string{v8Said(100, 0), saidCut, dead},
	}, {
		name: "printed later, as they come by another pipe",
		log:  v8Scavenged(0x1000, 100) + "<--- Last few GCs --->\n\n" + v8Scavenged(0x1000, 200) + full + end + v8Scavenged(0x1000, 150) + v8Scavenged(0x1000, 200) + full,
		want: []string{v8Said(100, 0), v8Said(200, 0), saidFull, dead, v8Said(150, 0)},
	}, {
		name: "without a prefix, of Node 4 and before",
		log: "[4711]      200 ms: Mark-sweep 30.0 (60.0) -> 20.5 (61.0) MB, 12 / 40.5 ms [last resort gc].\n" +
			"\n<--- Last few GCs --->\n\n     200 ms: Mark-sweep 30.0 (60.0) -> 20.5 (61.0) MB, 12 / 40.5 ms [last resort gc].\n" +
			"     300 ms: Mark-sweep 30.0 (60.0) -> 20.5 (61.0) MB, 12 / 40.5 ms [last resort gc].\n\n<--- JS stacktrace --->\n\n==== JS stack trace ====\n\n" +
			"FATAL ERROR: CALL_AND_RETRY_LAST Allocation failed - process out of memory\n",
		want: []string{
			`pause Mark-sweep @159.5ms 40.5ms 30M->20.5M(?) "last resort gc" [full last resort]`,
			`pause Mark-sweep @259.5ms 40.5ms 30M->20.5M(?) "last resort gc" [full last resort]`,
			`occupancy heap out of memory @300ms ?->20.5M(?) "CALL_AND_RETRY_LAST Allocation failed" [last resort]`,
		},
	}, {
		name: "collecting took all the time",
		log: v8Scavenged(0x1000, 100) + "<--- Last few GCs --->\n\n" + v8Scavenged(0x1000, 100) + "\n<--- JS stacktrace --->\n" +
			"FATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed - JavaScript heap out of memory\n" + v8Scavenged(0x3000, 30),
		want: []string{v8Said(100, 0),
			`occupancy heap out of memory @100ms ?->3.5M(?) "Ineffective mark-compacts near heap limit Allocation failed" [time limit last resort]`,
			v8Said(30, 1)},
		runs: 2,
	}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.run(t) })
	}
}

func FuzzV8(f *testing.F) {
	for _, tt := range v8Tests() {
		f.Add([]byte(tt.log))
	}
	f.Add([]byte("<--- Last few GCs --->\nem[1:0x100] 200 ms: Mark-Compact 1.0 (2.0) -> 1.0 (2.0) MB, 3.0 / 0.0 ms  (+ 1.0 ms in 2 steps since sta[1:0x100] 3 ms: Scav\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		events, res := readOnly(v8Kind, text)
		sound(t, events, res)
		for i := range events {
			if e := &events[i]; e.Collector != V8 || e.Incremental < 0 || e.Count < 0 || e.Start.Uptime < 0 {
				t.Errorf("%s", sayTrace(e))
			}
		}
		alike(t, text)
	})
}
