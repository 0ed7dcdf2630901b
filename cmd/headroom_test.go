package cmd

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/analyze/headroom/virtual"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/loadgen/target"
)

// measuredDemo is the demo of the README on virtual time.
func measuredDemo(t *testing.T, settings string) (*measurement, *headroom.Result) {
	t.Helper()
	service, err := target.ParseDemo(settings)
	if err != nil {
		t.Fatal(err)
	}
	cfg := headroom.Config{
		Target: "the demo service (" + describeService(service) + ")",
		SLO:    slo.Default(demoTimeout), Timeout: demoTimeout, Workers: service.Workers,
		Peak: 800, Zones: 3, Growth: 0.03, Overload: true, Budget: headroom.DemoBudget(), Seed: 1,
	}
	res, err := headroom.Measure(context.Background(), virtual.New(service, 1), cfg)
	if err != nil {
		t.Fatal(err)
	}
	m := &measurement{app: newApp(State{}.withDefaults()), opts: &headroomOptions{}, cfg: cfg,
		known: &knownService{config: service}}
	m.known.learn(t.Context(), target.Stats{}, cfg.SLO)
	return m, res
}

// TestHeadroomGolden guards the layout of the report of the README, in every
// shape in which people and programs read it.
func TestHeadroomGolden(t *testing.T) {
	m, res := measuredDemo(t, "")
	rep := m.report(res, nil)
	var text, markdown, json bytes.Buffer
	for _, err := range []error{
		report.Text(&text, rep, report.TextOptions{Width: 80}),
		report.Markdown(&markdown, rep),
		writeJSON(&json, m.document(res)),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "headroom.txt", text.Bytes())
	golden(t, "headroom.md", markdown.Bytes())
	golden(t, "headroom.json", json.Bytes())
	validate(t, json.String())
}

// TestHeadroomVerdict holds the first line to what it must say.
func TestHeadroomVerdict(t *testing.T) {
	for _, tt := range []struct {
		demo       string
		want, lack []string
	}{
		{"", []string{"Capacity 1,1", "95% interval", "headroom", "collapses to", "set the queue to", "not 5,000"}, nil},
		{"queue=400", []string{"goodput keeps up"}, []string{"set the queue"}},
		{"queue=unbounded", []string{"collapses", "not unbounded"}, nil},
		{"service=exp:200ms", []string{"No capacity at", "with next to no load"}, []string{"set the queue"}},
	} {
		m, res := measuredDemo(t, tt.demo)
		line := m.verdict(res, nil).Text
		for _, w := range tt.want {
			if !strings.Contains(line, w) {
				t.Errorf("demo %q: the first line lacks %q: %s", tt.demo, w, line)
			}
		}
		for _, l := range tt.lack {
			if strings.Contains(line, l) {
				t.Errorf("demo %q: the first line has %q: %s", tt.demo, l, line)
			}
		}
	}
}

