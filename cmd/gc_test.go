package cmd

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/analyze/gc"
)

// logWriter writes a unified log of G1 with wall clock and uptime.
type logWriter struct {
	strings.Builder
	at time.Duration
	id int
}

// noon is when the process of the log began.
var noon = time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)

func (w *logWriter) line(format string, args ...any) {
	fmt.Fprintf(w, "[%s][%.3fs][info][gc] %s\n", noon.Add(w.at).Format("2006-01-02T15:04:05.000-0700"), w.at.Seconds(), fmt.Sprintf(format, args...))
}

// pause writes one that ends the given time after the one before.
func (w *logWriter) pause(after time.Duration, title, sizes string, took time.Duration) {
	w.at += after
	w.line("GC(%d) %s %s %.3fms", w.id, title, sizes, float64(took)/1e6)
	w.id++
}

const (
	young = "Pause Young (Normal) (G1 Evacuation Pause)"
	full  = "Pause Full (G1 Compaction Pause)"
)

// stormLog is ten quiet minutes in which one minute and a half are a storm of full
// collections, which a look at the whole log hides.
func stormLog() string {
	w := &logWriter{}
	w.line("Using G1")
	for range 150 {
		w.pause(2*time.Second, young, "900M->600M(1024M)", 8*time.Millisecond)
	}
	for range 60 {
		w.pause(1500*time.Millisecond, full, "1020M->1000M(1024M)", 1200*time.Millisecond)
	}
	for range 105 {
		w.pause(2*time.Second, young, "900M->600M(1024M)", 8*time.Millisecond)
	}
	return w.String()
}

// quietLog is ten minutes without anything to note.
func quietLog() string {
	w := &logWriter{}
	w.line("Using G1")
	for i := range 300 {
		w.pause(2*time.Second, young, "600M->300M(1024M)", time.Duration(5+i%7)*time.Millisecond)
	}
	return w.String()
}

// packageDir is where the tests of this package run.
var packageDir, _ = os.Getwd()

// validateFrom validates a document from a test that went to another directory.
func validateFrom(t *testing.T, document string) {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []func(){func() { err = os.Chdir(packageDir) }, func() { validate(t, document) }, func() { err = os.Chdir(here) }} {
		if step(); err != nil {
			t.Fatal(err)
		}
	}
}

