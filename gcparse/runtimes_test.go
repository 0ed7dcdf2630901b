package gcparse

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// needTool finds a program, or ends the test: without it on a developer's machine
// the test is skipped, in CI it fails.
func needTool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is missing, which CI needs: %v", name, err)
		}
		t.Skipf("no %s on this machine", name)
	}
	return path
}

// goPressure allocates in the way it is told, and says at the end what the runtime
// counted. ReadMemStats waits for the trace of the collection before it.
const goPressure = `package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

var kept [][]byte

func main() {
	if os.Args[1] == "noisy" {
		for w := range 3 {
			go func() {
				for i := 0; ; i++ {
					switch w {
					case 0:
						log.Printf("request %d done in 12ms", i)
					case 1:
						fmt.Fprintf(os.Stderr, "12:00:%02d INFO worker %d\n", i%60, i)
					case 2:
						fmt.Fprintf(os.Stderr, "{\"level\":\"info\",\"n\":%d}\n", i)
					}
					if i%50 == 0 {
						time.Sleep(time.Millisecond)
					}
				}
			}()
		}
	}
	for i := 0; i < 30000; i++ {
		kept = append(kept, make([]byte, 16<<10))
		if len(kept) > 600 {
			kept = nil
		}
		if i%10000 == 9999 {
			runtime.GC()
		}
	}
	debug.SetGCPercent(-1)
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	json.NewEncoder(os.Stdout).Encode(m)
	os.Exit(0)
}
`

// goRunner runs goPressure once, in one way, and gives what it wrote.
type goRunner func(way, godebug string, env ...string) (trace []byte, said memStats)

// goRun builds goPressure.
func goRun(t *testing.T) goRunner {
	tool := needTool(t, "go")
	dir := t.TempDir()
	for name, text := range map[string]string{"main.go": goPressure, "go.mod": "module pressure\n\ngo 1.22\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bin := filepath.Join(dir, "pressure.exe")
	build := process(t, tool, "build", "-o", bin, ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOTOOLCHAIN=local", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return func(way, godebug string, env ...string) ([]byte, memStats) {
		t.Helper()
		var stdout, stderr bytes.Buffer
		cmd := process(t, bin, way)
		cmd.Env = append(append(os.Environ(), "GODEBUG="+godebug), env...)
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %s", err, stderr.Bytes())
		}
		var said memStats
		if err := json.Unmarshal(stdout.Bytes(), &said); err != nil {
			t.Fatal(err)
		}
		return stderr.Bytes(), said
	}
}

// memStats is what the runtime counted itself.
type memStats struct {
	NumGC, NumForcedGC int64
	PauseTotalNs       int64
}

// goCount is what the reader found of the same.
type goCount struct {
	memStats
	ids    map[int64]bool
	procs  int32
	result *Result
}

func countGo(t *testing.T, trace []byte) goCount {
	events, res := parse(t, string(trace))
	c := goCount{ids: map[int64]bool{}, result: res}
	for i := range events {
		e := &events[i]
		if e.Stops() {
			c.PauseTotalNs += e.Duration
		}
		if e.Kind != Pause || e.Title != goMarkTermination {
			continue
		}
		if c.ids[e.ID] {
			t.Errorf("collection %d twice", e.ID)
		}
		c.ids[e.ID] = true
		c.NumGC++
		if e.Flags.Any(Explicit) {
			c.NumForcedGC++
		}
		c.procs = e.Procs
	}
	return c
}

// pauses holds the sum of pauses against the runtime's. The trace cuts every time
// to two digits, and so has up to a tenth less.
func (c *goCount) pauses(t *testing.T, said memStats) {
	t.Helper()
	if c.PauseTotalNs > said.PauseTotalNs*103/100 || c.PauseTotalNs < said.PauseTotalNs*85/100-1e5 {
		t.Errorf("pauses of %v, the runtime says %v", time.Duration(c.PauseTotalNs), time.Duration(said.PauseTotalNs))
	}
}

