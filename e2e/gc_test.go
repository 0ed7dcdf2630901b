//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// gcEvent is what these tests read of an event.
type gcEvent struct {
	Kind      string
	Stops     bool
	Collector string
	Title     string
	Flags     string
	Duration  float64  `json:"duration_seconds"`
	Uptime    *float64 `json:"start_uptime_seconds"`
	Time      string   `json:"start_time"`
	Line      int64
	HeapAfter *int64 `json:"heap_after_bytes"`
}

// gcDocument is what these tests read of the JSON of gc.
type gcDocument struct {
	Complete bool
	Verdict  struct{ Answer, Sentence string }
	Logs     []struct {
		Collector, Family, Version string
		Pauses                     struct {
			Stops   int64   `json:"stop_count"`
			Full    int64   `json:"full_count"`
			Total   float64 `json:"total_seconds"`
			Longest float64 `json:"longest_seconds"`
		}
		Violations []struct{ Series string }
		Input      struct {
			Lines   map[string]int64
			Unknown []struct{ Example string }
		}
	}
}

// gcRead runs the command on a log and returns its document and its events.
func gcRead(t *testing.T, log string, args ...string) (ran, gcDocument, []gcEvent) {
	t.Helper()
	dir := t.TempDir()
	doc, events := filepath.Join(dir, "gc.json"), filepath.Join(dir, "events.ndjson")
	r := kneeline(t, append([]string{"gc", log, "-o", "json=" + doc, "-o", "ndjson=" + events, "-o", "text"}, args...)...)
	var d gcDocument
	data, err := os.ReadFile(doc)
	if err != nil {
		t.Fatalf("%v\n%s", err, r.stderr)
	}
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(events)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []gcEvent
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var e gcEvent
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatalf("%v in %s", err, lines.Text())
		}
		all = append(all, e)
	}
	return r, d, all
}

// stop is a pause as a line of the log states it, in seconds.
type stop struct {
	title    string
	from, to float64
}

var (
	closing = regexp.MustCompile(`GC\(\d+\) +(?:[yYO]: )?(Pause [^\r\n]*?) (\d+\.\d+)ms\r?$`)
	stamped = regexp.MustCompile(`\[(\d+\.\d+)s\]`)
)

// closedPauses reads the pauses of a unified log by a second, simpler way: every
// line that closes one and states its time. Those inside another are left out.
func closedPauses(t *testing.T, log string) (count int, total, longest float64) {
	t.Helper()
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var all []stop
	for _, line := range strings.Split(string(data), "\n") {
		m := closing.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		ms, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		s := stop{title: m[1], from: math.NaN()}
		if at := stamped.FindStringSubmatch(line); at != nil {
			s.to, _ = strconv.ParseFloat(at[1], 64)
			s.from = s.to - ms/1000
		}
		// A pause that began before the ones just seen holds them.
		for len(all) > 0 && all[len(all)-1].from > s.from+2e-3 {
			all = all[:len(all)-1]
		}
		all = append(all, s)
		all[len(all)-1].to = ms / 1000
	}
	for _, s := range all {
		count++
		total += s.to
		longest = math.Max(longest, s.to)
	}
	return count, total, longest
}

// compiled is where the Java program is compiled to, once: beside the program, with
// which it goes.
var compiled = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(filepath.Dir(program), "classes")
	if out, err := exec.Command("javac", "-d", dir, "testdata/gc/Churn.java").CombinedOutput(); err != nil {
		return "", fmt.Errorf("javac: %w\n%s", err, out)
	}
	return dir, nil
})

// churn runs the Java program with a collector and writes its log.
func churn(t *testing.T, collector, xlog string) string {
	t.Helper()
	java := need(t, "java")
	need(t, "javac")
	classes, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "gc.log")
	duration, heap := "800", "96m"
	if collector == "Epsilon" {
		duration, heap = "200", "3g"
	}
	cmd := bounded(t, java, "-XX:+UnlockExperimentalVMOptions", "-XX:+Use"+collector+"GC", "-Xmx"+heap,
		"-Xlog:"+strings.Replace(xlog, "FILE", log, 1), "-cp", classes, "Churn", duration)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	err = cmd.Wait()
	kill.Stop()
	if err != nil {
		if strings.Contains(out.String(), "Option -XX:+Use"+collector+"GC not supported") {
			t.Skipf("this JDK has no %s", collector)
		}
		t.Fatalf("java: %v\n%s", err, out.String())
	}
	return log
}

