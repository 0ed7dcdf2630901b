package gcparse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lines joins lines, each with the same decorations: uptime and, if not empty,
// tags. A line begins with its uptime in seconds and a blank.
func unifiedLines(tags string, rows ...string) string {
	var b strings.Builder
	for _, row := range rows {
		up, msg, _ := strings.Cut(row, " ")
		fmt.Fprintf(&b, "[%ss][info][%s] %s\n", up, tags, msg)
	}
	return b.String()
}

func TestUnifiedEvents(t *testing.T) {
	tests := []struct {
		name string
		log  string
		want []string
		runs int
	}{
		{"full in young, with first lines", unifiedLines("gc",
			"1.000 GC(1) Pause Young (Allocation Failure)",
			"1.001 GC(2) Pause Full (Allocation Failure)",
			"1.010 GC(2) Pause Full (Allocation Failure) 10M->5M(20M) 9.000ms",
			"1.010 GC(2) User=0.01s Sys=0.00s Real=0.01s",
			"1.011 GC(1) Pause Young (Allocation Failure) 10M->5M(20M) 11.000ms",
			"1.011 GC(1) User=0.01s Sys=0.00s Real=0.01s"),
			[]string{
				"1001000+9000us pause Pause Full | Allocation Failure | full, nested, allocation failure",
				"1000000+11000us pause Pause Young | Allocation Failure | allocation failure",
			}, 1},
		{"full in young, last lines only", unifiedLines("gc",
			"1.010 GC(2) Pause Full (Allocation Failure) 10M->5M(20M) 9.000ms",
			"1.011 GC(1) Pause Young (Allocation Failure) 10M->5M(20M) 11.000ms",
			"2.010 GC(3) Pause Full (Allocation Failure) 10M->5M(20M) 9.000ms"),
			[]string{
				"1001000+9000us pause Pause Full | Allocation Failure | full, nested, allocation failure",
				"1000000+11000us pause Pause Young | Allocation Failure | allocation failure",
				"2001000+9000us pause Pause Full | Allocation Failure | full, allocation failure",
			}, 1},
		{"full in young, last lines and CPU times", unifiedLines("gc",
			"1.010 GC(2) Pause Full (Allocation Failure) 10M->5M(20M) 9.000ms",
			"1.010 GC(2) User=0.01s Sys=0.00s Real=0.01s",
			"1.011 GC(1) Pause Young (Allocation Failure) 10M->5M(20M) 11.000ms",
			"1.010 GC(1) User=0.01s Sys=0.00s Real=0.01s"),
			[]string{
				"1001000+9000us pause Pause Full | Allocation Failure | full, nested, allocation failure",
				"1000000+11000us pause Pause Young | Allocation Failure | allocation failure",
			}, 1},
		{"a full collection cuts a concurrent cycle short, last lines only", unifiedLines("gc",
			"1.010 GC(2) Pause Full (System.gc()) 10M->5M(20M) 9.000ms",
			"1.011 GC(1) Pause Remark 5M->5M(20M) 0.001ms",
			"2.010 GC(4) Pause Full (System.gc()) 10M->5M(20M) 9.000ms",
			"2.011 GC(3) Pause Cleanup 5M->5M(20M) 0.002ms"),
			[]string{
				"1001000+9000us pause Pause Full | System.gc() | full, explicit",
				"1010999+1us pause Pause Remark",
				"2001000+9000us pause Pause Full | System.gc() | full, explicit",
				"2010998+2us pause Pause Cleanup",
			}, 1},
		{"a first line whose last line is missing nests nothing", unifiedLines("gc",
			"1.000 GC(1) Pause Young (Allocation Failure)",
			"2.000 GC(3) Pause Full (Ergonomics) 10M->5M(20M) 9.000ms"),
			[]string{"1991000+9000us pause Pause Full | Ergonomics | full"}, 1},
		{"ZGC", unifiedLines("gc",
			"1.000 GC(0) Garbage Collection (Warmup)",
			"1.001 GC(0) Pause Mark Start 0.010ms",
			"1.005 GC(0) Concurrent Mark 4.000ms",
			"1.006 Allocation Stall (main thread) 14.244ms",
			"1.006 Relocation Stall (a (b)) 1.000ms",
			"1.007 GC(0) Max Capacity: 128M(100%)",
			"1.010 GC(0) Garbage Collection (Warmup) 104M(10%)->88M(8%)",
			"2.000 GC(1) Garbage Collection (Allocation Stall) Aborted"),
			[]string{
				"1000990+10us pause Pause Mark Start",
				"1001000+4000us concurrent Concurrent Mark",
				"991756+14244us stall Allocation Stall | allocation failure",
				"1005000+1000us stall Relocation Stall | allocation failure",
				"1000000+10000us cycle Garbage Collection | Warmup | duration derived",
				"2000000+0us cycle Garbage Collection | Allocation Stall | aborted, allocation failure",
			}, 1},
		{"generational ZGC", unifiedLines("gc",
			"0.296 GC(3) Minor Collection (Allocation Rate)",
			"0.296 GC(3) y: Young Generation",
			"0.296 GC(3) y: Pause Mark Start 0.010ms",
			"0.300 GC(2) O: Concurrent Mark 8.000ms",
			"0.310 GC(2) Y: Pause Mark Start (Major) 0.020ms",
			"0.315 GC(3) y: Young Generation 60M(62%)->62M(65%) 0.019s",
			"0.316 GC(3) Minor Collection (Allocation Rate) 60M(62%)->62M(65%) 0.020s"),
			[]string{
				"295990+10us pause Pause Mark Start",
				"292000+8000us concurrent Concurrent Mark",
				"309980+20us pause Pause Mark Start (Major)",
				"296000+20000us cycle Minor Collection | Allocation Rate",
			}, 1},
		{"Shenandoah", unifiedLines("gc",
			"0.100 Using Shenandoah",
			"1.000 Trigger: Learning 1 of 5. Free (80M) is below initial threshold (81M)",
			"1.001 GC(0) Pause Init Mark (unload classes)",
			"1.002 GC(0) Pause Init Mark (unload classes) 0.250ms",
			"1.010 GC(0) Concurrent marking (unload classes) 8.000ms",
			"1.020 Cancelling GC: Allocation Failure",
			"1.040 GC(0) Pause Degenerated GC (Mark) 30M->10M(40M) 20.000ms",
			"1.100 GC(1) Pause Final Update Refs (Young) 0.100ms",
			"1.200 Allocation pacing accrued:",
			"1.200      443 of   890 ms ( 49.8%): <total>",
			"1.200      443 of   890 ms ( 49.8%): main"),
			[]string{
				"1001750+250us pause Pause Init Mark (unload classes)",
				"1002000+8000us concurrent Concurrent marking (unload classes)",
				"1020000+20000us pause Pause Degenerated GC (Mark) | degenerated",
				"1099900+100us pause Pause Final Update Refs (Young)",
				"310000+443000us assist Allocation pacing",
			}, 1},
		{"Epsilon", unifiedLines("gc",
			"0.1 Using Epsilon", "0.9 Heap: 512M reserved, 512M (100.00%) committed, 256M (50.00%) used"),
			[]string{"900000+0us occupancy Heap"}, 1},
		{"CMS", unifiedLines("gc",
			"0.1 Using Concurrent Mark Sweep",
			"1.0 GC(0) Pause Initial Mark 10M->10M(30M) 1.000ms",
			"1.5 GC(0) Concurrent Mark (1.000s, 1.500s) 500.000ms",
			"1.6 GC(0) Concurrent Sweep 1.000ms"),
			[]string{
				"999000+1000us pause Pause Initial Mark | initial mark",
				"1000000+500000us concurrent Concurrent Mark",
				"1599000+1000us concurrent Concurrent Sweep",
			}, 1},
		{"JDK 9 G1", unifiedLines("gc",
			"1.0 GC(0) Pause Initial Mark (G1 Evacuation Pause) 10M->10M(30M) (0.999s, 1.000s) 1.000ms",
			"1.1 GC(1) To-space exhausted",
			"1.1 GC(1) Pause Mixed (G1 Evacuation Pause) 10M->10M(30M) 1.000ms"),
			[]string{
				"999000+1000us pause Pause Initial Mark | G1 Evacuation Pause | initial mark",
				"1099000+1000us pause Pause Mixed | G1 Evacuation Pause | to-space exhausted",
			}, 1},
		{"parts of concurrent marking", unifiedLines("gc",
			"1.0 GC(0) Concurrent Mark (1.000s)",
			"1.4 GC(0) Concurrent Mark From Roots 400.000ms",
			"1.5 GC(0) Concurrent Mark (1.000s, 1.500s) 500.000ms"),
			[]string{
				"1000000+400000us concurrent Concurrent Mark From Roots | nested",
				"1000000+500000us concurrent Concurrent Mark",
			}, 1},
		{"safepoints before JDK 13", unifiedLines("safepoint",
			"1.0 Application time: 0.5000000 seconds",
			"1.0 Entering safepoint region: G1CollectForAllocation",
			"1.1 Leaving safepoint region",
			"1.1 Total time for which application threads were stopped: 0.1000000 seconds, Stopping threads took: 0.0200000 seconds"),
			[]string{"1000000+100000us safepoint Safepoint"}, 1},
		{"a safepoint of JDK 25", unifiedLines("safepoint",
			`1.0 Safepoint "Cleanup", Time since last: 5 ns, Reaching safepoint: 1000000 ns, At safepoint: 2000000 ns, Leaving safepoint: 3000000 ns, Total: 6000000 ns, Threads: 1 runnable, 10 total`),
			[]string{"994000+6000us safepoint Safepoint"}, 1},
		{"lost lines", unifiedLines("gc", "1.0 GC(0) Pause Young (x) 1M->1M(2M) 1.0ms", "2.5 33 messages dropped due to async logging"),
			[]string{"999000+1000us pause Pause Young | x", "1000000+1500000us hole lines are missing"}, 1},
		{"missing collections", unifiedLines("gc", "1.0 GC(0) Pause Young (x) 1M->1M(2M) 1.0ms", "9.0 GC(50) Pause Young (x) 1M->1M(2M) 1.0ms"),
			[]string{"999000+1000us pause Pause Young | x", "1000000+8000000us hole lines are missing", "8999000+1000us pause Pause Young | x"}, 1},
		{"started again", unifiedLines("gc",
			"90.0 GC(40) Pause Young (x) 1M->1M(2M) 1.0ms", "0.1 Using G1", "1.0 GC(0) Pause Young (x) 1M->1M(2M) 1.0ms"),
			[]string{"89999000+1000us pause Pause Young | x", "999000+1000us pause Pause Young | x"}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			events, res := parse(t, tt.log)
			if diff := cmp.Diff(tt.want, titles(events)); diff != "" {
				t.Error(diff)
			}
			if len(res.Runs) != tt.runs || res.Ledger.Unknown() != 0 {
				t.Errorf("runs %+v, unknown %+v", res.Runs, res.Ledger.Shapes)
			}
		})
	}
}