// TestHeadroomUnanswered holds a run without one right answer to exit code 3 and
// a first line that says what went wrong, whatever the analysis made of it.
func TestHeadroomUnanswered(t *testing.T) {
	m := &measurement{app: newApp(State{}.withDefaults()), opts: &headroomOptions{}}
	for _, tt := range []struct {
		account headroom.Account
		want    string
	}{
		{headroom.Account{Planned: 115, Failed: 115, Causes: map[string]uint64{"status 500": 115}},
			"not one of 115 requests was answered in full: status 500 × 115"},
		{headroom.Account{Planned: 1, Shed: 1}, "not one of 1 request was answered in full: shed with 429 or 503 × 1"},
		{headroom.Account{Planned: 9, TimedOut: 8, InFlight: 1}, "not one of 9 requests was answered in full: timed out × 8, in flight × 1"},
	} {
		res := &headroom.Result{Complete: true, Account: tt.account, Result: headroom.Answer{
			Floor:   &headroom.Floor{Clause: "p99<1s", BadShare: 1},
			BoundBy: "errors", Verdict: &headroom.Verdict{Gate: "hold"},
		}}
		err := unanswered(res, nil)
		if err == nil || err.Error() != tt.want || exitCode(t.Context(), err) != exitNoAnswer {
			t.Errorf("unanswered: %v, want %q with exit code 3", err, tt.want)
			continue
		}
		withdraw(res)
		if gate := gateError(res); gate != nil || res.Complete {
			t.Errorf("a gate was judged (%v), or the result is complete (%v)", gate, res.Complete)
		}
		rep := m.report(res, err)
		if !strings.HasSuffix(rep.Verdict.Text, tt.want) || strings.Contains(rep.Incomplete, tt.want) {
			t.Errorf("first line %q, incomplete %q: want the reason once", rep.Verdict.Text, rep.Incomplete)
		}
	}
	silent := errors.New("the service gave no answer within the timeout of 1s")
	if err := unanswered(&headroom.Result{Account: headroom.Account{Planned: 9, TimedOut: 9}}, silent); err != nil {
		t.Errorf("in place of %q: %v", silent, err)
	}
	for _, a := range []headroom.Account{{}, {Planned: 9, Full: 1}, {Planned: 9, Degraded: 1}} {
		if err := unanswered(&headroom.Result{Account: a}, nil); err != nil {
			t.Errorf("%+v: %v", a, err)
		}
	}
}

// TestCappedByFiles guards that a bound set by the limit on open files says so.
func TestCappedByFiles(t *testing.T) {
	rate := 106.0
	held := &headroom.Result{Warnings: []string{"first"}, Result: headroom.Answer{AtLeast: &rate}}
	for capped, want := range map[bool]int{true: 2, false: 1} {
		m := &measurement{opts: &headroomOptions{cappedByFiles: capped}}
		if got := m.notes(held); len(got) != want || got[0] != "first" {
			t.Errorf("capped by files %v: notes %q", capped, got)
		}
		if got := m.notes(&headroom.Result{}); len(got) != 0 {
			t.Errorf("without a bound: notes %q", got)
		}
	}
}

// TestVoidTrials guards that the reasons for which trials are void are said
// once, and that the table marks the trials.
func TestVoidTrials(t *testing.T) {
	res := &headroom.Result{Generator: headroom.Generator{VoidTrials: 3}, Result: headroom.Answer{Trials: []headroom.Trial{
		{Phase: "ramp", Void: "the generator sent late: 99th percentile of the send lag 291ms, limit 100ms"},
		{Phase: "ramp"},
		{Phase: "saturate", Void: "the generator sent late: 99th percentile of the send lag 135ms, limit 100ms"},
		{Phase: "depth", Void: "84 requests were not sent by their deadline"},
	}}}
	const want = "the generator sent late × 2, requests were not sent by their deadline × 1"
	if got := voidReasons(res.Result.Trials); got != want {
		t.Errorf("reasons %q, want %q", got, want)
	}
	table := trialsTable(res).(report.Table)
	for i, row := range table.Rows {
		if void := res.Result.Trials[i].Void != ""; void != (row[len(row)-1].Text == "void") {
			t.Errorf("row %d: remark %q", i, row[len(row)-1].Text)
		}
	}
}

// TestFloorPhrase holds what is said of a service that breaks the objective
// without load: what most of the bad requests were, and no figure that was not
// measured.
func TestFloorPhrase(t *testing.T) {
	for limit, want := range map[slo.Limit]string{
		slo.LimitErrors:   "28% of requests are bad, most of them failed: status 500 × 82",
		slo.LimitShed:     "28% of requests are bad, most of them shed with 429 or 503",
		slo.LimitDegraded: "28% of requests are bad, most of them answered degraded",
		slo.LimitLatency:  "28% of requests break p99<1s",
	} {
		res := &headroom.Result{Account: headroom.Account{Causes: map[string]uint64{"status 500": 82}}, Result: headroom.Answer{
			BoundBy: string(limit), Floor: &headroom.Floor{Clause: "p99<1s", BadShare: 0.28}}}
		if got := floorPhrase(res); got != want {
			t.Errorf("%s: %q, want %q", limit, got, want)
		}
	}
}

