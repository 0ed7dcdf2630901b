package cmd

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/kneeline/analyze/headroom"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// shownTroubles bounds the rows that tell when requests went wrong; the JSON has
// all of them.
const shownTroubles = 12

// troubleTable tells what went wrong and when, in the order of time.
func troubleTable(res *headroom.Result) report.Block {
	if len(res.Troubles) == 0 {
		return nil
	}
	shown := slices.Clone(res.Troubles)
	caption := "What went wrong, and when"
	if more := len(shown) - shownTroubles; more > 0 {
		slices.SortStableFunc(shown, func(a, b headroom.Trouble) int { return cmp.Compare(b.Count, a.Count) })
		shown = shown[:shownTroubles]
		slices.SortStableFunc(shown, func(a, b headroom.Trouble) int { return cmp.Compare(a.First, b.First) })
		caption += fmt.Sprintf("; %s with fewer requests are in the JSON alone", units.Count(more))
	}
	t := report.Table{Caption: caption, Columns: []report.Column{
		{Title: "what"}, {Title: "requests", Align: report.Right}, {Title: "when, in the time of load"}, {Title: "phase"}}}
	for _, x := range shown {
		t.Rows = append(t.Rows, []report.Cell{report.Txt(x.What), report.Txt(units.Count(x.Count)),
			report.Txt(span(x.First, x.Last)), report.Txt(x.Phase)})
	}
	return t
}

// span is a stretch of time in tenths of a second.
func span(from, to float64) string {
	a, b := fmt.Sprintf("%.1fs", from), fmt.Sprintf("%.1fs", to)
	if a == b {
		return "at " + a
	}
	return a + " to " + b
}

// hintBlock tells whether Retry-After was honest.
func hintBlock(res *headroom.Result) report.Block {
	h := res.RetryAfter
	if h == nil {
		return nil
	}
	item := report.KeyValue{Key: "kept", Value: "not known",
		Note: "no request was planned within a second after a hint had run out, at the same rate or less"}
	if h.Share != nil {
		item.Value = units.Share(*h.Share)
		item.Note = fmt.Sprintf("of %s requests planned within a second after a hint had run out, at the same rate or less, succeeded",
			units.Count(h.After))
	}
	return report.KeyValues{Caption: "Retry-After", Items: []report.KeyValue{
		{Key: "refusals with a hint", Value: units.Count(h.Hinted)}, item}}
}
