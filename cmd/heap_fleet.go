package cmd

import (
	"fmt"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/pending/fleet"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// heapsInText is how many heaps the table of a fleet has in text.
const heapsInText = 20

// fleet is the report of several heaps.
func (v heapView) fleet(res *fleet.Result) *report.Report {
	out := &report.Report{
		Title:   counted(res.Heaps, "heap", "heaps"),
		Verdict: report.Verdict{Text: res.Verdict.Sentence, Level: heapLevel(res.Verdict.Answer)},
		Notes:   append([]string(nil), res.Warnings...),
	}
	if !res.Complete {
		out.Incomplete = "not all heaps were read"
	}
	out.Add(v.fleetTable(res.Rows))
	out.Add(fleetGateBlocks(res.Rows)...)
	detailed := res.Details[:min(1, len(res.Details))]
	if v.page {
		detailed = res.Details
	}
	for i, heap := range detailed {
		out.Add(report.Heading{Text: res.Rows[i].Name}, report.Paragraph{Text: heap.Verdict.Sentence, Level: heapLevel(heap.Verdict.Answer)})
		one := *heap
		one.Gates = nil // said for all
		out.Add(v.blocks(&one)...)
		if cut := heapCut(heap); cut != "" {
			out.Notes = append(out.Notes, cut)
		}
		for _, w := range heap.Warnings {
			out.Notes = append(out.Notes, res.Rows[i].Name+": "+w)
		}
	}
	if len(detailed) < len(res.Rows) {
		out.Notes = append(out.Notes, fmt.Sprintf("the worst heap is shown in detail; -o html=FILE shows the worst %d", len(res.Details)))
	}
	return out
}

// fleetTable is a line a heap, the worst first.
func (v heapView) fleetTable(all []fleet.Row) report.Block {
	t := report.Table{Caption: "Heaps, the worst first", Columns: []report.Column{
		{Title: "heap"}, {Title: "piles up"}, {Title: "waiting", Align: report.Right}, {Title: "of", Align: report.Right},
		{Title: "first waits", Align: report.Right}, {Title: "heap", Align: report.Right},
	}}
	if v.page {
		t.Columns = append(t.Columns, report.Column{Title: "queue"}, report.Column{Title: "arrivals", Align: report.Right},
			report.Column{Title: "bytes", Align: report.Right}, report.Column{Title: "whole heap", Align: report.Right}, report.Column{Title: "worst finding"})
	}
	most := heapsInText
	if v.page {
		most = len(all)
	}
	names := make([]string, len(all))
	for i, row := range all {
		names[i] = row.Name
	}
	names = withoutCommonDir(names)
	for i, row := range all {
		if i == most {
			t.Rows = append(t.Rows, report.Row(units.Count(len(all)-i)+" more"))
			break
		}
		t.Rows = append(t.Rows, v.fleetRow(names[i], row))
	}
	return t
}

// answerWords are the answers in the words of the column "piles up".
var answerWords = map[string]string{
	pending.PileUp: "yes", pending.Nothing: "no", pending.FullOfElse: "no, but full", pending.Unknown: "cannot tell",
}

func (v heapView) fleetRow(name string, r fleet.Row) []report.Cell {
	if !v.page {
		name = tail(name, nameInText)
	}
	row := report.Row(name, answerWords[r.Answer], dash, dash, dash, dash)
	row[1].Level = heapLevel(r.Answer)
	if !r.Complete {
		row[1].Text += ", cut off"
	}
	if r.Entries != nil {
		row[2].Text = units.Count(*r.Entries)
	}
	switch {
	case r.Capacity != nil:
		row[3].Text = units.Count(*r.Capacity)
	case r.Unbounded:
		row[3].Text = "∞"
	}
	row[4].Text = secondsOr(r.Head)
	row[5].Text = share(r.HeapShare)
	if !v.page {
		return row
	}
	more := report.Row(or(r.Queue, dash), dash, sizeOr(r.Bytes), sizeOr(r.HeapBytes), or(r.Severity, dash))
	if r.Arrival != nil {
		more[1].Text = units.Rate(*r.Arrival)
	}
	return append(row, more...)
}
