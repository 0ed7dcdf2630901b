package gcparse

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"example.com/kneeline/internal/input"
)

// g1Log is written after the form of a log of JDK 17 with -Xlog:gc*,safepoint.
const g1Log = `[0.004s][info][gc] Using G1
[0.005s][info][gc,init] Version: 17.0.1+1 (release)
[0.005s][info][gc,init] CPUs: 8 total, 4 available
[0.005s][info][gc,init] Memory: 16G
[0.005s][info][gc,init] Heap Region Size: 1M
[0.005s][info][gc,init] Heap Max Capacity: 256M
[0.005s][info][gc,init] Parallel Workers: 4
[0.100s][info][gc,start    ] GC(0) Pause Young (Concurrent Start) (G1 Humongous Allocation)
[0.101s][info][gc,task     ] GC(0) Using 3 workers of 4 for evacuation
[0.102s][info][gc,phases   ] GC(0)   Pre Evacuate Collection Set: 0.1ms
[0.103s][info][gc,heap     ] GC(0) Eden regions: 24->0(30)
[0.103s][info][gc,heap     ] GC(0) Survivor regions: 0->3(4)
[0.103s][info][gc,heap     ] GC(0) Old regions: 5->6
[0.103s][info][gc,heap     ] GC(0) Humongous regions: 2->1
[0.103s][info][gc,metaspace] GC(0) Metaspace: 2000K(2112K)->2000K(2112K) NonClass: 1K(2K)->1K(2K) Class: 1K(2K)->1K(2K)
[0.103s][info][gc          ] GC(0) Pause Young (Concurrent Start) (G1 Humongous Allocation) 31M->10M(256M) 3.250ms
[0.103s][info][gc,cpu      ] GC(0) User=0.01s Sys=0.02s Real=0.00s
[0.103s][info][safepoint   ] Safepoint "G1CollectForAllocation", Time since last: 90000000 ns, Reaching safepoint: 120000 ns, At safepoint: 3300000 ns, Total: 3420000 ns
[0.104s][info][gc          ] GC(1) Concurrent Mark Cycle
[0.110s][info][gc,task     ] GC(1) Using 1 workers of 1 for marking
[0.120s][info][gc,marking  ] GC(1) Concurrent Mark From Roots 12.500ms
[0.121s][info][gc          ] GC(1) Pause Remark 12M->12M(256M) 0.500ms
[0.121s][info][gc,cpu      ] GC(1) User=0.00s Sys=0.00s Real=0.00s
[0.125s][info][gc          ] GC(1) Concurrent Mark Cycle 21.000ms
[0.300s][info][gc          ] GC(2) Pause Young (Normal) (G1 Evacuation Pause) (Evacuation Failure: Allocation) 200M->190M(256M) 40.000ms
[0.300s][info][gc,cpu      ] GC(2) User=0.10s Sys=0.00s Real=0.04s
an application line
[0.700s][info][gc          ] GC(3) Pause Full (G1 Compaction Pause) 256M->120M(256M) 350.125ms
[0.700s][info][gc,cpu      ] GC(3) User=1.30s Sys=0.00s Real=0.35s
`

// titles lists events as start, duration in microseconds, kind and title.
func titles(events []Event) []string {
	var list []string
	for i := range events {
		e := &events[i]
		s := fmt.Sprintf("%v+%vus %v %s", e.Start.Uptime/1000, e.Duration/1000, e.Kind, e.Title)
		if e.Cause != "" {
			s += " | " + e.Cause
		}
		if names := e.Flags.Names(); len(names) > 0 {
			s += " | " + strings.Join(names, ", ")
		}
		list = append(list, s)
	}
	return list
}

