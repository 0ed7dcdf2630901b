package gcparse

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kneeline/internal/input"
)

// pressure is a program that keeps some objects, drops many, and says at the end
// what the runtime itself counted: name, collections and milliseconds of every
// collector's bean.
const pressure = `
import java.lang.management.*;
import java.util.*;

public class Pressure {
    static Object[] kept = new Object[400];
    public static void main(String[] a) throws Exception {
        Random r = new Random(7);
        long end = System.nanoTime() + Long.parseLong(a[0]) * 1_000_000L;
        for (int i = 0; System.nanoTime() < end; i++) {
            kept[r.nextInt(kept.length)] = new byte[r.nextInt(40) == 0 ? 600_000 : 20_000];
            if (i == 2000 || i == 4000) System.gc();
        }
        kept = null;
        for (GarbageCollectorMXBean b : ManagementFactory.getGarbageCollectorMXBeans())
            System.out.println(b.getName() + "=" + b.getCollectionCount() + "=" + b.getCollectionTime());
        Runtime.getRuntime().halt(0);
    }
}
`

// needJava finds the program, or ends the test: without it on a developer's
// machine it is skipped, in CI it fails.
func needJava(t *testing.T) string {
	t.Helper()
	java, err := exec.LookPath("java")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("java is missing, which CI needs: ", err)
		}
		t.Skip("no java on this machine")
	}
	return java
}

// jdkLogs are the logs that one run writes: the name of the file, what is
// logged, and the decorations.
var jdkLogs = [][3]string{
	{"full.log", "gc*,safepoint", "uptime,level,tags"},
	{"debug.log", "gc*=debug,safepoint*=debug", "time,utctime,uptime,timemillis,uptimemillis,timenanos,uptimenanos,hostname,pid,tid,level,tags"},
	{"wall.log", "gc*,safepoint", "utctime,pid"},
	{"bare.log", "gc*,safepoint", "none"},
	{"short.log", "gc", "timemillis,level"},
	{"millis.log", "gc,gc+cpu,gc+phases", "uptimemillis,tid,tags"},
}

// The logs of a real JVM, under every collector it has and with many
// decorations, hold the same pauses, and as many as its own beans count.
func TestJDK(t *testing.T) {
	java := needJava(t)
	classes := compileJava(t, java)
	for _, c := range []struct {
		flag      string
		collector Collector
		beans     []string // those that count pauses
		slack     int64    // concurrent collectors may pause after the count
	}{
		{"-XX:+UseSerialGC", Serial, []string{"Copy", "MarkSweepCompact"}, 0},
		{"-XX:+UseParallelGC", Parallel, []string{"PS Scavenge", "PS MarkSweep"}, 0},
		{"-XX:+UseG1GC", G1, []string{"G1 Young Generation", "G1 Old Generation"}, 0},
		{"-XX:+UseShenandoahGC", Shenandoah, []string{"Shenandoah Pauses"}, 6},
		{"-XX:+UseZGC", ZGC, []string{"ZGC Pauses"}, 6},
	} {
		t.Run(c.collector.String(), func(t *testing.T) {
			logs := t.TempDir()
			counts, ok := runJava(t, java, classes, logs, c.flag)
			if !ok {
				t.Skip("this JVM has no ", c.collector)
			}
			var want int64
			for _, b := range c.beans {
				want += counts[b]
			}
			checkJDKLogs(t, logs, c.collector, want, c.slack)
		})
	}
}

