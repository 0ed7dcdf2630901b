package cmd

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/fault"
)

// metricsOf serves a page of metrics that the function makes anew each time.
func metricsOf(t *testing.T, page func(asked int64) string) string {
	t.Helper()
	var asked atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		text := page(asked.Add(1))
		if text == "" {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, text)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/metrics"
}

func opened(t *testing.T, o signalOptions) *signals {
	t.Helper()
	s, err := o.open(newApp(State{}.withDefaults()), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSignalFlags(t *testing.T) {
	a := newApp(State{}.withDefaults())
	for _, tt := range []struct {
		o    signalOptions
		want string
	}{
		{signalOptions{checkMetric: []string{"http://x/metrics"}}, "--check-metric: expected URL#METRIC"},
		{signalOptions{checkMetric: []string{"http://x/metrics#"}}, "name of a metric"},
		{signalOptions{checkMetric: []string{"http://x/metrics#a=half"}}, "expected one of all, ok, errors"},
		{signalOptions{checkMetric: []string{"http://x/metrics#a>5"}}, "expected = and a count"},
		{signalOptions{stopOnMetric: []string{"http://x/metrics#a"}}, "--stop-on-metric: expected >, >=, < or <="},
		{signalOptions{stopOnMetric: []string{"http://x/metrics#a>x"}}, "expected a number"},
		{signalOptions{stopOnMetric: []string{"http://x/metrics#a>NaN"}}, "expected a number"},
		{signalOptions{stopOnGC: []string{"-"}}, "expected a file"},
		{signalOptions{stopOnGC: []string{"/does/not/exist.log"}}, "--stop-on-gc"},
	} {
		if err := tt.o.check(a); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %q", tt.o, err, tt.want)
		}
	}
	c, err := parseCheck(`http://x/metrics?a=b#n{code=~"5.."}`)
	if err != nil || c.counts != "status:5xx" || c.url != "http://x/metrics?a=b" {
		t.Errorf("%+v, %v", c, err)
	}
	if c, err = parseCheck(`http://x/#n{code="500"}=errors`); err != nil || c.counts != "errors" || c.String() != `n{code="500"}` {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestCheckMetric goes from a page of metrics to the finding: a count of errors
// that grows by four for each of ours.
func TestCheckMetric(t *testing.T) {
	url := metricsOf(t, func(asked int64) string {
		return fmt.Sprintf("n{code=\"500\",pod=\"a\"} %d\nn{code=\"500\",pod=\"b\"} 7\nn{code=\"200\"} 5\n", 100+1204*(asked-1))
	})
	s := opened(t, signalOptions{checkMetric: []string{url + `#n{code="500"}`}})
	ctx, err := s.begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	res := &headroom.Result{Account: headroom.Account{Planned: 301, Failed: 301, Causes: map[string]uint64{"status 500": 301}}}
	s.end(ctx, res)
	if len(res.MetricChecks) != 1 || *res.MetricChecks[0].Increase != 1204 || res.MetricChecks[0].Series != 2 || len(res.Findings) != 1 {
		t.Errorf("%+v, findings %+v", res.MetricChecks, res.Findings)
	}
}

// A count that is no number grew by an amount that nobody knows, not by 0.
func TestCheckMetricNaN(t *testing.T) {
	url := metricsOf(t, func(asked int64) string {
		if asked <= 2 { // each check asks on its own
			return "n 7\nm NaN\n"
		}
		return "n NaN\nm 7\n"
	})
	s := opened(t, signalOptions{checkMetric: []string{url + "#n", url + "#m"}})
	ctx, err := s.begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	res := &headroom.Result{Account: headroom.Account{Planned: 300, Full: 300}}
	s.end(ctx, res)
	for _, c := range res.MetricChecks {
		if c.Increase != nil || c.Ratio != nil || c.Agrees != nil || metricRow(&c).Value != "not known" {
			t.Errorf("%+v", c)
		}
	}
	if len(res.Findings) != 0 {
		t.Errorf("%+v", res.Findings)
	}
}

// A service that is gone after the load is said, with our own count.
func TestCheckMetricGone(t *testing.T) {
	url := metricsOf(t, func(asked int64) string {
		if asked == 1 {
			return "n 1\n"
		}
		return ""
	})
	s := opened(t, signalOptions{checkMetric: []string{url + "#n"}})
	ctx, err := s.begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	res := &headroom.Result{Account: headroom.Account{Planned: 3, Full: 3}}
	s.end(ctx, res)
	if c := res.MetricChecks[0]; !strings.Contains(c.Error, "503") || c.OursLow != 3 || c.Agrees != nil || len(res.Findings) != 0 || len(res.Warnings) != 1 {
		t.Errorf("%+v, %q", res.MetricChecks, res.Warnings)
	}
	if _, err := opened(t, signalOptions{checkMetric: []string{metricsOf(t, func(int64) string { return "" }) + "#n"}}).begin(t.Context()); fault.KindOf(err) != fault.NoAnswer || err == nil {
		t.Errorf("nothing to read before the load: %v", err)
	}
}

// TestStopOnMetric: the load ends at the first look at which a series meets the
// condition, and the result says so.
func TestStopOnMetric(t *testing.T) {
	url := metricsOf(t, func(asked int64) string {
		if asked == 1 {
			return "usage{pool=\"a\"} 0.2\nusage{pool=\"b\"} 0.5\n"
		}
		return "usage{pool=\"a\"} 0.2\nusage{pool=\"b\"} 0.95\n"
	})
	s := opened(t, signalOptions{stopOnMetric: []string{url + "#usage>0.9"}})
	ctx, err := s.begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
	cause := context.Cause(ctx)
	res := &headroom.Result{}
	s.end(ctx, res)
	if x := res.StoppedBy; x == nil || x.Value != 0.95 || x.Condition != "usage>0.9" || x.AtSeconds <= 0 ||
		cause == nil || cause.Error() != x.Sentence() || fault.KindOf(cause) != fault.NoAnswer {
		t.Errorf("%+v, cause %v", res.StoppedBy, cause)
	}
}

func TestStopOnMetricBefore(t *testing.T) {
	url := metricsOf(t, func(int64) string { return "usage 0.95\nfree 3\n" })
	for spec, want := range map[string]string{
		"#usage>0.9":  "is 0.95 before the first request",
		"#free<=3":    "is 3 before the first request",
		"#nothing>=1": "has no series of nothing",
	} {
		if _, err := opened(t, signalOptions{stopOnMetric: []string{url + spec}}).begin(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", spec, err, want)
		}
	}
	ctx, err := opened(t, signalOptions{stopOnMetric: []string{url + "#free<3"}}).begin(t.Context())
	if err != nil || ctx.Err() != nil {
		t.Errorf("%v, %v", err, ctx.Err())
	}
}

// gcLines are pauses of a unified log that fill a share of time, from an instant on.
func gcLines(from, to, pause float64) string {
	var b strings.Builder
	n := int(from)
	for at := from; at < to; at++ {
		fmt.Fprintf(&b, "[%.3fs][info][gc] GC(%d) Pause Young (Normal) (G1 Evacuation Pause) 100M->50M(256M) %.3fms\n", at+pause, n, pause*1000)
		n++
	}
	return b.String()
}

// TestStopOnGC: a log that is calm so far is followed; what is appended makes a
// violation begin, and that ends the load. One that shows a violation already is
// refused before any.
func TestStopOnGC(t *testing.T) {
	path := filepath.Join(t.TempDir(), "gc.log")
	if err := os.WriteFile(path, []byte("[0.010s][info][gc] Using G1\n"+gcLines(1, 60, 0.005)), 0o644); err != nil {
		t.Fatal(err)
	}
	s := opened(t, signalOptions{stopOnGC: []string{path}})
	ctx, err := s.begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(gcLines(60, 130, 0.7)); err != nil {
		t.Fatal(err)
	}
	f.Close()
	<-ctx.Done()
	res := &headroom.Result{}
	s.end(ctx, res)
	if x := res.StoppedBy; x == nil || x.Signal != "gc" || x.Value < 0.4 || !strings.Contains(x.Found, "gc.log: ") {
		t.Errorf("%+v, %v", res.StoppedBy, context.Cause(ctx))
	}
	if _, err := opened(t, signalOptions{stopOnGC: []string{path}}).begin(t.Context()); fault.KindOf(err) != fault.NoAnswer || err == nil || !strings.Contains(err.Error(), "before the first request") {
		t.Errorf("a violation that goes on already: %v", err)
	}
}