func TestUnifiedG1(t *testing.T) {
	events, res := parse(t, g1Log)
	want := []string{
		"99750+3250us pause Pause Young (Concurrent Start) | G1 Humongous Allocation | humongous, initial mark",
		"99580+3420us safepoint Safepoint",
		"107500+12500us concurrent Concurrent Mark From Roots",
		"120500+500us pause Pause Remark",
		"104000+21000us cycle Concurrent Mark Cycle",
		"260000+40000us pause Pause Young (Normal) | G1 Evacuation Pause | evacuation failure",
		"349875+350125us pause Pause Full | G1 Compaction Pause | full",
	}
	if diff := cmp.Diff(want, titles(events)); diff != "" {
		t.Error(diff)
	}
	first := events[0]
	if first.Generation != Young || first.Collector != G1 || first.Workers != 3 || !first.HasID || first.ID != 0 ||
		first.Line != 16 || first.HumongousBefore != 2 || first.HumongousAfter != 1 {
		t.Errorf("first event: %+v", first)
	}
	const mib = 1 << 20
	spaces := []Space{first.Heap, first.Young, first.Old, first.Metaspace}
	var wantSpaces [4]Space
	wantSpaces[0].set(31*mib, 10*mib, 256*mib)
	wantSpaces[1].set(24*mib, 3*mib, 34*mib)
	wantSpaces[2].set(5*mib, 6*mib, -1)
	wantSpaces[3].set(2000<<10, 2000<<10, 2112<<10)
	if diff := cmp.Diff(wantSpaces[:], spaces); diff != "" {
		t.Error(diff)
	}
	if !first.HasCPU || first.User != 10e6 || first.Sys != 20e6 || first.Real != 0 {
		t.Errorf("CPU times of the first event: %+v", first)
	}
	if sp := events[1]; sp.Thread != "G1CollectForAllocation" || !sp.HasTimeToSafepoint || sp.TimeToSafepoint != 120000 {
		t.Errorf("safepoint: %+v", sp)
	}
	run := res.Runs[0]
	if len(res.Runs) != 1 || run.Collector != G1 || run.Version != "17.0.1+1 (release)" || run.CPUs != 4 ||
		run.Memory != 16<<30 || run.RegionSize != mib || run.HeapMax != 256*mib || run.ParallelWorkers != 4 || run.Headless {
		t.Errorf("runs: %+v", res.Runs)
	}
	if run.First.Uptime != 4e6 || run.Last.Uptime != 700e6 {
		t.Errorf("run from %v to %v", run.First, run.Last)
	}
	wantLines := [classes]int64{EventLine: 7, DetailLine: 20, NoiseLine: 1, ForeignLine: 1}
	if res.Ledger.Lines != wantLines {
		t.Errorf("ledger %v, want %v", res.Ledger.Lines, wantLines)
	}
}

// sameEvents reports a difference between two readings.
func sameEvents(t testing.TB, what string, want, got []Event, wantRes, gotRes *Result) {
	t.Helper()
	if len(want) != len(got) {
		t.Fatalf("%s: %d events, want %d", what, len(got), len(want))
	}
	for i := range want {
		if want[i] != got[i] {
			t.Fatalf("%s: event %d:\n%s", what, i, cmp.Diff(want[i], got[i]))
		}
	}
	if diff := cmp.Diff(wantRes.Ledger, gotRes.Ledger); diff != "" {
		t.Fatalf("%s: ledger: %s", what, diff)
	}
	if diff := cmp.Diff(wantRes.Runs, gotRes.Runs); diff != "" {
		t.Fatalf("%s: runs: %s", what, diff)
	}
	if wantRes.Bytes != gotRes.Bytes {
		t.Fatalf("%s: %d bytes, want %d", what, gotRes.Bytes, wantRes.Bytes)
	}
}

// readText reads a text as a file would be, with some number of threads; how
// wraps the reader.
func readText(text []byte, workers int, how func(io.Reader) io.Reader) ([]Event, *Result) {
	var events []Event
	src := io.Reader(bytes.NewReader(text))
	if how != nil {
		src = how(src)
	}
	stream := Stream{Name: "text", Sources: []input.Source{{Name: "text", Path: "text"}}}
	r := newReader(stream, func(e *Event) { events = append(events, *e) })
	var err error
	if workers > 0 {
		err = r.parallel(context.Background(), decode(src), 0, workers)
	} else {
		err = r.serial(context.Background(), decode(src), 0)
	}
	if err != io.EOF {
		panic(err)
	}
	return events, r.finish()
}

