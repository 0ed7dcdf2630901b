package cmd

import (
	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// queueColumns are the columns of the table of queues; wide ones are for pages.
var queueColumns = []struct {
	title string
	wide  bool
	cell  func(q *pending.Queue) report.Cell
}{
	{"waiting", false, func(q *pending.Queue) report.Cell { return report.Txt(units.Count(q.Entries)) }},
	{"of", false, capacityCell},
	{"useful", true, usefulCell},
	{"first waits", false, func(q *pending.Queue) report.Cell {
		return ageCell(q, func(a *pending.Age) float64 { return a.Head })
	}},
	{"median", true, func(q *pending.Queue) report.Cell {
		return laterCell(q, func(a *pending.Age) float64 { return a.Median })
	}},
	{"last", true, func(q *pending.Queue) report.Cell {
		return laterCell(q, func(a *pending.Age) float64 { return a.Tail })
	}},
	{"arrivals", false, func(q *pending.Queue) report.Cell {
		if q.ArrivalRate == nil {
			return report.Txt(dash)
		}
		return report.Txt(units.Rate(*q.ArrivalRate))
	}},
	{"each", true, func(q *pending.Queue) report.Cell {
		if q.BytesEach == nil {
			return report.Txt(dash)
		}
		return report.Txt(units.Size(int64(*q.BytesEach)))
	}},
	{"bytes", false, func(q *pending.Queue) report.Cell { return report.Txt(sizeOr(q.Bytes)) }},
	{"heap", false, func(q *pending.Queue) report.Cell { return report.Txt(share(q.HeapShare)) }},
}

func capacityCell(q *pending.Queue) report.Cell {
	switch {
	case q.Capacity != nil:
		return report.Txt(units.Count(*q.Capacity))
	case q.Unbounded:
		return report.Txt("∞")
	}
	return report.Txt(dash)
}

func usefulCell(q *pending.Queue) report.Cell {
	if q.UsefulPositions == nil {
		return report.Txt(dash)
	}
	c := report.Txt(units.Count(*q.UsefulPositions))
	if q.Dead != nil && *q.Dead > 0 {
		c.Level = report.Bad
	}
	return c
}

func ageCell(q *pending.Queue, of func(*pending.Age) float64) report.Cell {
	if q.Age == nil {
		return report.Txt(dash)
	}
	return report.Txt(units.Seconds(of(q.Age)))
}

// laterCell is an age of entries behind the first ones.
func laterCell(q *pending.Queue, of func(*pending.Age) float64) report.Cell {
	if q.Age != nil && q.Age.HeadOnly {
		return report.Txt(dash)
	}
	return ageCell(q, of)
}

// queuesTable is a line a queue. In text it has the columns for which 80
// characters have room.
func (v heapView) queuesTable(queues []pending.Queue) report.Block {
	t := report.Table{Caption: "Where work waits", Columns: []report.Column{{Title: "queue"}}}
	for _, c := range queueColumns {
		if v.page || !c.wide {
			t.Columns = append(t.Columns, report.Column{Title: c.title, Align: report.Right})
		}
	}
	most := v.rows(queuesInText)
	for i := range queues {
		if i == most {
			t.Rows = append(t.Rows, report.Row(units.Count(len(queues)-i)+" more"))
			break
		}
		row := report.Row(queues[i].Name)
		for _, c := range queueColumns {
			if v.page || !c.wide {
				row = append(row, c.cell(&queues[i]))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

const dash = "–"