func TestUnifiedFields(t *testing.T) {
	events, res := parse(t, unifiedLines("gc",
		"1.006 Allocation Stall (worker (3)) 14.244ms",
		"1.010 GC(0) Garbage Collection (Warmup) 104M(10%)->88M(8%)"))
	if events[0].Thread != "worker (3)" {
		t.Errorf("stalled thread %q", events[0].Thread)
	}
	if h := events[1].Heap; h.Before != 104<<20 || h.After != 88<<20 || h.HasCapacity {
		t.Errorf("heap %+v", h)
	}
	if r := res.Runs[0]; r.Collector != ZGC || !r.NoPauseData {
		t.Errorf("run %+v", r)
	}
	_, res = parse(t, unifiedLines("gc", "900.0 GC(20) Pause Young (x) 1M->1M(2M) 1.0ms", "900.1 GC(21) Frobnicate 3.0ms"))
	if !res.Runs[0].Headless {
		t.Error("a log that begins with the 20th collection is not called headless")
	}
	if len(res.Ledger.Shapes) != 1 || res.Ledger.Shapes[0].Examples[0].Line != 2 {
		t.Errorf("unknown lines: %+v", res.Ledger.Shapes)
	}
	_, res = parse(t, unifiedLines("gc,phases", "900.1 GC(21) Frobnicate 3.0ms"))
	if res.Ledger.Unknown() != 0 {
		t.Errorf("a phase is unknown: %+v", res.Ledger.Shapes)
	}
}

