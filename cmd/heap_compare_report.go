package cmd

import (
	"example.com/kneeline/analyze/pending/compare"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// compared is the report of two heaps.
func (v heapView) compared(res *compare.Result) *report.Report {
	out := &report.Report{
		Title:   "Heap of " + res.Before.Name + " and " + res.After.Name,
		Verdict: report.Verdict{Text: res.Sentence, Level: comparedLevel(res.Verdict)},
		Notes:   append([]string(nil), res.Warnings...),
	}
	if !res.Complete {
		out.Incomplete = "not all of the two was read"
	}
	out.Add(comparedBlock(res), v.comparedQueues(res), v.comparedClasses(res), v.comparedRetained("Objects that retain more or less", res.Dominators),
		v.comparedRetained("What the objects of a class retain together", res.RetainedClasses), sidesBlock(res), comparedUnsaid(res))
	return out
}

func comparedLevel(verdict string) report.Level {
	switch verdict {
	case compare.Growing:
		return report.Bad
	case compare.CannotTell:
		return report.Warn
	}
	return report.Good
}

// perSecond is a rate with its sign, of things or bytes.
func perSecond(v *float64, bytes bool) string {
	if v == nil {
		return dash
	}
	text := units.Rate(max(*v, -*v))
	if bytes {
		text = units.Size(int64(max(*v, -*v))) + "/s"
	}
	switch {
	case *v > 0:
		return "+" + text
	case *v < 0:
		return "-" + text
	}
	return text
}

// comparedBlock is the heap as a whole.
func comparedBlock(res *compare.Result) report.Block {
	kv := &rows{report.KeyValues{Caption: "The heap"}}
	if res.Elapsed != nil {
		kv.add("time between", units.Seconds(*res.Elapsed), res.ElapsedFrom)
	}
	if h := res.Heap; h != nil {
		kv.add("before", units.Size(h.Before), "")
		kv.add("after", units.Size(h.After), joinNotes(changeBytes(h.Change), changeOf(h.Objects)+" objects"))
		if h.Rate != nil {
			kv.add("grows by", perSecond(h.Rate, true), "")
		}
		if h.Limit != nil {
			note := "does not fill at this rate"
			if h.Full != nil {
				note = "full in " + units.Seconds(*h.Full) + " if it goes on"
			}
			kv.add("limit", units.Size(*h.Limit), note)
		}
	}
	if len(kv.Items) == 0 {
		return nil
	}
	return kv.KeyValues
}

func atMost(n int64, bound *int64) string {
	if bound != nil {
		return "< " + units.Count(*bound)
	}
	return units.Count(n)
}

func countOr(n *int64) string {
	if n == nil {
		return dash
	}
	return units.Count(*n)
}

// comparedQueues are the queues of the two.
func (v heapView) comparedQueues(res *compare.Result) report.Block {
	if len(res.Queues) == 0 {
		return nil
	}
	t := report.Table{Caption: "Where work waits", Columns: []report.Column{{Title: "queue"}, {Title: "before", Align: report.Right}, {Title: "after", Align: report.Right},
		{Title: "grows by", Align: report.Right}, {Title: "came", Align: report.Right}, {Title: "left", Align: report.Right}, {Title: "full in", Align: report.Right}}}
	most := v.rows(10)
	for i, q := range res.Queues {
		if i == most {
			break
		}
		full := dash
		if q.Full != nil {
			full = units.Seconds(*q.Full)
		}
		t.Rows = append(t.Rows, report.Row(v.class(q.Name), atMost(q.Before, q.BeforeUnder), atMost(q.After, q.AfterUnder), perSecondOr(q.Rate, q.Change),
			countOr(q.Arrived), countOr(q.Left), full))
	}
	return t
}

// perSecondOr is a rate, or the change where there is none.
func perSecondOr(rate *float64, change int64) string {
	if rate == nil {
		return changeOf(change)
	}
	return perSecond(rate, false)
}

// comparedClasses are the classes that changed most.
func (v heapView) comparedClasses(res *compare.Result) report.Block {
	if len(res.Classes) == 0 {
		return nil
	}
	t := report.Table{Caption: "Classes that grew or shrank most", Columns: []report.Column{{Title: "class"}, {Title: "before", Align: report.Right}, {Title: "after", Align: report.Right},
		{Title: "change", Align: report.Right}, {Title: "bytes", Align: report.Right}, {Title: "by time", Align: report.Right}}}
	for _, k := range shownEnds(res.Classes, v.rows(v.top), func(k compare.Class) bool { return k.Bytes >= 0 }) {
		t.Rows = append(t.Rows, report.Row(v.class(k.Class), units.Count(k.CountBefore), units.Count(k.CountAfter), changeOf(k.Count), changeBytes(k.Bytes), perSecond(k.Rate, true)))
	}
	return t
}

// shownEnds are the first rows, and the last ones if they shrank.
func shownEnds[T any](all []T, n int, grew func(T) bool) []T {
	if len(all) <= n {
		return all
	}
	shrank := 0
	for shrank < n/4 && !grew(all[len(all)-1-shrank]) {
		shrank++
	}
	return append(append([]T{}, all[:n-shrank]...), all[len(all)-shrank:]...)
}

// comparedRetained is what objects retain.
func (v heapView) comparedRetained(caption string, all []compare.Retained) report.Block {
	if len(all) == 0 {
		return nil
	}
	t := report.Table{Caption: caption, Columns: []report.Column{{Title: "class"}, {Title: "before", Align: report.Right}, {Title: "after", Align: report.Right}, {Title: "change", Align: report.Right}}}
	for _, k := range shownEnds(all, v.rows(v.top), func(k compare.Retained) bool { return k.Change >= 0 }) {
		name := v.class(k.Class)
		if k.Name != "" {
			name += " " + k.Name
		}
		t.Rows = append(t.Rows, report.Row(name, units.Size(k.Before), units.Size(k.After), changeBytes(k.Change)))
	}
	return t
}

// sidesBlock is what each of the two says by itself.
func sidesBlock(res *compare.Result) report.Block {
	kv := &rows{report.KeyValues{Caption: "Each by itself"}}
	for _, s := range []compare.Side{res.Before, res.After} {
		note := s.Format
		if s.Taken != nil {
			note = joinNotes(note, "taken "+s.Taken.UTC().Format("2006-01-02 15:04:05")+"Z")
		}
		kv.add(s.Name, s.Sentence, note)
	}
	return kv.KeyValues
}

func comparedUnsaid(res *compare.Result) report.Block {
	if len(res.CouldNotSay) == 0 {
		return nil
	}
	return report.List{Caption: "What could not be said", Items: res.CouldNotSay}
}
