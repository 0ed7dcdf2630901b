package cmd

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"example.com/kneeline/analyze/gc"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// logClock writes times of a log: on the wall clock where the log has it, else as
// uptime.
type logClock struct {
	// base is added to seconds of the log's axis: seconds since midnight UTC of the
	// first day, or the uptime at the origin.
	base float64
	day  time.Time
	wall bool
	span float64
}

func clockOf(l *gc.Log) logClock {
	c := logClock{span: l.End.Log - l.Origin.Log}
	if t, ok := l.Origin.Clock(); ok {
		t = t.UTC()
		c.wall, c.day = true, t.Truncate(24*time.Hour)
		c.base = t.Sub(c.day).Seconds() - l.Origin.Log
	} else if l.Origin.Uptime != nil && l.RunCount <= 1 {
		c.base = *l.Origin.Uptime - l.Origin.Log
	}
	return c
}

// name says which clock it is.
func (c logClock) name() string {
	if c.wall {
		return "wall clock, UTC"
	}
	return "uptime of the process: the log has no dates"
}

// at is a time of the log on the axis of a plot.
func (c logClock) at(log float64) float64 { return c.base + log }

// axis is the x axis of plots over time.
func (c logClock) axis() report.Axis {
	if !c.wall {
		return report.Axis{Title: "uptime", Format: units.Seconds, Time: true}
	}
	layout := "15:04"
	switch {
	case c.span < 10:
		layout = "15:04:05.0"
	case c.span < 600:
		layout = "15:04:05"
	case c.span > 2*86400:
		layout = "01-02 15:04"
	}
	title := c.day.Format("2006-01-02") + ", UTC"
	if c.base+c.span > 86400 {
		title = "UTC, from " + c.day.Format("2006-01-02")
	}
	return report.Axis{Title: title, Time: true, Format: func(v float64) string {
		return c.day.Add(time.Duration(v * float64(time.Second))).Round(time.Millisecond).Format(layout)
	}}
}

const (
	// mostIncidents and mostViolations are how many rows the tables have.
	mostIncidents  = 15
	mostViolations = 200
)

// incidentsTable lists the times of overload, of many only the worst, by time.
func incidentsTable(l *gc.Log, c logClock) report.Block {
	if len(l.Incidents) == 0 {
		return nil
	}
	t := report.Table{Caption: "Times of overload, " + c.name(), Columns: []report.Column{
		{Title: "from – to"}, {Title: "tier", Align: report.Right}, {Title: "for", Align: report.Right}, {Title: "peak", Align: report.Right},
		{Title: "lost", Align: report.Right}, {Title: "known at", Align: report.Right}, {Title: "mostly"},
	}}
	shown := worstIncidents(l.Incidents)
	if len(shown) < len(l.Incidents) {
		t.Caption = fmt.Sprintf("The worst %d of %s times of overload, %s", len(shown), units.Count(len(l.Incidents)), c.name())
	}
	for _, x := range shown {
		lost, mostly := x.Busy, ""
		for _, v := range l.Violations {
			if !v.Counts || v.Run != x.Run || v.Begin.Log > x.End.Log || v.End.Log < x.Begin.Log {
				continue
			}
			lost = max(lost, v.Busy)
			if v.Tier == x.Tier && mostly == "" && len(v.Causes) > 0 {
				mostly = fmt.Sprintf("%s × %s, %s", units.Count(v.Causes[0].Count), v.Causes[0].Name, units.Seconds(v.Causes[0].Seconds))
			}
		}
		span := spanOf(x.Begin, x.End)
		if x.Open {
			span += ", end of the log"
		}
		row := report.Row(span, units.Share(x.Threshold), units.Seconds(x.End.Log-x.Begin.Log), units.Share(x.Peak), units.Seconds(lost), shortMoment(x.Knowable), mostly)
		row[1].Level = tierLevel(x.Threshold)
		t.Rows = append(t.Rows, row)
	}
	return t
}

// worstIncidents is the worst of many, in their order.
func worstIncidents(all []gc.Incident) []gc.Incident {
	if len(all) <= mostIncidents {
		return all
	}
	worst := slices.Clone(all)
	slices.SortStableFunc(worst, func(a, b gc.Incident) int {
		return cmp.Or(cmp.Compare(b.Threshold, a.Threshold), cmp.Compare(b.Busy, a.Busy))
	})
	worst = worst[:mostIncidents]
	slices.SortStableFunc(worst, func(a, b gc.Incident) int { return cmp.Compare(a.Begin.Log, b.Begin.Log) })
	return worst
}

