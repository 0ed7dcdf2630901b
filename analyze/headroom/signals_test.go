package headroom

import (
	"strings"
	"testing"

	"example.com/kneeline/internal/fault"
)

func TestCountOfLabels(t *testing.T) {
	for _, tt := range []struct{ label, value, want string }{
		{"code", "500", "status:500"}, {"status", "5xx", "status:5xx"}, {"status_code", "5..", "status:5xx"},
		{"http_response_status_code", "200", "status:200"}, {"Status", "OK", "ok"}, {"status", "error", "errors"},
		{"code", "", "all"}, {"code", "abc", "all"}, {"method", "500", "all"}, {"encode", "500", "all"}, {"code", "099", "all"},
	} {
		if got := CountOfLabels(map[string]string{tt.label: tt.value}); got != tt.want {
			t.Errorf("%s=%q: %s, want %s", tt.label, tt.value, got, tt.want)
		}
	}
}

func TestParseCount(t *testing.T) {
	for _, good := range []string{"all", "ok", "errors", "shed", "status:500", "status:4xx"} {
		if got, err := ParseCount(good); err != nil || got != good {
			t.Errorf("%s: %q, %v", good, got, err)
		}
	}
	for _, bad := range []string{"", "status:", "status:50", "status:x00", "status:5000", "failed"} {
		if _, err := ParseCount(bad); fault.KindOf(err) != fault.Usage || err == nil {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestMetricCheck: what the service may have counted is between what we saw
// answered and that with all of which we did not see the end.
func TestMetricCheck(t *testing.T) {
	a := &Account{Planned: 1000, Full: 700, Degraded: 20, Shed: 80, Failed: 150, TimedOut: 40, InFlight: 10,
		Causes: map[string]uint64{"status 500": 90, "status 502": 10, "status 404": 20, "connection reset": 25, "connection refused": 5}}
	for _, tt := range []struct {
		counts    string
		low, high uint64
		increase  float64
		restarts  int
		agrees    bool
		ratio     float64
	}{
		{"all", 920, 995, 950, 0, true, 1},
		{"all", 920, 995, 998, 0, true, 998.0 / 995}, // two scrapes
		{"all", 920, 995, 1990, 0, false, 1990.0 / 995},
		{"all", 920, 995, 500, 0, false, 500.0 / 920},
		{"all", 920, 995, 500, 1, true, 500.0 / 920},
		{"ok", 720, 795, 720, 0, true, 1},
		{"errors", 200, 275, 800, 0, false, 800.0 / 275},
		{"shed", 80, 155, 79, 0, true, 79.0 / 80},
		{"status:500", 90, 165, 360, 0, false, 360.0 / 165},
		{"status:5xx", 100, 255, 100, 0, true, 1},
		{"status:503", 0, 155, 0, 0, true, -1},
		{"status:404", 20, 95, 0, 0, false, 0},
		{"status:200", 720, 795, 700, 0, false, 700.0 / 720},
		{"status:204", 0, 795, 5, 0, true, 1},
		{"status:418", 0, 75, 0, 0, true, -1},
	} {
		m := MetricCheck{Counts: tt.counts, Increase: &tt.increase, Restarts: tt.restarts}
		m.Hold(a, 2)
		ratio := -1.0
		if m.Ratio != nil {
			ratio = *m.Ratio
		}
		if m.OursLow != tt.low || m.OursHigh != tt.high || *m.Agrees != tt.agrees || ratio != tt.ratio {
			t.Errorf("%s, increase %v: %d to %d, agrees %v, ratio %v", tt.counts, tt.increase, m.OursLow, m.OursHigh, *m.Agrees, ratio)
		}
	}
}

func TestAddMetricCheck(t *testing.T) {
	a := &Account{Planned: 301, Failed: 301, Causes: map[string]uint64{"status 500": 301}}
	check := func(increase float64) *Result {
		m := MetricCheck{URL: "http://x/metrics", Metric: `n{code="500"}`, Counts: "status:500", Increase: &increase}
		m.Hold(a, 2)
		r := &Result{}
		r.AddMetricCheck(m)
		return r
	}
	if r := check(301); len(r.Findings) != 0 || len(r.MetricChecks) != 1 {
		t.Errorf("%+v", r)
	}
	r := check(1204)
	if len(r.Findings) != 1 || r.Findings[0].Rule != RuleMetric || !strings.Contains(r.Findings[0].Message, "it counts 4 times as many, 300% too many") {
		t.Errorf("%+v", r.Findings)
	}
	if r = check(100); len(r.Findings) != 1 || !strings.Contains(r.Findings[0].Message, "too few") {
		t.Errorf("%+v", r.Findings)
	}
	r = &Result{}
	r.AddMetricCheck(MetricCheck{Metric: "n", Error: "no answer"})
	r.AddMetricCheck(MetricCheck{Metric: "m", Restarts: 1})
	if len(r.Findings) != 0 || len(r.Warnings) != 2 {
		t.Errorf("%+v", r)
	}
}

// A request that timed out, and one sent again, is between the bounds.
func TestCountOfRetries(t *testing.T) {
	a := &Account{Full: 10, Retries: &Account{Planned: 9, Full: 4, Shed: 2, Failed: 3}}
	if low, high := a.count("all"); low != 16 || high != 19 {
		t.Errorf("%d to %d", low, high)
	}
}
