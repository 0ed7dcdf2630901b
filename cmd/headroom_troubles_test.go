package cmd

import (
	"bytes"
	"fmt"
	"testing"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/report"
)

// TestTroublesGolden guards how a report tells what went wrong and when, and
// whether Retry-After was honest: in the order of time, with the smallest left out
// where there are too many, and counted.
func TestTroublesGolden(t *testing.T) {
	share := 0.04
	res := &headroom.Result{
		Troubles: []headroom.Trouble{
			{What: "connection reset", Class: "failed", Phase: "hold", Count: 12, First: 14.21, Last: 14.52},
			{What: "connection refused", Class: "failed", Phase: "hold", Count: 310, First: 14.52, Last: 15.1},
			{What: "timed out", Class: "timed out", Phase: "hold", Count: 1, First: 15.3, Last: 15.3},
		},
		RetryAfter: &headroom.RetryAfter{Hinted: 1500, Judged: 1200, After: 1400, Succeeded: 56, Share: &share},
	}
	rep := &report.Report{Title: "Troubles", Verdict: report.Verdict{Text: "What went wrong"}}
	rep.Add(troubleTable(res))
	rep.Add(hintBlock(res))
	for i := range 14 {
		res.Troubles = append(res.Troubles, headroom.Trouble{What: fmt.Sprintf("status %d", 500+i), Class: "failed", Phase: "check",
			Count: uint64(20 + i), First: 20 + float64(i), Last: 20 + float64(i)})
	}
	rep.Add(troubleTable(res))
	res.RetryAfter = &headroom.RetryAfter{Hinted: 3}
	rep.Add(hintBlock(res))
	var text bytes.Buffer
	if err := report.Text(&text, rep, report.TextOptions{Width: 80}); err != nil {
		t.Fatal(err)
	}
	golden(t, "headroom-troubles.txt", text.Bytes())
	if troubleTable(&headroom.Result{}) != nil || hintBlock(&headroom.Result{}) != nil {
		t.Error("nothing went wrong, and the report tells of it")
	}
}