// Without uptimes, hosts one after the other are told apart by clock and numbers
// together; a clock that is set back makes no run.
func TestUnifiedWallClockOnly(t *testing.T) {
	line := func(minute, id int) string {
		return fmt.Sprintf("[2026-11-29T17:%02d:00.000+0000][info][gc] GC(%d) Pause Young (x) 1M->1M(2M) 1.0ms\n", minute, id)
	}
	for name, tt := range map[string]struct {
		log  string
		runs int
	}{
		"clock set back":      {line(30, 100) + line(20, 101) + line(25, 102), 1},
		"another host":        {line(30, 100) + line(40, 101) + line(20, 7) + line(21, 8), 2},
		"number zero again":   {line(30, 100) + line(40, 0), 2},
		"a host further on":   {line(30, 100) + line(20, 900) + line(21, 901), 2},
		"nothing out of line": {line(30, 100) + line(31, 101), 1},
	} {
		if _, res := parse(t, tt.log); len(res.Runs) != tt.runs {
			t.Errorf("%s: %d runs, want %d", name, len(res.Runs), tt.runs)
		}
	}
}

// Two processes write to one log, with and without their numbers.
func TestUnifiedProcessesAlternate(t *testing.T) {
	for _, numbered := range []bool{true, false} {
		var b strings.Builder
		for i := range 10 {
			for p := range 2 {
				up := 1.5*float64(i) + 500*float64(1-p)
				if numbered {
					fmt.Fprintf(&b, "[%.3fs][%d][9%d]", up, 100+p, p)
				} else {
					fmt.Fprintf(&b, "[%.3fs]", up)
				}
				fmt.Fprintf(&b, "[info][gc] GC(%d) Pause Young (x) 1M->1M(2M) %d.0ms\n", 100*(1-p)+i, 1+p)
			}
		}
		events, res := parse(t, b.String())
		if len(res.Runs) != 2 || len(events) != 20 {
			t.Fatalf("numbered %v: %d runs, %d events", numbered, len(res.Runs), len(events))
		}
		for _, e := range events {
			if want := int64(1+e.Run) * 1e6; e.Duration != want {
				t.Errorf("numbered %v: event of %d ns in run %d", numbered, e.Duration, e.Run)
			}
		}
	}
}

