package catalog

import (
	"strings"
	"testing"

	"example.com/kneeline/analyze/lint/ruletest"
	"example.com/kneeline/internal/finding"
)

// The FollowFeed incident of 2018: from its settings, and numbers of its size, the eight
// findings, each with the value to set. LinkedIn set nearly the same: a queue of 500, the
// default backlog of 50, pools of 1 to 4, a budget per host, and the library's limit equal
// to the application's.
func TestFollowFeed(t *testing.T) {
	res := ruletest.Link(t, "../../../docs/tutorial-followfeed").Judge(All()...)
	got := map[string]finding.Finding{}
	for _, f := range res.Findings {
		got[f.Rule] = f
	}
	for _, want := range []struct {
		rule, file string
		line       int
		severity   finding.Severity
		texts      []string // of message, evidence and what to set
	}{
		{"TMO-06", "query/d2.json", 8, finding.Error, []string{"3.5s, 8.75 times the 400ms", "work goes on for 3.1s", "= 3,720 requests a host", "query/app.properties:2", "set http.requestTimeout to 400ms"}},
		{"QUE-01", "storage/jetty.xml", 11, finding.Error, []string{"1200/s × 400ms = 480", "5,000 / 480 = 10.4", "worked off in 4.17s, 10.4 times as long", "= 312", "set BlockingArrayQueue to 312, at most 480"}},
		{"LSN-02", "storage/jetty.xml", 20, finding.Warning, []string{"2,000 connections may wait in the kernel, 1.67s", "5.83s", "set acceptQueueSize to 66"}},
		{"BUD-03", "query/d2.json", 13, finding.Error, []string{"all of it may hit one of 40 groups, +100%", "2.5% × 160 × 950/s = 3,800/s", "4 × 950/s = 3,800/s", "per host, at most 26.3%"}},
		{"FOV-01", "topology.yaml", 15, finding.Error, []string{"950/s × 4 / 3 = 1,267/s > 1200/s", "safe peak = 1200/s × 3 / 4 = 900/s", "over 20 other hosts: +5% each"}},
		{"HDG-01", "query/app.properties", 4, finding.Note, []string{"150ms, 1.07 times the p99 of 140ms", "has 250ms left"}},
		{"POL-01", "query/d2.json", 10, finding.Warning, []string{"500 × 100 = 50,000", "500 × 4 = 2,000", "set http.poolSize to 4 and the least to 1"}},
		{"CON-01", "storage/jetty.xml", 6, finding.Warning, []string{"1200/s × 40ms = 48", "= 168 if all requests took the p99", "set maxThreads to 58"}},
	} {
		f, ok := got[want.rule]
		if !ok {
			t.Errorf("%s: not found", want.rule)
			continue
		}
		text := f.Message + "\n" + f.Remediation
		for _, e := range f.Evidence {
			text += "\n" + e.Value
		}
		if f.Severity != want.severity || f.Location.File != want.file || f.Location.Line != want.line {
			t.Errorf("%s: %s at %s:%d", want.rule, f.Severity, f.Location.File, f.Location.Line)
		}
		for _, part := range want.texts {
			if !strings.Contains(text, part) {
				t.Errorf("%s: no %q in\n%s", want.rule, part, text)
			}
		}
	}
	lacks := ""
	for _, m := range res.CouldNotCheck {
		lacks += m.Rule + " " + m.What + "\n"
	}
	if !strings.Contains(lacks, "HDG-01 whether storage.retry.after.ms of 150ms is before the 95th percentile (add `service_time.p95` of followfeed-storage to the topology)") {
		t.Error(lacks)
	}
	if n := len(res.Problems); n != 0 {
		t.Errorf("%+v", res.Problems)
	}
}

// With the values that the findings say, none of them is found again.
func TestFollowFeedFixed(t *testing.T) {
	for _, f := range ruletest.Link(t, "testdata/followfeed-fixed").Judge(All()...).Findings {
		if f.Severity > finding.Note || strings.HasPrefix(f.Rule, "HDG") {
			t.Errorf("%s %s:%d: %s", f.Rule, f.Location.File, f.Location.Line, f.Message)
		}
	}
}
