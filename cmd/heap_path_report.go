package cmd

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/retained"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// pathReport is what is told of one object.
func (v heapView) pathReport(name string, res *retained.PathResult) *report.Report {
	out := &report.Report{
		Title:   fmt.Sprintf("%s at %s, in %s", res.Object.Class, res.Object.Address, name),
		Verdict: report.Verdict{Text: v.pathVerdict(res)},
		Notes:   res.Warnings,
	}
	kv := &rows{report.KeyValues{Caption: "The object"}}
	kv.add("class", res.Object.Class, res.Object.Name)
	kv.add("itself", units.Size(res.Object.Shallow), "")
	if res.Length != nil {
		kv.add("length", units.Count(*res.Length), "")
	}
	kv.add("retains", units.Size(res.Object.Retained), units.Share(res.Object.HeapShare)+" of what roots reach")
	if n := res.Object.Children; n != nil {
		kv.add("dominates at once", counted(int(*n), "object", "objects"), "")
	}
	caption := "The shortest way from a root"
	if res.Weaker {
		caption += ", by references that are not strong: nothing else holds it"
	}
	out.Add(kv.KeyValues, v.wayTable(caption, res.Path), v.dominatedBy(res), v.referrerTable(res))
	out.Add(v.fieldTable(res)...)
	out.Add(v.treeBlock(res.Below, res.Object.Retained, "What it retains"))
	return out
}

// pathVerdict says in a sentence who holds the object.
func (v heapView) pathVerdict(res *retained.PathResult) string {
	what := res.Object.What()
	if !res.Reachable {
		return what + " is garbage: no root reaches it"
	}
	text := fmt.Sprintf("%s retains %s", what, units.Size(res.Object.Retained))
	switch n := len(res.Dominators); {
	case n > 0:
		text += " and is retained by " + res.Dominators[n-1].What()
	case res.Object.Roots != "":
		text += " and is held by a root, " + res.Object.Roots
	default:
		text += ", and no single object retains it"
	}
	return text
}

func (v heapView) dominatedBy(res *retained.PathResult) report.Block {
	if len(res.Dominators) == 0 {
		return nil
	}
	t := report.Table{Caption: "Who retains it, the outermost first", Columns: []report.Column{
		{Title: "object"}, {Title: "retains", Align: report.Right}, {Title: "share", Align: report.Right}, {Title: "address"},
	}}
	for i := range res.Dominators {
		o := &res.Dominators[i]
		t.Rows = append(t.Rows, report.Row(v.what(o), units.Size(o.Retained), units.Share(o.HeapShare), o.Address))
	}
	return t
}

func (v heapView) referrerTable(res *retained.PathResult) report.Block {
	if len(res.Referrers) == 0 {
		return nil
	}
	t := report.Table{
		Caption: "Who refers to it: " + counted(int(res.ReferrerCount), "object", "objects"),
		Columns: []report.Column{{Title: "class"}, {Title: "count", Align: report.Right}, {Title: "retain", Align: report.Right}},
	}
	for _, r := range res.Referrers {
		t.Rows = append(t.Rows, report.Row(v.class(r.Class), units.Count(r.Count), units.Size(r.Retained)))
	}
	return t
}

// fieldTable is the references of an object with what they lead to; its numbers
// stand below.
func (v heapView) fieldTable(res *retained.PathResult) []report.Block {
	t := report.Table{Caption: "Its fields", Columns: []report.Column{
		{Title: "field"}, {Title: "object"}, {Title: "retains", Align: report.Right}, {Title: "address"},
	}, Empty: "no references"}
	if res.Length != nil {
		t.Caption = "Its slots"
	}
	var null, numbers []string
	for i := range res.Fields {
		f := &res.Fields[i]
		switch {
		case f.Object != nil:
			t.Rows = append(t.Rows, report.Row(f.Name, v.what(f.Object), units.Size(f.Object.Retained), f.Object.Address))
		case f.Type == "reference":
			null = append(null, f.Name)
		case f.Value != "":
			numbers = append(numbers, f.Name+" = "+f.Value)
		default:
			numbers = append(numbers, f.Type+" "+f.Name)
		}
	}
	if len(res.Fields) == 0 {
		return nil
	}
	rest := &rows{}
	if len(null) > 0 {
		rest.add("null", strings.Join(null, ", "), "")
	}
	if len(numbers) > 0 {
		rest.add("numbers", strings.Join(numbers, ", "), "")
	}
	if len(rest.Items) == 0 {
		return []report.Block{t}
	}
	return []report.Block{t, rest.KeyValues}
}
