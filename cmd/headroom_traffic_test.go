package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/analyze/headroom/virtual"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/slo"
	"example.com/kneeline/loadgen/target"
)

// burstLog is the log of a minute: 300 requests a second, and 900 in three of them.
func burstLog() string {
	var b strings.Builder
	at := time.Date(2024, 5, 1, 11, 59, 30, 0, time.FixedZone("", 7200))
	for s := range 60 {
		n := 300
		if s >= 40 && s < 43 {
			n = 900
		}
		for i := range n {
			method, path := "GET", fmt.Sprintf("/feed?page=%d", i%3)
			if i%100 == 7 {
				method, path = "POST", "/feed"
			}
			fmt.Fprintf(&b, "10.0.0.1 - - [%s] \"%s %s HTTP/1.1\" 200 512 \"-\" \"app\" 0.0%02d\n",
				at.Add(time.Duration(s)*time.Second).Format("02/Jan/2006:15:04:05 -0700"), method, path, i%30)
		}
	}
	b.WriteString("2024/05/01 12:00:31 [error] upstream timed out\n")
	return b.String()
}

// TestTrafficGolden guards the layout of what is said of real traffic, with a replay
// on virtual time.
func TestTrafficGolden(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "access.log")
	if err := os.WriteFile(path, []byte(burstLog()), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	var stderr bytes.Buffer
	a := newApp(State{Stderr: &stderr}.withDefaults())
	o := &headroomOptions{traffic: trafficOptions{peakFrom: []string{"access.log"}, replay: []string{"access.log"}, speed: 1.5, format: anyLog}}
	tr, _, err := o.readTraffic(t.Context(), a, "http://127.0.0.1:8080")
	if err != nil {
		t.Fatal(err)
	}
	cfg := headroom.Config{
		Target: "http://127.0.0.1:8080", SLO: slo.Default(demoTimeout), Timeout: demoTimeout, Peak: float64(o.peak), Seed: 1,
	}
	if err := tr.readReplay(t.Context(), a, "http://127.0.0.1:8080", &cfg, 0); err != nil {
		t.Fatal(err)
	}
	res, err := headroom.Measure(context.Background(), virtual.New(target.Default(), 1), cfg)
	if err != nil {
		t.Fatal(err)
	}
	// The simulated service has no kinds of requests.
	res.Targets = []headroom.Target{
		{Name: "GET /feed?page=1", Account: headroom.Account{Planned: 6000, Full: 5800, TimedOut: 200}, BadShare: 0.0333,
			Latency: &headroom.Quantiles{P50: 0.012, P90: 0.3, P99: 0.39, P999: 0.4, Max: 0.4}},
		{Kinds: 2, Account: headroom.Account{Planned: 13000, Full: 13000}, Latency: &headroom.Quantiles{P50: 0.01, P99: 0.1}},
	}
	m := &measurement{app: a, opts: o, cfg: cfg, traffic: tr}
	rep := m.report(res, nil)
	var text, doc bytes.Buffer
	if err := report.Text(&text, rep, report.TextOptions{Width: 80}); err != nil {
		t.Fatal(err)
	}
	if err := writeJSON(&doc, m.document(res)); err != nil {
		t.Fatal(err)
	}
	t.Chdir(packageDir)
	golden(t, "headroom_traffic.txt", text.Bytes())
	validate(t, doc.String())
}

// unhurried runs a measurement that is to succeed, up to three times: a round in which
// the machine has no time for the load generator is void.
func unhurried(t *testing.T, measure func() ran) ran {
	t.Helper()
	var r ran
	for range 3 {
		if r = measure(); r.code == 0 {
			return r
		}
		if !strings.Contains(r.stderr, "the load generator was the limit") {
			t.Fatalf("exit code %d: %s", r.code, r.stderr)
		}
	}
	t.Skipf("the machine had no time for the load generator in any of three rounds: %s", r.stderr)
	return r
}

// TestReplayEndToEnd guards that a replay sends what the log has, and no more: the
// service's own count by kind is the log's.
func TestReplayEndToEnd(t *testing.T) {
	var mu sync.Mutex
	got := map[string]int{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		got[r.Method+" "+r.URL.RequestURI()]++
	}))
	defer srv.Close()
	var log strings.Builder
	want := map[string]int{}
	for i := range 200 {
		path := fmt.Sprintf("/a?x=%d", i%2)
		want["GET "+path]++
		fmt.Fprintf(&log, `{"start_time":"2024-05-01T12:00:%02d.%03dZ","method":"GET","path":%q,"response_code":200}`+"\n", i/100, i%100*10, path)
	}
	path := filepath.Join(t.TempDir(), "envoy.json")
	if err := os.WriteFile(path, []byte(log.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	r := unhurried(t, func() ran {
		mu.Lock()
		clear(got)
		mu.Unlock()
		return runArgs(t, "headroom", srv.URL, "--replay", path, "--speed", "4", "--timeout", "10s", "-o", "json")
	})
	validate(t, r.stdout)
	var doc struct {
		Account headroom.Account
		Targets []headroom.Target
		Traffic trafficResult
	}
	if err := json.Unmarshal([]byte(r.stdout), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Account.Planned != 200 || doc.Account.Full != 200 || len(doc.Targets) != 2 || doc.Traffic.Replay.Requests != 200 || doc.Traffic.Replay.Spread {
		t.Errorf("%+v, %d targets, %+v", doc.Account, len(doc.Targets), doc.Traffic.Replay)
	}
	mu.Lock()
	defer mu.Unlock()
	for k, n := range want {
		if got[k] != n {
			t.Errorf("%s: the service counted %d, the log has %d", k, got[k], n)
		}
	}
}

// TestMixBodies guards that a mix sends no bodies unless it is told to, and then as
// long as the log says.
func TestMixBodies(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(path, []byte(`time=2024-05-01T12:00:00Z method=PUT path=/a status=200 bytes_in=77`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for zero, want := range map[bool]int{false: 0, true: 77} {
		var stderr bytes.Buffer
		a := newApp(State{Stderr: &stderr}.withDefaults())
		o := &headroomOptions{traffic: trafficOptions{mixFrom: []string{path}, mixMethods: []string{"PUT"}, zeroBodies: zero, format: anyLog}}
		tr, _, err := o.readTraffic(t.Context(), a, "http://127.0.0.1:8080/")
		if err != nil {
			t.Fatal(err)
		}
		if n := len(tr.requests[0].Body); n != want {
			t.Errorf("bodies of zeros %v: %d bytes, want %d", zero, n, want)
		}
		if warned := strings.Contains(stderr.String(), "without the body"); warned == zero {
			t.Errorf("bodies of zeros %v: %s", zero, stderr.String())
		}
	}
}

// TestSources guards that lists are taken apart at commas, and queries are not.
func TestSources(t *testing.T) {
	got := strings.Join(sources([]string{"a.log,b/*.gz", "prometheus:http://h?query=sum(x,y)", "-"}), "|")
	if got != "a.log|b/*.gz|prometheus:http://h?query=sum(x,y)|-" {
		t.Error(got)
	}
}
