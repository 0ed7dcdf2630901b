package cmd

import (
	"fmt"
	"path/filepath"
	"strings"

	"example.com/kneeline/analyze/gc"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// report builds what people read from the result: for the terminal, or as a page,
// which bears more.
func (r *gcRun) report(res *gc.Result, page bool) *report.Report {
	out := r.head(res)
	if res.Fleet == nil {
		l := res.Logs[0]
		out.Title = "GC log " + l.Name
		out.Add(logBlocks(res, l, page)...)
		out.Notes = append(out.Notes, logNotes(l, "")...)
		return out
	}
	out.Title = fmt.Sprintf("%d GC logs", res.Fleet.Logs)
	rows, detailed := fleetInText, res.Logs[:1]
	if page {
		rows, detailed = len(res.Fleet.Rows), res.Logs
	}
	out.Add(fleetTable(res.Fleet, rows, page), fleetBlock(res.Fleet))
	out.Add(gateBlocks(res.Gates)...)
	for _, l := range detailed {
		out.Add(report.Heading{Text: l.Name}, report.Paragraph{Text: l.Verdict.Sentence, Level: answerLevel(l.Verdict)})
		out.Add(logBlocks(res, l, page)...)
		out.Notes = append(out.Notes, logNotes(l, l.Name+": ")...)
	}
	if len(detailed) < len(res.Logs) {
		out.Notes = append(out.Notes, fmt.Sprintf("the worst log is shown in detail; -o html=FILE shows the worst %d", len(res.Logs)))
	}
	return out
}

// head is the beginning of a report.
func (r *gcRun) head(res *gc.Result) *report.Report {
	out := &report.Report{
		Verdict: report.Verdict{Text: res.Verdict.Sentence, Level: answerLevel(res.Verdict)},
		Notes:   append([]string(nil), res.Warnings...),
	}
	if !res.Complete {
		out.Incomplete = "not all of the input was read"
		if r.opts.follow {
			out.Incomplete = "the log was followed until the signal came"
		}
	}
	return out
}

func answerLevel(v gc.Verdict) report.Level {
	switch {
	case v.Answer == gc.Overload && v.Incident != nil && v.Incident.Threshold >= severe:
		return report.Bad
	case v.Answer == gc.NoOverload && len(v.Rules) == 0:
		return report.Good
	}
	return report.Warn
}

// severe is the overhead from which on it is shown as bad.
const severe = 0.5

// logNotes are the warnings of a log and the lines that it was not understood by.
func logNotes(l *gc.Log, prefix string) []string {
	var notes []string
	for _, n := range append(append([]string(nil), l.Warnings...), inputNotes(l)...) {
		notes = append(notes, prefix+n)
	}
	return notes
}

// gateBlocks say how the gates were decided.
func gateBlocks(gates []gc.Gate) []report.Block {
	if len(gates) == 0 {
		return nil
	}
	kv := report.KeyValues{Caption: "Gates"}
	for _, g := range gates {
		item := report.KeyValue{Key: g.Gate + " " + g.Wanted, Value: "pass", Level: report.Good}
		if g.Found != "" {
			item.Note = "found " + g.Found
		}
		if g.Failed > 1 {
			item.Note += fmt.Sprintf(" in %s, worst of %s", g.Log, counted(g.Failed, "log", "logs that fail"))
		}
		switch {
		case !g.Pass:
			item.Value, item.Level = "fail", report.Bad
		case g.Undecided > 0:
			item.Value, item.Level, item.Note = "cannot tell", report.Warn, counted(g.Undecided, "log has", "logs have")+" nothing to decide it by"
		}
		kv.Items = append(kv.Items, item)
	}
	return []report.Block{kv}
}

const (
	// fleetInText is how many logs the table in text has, nameInText how much of a
	// name: its end, so that the columns fit 80 characters.
	fleetInText = 20
	nameInText  = 20
)

// tail is the end of a text that is too long.
func tail(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return "…" + string(r[len(r)-most+1:])
}

// fleetTable is a line a log, the worst first. In text it has the columns for which
// 80 characters have room.
func fleetTable(f *gc.Fleet, most int, page bool) report.Block {
	t := report.Table{Caption: "Logs, the worst first", Columns: []report.Column{
		{Title: "log"}, {Title: "tier", Align: report.Right}, {Title: "worst from – to"}, {Title: "lost", Align: report.Right},
		{Title: "longest pause", Align: report.Right}, {Title: "full", Align: report.Right},
	}}
	if page {
		t.Columns = append(t.Columns, report.Column{Title: "peak", Align: report.Right}, report.Column{Title: "p99 pause", Align: report.Right},
			report.Column{Title: "pauses", Align: report.Right}, report.Column{Title: "collector"})
	}
	names := shortNames(f.Rows)
	for i, s := range f.Rows {
		if i == most {
			t.Rows = append(t.Rows, report.Row(units.Count(len(f.Rows)-i)+" more"))
			break
		}
		name := names[i]
		if !page {
			name = tail(name, nameInText)
		}
		row := fleetRow(name, s)
		if page {
			row = append(row, report.Row(share(s.Peak), secondsOr(s.P99), units.Count(s.Stops), s.Collector)...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func fleetRow(name string, s gc.Summary) []report.Cell {
	row := report.Row(name, "–", "–", "–", "–", units.Count(s.Full))
	if s.Stops > 0 {
		row[4].Text = units.Seconds(s.Longest)
	}
	switch {
	case s.Answer == gc.Unknown:
		row[1].Text, row[2].Text = "?", "cannot tell"
	case s.Threshold != nil:
		row[1] = report.Cell{Text: "≥ " + units.Share(*s.Threshold), Level: tierLevel(*s.Threshold)}
		row[2].Text, row[3].Text = spanOf(*s.Begin, *s.End), units.Seconds(s.Busy)
		if s.Incidents > 1 {
			row[2].Text += fmt.Sprintf(" (1 of %s)", units.Count(s.Incidents))
		}
	}
	return row
}

func share(v *float64) string {
	if v == nil {
		return "–"
	}
	return units.Share(*v)
}

func secondsOr(v *float64) string {
	if v == nil {
		return "–"
	}
	return units.Seconds(*v)
}

// shortNames are the names of logs without the directory that all have in common.
func shortNames(rows []gc.Summary) []string {
	names := make([]string, len(rows))
	for i, s := range rows {
		names[i] = s.Name
	}
	return withoutCommonDir(names)
}

// withoutCommonDir are paths without the directory that all have in common.
func withoutCommonDir(paths []string) []string {
	common := ""
	for i, path := range paths {
		dir := filepath.Dir(path) + string(filepath.Separator)
		if i == 0 {
			common = dir
		}
		for !strings.HasPrefix(dir, common) {
			common = common[:strings.LastIndexByte(strings.TrimSuffix(common, "/"), '/')+1]
		}
	}
	short := make([]string, len(paths))
	for i, path := range paths {
		short[i] = strings.TrimPrefix(path, common)
	}
	return short
}

// fleetBlock is how many logs were how high, and when most at once.
func fleetBlock(f *gc.Fleet) report.Block {
	kv := &rows{report.KeyValues{Caption: "All logs"}}
	kv.add("in overload", fmt.Sprintf("%s of %s", units.Count(f.Overloaded), units.Count(f.Logs)), "")
	for i := len(f.Tiers) - 1; i >= 0; i-- {
		t := f.Tiers[i]
		if t.Logs == 0 {
			continue
		}
		note := ""
		if t.Since != "" {
			note = "since " + gc.Moment{Time: t.Since}.String()
		}
		kv.add("tier "+units.ExactShare(t.Threshold)+" or higher", units.Count(t.Logs), note)
	}
	if x := f.Together; x != nil {
		kv.add("most at once", units.Count(x.Logs), spanOf(gc.Moment{Time: x.Begin}, gc.Moment{Time: x.End}))
	}
	if f.Undecided > 0 {
		kv.add("cannot tell", units.Count(f.Undecided), "too short, or without pauses")
	}
	return kv.KeyValues
}