// Every subset of the decorations, in the order in which the JVM prints them,
// gives the same pauses.
func TestUnifiedDecorations(t *testing.T) {
	decorations := []func(up float64) string{
		func(up float64) string { return fmt.Sprintf("2026-11-29T17:56:%06.3f+0100", 10+up) },
		func(up float64) string { return fmt.Sprintf("2026-11-29T16:56:%06.3f+0000", 10+up) },
		func(up float64) string { return fmt.Sprintf("%.3fs", up) },
		func(up float64) string { return fmt.Sprintf("%.0fms", (1795971370+up)*1000) },
		func(up float64) string { return fmt.Sprintf("%.0fms", up*1000) },
		func(up float64) string { return fmt.Sprintf("%.0fns", (77777+up)*1e9) },
		func(up float64) string { return fmt.Sprintf("%.0fns", up*1e9) },
		func(float64) string { return "host-1.example" },
		func(float64) string { return "4711" },
		func(float64) string { return "4712" },
		func(float64) string { return "info   " },
		func(float64) string { return "gc,start      " },
	}
	want, _ := parse(t, g1Log)
	var pauses []Event
	for _, e := range want {
		if e.Kind == Pause || e.Kind == Safepoint {
			pauses = append(pauses, e)
		}
	}
	for set := range 1 << len(decorations) {
		if testing.Short() && set%7 != 0 {
			continue
		}
		text := redecorate(g1Log, func(up float64) string {
			var b strings.Builder
			for i, d := range decorations {
				if set&(1<<i) != 0 {
					b.WriteString("[" + d(up) + "]")
				}
			}
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			return b.String()
		})
		checkDecorations(t, set, pauses, text)
	}
}

