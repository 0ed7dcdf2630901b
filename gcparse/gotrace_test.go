package gcparse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// traceTest is a log and what it says, in the words of sayTrace.
type traceTest struct {
	name, log string
	want      []string
	unknown   int64
	runs      int // 1 if not stated
}

func (tt *traceTest) run(t *testing.T) *Result {
	t.Helper()
	events, res := parse(t, tt.log)
	var got []string
	for i := range events {
		got = append(got, sayTrace(&events[i]))
	}
	if diff := cmp.Diff(tt.want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if n := res.Ledger.Unknown(); n != tt.unknown {
		t.Errorf("%d unknown lines, want %d: %+v", n, tt.unknown, res.Ledger.Shapes)
	}
	if want := max(tt.runs, 1); len(res.Runs) != want {
		t.Errorf("%d runs, want %d: %+v", len(res.Runs), want, res.Runs)
	}
	return res
}

// sayTrace says what an event of Go or V8 is in one line: what is not stated is
// left out.
func sayTrace(e *Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v %s", e.Kind, e.Title)
	if e.HasID {
		fmt.Fprintf(&b, " #%d", e.ID)
	}
	if e.Start.HasUptime {
		fmt.Fprintf(&b, " @%gms", float64(e.Start.Uptime)/1e6)
	}
	if e.Start.HasWall {
		fmt.Fprintf(&b, " wall %gms", float64(e.Start.Wall)/1e6)
	}
	if e.HasDuration {
		fmt.Fprintf(&b, " %gms", float64(e.Duration)/1e6)
	}
	if e.Incremental > 0 {
		fmt.Fprintf(&b, " +%gms in %d", float64(e.Incremental)/1e6, e.Count)
	}
	if e.HasCPU {
		fmt.Fprintf(&b, " cpu %g idle %g", float64(e.User)/1e6, float64(e.Idle)/1e6)
	}
	size := func(n int64, has bool) string {
		if !has {
			return "?"
		}
		return fmt.Sprintf("%.4gM", float64(n)/(1<<20))
	}
	if !e.Heap.Zero() {
		fmt.Fprintf(&b, " %s->%s(%s)", size(e.Heap.Before, e.Heap.HasBefore), size(e.Heap.After, e.Heap.HasAfter), size(e.Heap.Capacity, e.Heap.HasCapacity))
	}
	if e.HasPromoted {
		fmt.Fprintf(&b, " promoted %s", size(e.Promoted, true))
	}
	if e.HasUtilization {
		fmt.Fprintf(&b, " mu %g", e.Utilization)
	}
	if e.Procs > 0 {
		fmt.Fprintf(&b, " %dP", e.Procs)
	}
	if e.Workers > 0 {
		fmt.Fprintf(&b, " %d workers", e.Workers)
	}
	if e.Kind == Hole {
		fmt.Fprintf(&b, "of %d", e.Count)
	}
	if e.Cause != "" {
		fmt.Fprintf(&b, " %q", e.Cause)
	}
	if f := e.Flags.Names(); len(f) > 0 {
		fmt.Fprintf(&b, " %v", f)
	}
	if e.Run > 0 {
		fmt.Fprintf(&b, " run %d", e.Run)
	}
	return b.String()
}

// goTests has a log for every version of the format and for what happens to it.
func goTests() []traceTest {
	return []traceTest{{
		name: "1.0: no workers, milliseconds, sizes before and after",
		log:  "gc3: 12+30+1 ms 40 -> 21 MB 300 -> 200 (900-700) objects 12 pointer lookups (0 size, 0 addr)\n",
		want: []string{"pause stop-the-world collection #3 43ms 40M->21M(?)"},
	}, {
		name: "1.1 and 1.2",
		log:  "gc41(4): 7+3+0 ms, 96 -> 50 MB 1200 -> 800 (5000-4200) objects, 9(60) handoff, 12(800) steal, 40/7/0 yields\n",
		want: []string{"pause stop-the-world collection #41 10ms 96M->50M(?) 4 workers"},
	}, {
		name: "1.3 and 1.4: microseconds; the first size is of the collection before",
		log:  "gc7(8): 15+4+1045+16 us, 10 -> 24 MB, 96100 (230000-133900) objects, 11 goroutines, 540/0/0 sweeps, 3(120) handoff, 7(90) steal, 60/2/0 yields\n",
		want: []string{"pause stop-the-world collection #7 1.08ms 24M->?(?) 8 workers"},
	}, {
		name: "1.5: five phases, two of them between the pauses with CPU terms of their own",
		log:  "gc 9 @2.104s 3%: 0.2+1.5+0.3+6.5+0.6 ms clock, 0.8+1.5+0+2.5/4/1+2.4 ms cpu, 30->33->16 MB, 31 MB goal, 4 P\n",
		want: []string{
			"pause sweep termination #9 @2104ms 0.2ms 30M->?(?) 4P",
			"concurrent concurrent mark #9 @2104.2ms 8.3ms cpu 5.5 idle 1 4P",
			"assist mark assists #9 @2104.2ms 2.5ms 4P",
			"pause mark termination #9 @2112.5ms 0.6ms 33M->16M(31M) 4P",
		},
	}, {
		name: "1.5 to 1.8, forced: all of it in the last pause",
		log:  "gc 2 @0.500s 1%: 0.1+0+0+0+5 ms clock, 0.2+0+0+0/0/0+10 ms cpu, 8->8->3 MB, 8 MB goal, 2 P (forced)\n",
		want: []string{
			`pause sweep termination #2 @500ms 0.1ms 8M->?(?) 2P "forced by the program" [explicit]`,
			`pause mark termination #2 @500.1ms 5ms 8M->3M(8M) 2P "forced by the program" [explicit]`,
		},
	}, {
		name: "1.6 to 1.17, with the scavenger's lines of to 1.14",
		log: "gc 84 @1385.961s 2%: 0.20+4100+0.30 ms clock, 6.4+33000/40000/68000+9.6 ms cpu, 14799->15033->7927 MB, 15626 MB goal, 32 P\n" +
			"scvg9: inuse: 11264, idle: 5904, sys: 17168, released: 0, consumed: 17168 (MB)\n" +
			"scvg: 8 KB released\nscvg: inuse: 3, idle: 60, sys: 63, released: 57, consumed: 6 (MB)\n" +
			"forced scvg: 12 MB released\n",
		want: []string{
			"pause sweep termination #84 @1.385961e+06ms 0.2ms 1.48e+04M->?(?) 32P",
			"concurrent concurrent mark #84 @1.3859612e+06ms 4100ms cpu 40000 idle 68000 32P",
			"assist mark assists #84 @1.3859612e+06ms 33000ms 32P",
			"pause mark termination #84 @1.3900612e+06ms 0.3ms 1.503e+04M->7927M(1.563e+04M) 32P",
		},
	}, {
		name: "1.18 and later: stacks and globals; other traces and the program between",
		log: "init internal/bytealg @0.008 ms, 0 ms clock, 0 bytes, 0 allocs\n" +
			"2026/11/29 10:00:00 listening on :8080\n" +
			"pacer: assist ratio=+1.5e+000 (scan 1 MB in 3->4 MB) workers=1+0.000000e+000\n" +
			"pacer: sweep done at heap size 0MB; allocated 0MB during sweep; swept 40 pages at +2.4e-004 pages/byte\n" +
			"gc 1 @0.012s 4%: 0.01+0.5+0.02 ms clock, 0.08+0/0.4/0.1+0.16 ms cpu, 3->4->1 MB, 4 MB goal, 0 MB stacks, 1 MB globals, 8 P\n" +
			"scan: total 10+20+30=60 objs, 4+5=9 spans\nscan: class 24B 1+2+3=6 objs, 1+1=2 spans\nscan: class L 7 objs\n" +
			"scav 0 KiB work (bg), 12 KiB work (eager), 3000 KiB now, 84% util\nscav 1 KiB work, 2 KiB total, 84% util\n" +
			"checkfinalizers: queue: 0 finalizers + 0 cleanups\n",
		want: []string{
			"pause sweep termination #1 @12ms 0.01ms 3M->?(?) 8P",
			"concurrent concurrent mark #1 @12.01ms 0.5ms cpu 0.4 idle 0.1 8P",
			"pause mark termination #1 @12.51ms 0.02ms 4M->1M(4M) 8P",
		},
	}, {
		name: "begun by the clock after two minutes; then by the program, looking for leaks",
		log: "GC forced\n" +
			"gc 5 @120.000s 0%: 0.1+1+0.1 ms clock, 0.2+0/1/0+0.2 ms cpu, 3->3->1 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P\n" +
			"gc 6 @121.000s 0% (checking for goroutine leaks): 0.1+1+0.1 ms clock, 0.2+0/1/0+0.2 ms cpu, 3->3->1 MB, 4 MB goal, 0 MB stacks, 0 MB globals, 2 P (forced)\n",
		want: []string{
			`pause sweep termination #5 @120000ms 0.1ms 3M->?(?) 2P "none for two minutes"`,
			`concurrent concurrent mark #5 @120000.1ms 1ms cpu 1 idle 0 2P "none for two minutes"`,
			`pause mark termination #5 @120001.1ms 0.1ms 3M->1M(4M) 2P "none for two minutes"`,
			`pause sweep termination #6 @121000ms 0.1ms 3M->?(?) 2P "forced by the program" [explicit]`,
			`concurrent concurrent mark #6 @121000.1ms 1ms cpu 1 idle 0 2P "forced by the program" [explicit]`,
			`pause mark termination #6 @121001.1ms 0.1ms 3M->1M(4M) 2P "forced by the program" [explicit]`,
		},
	}, {
		name: "the time of a container's line is that of the end",
		log:  `{"log":"gc 1 @0.012s 4%: 1+7+2 ms clock, 8+0/4/1+16 ms cpu, 3-\u003e4-\u003e1 MB, 4 MB goal, 8 P\n","stream":"stderr","time":"1970-01-01T00:00:01Z"}` + "\n",
		want: []string{
			"pause sweep termination #1 @12ms wall 990ms 1ms 3M->?(?) 8P",
			"concurrent concurrent mark #1 @13ms wall 991ms 7ms cpu 4 idle 1 8P",
			"pause mark termination #1 @20ms wall 998ms 2ms 4M->1M(4M) 8P",
		},
	}, {
		name: "cut off: a pause is not made up",
		log:  goLine(1, 10) + "gc 2 @0.020s 4%: 1+7+2 ms clock, 8+0/4/1+1",
		want: goSaid(1, 10, 0),
	}, {
		name: "after text without a newline, and before more",
		log: goLine(1, 10) + "loading... " + strings.TrimSuffix(goLine(2, 20), "\n") + "done\n" +
			`level=info msg="saw gc 3 @9"` + "\n",
		want: append(goSaid(1, 10, 0), mark(goSaid(2, 20, 0), " [interleaved]")...),
	}}
}

// goLine is a line of collection id that began at ms.
func goLine(id, ms int) string {
	return fmt.Sprintf("gc %d @%d.%03ds 4%%: 1+4+2 ms clock, 2+0/4/0+4 ms cpu, 6->7->3 MB, 6 MB goal, 0 MB stacks, 0 MB globals, 2 P\n", id, ms/1000, ms%1000)
}

// goSaid is what it says.
func goSaid(id, ms, run int) []string {
	of := ""
	if run > 0 {
		of = fmt.Sprintf(" run %d", run)
	}
	return []string{
		fmt.Sprintf("pause sweep termination #%d @%dms 1ms 6M->?(?) 2P%s", id, ms, of),
		fmt.Sprintf("concurrent concurrent mark #%d @%dms 4ms cpu 4 idle 0 2P%s", id, ms+1, of),
		fmt.Sprintf("pause mark termination #%d @%dms 2ms 7M->3M(6M) 2P%s", id, ms+5, of),
	}
}

// mark adds to all of them.
func mark(said []string, what string) []string {
	for i := range said {
		said[i] += what
	}
	return said
}

func TestGoTrace(t *testing.T) {
	for _, tt := range goTests() {
		t.Run(tt.name, func(t *testing.T) { tt.run(t) })
	}
}

// The numbers and the clock of a process tell its lines from those of others.
func TestGoProcesses(t *testing.T) {
	join := func(said ...[]string) (all []string) {
		for _, s := range said {
			all = append(all, s...)
		}
		return all
	}
	tests := []traceTest{{
		name: "restart",
		log:  goLine(7, 5000) + goLine(8, 6000) + goLine(1, 10) + goLine(2, 20),
		want: join(goSaid(7, 5000, 0), goSaid(8, 6000, 0), goSaid(1, 10, 1), goSaid(2, 20, 1)), runs: 2,
	}, {
		name: "two that take turns",
		log:  goLine(70, 5000) + goLine(1, 10) + goLine(71, 5100) + goLine(2, 110) + goLine(72, 5200) + goLine(3, 210),
		want: join(goSaid(70, 5000, 0), goSaid(1, 10, 1), goSaid(71, 5100, 0), goSaid(2, 110, 1), goSaid(72, 5200, 0), goSaid(3, 210, 1)),
		runs: 2,
	}, {
		name: "lines are missing",
		log:  goLine(1, 10) + goLine(3, 30) + goLine(9, 90),
		want: join(goSaid(1, 10, 0), goSaid(3, 30, 0), []string{"hole  @30msof 5"}, goSaid(9, 90, 0)),
	}, {
		name: "the numbers go on and the clock does not",
		log:  goLine(4, 900) + goLine(6, 100),
		want: join(goSaid(4, 900, 0), goSaid(6, 100, 1)), runs: 2,
	}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := tt.run(t)
			if first := res.Runs[0]; first.Headless != (tt.log[3] != '1') {
				t.Errorf("headless %v of a log that begins %.4s", first.Headless, tt.log)
			}
		})
	}
}