// TestGates holds what a gate makes of a bound, and that a rate which held is
// bound by nothing.
func TestGates(t *testing.T) {
	atLeast := 950.0
	res := &headroom.Result{Result: headroom.Answer{AtLeast: &atLeast, BoundBy: headroom.BoundByRateCap,
		Verdict: &headroom.Verdict{Gate: "slo-at", Found: 950, Wanted: 980}}}
	if err := gateError(res); err == nil || exitCode(t.Context(), err) != exitNoAnswer || !strings.Contains(err.Error(), "undecided") {
		t.Errorf("a bound below what is wanted: %v, want an undecided gate with exit code 3", err)
	}
	res.Result.AtLeast, res.Result.Floor = nil, &headroom.Floor{}
	if err := gateError(res); exitCode(t.Context(), err) != exitGate {
		t.Errorf("no capacity at all: %v, want exit code 1", err)
	}
	for _, tt := range []struct {
		bound string
		gate  *headroom.Verdict
		want  string
	}{
		{"latency", nil, "bound by"},
		{"none", &headroom.Verdict{Gate: "hold", Pass: true}, ""},
		{"latency", &headroom.Verdict{Gate: "hold", Pass: true}, ""},
		{"errors", &headroom.Verdict{Gate: "hold"}, "broken by"},
		{"latency", &headroom.Verdict{Gate: "slo-at"}, "bound by"},
		{"", nil, ""},
	} {
		if got := boundKey(&headroom.Answer{BoundBy: tt.bound, Verdict: tt.gate}); got != tt.want {
			t.Errorf("bound by %q, gate %+v: %q, want %q", tt.bound, tt.gate, got, tt.want)
		}
	}
}

// golden compares with a file under testdata/golden, which -update rewrites.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("..", "testdata", "golden", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test ./cmd -update rewrites it):\n%s", name, firstDifference(got, want))
	}
}

func firstDifference(got, want []byte) string {
	g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(g), len(w)) {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			return "got  " + a + "\nwant " + b
		}
	}
	return "no line"
}

// TestHeadroomRequest holds how headers and bodies are read.
func TestHeadroomRequest(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return "@" + path
	}
	a := newApp(State{Stdin: strings.NewReader("from stdin")}.withDefaults())
	headers := file("headers.txt", "# token of the test user\r\nAuthorization: Bearer x\r\n\r\nX-Tier: gold\n")
	rq := requestOptions{headers: []string{headers, "X-Two: 2"}, body: "@-"}
	o, err := rq.options(a, "http://127.0.0.1/")
	if err != nil {
		t.Fatal(err)
	}
	if o.Method != "POST" || string(o.Body) != "from stdin" || len(o.Headers) != 3 || o.Headers[0].Value != "Bearer x" {
		t.Errorf("method %s, body %q, headers %v", o.Method, o.Body, o.Headers)
	}
	for _, tt := range []struct {
		rq   requestOptions
		want string
	}{
		{requestOptions{headers: []string{"Authorization: Bearer x"}}, "secret"},
		{requestOptions{headers: []string{file("bad.txt", "X-A: 1\nno header\n")}}, "bad.txt:2:"},
		{requestOptions{headers: []string{"@" + dir + "/none"}}, "none"},
		{requestOptions{body: "@" + dir + "/none"}, "none"},
		{requestOptions{degraded: []string{"color:blue"}}, "--degraded"},
	} {
		if _, err := tt.rq.options(a, "http://127.0.0.1/"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: error %v, want one with %q", tt.rq, err, tt.want)
		}
	}
}

// TestTruthOf holds the demo's truth to the closed form, and refuses objectives
// it cannot judge.
func TestTruthOf(t *testing.T) {
	got, err := truthOf(t.Context(), target.Default(), slo.Default(400*time.Millisecond))
	if err != nil || got.PerSecond < 1187 || got.PerSecond > 1189 {
		t.Errorf("truth of the demo: %+v, %v", got, err)
	}
	only, err := slo.Parse("errors<1%")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := truthOf(t.Context(), target.Default(), only); err == nil {
		t.Error("an objective without latency was given a truth")
	}
}
