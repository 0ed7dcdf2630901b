package cmd

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/analyze/queue/server"
)

// followFeedLine is LinkedIn's case with made-up clients, asking for everything.
var followFeedLine = []string{
	"queuesize", "--capacity", "1200/s", "--timeout", "400ms", "--service-time", "10ms", "--workers", "12",
	"--queue", "5000", "--accept-queue", "2000", "--retries", "2", "--retry-after", "150ms", "--peak", "950/s",
	"--bytes-per-request", "15KiB", "--clients", "500", "--pool", "100",
	"--server", "jetty", "--what-if", "queue=400,450,500,1000,5000", "--explain",
}

// TestQueuesizeGolden guards the layout of a report that has every part, in
// every shape in which people and programs read it.
func TestQueuesizeGolden(t *testing.T) {
	for format, file := range map[string]string{"text": "queuesize.txt", "markdown": "queuesize.md", "json": "queuesize.json"} {
		got := runArgs(t, append(followFeedLine, "-o", format)...)
		if got.code != 0 || got.stderr != "" {
			t.Fatalf("exit code %d: %s", got.code, got.stderr)
		}
		golden(t, file, []byte(got.stdout))
		if format == "json" {
			validate(t, got.stdout)
		}
	}
}

// Every answer follows the published schema, from the least input to the most.
func TestQueuesizeFollowsItsSchema(t *testing.T) {
	least := []string{"queuesize", "--capacity", "1200/s", "--timeout", "400ms"}
	lines := [][]string{
		least,
		append(least, "--queue", "unbounded", "--what-if", "timeout=100ms..1s"),
		append(least, "--capacity", "1100..1300/s", "--hedge-after", "150ms", "--accept-queue", "50", "--somaxconn", "128"),
		append(least, "--timeout", "1ms", "--queue", "0"),
	}
	for _, name := range server.Names() {
		lines = append(lines, append(followFeedLine, "--server", name))
	}
	for _, line := range lines {
		got := runArgs(t, append(line, "-o", "json")...)
		if got.code != 0 {
			t.Fatalf("%v: exit code %d: %s", line, got.code, got.stderr)
		}
		validate(t, got.stdout)
	}
}

func TestIntervalValue(t *testing.T) {
	for text, want := range map[string][3]float64{
		"1200/s":            {1200, 0, 0},
		"1171..1203/s":      {1187, 1171, 1203},
		"1171/s..1203/s":    {1187, 1171, 1203},
		"1.1k/s..1.3k/s":    {1200, 1100, 1300},
		"1.1..1.3k/s":       {1200, 1100, 1300},
		"1100..1300":        {1200, 1100, 1300},
		"66000..78000/min":  {1200, 1100, 1300},
		"1100rps..1300rps":  {1200, 1100, 1300},
		"1200..1200/s":      {1200, 1200, 1200},
		" 1,171 .. 1,203/s": {1187, 1171, 1203},
	} {
		var v intervalValue
		if err := v.Set(text); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if i := v.interval; i.Estimate != want[0] || i.Low != want[1] || i.High != want[2] {
			t.Errorf("%s: %+v, want %v", text, i, want)
		}
		var back intervalValue
		if err := back.Set(v.String()); err != nil || back != v {
			t.Errorf("%s is written %s, which reads %+v, %v", text, v.String(), back.interval, err)
		}
	}
	for _, text := range []string{"", "..", "1200/s..", "..1200/s", "1300..1200/s", "0..5/s", "-1..5/s", "5..1e400/s", "1..2..3/s", "1ms..2ms"} {
		var v intervalValue
		if err := v.Set(text); err == nil {
			t.Errorf("%q gave %+v", text, v.interval)
		}
	}
}

func FuzzIntervalValue(f *testing.F) {
	for _, s := range []string{"1200/s", "1171..1203/s", "1..2k/s", "..", "5/min..7/h"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var v intervalValue
		if v.Set(text) != nil {
			return
		}
		if i := v.interval; !(i.Estimate > 0) || i.High != 0 && !(i.Low > 0 && i.Low <= i.High) {
			t.Errorf("%q gave %+v", text, i)
		}
	})
}