// inFolder writes files into a new directory and goes there.
func inFolder(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

// TestGCGolden guards the layout of the report on a log with an overload, a
// timeout and gates, in every shape in which people and programs read it.
func TestGCGolden(t *testing.T) {
	outputs := map[string]string{}
	t.Run("run", func(t *testing.T) {
		inFolder(t, map[string]string{"gc.log": stormLog()})
		for _, format := range []string{"text", "markdown", "json"} {
			got := runArgs(t, "gc", "gc.log", "--timeout", "400ms", "--max-overhead", "10%", "--max-pause", "p50<10ms", "-o", format)
			if got.code != 1 || !strings.Contains(got.stderr, "gate failed: max-overhead 10%") || strings.Contains(got.stderr, "p50") {
				t.Fatalf("exit code %d: %s", got.code, got.stderr)
			}
			outputs[format] = got.stdout
		}
	})
	golden(t, "gc.txt", []byte(outputs["text"]))
	golden(t, "gc.md", []byte(outputs["markdown"]))
	golden(t, "gc.json", []byte(outputs["json"]))
	validate(t, outputs["json"])
}

// TestGCFleetGolden guards the table of several logs, and that the order does not
// depend on which is read first.
func TestGCFleetGolden(t *testing.T) {
	var text string
	t.Run("run", func(t *testing.T) {
		inFolder(t, map[string]string{"logs/web-01.log": quietLog(), "logs/web-02.log": stormLog(), "logs/web-03.log": stormLog(), "logs/app.out": "started\nready\n"})
		for range 5 {
			got := runArgs(t, "gc", "logs")
			if got.code != 0 {
				t.Fatalf("exit code %d: %s", got.code, got.stderr)
			}
			if text != "" && got.stdout != text {
				t.Fatalf("two runs differ:\n%s\n%s", text, got.stdout)
			}
			text = got.stdout
		}
	})
	golden(t, "gc_fleet.txt", []byte(text))
	if !strings.HasPrefix(text, "GC was an overload in 2 of 3 logs") {
		t.Errorf("the first line is %q", firstLine(text))
	}
}

// TestGCCompareGolden guards the layout of a comparison.
func TestGCCompareGolden(t *testing.T) {
	var text string
	t.Run("run", func(t *testing.T) {
		inFolder(t, map[string]string{"before.log": stormLog(), "after.log": quietLog()})
		got := runArgs(t, "gc", "compare", "before.log", "after.log")
		if got.code != 0 || got.stderr != "" {
			t.Fatalf("exit code %d: %s", got.code, got.stderr)
		}
		text = got.stdout
		if got := runArgs(t, "gc", "compare", "before.log", "after.log", "-o", "json"); got.code != 0 {
			t.Errorf("exit code %d", got.code)
		} else {
			validateFrom(t, got.stdout)
		}
		if got := runArgs(t, "gc", "compare", "after.log", "before.log", "--fail-on", "worse"); got.code != 1 {
			t.Errorf("the other way round: exit code %d: %s", got.code, got.stderr)
		}
	})
	golden(t, "gc_compare.txt", []byte(text))
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// gcAnswer runs the command and returns its document.
func gcAnswer(t *testing.T, args ...string) (ran, gc.Result) {
	t.Helper()
	got := runArgs(t, append(append([]string{"gc"}, args...), "-o", "json")...)
	var res gc.Result
	if got.stdout != "" {
		validateFrom(t, got.stdout)
		if err := json.Unmarshal([]byte(got.stdout), &res); err != nil {
			t.Fatal(err)
		}
	}
	return got, res
}

// Every kind of log gives a document of the published shape, and an exit code that
// says what it is worth.
func TestGCAnswers(t *testing.T) {
	goTrace := "app started\n"
	for i := 1; i <= 40; i++ {
		goTrace += fmt.Sprintf("gc %d @%d.000s 2%%: 0.05+4.0+0.02 ms clock, 0.2+1.0/3.0/0+0.08 ms cpu, 40->42->20 MB, 41 MB goal, 0 MB stacks, 0 MB globals, 4 P\n", i, i)
	}
	inFolder(t, map[string]string{
		"storm.log": stormLog(), "quiet.log": quietLog(), "go.log": goTrace,
		"header.log":  "[0.003s][info][gc] Using G1\n",
		"short.log":   "[1.000s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 20M->10M(64M) 5.000ms\n",
		"unknown.log": quietLog() + "[2026-11-28T12:11:00.000+0000][660.000s][info][gc] GC(999) Frobnicating heap 12ms\n",
		"cycles.log":  "[0.1s][info][gc] Using The Z Garbage Collector\n[1.0s][info][gc] GC(0) Garbage Collection (Warmup) 20M(20%)->10M(10%)\n",
		"other.txt":   "no\ngc\nhere\n", "empty.log": "", "torn.log": "[GC [GC [GC\n",
	})
	for _, c := range []struct {
		args   []string
		code   int
		answer string
		stderr string
	}{
		{[]string{"storm.log"}, 0, gc.Overload, ""},
		{[]string{"storm.log", "--fail-on", "error"}, 1, gc.Overload, "gate failed: fail-on error"},
		{[]string{"storm.log", "--fail-on", "none"}, 0, gc.Overload, ""},
		{[]string{"storm.log", "--tiers", "90:10m"}, 0, gc.NoOverload, ""},
		{[]string{"storm.log", "--eval", "event"}, 0, gc.Overload, ""},
		{[]string{"storm.log", "--until", "2026-11-28T12:04"}, 0, gc.NoOverload, ""},
		{[]string{"storm.log", "--since", "8m"}, 0, gc.NoOverload, ""},
		{[]string{"storm.log", "--around", "2026-11-28T13:06:30+01:00"}, 0, gc.Overload, ""},
		{[]string{"storm.log", "--preset", "hotspot"}, 0, gc.NoOverload, ""},
		{[]string{"quiet.log", "--max-overhead", "10%", "--max-pause", "p99<200ms,max<1s", "--fail-on", "warning"}, 0, gc.NoOverload, ""},
		{[]string{"quiet.log", "--max-pause", "10ms"}, 1, gc.NoOverload, "max-pause max<10ms: found 11ms"},
		{[]string{"quiet.log", "storm.log"}, 0, gc.Overload, ""},
		{[]string{"go.log"}, 0, gc.NoOverload, ""},
		{[]string{"header.log"}, 0, gc.Unknown, ""},
		{[]string{"header.log", "--strict"}, 0, gc.Unknown, ""},
		{[]string{"header.log", "--max-overhead", "10%"}, 3, gc.Unknown, "cannot tell"},
		{[]string{"short.log"}, 0, gc.Unknown, ""},
		{[]string{"cycles.log"}, 0, gc.Unknown, ""},
		{[]string{"unknown.log"}, 0, gc.NoOverload, ""},
		{[]string{"unknown.log", "--strict"}, 3, gc.NoOverload, "--strict: unknown.log: 1 line was not understood"},
		{[]string{"quiet.log", "gone.log"}, 3, gc.NoOverload, "cannot read gone.log"},
		{[]string{"quiet.log", "other.txt"}, 0, gc.NoOverload, ""},
		{[]string{"quiet.log", "other.txt", "--strict"}, 3, gc.NoOverload, "--strict: other.txt: expected lines of a GC log"},
		{[]string{"torn.log"}, 3, gc.Unknown, "no garbage collection could be read"},
		{[]string{"other.txt"}, 3, "", "other.txt: expected lines of a GC log, found none among 3 lines"},
		{[]string{"empty.log"}, 3, "", "empty.log: expected lines of a GC log, found an empty file"},
		{[]string{"gone.log"}, 3, "", "cannot read gone.log"},
		{[]string{"storm.log", "--since", "20m"}, 3, "", "no event since uptime 20m; the log goes from uptime 0s to uptime 10m"},
		{[]string{"go.log", "--since", "2026-11-28"}, 3, "", "expected an uptime such as 90s"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			got, res := gcAnswer(t, c.args...)
			if got.code != c.code || res.Verdict.Answer != c.answer || !strings.Contains(got.stderr, c.stderr) {
				t.Errorf("exit code %d, answer %q: %s\nstderr: %s", got.code, res.Verdict.Answer, res.Verdict.Sentence, got.stderr)
			}
		})
	}
}

func TestGCRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "expected a log, a directory of logs, or - for stdin"},
		{[]string{"x.log", "--tiers", "10"}, "--tiers"},
		{[]string{"x.log", "--tiers", "10:10s,25:20s"}, "--tiers"},
		{[]string{"x.log", "--window", "0"}, "--window: expected more than 0"},
		{[]string{"x.log", "--window", "2h"}, "window: expected"},
		{[]string{"x.log", "--timeout", "0"}, "--timeout: expected more than 0"},
		{[]string{"x.log", "--service-time", "10ms"}, "expected --timeout beside it"},
		{[]string{"x.log", "--max-overhead", "0%"}, "--max-overhead: expected more than 0"},
		{[]string{"x.log", "--max-pause", "p42<1s"}, "--max-pause"},
		{[]string{"x.log", "--since", "yesterday"}, "expected a date and time such as"},
		{[]string{"x.log", "--since", "2026-11-28", "--until", "90s"}, "expected two dates or two uptimes"},
		{[]string{"x.log", "--since", "2m", "--until", "90s"}, "expected a time before --until 90s"},
		{[]string{"x.log", "--since", "2m", "--around", "90s"}, "expected no --since or --until"},
		{[]string{"x.log", "--preset", "brisk"}, "--preset"},
		{[]string{"x.log", "--fail-on", "anything"}, "--fail-on"},
		{[]string{"compare", "x.log"}, "expected two logs, found 1"},
	} {
		got := runArgs(t, append([]string{"gc"}, c.args...)...)
		if got.code != 2 || !strings.Contains(got.stderr, c.says) {
			t.Errorf("%v: exit code %d: %s", c.args, got.code, got.stderr)
		}
	}
}

