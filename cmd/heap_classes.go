package cmd

import (
	"fmt"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

const (
	arraysInText = 5
	fillInText   = 6
)

// histogramTable is the classes, or places of allocation, with the most bytes.
func (v heapView) histogramTable(res *pending.Result) report.Block {
	if len(res.Histogram) == 0 {
		return nil
	}
	caption, what := "Classes with the most bytes", "class"
	if isGo(res) {
		caption, what = "Places of allocation with the most bytes", "function"
	}
	hasMAT := false
	for _, r := range res.Histogram {
		hasMAT = hasMAT || r.MATBytes != nil
	}
	t := report.Table{Caption: caption, Columns: []report.Column{
		{Title: what}, {Title: "count", Align: report.Right}, {Title: "bytes", Align: report.Right}, {Title: "heap", Align: report.Right},
	}}
	if hasMAT {
		t.Columns = append(t.Columns, report.Column{Title: "as MAT shows", Align: report.Right})
	}
	most := v.rows(v.top)
	for i, r := range res.Histogram {
		if i == most {
			break
		}
		row := report.Row(v.class(r.Class), units.Count(r.Count), units.Size(r.Bytes), share(r.HeapShare))
		if hasMAT {
			row = append(row, report.Txt(sizeOr(r.MATBytes)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func sizeOr(v *int64) string {
	if v == nil {
		return dash
	}
	return units.Size(*v)
}

// arraysTable is the largest single arrays.
func (v heapView) arraysTable(res *pending.Result) report.Block {
	if len(res.Arrays) == 0 {
		return nil
	}
	t := report.Table{Caption: "Largest arrays", Columns: []report.Column{
		{Title: "class"}, {Title: "length", Align: report.Right}, {Title: "used", Align: report.Right}, {Title: "bytes", Align: report.Right}, {Title: "held by"},
	}}
	if v.page {
		t.Columns = append(t.Columns, report.Column{Title: "address"})
	}
	most := v.rows(arraysInText)
	for i, a := range res.Arrays {
		if i == most {
			break
		}
		used := dash
		if a.NonNil != nil {
			used = units.Count(*a.NonNil)
		}
		row := report.Row(v.class(a.Class), units.Count(a.Length), used, units.Size(a.Bytes), v.class(or(a.Owner, dash)))
		if v.page {
			row = append(row, report.Txt(a.Address))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// stringsBlock is what equal strings waste.
func stringsBlock(res *pending.Result) report.Block {
	s := res.Strings
	if s == nil || s.Count == 0 {
		return nil
	}
	kv := &rows{report.KeyValues{Caption: "Equal strings"}}
	kv.add("strings", units.Count(s.Count), units.Size(s.Bytes))
	note := ""
	if s.Sampled {
		note = "estimated from a sample of contents"
	}
	kv.add("could be spared", units.Count(s.Duplicates), units.Size(s.Wasted))
	if s.Bytes > 0 {
		kv.add("share", units.Share(float64(s.Wasted)/float64(s.Bytes)), note)
	}
	return kv.KeyValues
}

// valuesTable is the contents that are there the most often, by length alone
// unless values may be shown.
func (v heapView) valuesTable(res *pending.Result) report.Block {
	if res.Strings == nil || len(res.Strings.Top) == 0 {
		return nil
	}
	shown := false
	for _, s := range res.Strings.Top {
		shown = shown || s.Value != nil
	}
	if !shown && !v.page {
		return nil
	}
	t := report.Table{Caption: "Contents that are there most often", Columns: []report.Column{
		{Title: "length", Align: report.Right}, {Title: "times", Align: report.Right}, {Title: "could be spared", Align: report.Right},
	}}
	if shown {
		t.Columns = append(t.Columns, report.Column{Title: "value"})
	}
	most := v.rows(10)
	for i, s := range res.Strings.Top {
		if i == most {
			break
		}
		row := report.Row(units.Size(s.Length), units.Count(s.Count), units.Size(s.Wasted))
		if s.Value != nil {
			row = append(row, report.Txt(fmt.Sprintf("%q", *s.Value)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// fillTable is how full the arrays of collections are.
func (v heapView) fillTable(res *pending.Result) report.Block {
	if len(res.CollectionFill) == 0 {
		return nil
	}
	t := report.Table{Caption: "How full the arrays of collections are", Columns: []report.Column{
		{Title: "class"}, {Title: "arrays", Align: report.Right}, {Title: "slots", Align: report.Right}, {Title: "used", Align: report.Right}, {Title: "empty", Align: report.Right},
	}}
	most := v.rows(fillInText)
	for i, f := range res.CollectionFill {
		if i == most {
			break
		}
		t.Rows = append(t.Rows, report.Row(v.class(f.Class), units.Count(f.Count), units.Count(f.Slots), units.Share(f.Fill), units.Size(f.Wasted)))
	}
	return t
}