// Logs that the JDK writes now, with every collector, are read to the last line:
// as many pauses as lines close one, the same time in them.
func TestGCOfEveryCollector(t *testing.T) {
	for _, c := range []struct{ collector, name string }{
		{"Serial", "Serial"}, {"Parallel", "Parallel"}, {"G1", "G1"}, {"Z", "ZGC"}, {"Shenandoah", "Shenandoah"}, {"Epsilon", "Epsilon"},
	} {
		t.Run(c.collector, func(t *testing.T) {
			log := churn(t, c.collector, "gc*,safepoint:file=FILE:time,uptime,level,tags")
			r, d, events := gcRead(t, log, "--strict")
			if r.code != 0 {
				t.Errorf("exit code %d: %s", r.code, r.stderr)
			}
			l := d.Logs[0]
			if l.Collector != c.name || l.Family != "unified" {
				t.Errorf("read as %s, %s", l.Collector, l.Family)
			}
			checkPauses(t, log, d, events)
			for _, e := range events {
				if e.Uptime == nil || e.Time == "" {
					t.Fatalf("an event without both times: %+v", e)
				}
			}
		})
	}
}

// checkPauses holds what was read against the lines that close pauses.
func checkPauses(t *testing.T, log string, d gcDocument, events []gcEvent) {
	t.Helper()
	count, total, longest := closedPauses(t, log)
	p := d.Logs[0].Pauses
	if int(p.Stops) != count {
		t.Errorf("%d stops, %d lines close one", p.Stops, count)
	}
	if math.Abs(p.Total-total) > 1e-3*total {
		t.Errorf("%.6f s in pauses, the lines add up to %.6f s", p.Total, total)
	}
	if math.Abs(p.Longest-longest) > 1e-3*longest {
		t.Errorf("the longest pause is %.6f s, of the lines %.6f s", p.Longest, longest)
	}
	stops := 0
	for _, e := range events {
		if e.Stops {
			stops++
		}
	}
	if stops != count {
		t.Errorf("%d events stop the program, %d lines close a pause", stops, count)
	}
}

// Decorations may stand in any number, and none at all.
func TestGCDecorations(t *testing.T) {
	for _, decorations := range []string{
		"none", "uptime", "time", "utctime", "level,tags", "uptimemillis", "uptimenanos", "timemillis", "timenanos,tags",
		"time,uptimemillis", "hostname,pid,tid", "utctime,pid,tags", "time,utctime,uptime,timemillis,uptimemillis,timenanos,uptimenanos,hostname,pid,tid,level,tags",
	} {
		for _, what := range []string{"gc", "gc*"} {
			t.Run(decorations+" "+what, func(t *testing.T) {
				log := churn(t, "G1", what+":file=FILE:"+decorations)
				r, d, events := gcRead(t, log, "--strict")
				if r.code != 0 {
					t.Errorf("exit code %d: %s", r.code, r.stderr)
				}
				checkPauses(t, log, d, events)
			})
		}
	}
}

// At the level of debug and trace a log has dozens of lines a pause; none of them
// is a pause, and none is unknown.
func TestGCDebugLevel(t *testing.T) {
	for _, collector := range []string{"Serial", "Parallel", "G1", "Z", "Shenandoah"} {
		t.Run(collector, func(t *testing.T) {
			log := churn(t, collector, "gc*=debug,safepoint=debug:file=FILE:uptime,level,tags")
			r, d, events := gcRead(t, log, "--strict")
			if r.code != 0 {
				t.Errorf("exit code %d: %s", r.code, r.stderr)
			}
			checkPauses(t, log, d, events)
		})
	}
}