// The reader finds the collections that the installed Go counts itself.
func TestGoRuntime(t *testing.T) {
	run := goRun(t)
	t.Run("noisy", func(t *testing.T) { noisyGo(t, run) })
	// Without scavtrace, whose lines TestGoTrace has: the runtime prints them while
	// it holds the lock of the heap, and with another trace beside it may stop for
	// ever, each waiting for the other's lock (seen with Go 1.26, once in ten runs
	// on a busy machine).
	for _, godebug := range []string{"gctrace=1", "gctrace=2,gcpacertrace=1,inittrace=1,checkfinalizers=0"} {
		trace, said := run("calm", godebug, "GOMAXPROCS=3")
		c := countGo(t, trace)
		if c.NumGC != said.NumGC || c.NumForcedGC != said.NumForcedGC || said.NumForcedGC < 4 || c.procs != 3 {
			t.Errorf("%s: %d collections, %d forced, %d processors; the runtime says %d, %d, 3",
				godebug, c.NumGC, c.NumForcedGC, c.procs, said.NumGC, said.NumForcedGC)
		}
		c.pauses(t, said)
		l := &c.result.Ledger
		if l.Unknown() > 0 || l.Lines[ForeignLine] > 0 || len(c.result.Runs) != 1 {
			t.Errorf("%s: lines %v, %d runs, unknown %+v", godebug, l.Lines, len(c.result.Runs), l.Shapes)
		}
	}
}

// What the program logs to the same file lands inside the lines of the trace. They
// are put together again, and none is made up.
func noisyGo(t *testing.T, run goRunner) {
	trace, said := run("noisy", "gctrace=1")
	c := countGo(t, trace)
	if c.NumGC > said.NumGC || c.NumGC < said.NumGC*9/10 || len(c.result.Runs) != 1 {
		t.Errorf("%d collections in %d runs, the runtime says %d", c.NumGC, len(c.result.Runs), said.NumGC)
	}
	c.pauses(t, said)
	whole := regexp.MustCompile(`(?m)^gc \d+ @.* P( \(forced\))?$`).FindAll(trace, -1)
	t.Logf("%d collections, %d whole lines, %d read", said.NumGC, len(whole), c.NumGC)
}

// nodePressure allocates, has a worker do the same if told, and says at the end
// what V8 itself measured.
const nodePressure = `
const { Worker, isMainThread } = require('worker_threads');
const v8 = require('v8'), fs = require('fs');
const way = process.argv[2];
const profiler = new v8.GCProfiler();
profiler.start();
if (isMainThread && way === 'worker') for (let i = 0; i < 2; i++) new Worker(__filename, { argv: ['worker'] });
const kept = [];
for (let i = 0; i < 400000; i++) {
  kept.push({ a: new Array(12).fill(i) });
  if (way !== 'full' && kept.length > 60000) kept.length = 30000;
  if (globalThis.gc && i % 100000 === 99999) gc();
}
if (isMainThread) fs.writeSync(2, JSON.stringify(profiler.stop()));
`

// nodeRun runs nodePressure and gives what it wrote.
func nodeRun(t *testing.T, way string, flags ...string) (trace, said []byte) {
	t.Helper()
	node := needTool(t, "node")
	script := filepath.Join(t.TempDir(), "pressure.js")
	if err := os.WriteFile(script, []byte(nodePressure), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	cmd := process(t, node, append(flags, script, way)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = t.TempDir(), &stdout, &stderr
	if err := cmd.Run(); err != nil && way != "full" {
		t.Fatalf("%v: %s", err, stderr.Bytes())
	}
	return stdout.Bytes(), stderr.Bytes()
}

// gcProfile is what V8's own profiler says: cost is in microseconds.
type gcProfile struct {
	Statistics []struct {
		GCType string
		Cost   float64
	}
}

// The reader finds the collections that V8's profiler saw, with their lengths.
func TestNode(t *testing.T) {
	for _, flags := range [][]string{{"--trace-gc"}, {"--trace-gc", "--trace-gc-nvp"}, {"--trace-gc", "--trace-gc-verbose"}} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			trace, said := nodeRun(t, "calm", append(flags, "--expose-gc")...)
			var profile gcProfile
			if err := json.Unmarshal(said, &profile); err != nil {
				t.Fatal(err)
			}
			events, res := parse(t, string(trace))
			if l := &res.Ledger; l.Unknown() > 0 || l.Lines[ForeignLine] > 0 || len(res.Runs) != 1 {
				t.Errorf("lines %v, %d runs, unknown %+v", l.Lines, len(res.Runs), l.Shapes)
			}
			if n := len(bytes.Split(bytes.TrimSpace(trace), []byte(" ms: "))); len(events) == 0 || len(events) > n {
				t.Fatalf("%d events of %d timed lines", len(events), n)
			}
			forced := 0
			for i := range events {
				if events[i].Flags.Any(Explicit) {
					forced++
				}
			}
			if nvp := len(flags) > 1 && flags[1] == "--trace-gc-nvp"; !nvp && forced != 4 {
				t.Errorf("%d collections of four that the program asked for", forced)
			}
			if err := profile.matches(events); err != nil {
				t.Error(err)
			}
		})
	}
}