// compileJava compiles the program once, which costs more than to run it, and gives
// the directory of its classes.
func compileJava(t *testing.T, java string) string {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "Pressure.java")
	if err := os.WriteFile(program, []byte(pressure), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := process(t, java, "-XX:TieredStopAtLevel=1", "--module", "jdk.compiler/com.sun.tools.javac.Main", "-d", dir, program)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// runJava runs the program and gives what its beans counted; false if the JVM
// does not know the collector.
func runJava(t *testing.T, java, classes, logs, flag string) (map[string]int64, bool) {
	t.Helper()
	heap := "48m"
	if flag == "-XX:+UseZGC" {
		heap = "128m" // it needs room to move pages of 32 MiB
	}
	args := []string{flag, "-Xmx" + heap, "-Xms" + heap, "-XX:TieredStopAtLevel=1"}
	for _, l := range jdkLogs {
		args = append(args, fmt.Sprintf("-Xlog:%s:file=%s:%s:filecount=0", l[1], filepath.Join(logs, l[0]), l[2]))
	}
	cmd := process(t, java, append(args, "-cp", classes, "Pressure", "200")...)
	out, err := cmd.CombinedOutput()
	if strings.Contains(string(out), "Option "+flag+" not supported") || strings.Contains(string(out), "Unrecognized VM option") {
		return nil, false
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	counts := map[string]int64{}
	for l := range strings.Lines(string(out)) {
		parts := strings.Split(strings.TrimSpace(l), "=")
		if len(parts) == 3 {
			var n int64
			fmt.Sscan(parts[1], &n)
			counts[parts[0]] = n
		}
	}
	return counts, true
}

// checkJDKLogs compares the logs of one run with each other and with the beans.
func checkJDKLogs(t *testing.T, logs string, collector Collector, beans, slack int64) {
	t.Helper()
	var pauses []Event
	for i, l := range jdkLogs {
		path := filepath.Join(logs, l[0])
		var got []Event
		var safepoints, cycles int
		stream := Stream{Name: path, Sources: []input.Source{{Name: path, Path: path}}}
		res, err := Read(context.Background(), stream, Options{Workers: 2}, func(e *Event) {
			switch {
			case e.Stops():
				got = append(got, *e)
			case e.Kind == Safepoint:
				safepoints++
			case e.Kind == Cycle:
				cycles++
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if res.Ledger.Unknown() > 0 || len(res.Problems) > 0 {
			text, _ := os.ReadFile(path)
			t.Errorf("%s: unknown lines %+v, wrappers %v, problems %v; it begins\n%.600s", l[0], res.Ledger.Shapes, res.Wrappers, res.Problems, text)
		}
		if len(res.Runs) != 1 || res.Runs[0].Collector != collector {
			t.Errorf("%s: runs %+v", l[0], res.Runs)
		}
		if strings.Contains(l[1], "safepoint") && safepoints == 0 {
			t.Errorf("%s: no safepoints", l[0])
		}
		if i == 0 {
			pauses = got
			checkBeans(t, collector, got, beans, slack)
			continue
		}
		if collector == ZGC && l[0] == "short.log" {
			if len(got) != 0 || cycles == 0 || !res.Runs[0].NoPauseData {
				t.Errorf("%s: %d pauses, %d cycles, and %v that there is no data on pauses", l[0], len(got), cycles, res.Runs[0].NoPauseData)
			}
			continue
		}
		comparePauses(t, l[0], pauses, got)
	}
}

// checkBeans compares the pauses with what the beans counted. Those of G1 do not
// count remark and cleanup.
func checkBeans(t *testing.T, collector Collector, pauses []Event, beans, slack int64) {
	t.Helper()
	var n int64
	for _, e := range pauses {
		if collector != G1 || e.Generation != Old {
			n++
		}
	}
	if n < beans || n > beans+slack || n == 0 {
		t.Errorf("%d pauses, the JVM itself counted %d", n, beans)
	}
}

// comparePauses compares the pauses of two logs of one run.
func comparePauses(t *testing.T, name string, want, got []Event) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d pauses, want %d", name, len(got), len(want))
		return
	}
	for i := range want {
		w, g := want[i], got[i]
		if g.Duration != w.Duration || g.Title != w.Title || g.Cause != w.Cause || g.Heap != w.Heap || g.Flags != w.Flags {
			t.Errorf("%s: pause %d:\n%+v\nwant\n%+v", name, i, g, w)
			return
		}
		if !w.Start.HasUptime || !g.Start.HasUptime {
			continue
		}
		off := float64(g.Start.Uptime - w.Start.Uptime)
		limit := 5e6 + float64(g.Start.Error)
		if name == "bare.log" {
			// Rebuilt times begin near the first safepoint and not with the
			// process; the distances between them are right.
			off -= float64(got[0].Start.Uptime - want[0].Start.Uptime)
			limit = 50e6
		}
		if math.Abs(off) > limit {
			t.Errorf("%s: pause %d is %.1f ms away", name, i, off/1e6)
			return
		}
	}
}
