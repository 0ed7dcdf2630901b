package cmd

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/heapdump/hprofgen"
	"example.com/kneeline/internal/fault"
)

// heapJSON runs heap and returns its result.
func heapJSON(t *testing.T, args ...string) *pending.Result {
	t.Helper()
	got := runArgs(t, append([]string{"heap", "-o", "json"}, args...)...)
	if got.code != 0 {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	validate(t, got.stdout)
	var res pending.Result
	if err := json.Unmarshal([]byte(got.stdout), &res); err != nil {
		t.Fatal(err)
	}
	return &res
}

// The figures of a pile-up are those that the dump was made with.
func TestHeapOfAJetty(t *testing.T) {
	const n = 3000
	path := writeDump(t, t.TempDir(), "dump.hprof", jettyDump(n))
	res := heapJSON(t, path, "--capacity", "1200/s", "--timeout", "400ms")
	if res.Verdict.Answer != pending.PileUp || res.Verdict.Queue == nil {
		t.Fatalf("verdict %+v", res.Verdict)
	}
	q := res.Queues[*res.Verdict.Queue]
	if q.Entries != n || q.Capacity == nil || *q.Capacity != 60_000 || !q.Requests {
		t.Errorf("queue %+v", q)
	}
	if want := firstWaits(n).Seconds(); q.Age == nil || q.Age.Head < want-1 || q.Age.Head > want+1 {
		t.Errorf("age %+v, want %v", q.Age, want)
	}
	if r := q.ArrivalRate; r == nil || *r < 95 || *r > 105 {
		t.Errorf("arrival rate %v, want 100", r)
	}
	if res.Settings.Capacity == nil || *res.Settings.Capacity != 1200 || q.UsefulPositions == nil || *q.UsefulPositions > 480 || *q.UsefulPositions < 300 {
		t.Errorf("useful %v of capacity %v", q.UsefulPositions, res.Settings.Capacity)
	}
}

// Capacity and timeout of a measurement serve as those of flags do, and flags win.
func TestHeapTakesWhatHeadroomMeasured(t *testing.T) {
	dir := t.TempDir()
	path := writeDump(t, dir, "dump.hprof", jettyDump(500))
	from := writeDump(t, dir, "headroom.json", []byte(`{"schema":"kneeline.headroom/v1","complete":true,"timeout_seconds":0.4,
		"result":{"capacity_per_second":{"estimate":1185,"low":1168,"high":1203},"saturated_throughput_per_second":{"estimate":1193,"low":1179,"high":1208}}}`))
	res := heapJSON(t, path, "--from", from)
	if s := res.Settings; s.Capacity == nil || *s.Capacity != 1179 || s.Timeout == nil || *s.Timeout != 0.4 {
		t.Errorf("settings %+v", s)
	}
	res = heapJSON(t, path, "--from", from, "--capacity", "800/s")
	if s := res.Settings; *s.Capacity != 800 || *s.Timeout != 0.4 {
		t.Errorf("settings %+v", s)
	}
}

// secretDump has a value in everything that may hold one, in great numbers.
func secretDump(secret string) []byte {
	d := hprofgen.New(hprofgen.Options{})
	account := d.Class("app.Account", nil, hprofgen.F("token", hprofgen.Object), hprofgen.F("pin", hprofgen.Long))
	var items []hprofgen.ID
	for i := range 400 {
		token := d.String(secret)
		items = append(items, d.Object(account, "token", token, "pin", 4_242_424_242+i))
	}
	for i := range 200 {
		d.String(fmt.Sprintf("%s-%d", secret, i))
	}
	threads := []*hprofgen.Thread{d.Thread("worker-1", nil, hprofgen.At("app.Vault", "open", 3))}
	threads[0].Local(0, items[0])
	d.Root(0x05, d.ThreadPoolExecutor(1, 1, d.LinkedBlockingQueue(1000, items...), threads...))
	return d.Encode().Data
}

// No value of a dump is in any output, unless values are asked for.
func TestHeapShowsNoValues(t *testing.T) {
	const secret = "hunter2-of-the-account"
	dir := t.TempDir()
	path := writeDump(t, dir, "dump.hprof", secretDump(secret))
	formats := []string{"text", "json", "markdown", "html", "csv", "ndjson"}
	for _, format := range formats {
		got := runArgs(t, "heap", path, "-o", format, "-v")
		if got.code != 0 || len(got.stdout) == 0 {
			t.Fatalf("%s: exit code %d: %s", format, got.code, got.stderr)
		}
		for _, value := range []string{secret, "hunter2", "4242424242", "4,242,424,242"} {
			if strings.Contains(got.stdout+got.stderr, value) {
				t.Errorf("%s shows %q", format, value)
			}
		}
	}
	got := runArgs(t, "heap", path, "--show-values")
	if !strings.Contains(got.stdout, secret) {
		t.Errorf("--show-values shows no value:\n%s", got.stdout)
	}
}

// A thread dump and a histogram beside a heap dump are used, or said to be of no use.
func TestHeapWithCompanions(t *testing.T) {
	dir := t.TempDir()
	dump := writeDump(t, dir, "web-01.hprof", jettyDump(500))
	threads := writeDump(t, dir, "web-01.threads.txt", []byte(someThreads))
	histo := writeDump(t, dir, "web-01.histo.txt", []byte(someHisto))
	res := heapJSON(t, dump, threads, histo)
	if len(res.Inputs) != 2 || res.Inputs[1].Name != threads {
		t.Errorf("inputs %+v", res.Inputs)
	}
	if len(res.Workers) != 0 && res.Workers[0].Total == 12 {
		t.Error("the threads of the heap dump were taken, not those of the thread dump")
	}
	if notes := strings.Join(res.Warnings, "\n"); !strings.Contains(notes, "web-01.histo.txt") {
		t.Errorf("nothing is said of the histogram: %q", notes)
	}
	// Of a fleet each has the threads of its own name.
	writeDump(t, dir, "web-02.hprof", quietDump())
	got := runArgs(t, "heap", dir, "-o", "json")
	if got.code != 0 || !strings.Contains(got.stdout, `"kneeline.heap-fleet/v1"`) || strings.Contains(got.stdout, "left out") {
		t.Errorf("exit code %d: %s %.300s", got.code, got.stderr, got.stdout)
	}
	validate(t, got.stdout)
}

// An input that the user says is a dump, and is none, is an error with the place.
func TestHeapForcedFormat(t *testing.T) {
	dir := t.TempDir()
	path := writeDump(t, dir, "x", []byte("hello, this is no dump\n"))
	got := runArgs(t, "heap", path, "--input-format", "hprof")
	if got.code != exitNoAnswer || !strings.Contains(got.stderr, path+": byte 0: expected a heap dump") {
		t.Errorf("exit code %d: %s", got.code, got.stderr)
	}
}

// Of many files that are nothing of a heap one stands for all.
func TestLeftOut(t *testing.T) {
	bad := func(name string) error { return fault.NoAnswerf("%w", notOfAHeap{name, "text"}) }
	gone := fault.NoAnswerf("cannot read x")
	few := notTaken([]error{bad("a"), gone, bad("b"), bad("c")})
	many := notTaken([]error{bad("a"), gone, bad("b"), fault.WithHint(bad("c"), "unpack it"), bad("d")})
	if len(few) != 4 || len(many) != 2 || !strings.HasPrefix(many[0], "left out 4 files that are nothing of a heap, such as a: expected") || many[1] != "left out cannot read x" {
		t.Errorf("%q, %q", few, many)
	}
}
