package cmd

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/pending/fleet"
	"example.com/kneeline/analyze/pending/gate"
	"example.com/kneeline/internal/fault"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/report"
)

// quietHeap is the judgement of a heap in which nothing piles up.
func quietHeap(answer string) *pending.Result {
	return &pending.Result{Schema: pending.Schema, Complete: true, Verdict: pending.Verdict{Answer: answer, Sentence: "nothing piles up: the longest queue holds 12", Why: []string{}},
		Inputs: []pending.Input{{Name: "quiet.hprof", Format: "hprof", Complete: true, Losses: []pending.Loss{}}}, Heap: &pending.HeapSummary{Objects: 1000, Classes: 20, Bytes: 64 << 20},
		Queues: []pending.Queue{}, Clusters: []pending.Cluster{}, Workers: []pending.Pool{}, Groups: []pending.Group{}, Limits: []pending.Limit{},
		Histogram: []pending.ClassRow{}, Arrays: []pending.ArrayRow{}, CollectionFill: []pending.FillRow{}, Findings: []finding.Finding{}, CouldNotSay: []string{}, Warnings: []string{}}
}

// TestHeapFleetGolden guards the table of several heaps, and the schema of the
// result.
func TestHeapFleetGolden(t *testing.T) {
	var all fleet.Assembly
	limits := gate.Limits{MaxPending: ptr(int64(400)), FailOn: finding.Error}
	for _, h := range []struct {
		name string
		res  *pending.Result
	}{
		{"dumps/web-01.hprof", quietHeap(pending.Nothing)}, {"dumps/web-02.hprof", pileUp()}, {"dumps/web-03.hprof", quietHeap(pending.Unknown)},
	} {
		h.res.Gates = limits.Judge(h.res)
		all.Add(h.name, h.res)
	}
	res := all.Result()
	var text, doc bytes.Buffer
	if err := report.Text(&text, heapView{top: 10}.fleet(res), report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	golden(t, "heap_fleet.txt", text.Bytes())
	if err := writeJSON(&doc, res); err != nil {
		t.Fatal(err)
	}
	validate(t, doc.String())
	err := fleetGateErrors(res.Rows)
	for _, want := range []string{
		"gate failed: max-pending 400: found 19,500 in dumps/web-02.hprof",
		"gate max-pending 400: 1 heap cannot tell",
		"gate failed: fail-on error: found error in dumps/web-02.hprof",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	if worst(err) != exitNoAnswer {
		t.Errorf("exit code %d, want %d: a heap cannot tell", worst(err), exitNoAnswer)
	}
	if e := new(fault.Error); !errors.As(heapGateErrors(res.Details[0].Gates), &e) || e.Kind != fault.Gate {
		t.Error("a gate that fails is no failed gate")
	}
}