// samples are logs to try properties on: all of the corpus that is not large,
// and what the tests have.
func samples(t testing.TB) map[string][]byte {
	logs := map[string][]byte{"g1": []byte(g1Log)}
	dir := os.Getenv("KNEELINE_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "corpus")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "gc", "*"))
	for _, f := range files {
		if data, err := os.ReadFile(f); err == nil && len(data) < 200<<10 {
			logs[filepath.Base(f)] = data
		}
	}
	return logs
}

// Threads, odd pieces and the place of block ends change nothing.
func TestPiecesAndThreadsAgree(t *testing.T) {
	defer goleak.VerifyNone(t)
	var all []byte
	for name, text := range samples(t) {
		want, wantRes := readText(text, 0, nil)
		got, res := readText(text, 3, nil)
		sameEvents(t, name+" with threads", want, got, wantRes, res)
		got, res = readText(text, 2, iotest.HalfReader)
		sameEvents(t, name+" with threads in pieces", want, got, wantRes, res)
		if len(text) < 20<<10 {
			got, res = readText(text, 0, iotest.OneByteReader)
			sameEvents(t, name+" byte by byte", want, got, wantRes, res)
		}
		if len(all) < 4<<20 {
			all = append(append(all, text...), '\n') // families change within blocks
		}
	}
	want, wantRes := readText(all, 0, nil)
	got, res := readText(all, 4, nil)
	sameEvents(t, "all in one", want, got, wantRes, res)
}

// What encoding and line ends a log has does not matter.
func TestEncodings(t *testing.T) {
	want, _ := parse(t, g1Log)
	units := utf16.Encode([]rune(g1Log))
	little, big := []byte{0xff, 0xfe}, []byte{0xfe, 0xff}
	for _, u := range units {
		little = append(little, byte(u), byte(u>>8))
		big = append(big, byte(u>>8), byte(u))
	}
	for name, text := range map[string][]byte{
		"CRLF":                           []byte(strings.ReplaceAll(g1Log, "\n", "\r\n")),
		"byte order mark":                []byte("\xef\xbb\xbf" + g1Log),
		"UTF-16":                         little,
		"UTF-16 big endian":              big,
		"UTF-16 without mark":            little[2:],
		"UTF-16 big endian, no mark":     big[2:],
		"zeros of a truncated file":      []byte(strings.Repeat("\x00", 5000) + g1Log),
		"no line end":                    []byte(strings.TrimSuffix(g1Log, "\n")),
		"a line that never seems to end": []byte(g1Log + strings.Repeat("x", 3*blockSize) + "\n"),
	} {
		for _, workers := range []int{0, 2} {
			got, _ := readText(text, workers, nil)
			if diff := cmp.Diff(titles(want), titles(got)); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}

// Text that was cut off in a long line is the same however it is read.
func TestLongLines(t *testing.T) {
	for _, size := range []int{maxLine - 1, maxLine, maxLine + 1, blockSize - 1, blockSize, blockSize + 1, 2*blockSize + 7} {
		text := []byte("[1.000s][info][gc] GC(0) Pause Young (x) 1M->1M(2M) 1.0ms\n" + strings.Repeat("y", size) +
			"\n[2.000s][info][gc] GC(1) Pause Young (x) 1M->1M(2M) 2.0ms\n")
		want, wantRes := readText(text, 0, nil)
		if len(want) != 2 || want[1].Line != 3 || want[1].Offset != int64(bytes.LastIndex(text, []byte("[2.000s]"))) {
			t.Errorf("line of %d bytes: %+v", size, want)
		}
		got, res := readText(text, 2, iotest.HalfReader)
		sameEvents(t, fmt.Sprint(size), want, got, wantRes, res)
	}
}

func TestProblemsAndCancelling(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir := t.TempDir()
	good := filepath.Join(dir, "good.log")
	if err := os.WriteFile(good, []byte(g1Log), 0o644); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "missing.log")
	streams := []Stream{
		{Name: "one", Sources: []input.Source{{Name: good, Path: good}, {Name: missing, Path: missing}}},
		{Name: "two", Sources: []input.Source{{Name: good, Path: good}}},
	}
	for i, problems := range []int{1, 0} {
		n := 0
		res, err := Read(context.Background(), streams[i], Options{Workers: 2}, func(*Event) { n++ })
		if err != nil || n != 7 || len(res.Problems) != problems {
			t.Errorf("%s: %d events, problems %v, %v", streams[i].Name, n, res.Problems, err)
		}
		if problems > 0 && !strings.Contains(res.Problems[0].Error(), missing) {
			t.Errorf("problem %v does not name %s", res.Problems[0], missing)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	pr, pw := io.Pipe()
	go pw.Write([]byte(g1Log)) // and then nothing more
	n := 0
	stdin := Stream{Name: "stdin", Sources: []input.Source{{Name: "stdin", Path: input.Stdin}}}
	res, err := Read(ctx, stdin, Options{Stdin: pr}, func(*Event) {
		if n++; n == 5 {
			cancel()
		}
	})
	if err != context.Canceled || res.Complete || n < 5 {
		t.Errorf("after cancelling: %d events, complete %v, error %v", n, res.Complete, err)
	}
	pw.Close()
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(g1Log))
	for _, text := range samples(f) {
		if len(text) < 8<<10 {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 64<<10 {
			return
		}
		want, wantRes := readText(text, 0, nil)
		got, res := readText(text, 2, iotest.HalfReader)
		sameEvents(t, "with threads", want, got, wantRes, res)
		got, res = readText(text, 0, iotest.OneByteReader)
		sameEvents(t, "byte by byte", want, got, wantRes, res)
		lines := int64(bytes.Count(text, []byte("\n")))
		if total := wantRes.Ledger.Total(); total != lines && total != lines+1 && len(text) > 0 &&
			!bytes.ContainsAny(text, "\x00\r") && text[0] < 0xef {
			t.Fatalf("%d lines in the ledger, %d in the text", total, lines)
		}
		for _, e := range want {
			if e.Kind == 0 || int(e.Run) >= len(wantRes.Runs) || e.Duration < 0 {
				t.Fatalf("event %+v", e)
			}
		}
	})
}