// A rotated set that the JDK wrote is one log in the order of its times.
func TestGCRotated(t *testing.T) {
	log := churn(t, "Parallel", "gc*,gc+heap=debug:file=FILE:uptime,tags:filecount=50,filesize=30K")
	parts, err := filepath.Glob(log + "*")
	if err != nil || len(parts) < 3 {
		t.Fatalf("the log was not rotated: %v, %v", parts, err)
	}
	r, d, events := gcRead(t, filepath.Dir(log), "--strict")
	if r.code != 0 || len(d.Logs) != 1 {
		t.Fatalf("exit code %d, %d logs: %s", r.code, len(d.Logs), r.stderr)
	}
	last := -1.0
	for _, e := range events {
		if e.Kind != "pause" {
			continue
		}
		if *e.Uptime < last-0.5 {
			t.Fatalf("line %d at %f after %f: the files are out of order", e.Line, *e.Uptime, last)
		}
		last = *e.Uptime
	}
	count := 0
	for _, p := range parts {
		n, _, _ := closedPauses(t, p)
		count += n
	}
	// A pause may lie on both sides of a cut.
	if int(d.Logs[0].Pauses.Stops) != count {
		t.Errorf("%d stops, %d lines close one", d.Logs[0].Pauses.Stops, count)
	}
}

// A heap that is nearly full is an overload, and the first line says so.
func TestGCOverload(t *testing.T) {
	java := need(t, "java")
	dir := t.TempDir()
	log := filepath.Join(dir, "gc.log")
	src := filepath.Join(dir, "Full.java")
	program := `import java.util.*;
public class Full {
    public static void main(String[] a) {
        long end = System.nanoTime() + 22_000_000_000L;
        ArrayDeque<byte[]> kept = new ArrayDeque<>();
        for (int i = 0; i < 54_000; i++) kept.add(new byte[1000]);
        while (System.nanoTime() < end) { kept.add(new byte[1000]); kept.poll(); }
    }
}`
	if err := os.WriteFile(src, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := bounded(t, java, "-XX:+UseSerialGC", "-Xmx72m", "-XX:MaxNewSize=2m", "-Xlog:gc*:file="+log+":uptime,tags", src)
	if out, err := cmd.CombinedOutput(); err != nil && !bytes.Contains(out, []byte("OutOfMemory")) {
		t.Fatalf("java: %v\n%s", err, out)
	}
	r, d, _ := gcRead(t, log, "--fail-on", "warning")
	if d.Verdict.Answer != "overload" || r.code != 1 {
		t.Errorf("answer %q, exit code %d\n%s", d.Verdict.Answer, r.code, r.stdout)
	}
	if !strings.HasPrefix(firstLine(r.stdout), "GC was ") {
		t.Errorf("the first line is %q", firstLine(r.stdout))
	}
}

// Go's collector is read as its own account has it.
func TestGCOfGo(t *testing.T) {
	dir := t.TempDir()
	source, err := os.ReadFile("testdata/gc/churn.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), source, 0o600); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, "churn")
	if out, err := bounded(t, "go", "build", "-o", binary, filepath.Join(dir, "main.go")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// Not scavtrace: the runtime of Go 1.26 can lock itself up when it prints both
	// traces at once.
	for _, more := range []string{"", ",gcpacertrace=1", ",gctrace=2"} {
		t.Run("gctrace=1"+more, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "go.log")
			f, err := os.Create(log)
			if err != nil {
				t.Fatal(err)
			}
			cmd := bounded(t, binary)
			cmd.Env = append(os.Environ(), "GODEBUG=gctrace=1"+more)
			cmd.Stderr = f
			out, err := cmd.Output()
			f.Close()
			if err != nil {
				t.Fatal(err)
			}
			var cycles, forced, paused int64
			if _, err := fmt.Sscan(string(out), &cycles, &forced, &paused); err != nil {
				t.Fatalf("%v in %q", err, out)
			}
			r, d, events := gcRead(t, log, "--strict")
			if r.code != 0 || d.Logs[0].Collector != "Go" {
				t.Errorf("exit code %d, read as %s: %s", r.code, d.Logs[0].Collector, r.stderr)
			}
			pauses, explicit := int64(0), int64(0)
			for _, e := range events {
				if e.Kind == "concurrent" {
					pauses++
				}
				if e.Kind == "concurrent" && strings.Contains(e.Flags, "explicit") {
					explicit++
				}
			}
			if pauses != cycles || explicit != forced {
				t.Errorf("%d collections, %d of them forced; the program counts %d and %d", pauses, explicit, cycles, forced)
			}
			// gctrace has two or three digits, and its clock is not quite the same.
			if got, want := d.Logs[0].Pauses.Total, float64(paused)/1e9; math.Abs(got-want) > 0.2*want+1e-3 {
				t.Errorf("%.6f s in pauses, the program counts %.6f s", got, want)
			}
		})
	}
}

// V8's collector is read in both of its forms, as many collections as the program
// was told of.
func TestGCOfNode(t *testing.T) {
	node := need(t, "node")
	for _, flag := range []string{"--trace-gc", "--trace-gc-nvp", "--trace-gc-verbose"} {
		t.Run(flag, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "node.log")
			f, err := os.Create(log)
			if err != nil {
				t.Fatal(err)
			}
			var errs bytes.Buffer
			args := []string{flag, "testdata/gc/churn.js"}
			if flag == "--trace-gc-verbose" {
				args = append([]string{"--trace-gc"}, args...)
			}
			cmd := bounded(t, node, args...)
			cmd.Stdout, cmd.Stderr = f, &errs
			err = cmd.Run()
			f.Close()
			if err != nil {
				t.Fatalf("%v\n%s", err, errs.String())
			}
			var observed int64
			if _, err := fmt.Sscanf(errs.String(), "observed %d", &observed); err != nil {
				t.Fatalf("%v in %q", err, errs.String())
			}
			r, d, _ := gcRead(t, log, "--strict")
			if r.code != 0 || d.Logs[0].Collector != "V8" {
				t.Errorf("exit code %d, read as %s: %s", r.code, d.Logs[0].Collector, r.stderr)
			}
			// The observer begins after the first collections of the runtime and misses
			// what comes in its last moment; it is told of incremental steps too.
			if got := d.Logs[0].Pauses.Stops; float64(got) < 0.8*float64(observed) || float64(got) > 1.3*float64(observed)+10 {
				t.Errorf("%d pauses, the program was told of %d", got, observed)
			}
		})
	}
}