// CSV and NDJSON have the same events with the same columns, as they are read.
func TestGCEvents(t *testing.T) {
	inFolder(t, map[string]string{"a.log": stormLog(), "b.log": quietLog()})
	got := runArgs(t, "gc", "a.log", "b.log", "-o", "csv", "-o", "ndjson=events.ndjson", "-o", "json=gc.json")
	if got.code != 0 {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	rows, err := csv.NewReader(strings.NewReader(got.stdout)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("events.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	if len(lines) != len(rows)-1 || len(lines) != 615 {
		t.Fatalf("%d lines of NDJSON, %d of CSV", len(lines), len(rows)-1)
	}
	total := 0.0
	for i, line := range lines {
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		for k, title := range rows[0] {
			want := rows[i+1][k]
			v, has := e[title]
			if has != (want != "") || has && fmt.Sprint(v) != want && !sameNumber(v, want) {
				t.Fatalf("line %d: %s is %v in NDJSON, %q in CSV", i+1, title, v, want)
			}
			delete(e, title)
		}
		for key := range e {
			t.Errorf("%s is in NDJSON only", key)
		}
		total += seconds(t, rows[i+1][slices.Index(rows[0], "duration_seconds")])
	}
	if want := 60*1.2 + 255*0.008; math.Abs(total-want) > 3 { // the quiet log adds 2.4 s
		t.Errorf("%.3f s in pauses, want about %.3f s", total, want)
	}
	if rows[1][0] != "a.log" || rows[len(rows)-1][0] != "b.log" {
		t.Error("events are not in the order of the logs")
	}
}

func sameNumber(v any, text string) bool {
	f, ok := v.(float64)
	var g float64
	_, err := fmt.Sscan(text, &g)
	return ok && err == nil && f == g
}

func seconds(t *testing.T, text string) float64 {
	t.Helper()
	var f float64
	if _, err := fmt.Sscan(text, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// Each metric has one help and one type, and stands together.
func TestGCPrometheus(t *testing.T) {
	inFolder(t, map[string]string{`a"\.log`: stormLog(), "b.log": quietLog()})
	got := runArgs(t, "gc", `a"\.log`, "b.log", "-o", "prometheus")
	if got.code != 0 {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	seen := map[string]int{}
	current := ""
	for line := range strings.Lines(got.stdout) {
		if name, ok := strings.CutPrefix(line, "# TYPE "); ok {
			current, _, _ = strings.Cut(name, " ")
			seen[current]++
			continue
		}
		if !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, current) {
			t.Errorf("%q stands under %s", line, current)
		}
	}
	for name, n := range seen {
		if n != 1 {
			t.Errorf("%s is declared %d times", name, n)
		}
	}
	for _, want := range []string{
		`kneeline_gc_overload{log="a\"\\.log"} 1`, `kneeline_gc_overload{log="b.log"} 0`,
		`kneeline_gc_pause_seconds_count{log="b.log"} 300`, `kneeline_gc_violations{log="b.log",series="pauses",tier="0.5"} 0`,
	} {
		if !strings.Contains(got.stdout, want+"\n") {
			t.Errorf("missing %s in\n%s", want, got.stdout)
		}
	}
}

// All logs of a fleet have metrics, not only those that are shown in detail.
func TestGCPrometheusOfAFleet(t *testing.T) {
	const hosts = 14
	files := map[string]string{"host-00.log": stormLog()}
	for i := 1; i < hosts; i++ {
		files[fmt.Sprintf("host-%02d.log", i)] = quietLog()
	}
	inFolder(t, files)
	got := runArgs(t, "gc", ".", "-o", "prometheus")
	if got.code != 0 {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	for _, metric := range []string{"overload", "observed_seconds", "overhead_ratio", "overhead_peak_ratio", "full_pauses", "pause_seconds_count"} {
		n := 0
		for line := range strings.Lines(got.stdout) {
			if strings.HasPrefix(line, "kneeline_gc_"+metric+"{") && (strings.Contains(line, `series="pauses"`) || !strings.Contains(line, "series=")) {
				n++
			}
		}
		if n != hosts {
			t.Errorf("%s is there for %d of %d logs", metric, n, hosts)
		}
	}
}