// matches finds what the profiler saw among the events: it began after the first,
// and making its report may cause more. Its clock runs between the callbacks
// before and after a collection, which is not quite the pause: of the middle one
// the two agree.
func (p *gcProfile) matches(events []Event) error {
	n := len(p.Statistics)
	if n < 8 {
		return fmt.Errorf("the profiler saw %d collections only", n)
	}
	last := fmt.Errorf("%d collections in the trace, %d in the profile", len(events), n)
	for ; len(events) >= n; events = events[1:] {
		ratios := make([]float64, n)
		err := p.kinds(events)
		for i, s := range p.Statistics {
			ratios[i] = float64(events[i].Duration) / 1e3 / max(s.Cost, 1)
		}
		slices.Sort(ratios)
		if m := ratios[n/2]; err == nil && (m < 0.7 || m > 1.4) {
			err = fmt.Errorf("the lengths in the trace are %.2f of those in the profile", m)
		}
		if err == nil {
			return nil
		}
		last = err
	}
	return last
}

// kinds compares the kinds of collections.
func (p *gcProfile) kinds(events []Event) error {
	for i, s := range p.Statistics {
		young := s.GCType == "Scavenge" || s.GCType == "MinorMarkSweep" || s.GCType == "MinorMarkCompact"
		if young != (events[i].Generation == Young) {
			return fmt.Errorf("collection %d is a %s, the trace has %s", i, s.GCType, sayTrace(&events[i]))
		}
	}
	return nil
}

// The main thread and every worker have a run of their own.
func TestNodeWorkers(t *testing.T) {
	trace, _ := nodeRun(t, "worker", "--trace-gc")
	_, res := parse(t, string(trace))
	if len(res.Runs) != 3 || res.Ledger.Unknown() > 0 {
		t.Errorf("%d runs of three isolates; unknown lines: %+v", len(res.Runs), res.Ledger.Shapes)
	}
	for _, r := range res.Runs {
		if r.Collector != V8 || r.Events[Pause] < 3 || r.PID == 0 {
			t.Errorf("run %+v", r)
		}
	}
}

// What is printed again when the process dies is not taken twice, and without the
// trace it is all there is.
func TestNodeOutOfMemory(t *testing.T) {
	// In the block, lines may be cut after the length of the pause.
	line := regexp.MustCompile(`\[\d+:0x[0-9a-f]+\] +\d+ ms: [A-Z][^\[\n]* MB, [0-9.]+ / [0-9.]+ ms`)
	for _, flags := range [][]string{{"--trace-gc"}, {}} {
		trace, last := nodeRun(t, "full", append(flags, "--max-old-space-size=24")...)
		both := append(append([]byte{}, trace...), last...)
		want := map[string]bool{}
		for _, m := range line.FindAll(both, -1) {
			want[string(m)] = true
		}
		events, res := parse(t, string(both))
		pauses, deaths := 0, 0
		for i := range events {
			switch e := &events[i]; {
			case e.Stops():
				pauses++
			case e.Kind == Occupancy && e.Flags.Any(LastResort):
				deaths++
			}
		}
		if pauses != len(want) || pauses == 0 || deaths != 1 || len(res.Runs) != 1 {
			t.Errorf("%v: %d pauses of %d, %d deaths, %d runs\n%s", flags, pauses, len(want), deaths, len(res.Runs), last)
		}
	}
}