// redecorate replaces the decorations of every line.
func redecorate(text string, head func(up float64) string) string {
	var b strings.Builder
	for l := range strings.Lines(text) {
		var up float64
		if n, _ := fmt.Sscanf(l, "[%fs]", &up); n == 1 {
			l = head(up) + l[strings.LastIndexByte(l, ']')+2:]
		}
		b.WriteString(l)
	}
	return b.String()
}

func checkDecorations(t *testing.T, set int, want []Event, text string) {
	t.Helper()
	const walls, uptimes = 1<<0 | 1<<1 | 1<<3, 1<<2 | 1<<4 | 1<<5 | 1<<6
	events, res := readText([]byte(text), 0, nil)
	var got []Event
	for _, e := range events {
		if e.Kind == Pause || e.Kind == Safepoint {
			got = append(got, e)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("set %012b: %d pauses and safepoints, want %d; first line: %s", set, len(got), len(want), strings.SplitN(text, "\n", 2)[0])
	}
	for i := range want {
		w, g := want[i], got[i]
		if g.Duration != w.Duration || g.Title != w.Title || g.Cause != w.Cause || g.Flags != w.Flags || g.Heap != w.Heap {
			t.Fatalf("set %012b: %+v, want %+v", set, g, w)
		}
		if set&uptimes == 0 && (set&walls == 0 || !g.Start.HasWall) {
			continue // rebuilt, or none
		}
		if g.Start.HasWall != (set&walls != 0) || g.Start.HasUptime != (set&uptimes != 0) {
			t.Fatalf("set %012b: stamp %+v", set, g.Start)
		}
		const epoch = 1795971370e9
		if d := g.Start.Wall - epoch - w.Start.Uptime; g.Start.HasWall && (d > 2e6 || d < -2e6) {
			t.Fatalf("set %012b: wall off by %d ns: %+v", set, d, g)
		}
		if d := g.Start.Uptime - w.Start.Uptime; g.Start.HasUptime && set&uptimes != 1<<5 && (d > 2e6 || d < -2e6) {
			t.Fatalf("set %012b: uptime off by %d ns: %+v", set, d, g)
		}
	}
	if res.Ledger.Unknown() != 0 || len(res.Runs) != 1 {
		t.Fatalf("set %012b: unknown %+v, %d runs", set, res.Ledger.Shapes, len(res.Runs))
	}
}

// A log without any time is given times by its safepoint lines.
func TestUnifiedRebuiltTimes(t *testing.T) {
	text := `Using G1
GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 3.000ms
Safepoint "G1CollectForAllocation", Time since last: 900000000 ns, Reaching safepoint: 1000000 ns, At safepoint: 4000000 ns, Total: 5000000 ns
Safepoint "Cleanup", Time since last: 95000000 ns, Reaching safepoint: 1000000 ns, At safepoint: 0 ns, Total: 1000000 ns
GC(1) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 2.000ms
GC(2) Pause Full (G1 Compaction Pause) 24M->4M(256M) 50.000ms
Safepoint "G1CollectForAllocation", Time since last: 998000000 ns, Reaching safepoint: 1000000 ns, At safepoint: 52000000 ns, Total: 53000000 ns
`
	events, res := parse(t, text)
	want := []string{
		"902000+3000us pause Pause Young (Normal) | G1 Evacuation Pause",
		"900000+5000us safepoint Safepoint",
		"1000000+1000us safepoint Safepoint",
		"2000000+2000us pause Pause Young (Normal) | G1 Evacuation Pause",
		"2002000+50000us pause Pause Full | G1 Compaction Pause | full",
		"1999000+53000us safepoint Safepoint",
	}
	if diff := cmp.Diff(want, titles(events)); diff != "" {
		t.Error(diff)
	}
	if !res.Runs[0].Rebuilt {
		t.Error("the run does not say that its times are rebuilt")
	}
}