func tierLevel(threshold float64) report.Level {
	if threshold >= severe {
		return report.Bad
	}
	return report.Warn
}

// violationsTable lists every stay in a tier for longer than its period.
func violationsTable(l *gc.Log, c logClock) report.Block {
	if len(l.Violations) == 0 {
		return nil
	}
	t := report.Table{Caption: "Violations, each tier by itself, " + c.name(), Columns: []report.Column{
		{Title: "from – to"}, {Title: "share of time in"}, {Title: "tier", Align: report.Right}, {Title: "for", Align: report.Right},
		{Title: "peak", Align: report.Right}, {Title: "lost", Align: report.Right}, {Title: "pauses", Align: report.Right},
		{Title: "full", Align: report.Right}, {Title: "known at", Align: report.Right},
	}}
	for i, v := range l.Violations {
		if i == mostViolations {
			t.Rows = append(t.Rows, report.Row(fmt.Sprintf("%s more", units.Count(l.Violated-int64(i)))))
			break
		}
		span := spanOf(v.Begin, v.End)
		switch v.State {
		case "open":
			span += ", end of the log"
		case "cut":
			span += ", cut: the log does not go on"
		}
		row := report.Row(span, seriesWords(v.Series), units.Share(v.Threshold), units.Seconds(v.Duration), units.Share(v.Peak), units.Seconds(v.Busy),
			units.Count(v.Events), units.Count(v.Full), shortMoment(v.Knowable))
		if v.Counts {
			row[2].Level = tierLevel(v.Threshold)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// spanOf says from when to when: the date only once.
func spanOf(from, to gc.Moment) string {
	a, aWall := from.Clock()
	b, bWall := to.Clock()
	switch {
	case aWall && bWall && a.Truncate(24*time.Hour).Equal(b.Truncate(24*time.Hour)):
		return a.Format("2006-01-02 15:04:05") + " – " + b.Format("15:04:05Z")
	case aWall && bWall:
		return a.Format("2006-01-02 15:04:05") + " – " + b.Format("2006-01-02 15:04:05Z")
	}
	return shortMoment(from) + " – " + shortMoment(to)
}

// shortMoment is the time of day, or the uptime.
func shortMoment(m gc.Moment) string {
	if t, ok := m.Clock(); ok {
		return t.Format("15:04:05Z")
	}
	return strings.TrimPrefix(m.String(), "uptime ")
}

// overheadTable is how long each share of time was in each tier. In a log too short
// to be judged there are only the shares.
func overheadTable(s *gc.Settings, l *gc.Log) report.Block {
	events, judged := int64(0), false
	for _, n := range l.Events {
		events += n
	}
	for _, f := range l.Overhead {
		judged = judged || f.Peak != nil
	}
	if events == 0 || len(l.Overhead) == 0 {
		return nil
	}
	t := report.Table{
		Caption: fmt.Sprintf("GC overhead over windows of %s: how long in each tier, and how often (×) for too long", units.Seconds(s.Window)),
		Columns: []report.Column{{Title: "share of time in"}, {Title: "whole log", Align: report.Right}},
	}
	if judged {
		t.Columns = append(t.Columns, report.Column{Title: "peak", Align: report.Right})
		for _, tier := range s.Tiers {
			t.Columns = append(t.Columns, report.Column{Title: fmt.Sprintf("≥ %s for %s", units.ExactShare(tier.Threshold), units.Seconds(tier.Period)), Align: report.Right})
		}
	} else {
		t.Caption = fmt.Sprintf("GC overhead; the log is too short for a window of %s", units.Seconds(s.Window))
	}
	for _, f := range l.Overhead {
		row := report.Row(seriesWords(f.Name), units.Share(f.Overall), share(f.Peak))
		t.Rows = append(t.Rows, append(row, tierCells(f)...))
	}
	return t
}

// tierCells are the time in each tier, and how often it was violated.
func tierCells(f gc.SeriesFigures) []report.Cell {
	var cells []report.Cell
	for i, tt := range f.Tiers {
		cell := report.Cell{Text: "–"}
		if tt.Occupied > 0 {
			cell.Text = units.Seconds(tt.Occupied)
		}
		if i < len(f.Violations) && f.Violations[i] > 0 {
			cell.Text += fmt.Sprintf(" (%s×)", units.Count(f.Violations[i]))
			cell.Level = report.Bad
		}
		cells = append(cells, cell)
	}
	return cells
}

// seriesWords says what a series is.
func seriesWords(name string) string {
	switch name {
	case "pauses":
		return "GC pauses"
	case "cpu":
		return "GC on the processors"
	case "stalls":
		return "stalls for memory"
	case "assists":
		return "assists"
	case "stopped":
		return "all stops"
	case "time-to-safepoint":
		return "reaching safepoints"
	}
	return name
}

// overheadPlot draws the shares that count, with the tiers as lines; on a page the
// times of overload are shaded, which would hide the curve in text.
func overheadPlot(s *gc.Settings, l *gc.Log, c logClock, page bool) report.Block {
	plot := report.Plot{
		Title: "GC overhead over the last " + units.Seconds(s.Window), X: c.axis(),
		Y: report.Axis{Title: "share of time", Format: units.Share},
	}
	highest := 0.0
	for _, f := range l.Overhead {
		if f.Curve == nil || !f.Counts && f.Name != "cpu" {
			continue
		}
		series := report.Series{Name: seriesWords(f.Name)}
		for i, v := range f.Curve.Max {
			p := report.Point{X: c.at(f.Curve.Start + (float64(i)+0.5)*f.Curve.Step), Y: math.NaN()}
			if v != nil {
				p.Y = *v
				highest = max(highest, *v)
			}
			series.Points = append(series.Points, p)
		}
		plot.Series = append(plot.Series, series)
	}
	if len(plot.Series) == 0 || highest == 0 {
		return nil
	}
	for i, tier := range s.Tiers {
		if i > 0 && tier.Threshold > 2*highest {
			break
		}
		plot.Marks = append(plot.Marks, report.Mark{Dir: report.Horizontal, At: tier.Threshold, Level: tierLevel(tier.Threshold),
			Label: units.ExactShare(tier.Threshold) + " for " + units.Seconds(tier.Period)})
	}
	if page {
		plot.Bands = incidentBands(l, c)
	}
	return plot
}

// incidentBands are the times of overload on the axis of a plot.
func incidentBands(l *gc.Log, c logClock) []report.Band {
	var bands []report.Band
	for _, x := range l.Incidents {
		bands = append(bands, report.Band{From: c.at(x.Begin.Log), To: c.at(x.End.Log)})
	}
	return bands
}

// heapPlot draws the heap after collections.
func heapPlot(l *gc.Log, c logClock, page bool) report.Block {
	if l.Heap == nil || len(l.Heap.Points) < 2 {
		return nil
	}
	unit, name := sizeUnit(l.Heap.Points)
	var most, least, capacity []report.Point
	for _, p := range l.Heap.Points {
		x := c.at(p.Log + l.Heap.Step/2)
		most = append(most, report.Point{X: x, Y: float64(p.Most) / unit})
		least = append(least, report.Point{X: x, Y: float64(p.Least) / unit})
		if p.Capacity != nil {
			capacity = append(capacity, report.Point{X: x, Y: float64(*p.Capacity) / unit})
		}
	}
	plot := report.Plot{Title: "Heap after collections", X: c.axis(), Y: report.Axis{Title: "heap", Unit: name, Format: units.Number},
		Series: []report.Series{{Name: "most", Points: most}, {Name: "least", Points: least}}}
	if len(capacity) > 0 {
		plot.Series = append(plot.Series, report.Series{Name: "capacity", Kind: report.Step, Points: capacity})
	}
	if page {
		plot.Bands = incidentBands(l, c)
	}
	return plot
}

// sizeUnit is the unit in which the heap is drawn, so that the ticks of its axis are
// round in it: the largest of which there are two.
func sizeUnit(points []gc.HeapPoint) (unit float64, name string) {
	most := int64(0)
	for _, p := range points {
		most = max(most, p.Most)
		if p.Capacity != nil {
			most = max(most, *p.Capacity)
		}
	}
	switch {
	case most >= 2<<30:
		return 1 << 30, "GiB"
	case most >= 2<<20:
		return 1 << 20, "MiB"
	}
	return 1 << 10, "KiB"
}
