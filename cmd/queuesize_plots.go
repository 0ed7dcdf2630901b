package cmd

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/queue"
	"example.com/kneeline/analyze/queue/server"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// queuePlot is a figure against queue length, a series a load.
func queuePlot(res *queue.Result, title string, y report.Axis, value func(queue.CurvePoint) float64) report.Plot {
	p := report.Plot{
		Title: title,
		X:     report.Axis{Title: "request queue", Unit: "positions", Log: true},
		Y:     y,
		Marks: []report.Mark{{Dir: report.Vertical, At: float64(max(res.Advice.Positions, 1)), Label: "set " + units.Count(res.Advice.Positions), Level: report.Good}},
	}
	longest := 0.0
	for _, c := range res.Curves {
		s := report.Series{Name: fmt.Sprintf("%.1f × capacity", c.Load)}
		for _, pt := range c.Points {
			s.Points = append(s.Points, report.Point{X: float64(pt.Positions), Y: value(pt)})
			longest = max(longest, float64(pt.Positions))
		}
		p.Series = append(p.Series, s)
	}
	if q := res.Input.Queue; q != nil && *q > 0 && float64(*q) <= longest {
		level := report.Bad
		if *q <= res.Advice.Positions {
			level = report.Neutral
		}
		p.Marks = append(p.Marks, report.Mark{Dir: report.Vertical, At: float64(*q), Label: "today " + units.Count(*q), Level: level})
	}
	return p
}

func goodputPlot(res *queue.Result) report.Block {
	return queuePlot(res, "Goodput against queue length",
		report.Axis{Title: "goodput", Unit: "share of capacity", Format: percentOf},
		func(pt queue.CurvePoint) float64 { return pt.Goodput })
}

func waitPlot(res *queue.Result) report.Block {
	p := queuePlot(res, "Wait in the queue, 99th percentile of the requests accepted",
		report.Axis{Title: "wait", Format: units.Seconds, Log: true},
		func(pt queue.CurvePoint) float64 { return pt.WaitP99 })
	p.Marks = append(p.Marks, report.Mark{Dir: report.Horizontal, At: res.Input.Timeout, Label: "clients leave", Level: report.Bad})
	return p
}

// sweepTable is the table of --what-if.
func sweepTable(res *queue.Result) report.Block {
	s := res.Sweep
	t := report.Table{Caption: "What if: " + s.Input, Columns: []report.Column{{Title: s.Input, Align: report.Right}}}
	varied := s.Input == "queue"
	if !varied {
		t.Columns = append(t.Columns, report.Column{Title: "set queue to", Align: report.Right}, report.Column{Title: "with queue", Align: report.Right})
	}
	if len(s.Rows) == 0 {
		return t
	}
	for _, g := range s.Rows[0].Goodput {
		t.Columns = append(t.Columns, report.Column{Title: fmt.Sprintf("goodput at %.1f ×", g.Load), Align: report.Right})
	}
	t.Columns = append(t.Columns, report.Column{Title: "drains in", Align: report.Right}, report.Column{Title: "dead on arrival", Align: report.Right})
	memory := s.Rows[0].Memory != nil
	if memory {
		t.Columns = append(t.Columns, report.Column{Title: "memory", Align: report.Right})
	}
	for _, row := range s.Rows {
		cells := report.Row(s.FormatValue(row.Value))
		if !varied {
			length := units.Count(row.Queue)
			if row.Unbounded {
				length = unboundedWord
			}
			cells = append(cells, report.Row(units.Count(row.Advised), length)...)
		}
		cells = append(cells, goodputCells(row.Goodput)...)
		wait, dead := units.Unbounded, units.NotAvailable
		if row.QueueWait != nil {
			wait, dead = units.Seconds(*row.QueueWait), units.Count(*row.Dead)
		}
		cells = append(cells, report.Row(wait, dead)...)
		if memory {
			cells = append(cells, report.Txt(units.Size(*row.Memory)))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// formulaTable is the table of --explain.
func formulaTable(formulas []queue.Formula) report.Block {
	t := report.Table{Caption: "How each figure comes about", Columns: []report.Column{
		{Title: "figure"}, {Title: "formula"}, {Title: "with the numbers"}, {Title: "source"},
	}}
	for _, f := range formulas {
		t.Rows = append(t.Rows, report.Row(f.Figure, f.Formula, f.Numbers, f.Source))
	}
	return t
}

// addServer adds the settings of a server: each key, then what to paste.
func addServer(r *report.Report, s *server.Settings) {
	keys := report.Settings{Caption: fmt.Sprintf("Settings of %s, %s", s.Title, s.Versions)}
	for _, i := range s.Items {
		keys.Items = append(keys.Items, serverSetting(i))
	}
	r.Add(keys)
	paste := report.Settings{Caption: "To paste"}
	for _, sn := range s.Snippets {
		paste.Items = append(paste.Items, report.Setting{Name: sn.File, Code: sn.Code, Lang: sn.Lang})
	}
	r.Add(paste)
	for _, n := range s.Notes {
		r.Add(report.Paragraph{Text: n})
	}
}

// serverSetting keeps the key in one piece, so that it can be searched and
// copied.
func serverSetting(i server.Item) report.Setting {
	var why []string
	say := func(text, prefix string) {
		if text != "" {
			why = append(why, prefix+text)
		}
	}
	set := report.Setting{Name: i.Key, Value: i.Value}
	say(i.Kind, "")
	if i.Key == "" {
		set.Name, why = i.Kind+": no such setting", nil
	} else if i.Value == "" {
		set.Value = "not computed"
	}
	say(i.Unit, "in ")
	say(i.Default, "default ")
	say(i.Since, "since ")
	say(i.Note, "")
	say(i.Source, "source: ")
	set.Why = strings.Join(why, "; ")
	return set
}
