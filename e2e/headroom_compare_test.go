//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// counted is a service that fails a share of its requests and keeps metrics of
// them, of which that of errors counts each one factor times.
type counted struct {
	requests, errors atomic.Int64
	factor           int64
	takes            time.Duration
}

func (s *counted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/metrics" {
		fmt.Fprintf(w, "# TYPE http_requests_total counter\nhttp_requests_total{code=\"200\"} %d\nhttp_requests_total{code=\"500\"} %d\n# TYPE failed_ratio gauge\nfailed_ratio %g\n",
			s.requests.Load()-s.errors.Load()/s.factor, s.errors.Load(), float64(s.errors.Load()/s.factor)/float64(max(s.requests.Load(), 1)))
		return
	}
	s.requests.Add(1)
	if s.takes > 0 {
		time.Sleep(s.takes)
	}
	if rand.IntN(20) == 0 {
		s.errors.Add(s.factor)
		http.Error(w, "failed", http.StatusInternalServerError)
		return
	}
	fmt.Fprint(w, "ok")
}

// checked is what these tests read of the JSON.
type checked struct {
	document
	Checks []struct {
		Metric   string
		Increase float64
		Ratio    float64
		Agrees   bool
		Low      int64 `json:"ours_low_count"`
	} `json:"metric_checks"`
	StoppedBy *struct {
		Condition string
		At        float64 `json:"at_seconds"`
	} `json:"stopped_by"`
	Findings []struct{ Rule string }
	Settings struct {
		Hold float64 `json:"hold_per_second"`
	}
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatal(err)
	}
}

// TestCheckMetric: a metric of errors that counts each four times is found out,
// with the ratio, and the one of successes is not.
func TestCheckMetric(t *testing.T) {
	bestOf(t, func() (string, bool) {
		s := httptest.NewServer(&counted{factor: 4})
		defer s.Close()
		path := filepath.Join(t.TempDir(), "r.json")
		r := kneeline(t, "headroom", s.URL+"/feed", "--hold", "200/s", "--for", "6s", "--slo", "errors<20%", "-o", "json="+path,
			"--check-metric", s.URL+`/metrics#http_requests_total{code="500"}`, "--check-metric", s.URL+`/metrics#http_requests_total{code="200"}`)
		var d checked
		readJSON(t, path, &d)
		if r.code != 0 || len(d.Checks) != 2 {
			return fmt.Sprintf("exit code %d\n%s", r.code, r.stderr), d.lagged()
		}
		errors, ok := d.Checks[0], d.Checks[1]
		if errors.Agrees || errors.Increase != float64(4*errors.Low) || errors.Ratio < 3.5 || !ok.Agrees || len(d.Findings) == 0 || d.Findings[0].Rule != "LOD-15" {
			return fmt.Sprintf("%+v, %+v", d.Checks, d.Findings), d.lagged()
		}
		if !strings.Contains(r.stdout, "as many") {
			return "the report does not tell the ratio:\n" + r.stdout, false
		}
		return "", false
	})
}

// TestStopOnMetric: the load ends soon after the service's own metric meets the
// condition, the exit code is 3 and the report says what was seen.
func TestStopOnMetric(t *testing.T) {
	bestOf(t, func() (string, bool) {
		s := httptest.NewServer(&counted{factor: 1})
		defer s.Close()
		path := filepath.Join(t.TempDir(), "r.json")
		began := time.Now()
		r := kneeline(t, "headroom", s.URL+"/feed", "--hold", "200/s", "--for", "40s", "--slo", "errors<20%", "-o", "json="+path,
			"--stop-on-metric", s.URL+`/metrics#http_requests_total{code="500"}>=30`)
		took := time.Since(began)
		var d checked
		readJSON(t, path, &d)
		if r.code != 3 || d.Complete || d.StoppedBy == nil || d.StoppedBy.At > 15 || took > 25*time.Second || !strings.Contains(r.stdout, "by the service's own signal") {
			return fmt.Sprintf("exit code %d after %s, stopped by %+v\n%s\n%s", r.code, took, d.StoppedBy, r.stdout, r.stderr), d.lagged()
		}
		return "", false
	})
}

// TestMergedHolds: two holds at once of half the rate each are merged into one of
// the whole, with every request that the service counted.
func TestMergedHolds(t *testing.T) {
	bestOf(t, func() (string, bool) {
		service := &counted{factor: 1}
		s := httptest.NewServer(service)
		defer s.Close()
		dir := t.TempDir()
		parts := []string{filepath.Join(dir, "part-1.json"), filepath.Join(dir, "part-2.json")}
		var both sync.WaitGroup
		for _, p := range parts {
			both.Go(func() {
				kneeline(t, "headroom", s.URL+"/feed", "--hold", "150/s", "--for", "6s", "--slo", "errors<20%", "-o", "json="+p)
			})
		}
		both.Wait()
		all := filepath.Join(dir, "all.json")
		r := kneeline(t, "headroom", "merge", parts[0], parts[1], "-o", "json="+all)
		if _, err := os.Stat(all); err != nil {
			return r.stderr, false
		}
		var d checked
		readJSON(t, all, &d)
		if r.code != 0 || d.Settings.Hold != 300 || d.Account.Planned != service.requests.Load() {
			return fmt.Sprintf("exit code %d, %v/s, %d requests merged, %d counted\n%s", r.code, d.Settings.Hold, d.Account.Planned, service.requests.Load(), r.stderr), d.lagged()
		}
		return "", false
	})
}

// TestSideBySide: a service that takes 20 ms longer is worse, beside one that is
// alike it is not.
func TestSideBySide(t *testing.T) {
	quick, slow := httptest.NewServer(&counted{factor: 1, takes: 5 * time.Millisecond}), httptest.NewServer(&counted{factor: 1, takes: 25 * time.Millisecond})
	defer quick.Close()
	defer slow.Close()
	bestOf(t, func() (string, bool) {
		r := kneeline(t, "headroom", "--ab", quick.URL+"/a", slow.URL+"/b", "--rate", "100/s", "--pairs", "8", "--block", "500ms",
			"--slo", "errors<20%", "--fail-on", "worse", "-o", "json")
		var d struct{ Verdict string }
		if err := json.Unmarshal([]byte(r.stdout), &d); err != nil {
			return r.stderr, true
		}
		if r.code != 1 || d.Verdict != "worse" {
			return fmt.Sprintf("exit code %d, verdict %q\n%s", r.code, d.Verdict, r.stderr), false
		}
		return "", false
	})
}