// Wherever the program writes into a line, the line is read, and nothing else is
// taken for it.
func TestGoTorn(t *testing.T) {
	pieces := []string{"gc ", "2", " @", "0.020", "s ", "4", "%", ": ", "1", "+", "4", "+", "2", " ms clock, ",
		"2", "+", "0", "/", "4", "/", "0", "+", "4", " ms cpu, ", "6", "->", "7", "->", "3", " MB, ", "6", " MB goal, ",
		"0", " MB stacks, ", "0", " MB globals, ", "2", " P", "\n"}
	if strings.Join(pieces, "") != goLine(2, 20) {
		t.Fatal("the pieces are not those of a line")
	}
	want := append(goSaid(1, 10, 0), mark(goSaid(2, 20, 0), " [interleaved]")...)
	want = append(want, goSaid(3, 30, 0)...)
	for name, foreign := range map[string]string{
		"log package": "2026/11/29 10:00:00 request 17 done in 12 ms\n",
		"ISO date":    "2026-11-29T10:00:00Z INFO request done\n",
		"time":        "10:00:00 INFO request done\n",
		"klog":        "I1129 10:00:00.000000       1 server.go:17] request done\n",
		"JSON":        `{"level":"info","n":17}` + "\n",
		"blank line":  "\n",
		"path":        "/api/users/17 200\n",
	} {
		check := func(where, log string) {
			t.Helper()
			events, res := parse(t, log)
			var got []string
			for i := range events {
				got = append(got, sayTrace(&events[i]))
			}
			w := want
			if diff := cmp.Diff(w, got); diff != "" || res.Ledger.Unknown() > 0 {
				t.Errorf("%s, %s: %d unknown, events (-want +got):\n%s", name, where, res.Ledger.Unknown(), diff)
			}
		}
		every := goLine(1, 10)
		for i, p := range pieces {
			every += p
			if i < len(pieces)-1 {
				every += foreign
			}
			if i == len(pieces)-1 {
				continue
			}
			once := strings.Join(pieces[:i+1], "") + foreign + foreign + strings.Join(pieces[i+1:], "")
			if i == len(pieces)-2 && foreign == "\n" {
				continue // a blank line after it is none inside
			}
			check(fmt.Sprintf("after piece %d", i), goLine(1, 10)+once+goLine(3, 30))
		}
		check("everywhere", every+goLine(3, 30))
	}
}

