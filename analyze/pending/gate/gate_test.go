package gate

import (
	"testing"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/finding"
)

func TestJudge(t *testing.T) {
	limit := func(n int64) *int64 { return &n }
	queue := []pending.Queue{{Entries: 500, Requests: true}, {Entries: 9000}}
	found := []finding.Finding{{Severity: finding.Warning}}
	tests := []struct {
		name    string
		limits  Limits
		answer  string
		cut     bool
		res     pending.Result
		passed  bool
		decided bool
	}{
		{"under", Limits{MaxPending: limit(500)}, pending.PileUp, false, pending.Result{Queues: queue}, true, true},
		{"over", Limits{MaxPending: limit(499)}, pending.PileUp, false, pending.Result{Queues: queue}, false, true},
		{"none allowed", Limits{MaxPending: limit(0)}, pending.Nothing, false, pending.Result{}, true, true},
		{"cluster", Limits{MaxPending: limit(499)}, pending.PileUp, false, pending.Result{Clusters: []pending.Cluster{{Count: 500, Request: true}, {Count: 1}}}, false, true},
		{"connections that are open", Limits{MaxPending: limit(0)}, pending.Nothing, false, pending.Result{Clusters: []pending.Cluster{{Count: 500, Request: true}}}, true, true},
		{"tasks that pile up", Limits{MaxPending: limit(499)}, pending.PileUp, false, pending.Result{Queues: []pending.Queue{{Entries: 500}}, Verdict: pending.Verdict{Queue: new(int)}}, false, true},
		{"timers", Limits{MaxPending: limit(0)}, pending.Nothing, false, pending.Result{Queues: []pending.Queue{{Entries: 500, Requests: true, Role: pending.RoleTimers}}}, true, true},
		{"go", Limits{MaxPending: limit(499)}, pending.PileUp, false, pending.Result{Go: &pending.Go{Requests: pending.GoRequests{Total: 900, Waiting: 500}}}, false, true},
		{"go, all served", Limits{MaxPending: limit(499)}, pending.Nothing, false, pending.Result{Go: &pending.Go{Requests: pending.GoRequests{Total: 900, Waiting: 5}}}, true, true},
		{"cut off, over all the same", Limits{MaxPending: limit(499)}, pending.PileUp, true, pending.Result{Queues: queue}, false, true},
		{"cut off, under so far", Limits{MaxPending: limit(500)}, pending.PileUp, true, pending.Result{Queues: queue}, false, false},
		{"cannot tell", Limits{MaxPending: limit(500)}, pending.Unknown, false, pending.Result{}, false, false},
		{"finding", Limits{FailOn: finding.Warning}, pending.PileUp, false, pending.Result{Findings: found}, false, true},
		{"milder finding", Limits{FailOn: finding.Error}, pending.PileUp, false, pending.Result{Findings: found}, true, true},
		{"no finding, but no answer", Limits{FailOn: finding.Error}, pending.Unknown, false, pending.Result{}, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := tt.res
			res.Complete, res.Verdict.Answer, res.Inputs = true, tt.answer, []pending.Input{{Complete: !tt.cut}}
			gates := tt.limits.Judge(&res)
			if len(gates) != 1 || gates[0].Passed != tt.passed || (gates[0].Value != nil) != tt.decided {
				t.Errorf("%+v, want passed %v, decided %v", gates, tt.passed, tt.decided)
			}
		})
	}
	if l := (Limits{}); l.Set() || l.Judge(&pending.Result{}) != nil {
		t.Error("a gate that nobody asked for")
	}
}