// A result of headroom on virtual time is read back into the settings it
// recommends.
func TestQueuesizeFromHeadroom(t *testing.T) {
	m, res := measuredDemo(t, "")
	data, err := json.Marshal(m.document(res))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "headroom.json")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	got := runArgs(t, "queuesize", "--from", path, "-o", "json")
	if got.code != 0 {
		t.Fatalf("exit code %d: %s", got.code, got.stderr)
	}
	var r queue.Result
	if err := json.Unmarshal([]byte(got.stdout), &r); err != nil {
		t.Fatal(err)
	}
	u := res.Result.UsefulQueue
	if u == nil {
		t.Fatal("the demo was measured without a useful queue")
	}
	// Both commands give one answer: at the low end of the rate of completions.
	if r.Advice.Positions != u.PositionsLow || *r.Advice.PositionsHigh != u.PositionsHigh || r.Input.Timeout != res.TimeoutSeconds {
		t.Errorf("queuesize says %d to %d, headroom %d to %d", r.Advice.Positions, *r.Advice.PositionsHigh, u.PositionsLow, u.PositionsHigh)
	}
	if peak := r.Input.Peak; peak == nil || *peak < 799 || *peak > 801 {
		t.Errorf("the peak of 800/s came out as %v", peak)
	}
	flags := runArgs(t, "queuesize", "--from", path, "--timeout", "200ms", "--capacity", "600/s", "--peak", "500/s")
	if !strings.Contains(flags.stdout, "600/s × 200ms = 120") {
		t.Errorf("flags do not win over the file:\n%s", flags.stdout)
	}
}

// A file that holds no measurement is an unreadable input, and named; it is not
// a mistake in the flags.
func TestQueuesizeFromNonsense(t *testing.T) {
	const capacity = `"capacity_per_second":{"estimate":100,"low":90,"high":110}`
	for text, says := range map[string]string{
		``:                                   "in.json: expected a result of headroom in JSON",
		`{"schema":"kneeline.headroom/v1"`:   "in.json: expected a result of headroom in JSON",
		`{"schema":"kneeline.queuesize/v1"}`: `expected the schema "kneeline.headroom/v1"`,
		`{"schema":"kneeline.headroom/v1"}`:  "has no capacity",
		headroomJSON(`-1`, capacity):         "timeout_seconds",
		headroomJSON(`1e300`, capacity):      "timeout_seconds",
		headroomJSON(`0.4`, `"capacity_per_second":{"estimate":1e300}`):                                "capacity_per_second",
		headroomJSON(`0.4`, `"saturated_throughput_per_second":{"estimate":100,"low":200,"high":300}`): "saturated_throughput_per_second",
		headroomJSON(`0.4`, capacity+`,"queue_bound_in_system":1e300`):                                 "queue_bound_in_system",
		headroomJSON(`0.4`, capacity+`,"headroom_ratio":-0.99999999999`):                               "headroom_ratio",
		headroomJSON(`0.4`, `"capacity_at_least_per_second":-5`):                                       "capacity_at_least_per_second",
	} {
		path := filepath.Join(t.TempDir(), "in.json")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		got := runArgs(t, "queuesize", "--from", path)
		if got.code != 3 || got.stdout != "" || !strings.Contains(got.stderr, says) || !strings.Contains(got.stderr, "in.json") {
			t.Errorf("%s: exit code %d, %s, want 3 and %q", text, got.code, got.stderr, says)
		}
	}
	// Without an interval the peak is that of the estimate.
	path := filepath.Join(t.TempDir(), "in.json")
	text := headroomJSON(`0.4`, `"capacity_per_second":{"estimate":1200},"headroom_ratio":0.5`)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := runArgs(t, "queuesize", "--from", path, "-o", "json"); !strings.Contains(got.stdout, `"peak_per_second": 800`) {
		t.Errorf("exit code %d, %s: no peak of 800/s in %s", got.code, got.stderr, got.stdout)
	}
}

func headroomJSON(timeout, result string) string {
	return `{"schema":"kneeline.headroom/v1","timeout_seconds":` + timeout + `,"result":{` + result + `}}`
}

// Flags of one subject stand together in help, as they were declared.
func TestHelpKeepsTheOrderOfFlags(t *testing.T) {
	help := runArgs(t, "queuesize", "--help").stdout
	last := 0
	for _, flag := range []string{"--capacity RATE", "--timeout duration", "--from FILE", "--workers count", "--queue count", "--accept-queue count", "--retries count", "--server NAME", "--fail-on note"} {
		at := strings.Index(help, "      "+flag)
		if at < last {
			t.Errorf("%s stands at %d, the one before it at %d", flag, at, last)
		}
		last = at
	}
}
