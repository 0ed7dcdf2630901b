package cmd

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/analyze/headroom/ab"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// abReport builds what people read.
func abReport(res *ab.Result, failure error) *report.Report {
	out := &report.Report{Title: "Two services side by side", Notes: res.Warnings,
		Verdict: report.Verdict{Text: res.Sentence, Level: compareLevels[res.Verdict]}}
	if !res.Complete {
		out.Verdict.Level = report.Warn
		out.Incomplete = "the comparison did not run to its end"
		if failure != nil {
			out.Incomplete += ": " + failure.Error()
		}
	}
	if len(res.Rows) > 0 {
		t := compareTable(res.Rows, "A", "B")
		t.Caption = "Figures, means over the pairs; the change is that within pairs"
		out.Add(t)
	}
	out.Add(report.KeyValues{Caption: "How it is judged", Items: []report.KeyValue{
		{Key: "rule", Value: res.Rule},
		{Key: "chance of a wrong verdict", Value: "at most " + units.Share(res.Alpha), Note: "of two services that are alike"},
		{Key: "rate", Value: rateOf(res), Note: res.RateFrom},
	}})
	for i, s := range []*ab.Side{&res.A, &res.B} {
		kv := &rows{report.KeyValues{Caption: sideNames[i]}}
		kv.add("service", s.Target, "")
		if s.Capacity != nil {
			kv.add("capacity", units.Rate(s.Capacity.Estimate), fmt.Sprintf("%s to %s, by the short search for a rate", units.Rate(s.Capacity.Low), units.Rate(s.Capacity.High)))
		}
		kv.add("requests", units.Count(s.Account.Planned), units.Count(s.Account.Full)+" full")
		if what := badness(&headroom.Account{Causes: s.Account.Causes, Shed: s.Account.Shed, TimedOut: s.Account.TimedOut, NeverSent: s.Account.NeverSent}); what != "" {
			kv.add("ended badly", what, "")
		}
		out.Add(kv.KeyValues)
	}
	if len(res.Blocks) > 0 {
		out.Add(blocksTable(res.Blocks))
	}
	return out
}

// rateOf is what was offered to either.
func rateOf(res *ab.Result) string {
	if res.RatePerSecond == 0 {
		return "none: the search for one did not end"
	}
	return units.Rate(res.RatePerSecond)
}

// blocksTable lists the blocks in the order in which they were offered.
func blocksTable(blocks []ab.BlockRow) report.Table {
	t := report.Table{Caption: "Blocks", Columns: []report.Column{
		rightColumn("pair"), {Title: "side"}, rightColumn("rate"), rightColumn("mean"), rightColumn("p50"), rightColumn("p99"), rightColumn("bad"), {Title: "remark"}}}
	seconds := func(v *float64) string {
		if v == nil {
			return ""
		}
		return units.Seconds(*v)
	}
	for _, b := range blocks {
		remark := b.Stopped
		if b.Void != "" {
			remark = "void"
		}
		t.Rows = append(t.Rows, report.Row(units.Count(b.Pair), strings.ToUpper(b.Side), units.Rate(b.Planned),
			seconds(b.Mean), seconds(b.P50), seconds(b.P99), units.Share(b.Bad), remark))
	}
	return t
}