// A number that foreign digits were glued to is not taken as it stands.
func TestGoTornNumbers(t *testing.T) {
	log := goLine(1, 10) + "gc 2 @0.020s 4%: 1+412 items left\n+2 ms clock, 2+0/4/0+4 ms cpu, 6->7->3 MB, 6 MB goal, 2 P\n" +
		"gc 3 @0.030s 4%: 1+4+212 items left\n ms clock, 2+0/4/0+4 ms cpu, 6->7->3 MB, 6 MB goal, 2 P\n"
	events, res := parse(t, log)
	for i := range events {
		if e := &events[i]; e.Kind == Pause && e.Duration > 2e6 {
			t.Errorf("a pause that never was: %s", sayTrace(e))
		}
	}
	if res.Ledger.Unknown()+res.Ledger.Lines[CutLine] == 0 {
		t.Error("what could not be put together is not accounted for")
	}
}

func FuzzGo(f *testing.F) {
	for _, tt := range goTests() {
		f.Add([]byte(tt.log))
	}
	f.Add([]byte("gc 2026/11/29 10:00:00 a\n1032026/11/29 10:00:00 b\n @2026/11/29 10:00:00 c\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		events, res := readOnly(goKind, text)
		sound(t, events, res)
		for i := range events {
			if e := &events[i]; e.Collector != Go && e.Kind != Hole || e.Procs < 0 || e.User < 0 || e.Idle < 0 {
				t.Errorf("%s", sayTrace(e))
			}
		}
		alike(t, text)
	})
}