// A log is followed across its rotation: a violation is announced while it lasts,
// its end when it ends, and the report comes with the signal.
func TestGCFollow(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "gc.log")
	var f *os.File
	open := func() {
		var err error
		if f, err = os.Create(log); err != nil {
			t.Fatal(err)
		}
	}
	open()
	cmd := exec.Command(program, "gc", "--follow", log, "--window", "2s", "--tiers", "50:1s")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	begin := time.Now()
	id := 0
	write := func(share float64, d time.Duration) {
		for end := time.Now().Add(d); time.Now().Before(end); id++ {
			time.Sleep(100 * time.Millisecond)
			up := time.Since(begin).Seconds()
			fmt.Fprintf(f, "[%.3fs][info][gc] GC(%d) Pause Full (Allocation Failure) 60M->50M(64M) %.3fms\n", up, id, share*100)
		}
	}
	write(0.05, 3*time.Second)
	write(0.9, 3*time.Second)
	if err := os.Rename(log, log+".0"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	open()
	write(0.9, time.Second)
	write(0.02, 5*time.Second)
	f.Close()
	time.Sleep(time.Second)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit code %d", code)
	}
	said := errs.String()
	begins, ends := strings.Index(said, "violation begins"), strings.Index(said, "violation ends")
	if begins < 0 || ends < begins {
		t.Errorf("expected a violation that begins and ends:\n%s", said)
	}
	if strings.Count(said, "violation begins") != 1 {
		t.Errorf("the rotation cut the violation in two:\n%s", said)
	}
	if !strings.Contains(out.String(), "GC was the overload") {
		t.Errorf("the report does not say so:\n%s", out.String())
	}
}

// bounded is a command that ends after two minutes, whatever it does.
func bounded(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = 5 * time.Second
	return cmd
}
