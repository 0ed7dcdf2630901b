package cmd

import (
	"fmt"
	"slices"
	"strings"

	"example.com/kneeline/analyze/gc"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// logBlocks is what there is to say of one log, in the order of reading: when it
// was too much, of what, what the heap did; what follows from that; what was read.
func logBlocks(res *gc.Result, l *gc.Log, page bool) []report.Block {
	c := clockOf(l)
	blocks := []report.Block{incidentsTable(l, c), overheadTable(&res.Settings, l), overheadPlot(&res.Settings, l, c, page)}
	blocks = append(blocks,
		deadlineBlock(l),
		pausesBlock(l),
		kindsTable("Pauses by kind", "kind", l.Pauses.ByTitle, l.Pauses.Total),
		kindsTable("Pauses by cause", "cause", l.Pauses.ByCause, l.Pauses.Total),
		durationsBlock("Threads stalled for memory", "over all threads, whose stalls overlap", l.Stalls),
		durationsBlock("Time to reach safepoints", "", l.Waits),
		heapPlot(l, c, page),
		memoryBlock(l),
	)
	if res.Fleet == nil {
		blocks = append(blocks, gateBlocks(res.Gates)...)
	}
	if len(l.Findings) > 0 {
		blocks = append(blocks, report.Findings{Caption: "Findings", Findings: withoutFix(l.Findings)}, changeBlock(l.Findings))
	}
	if page {
		blocks = append(blocks, violationsTable(l, c))
	}
	return append(blocks, readBlock(l))
}

// withoutFix leaves out of findings what the block on changes says.
func withoutFix(all []finding.Finding) []finding.Finding {
	out := slices.Clone(all)
	for i := range out {
		out[i].Remediation = ""
	}
	return out
}

// readBlock says which process and which time the log is of, and what became of
// its lines.
func readBlock(l *gc.Log) report.Block {
	kv := &rows{report.KeyValues{Caption: "What was read"}}
	runtime := strings.TrimSpace(l.Collector + " " + l.Version)
	if runtime != "" {
		kv.add("collector", or(l.Collector, notStated), l.Version)
	}
	if l.Observed > 0 {
		kv.add("time", units.Seconds(l.Observed), spanOf(l.Origin, l.End)+", "+clockOf(l).name())
	}
	if l.RunCount > 1 {
		kv.add("runs of a process", units.Count(l.RunCount), "windows are not carried over from one to the next")
	}
	if n := len(l.Runs); n > 0 {
		last := l.Runs[n-1]
		if last.HeapMax != nil {
			kv.add("largest heap", units.Size(*last.HeapMax), "as the log states it")
		}
		if last.CPUs != nil {
			kv.add("processors", units.Count(*last.CPUs), "as the log states it")
		}
	}
	if len(l.Files) > 1 {
		kv.add("files", units.Count(len(l.Files)), fmt.Sprintf("oldest first: %s to %s", l.Files[0], l.Files[len(l.Files)-1]))
	}
	lineRows(kv, l.Input)
	return kv.KeyValues
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// lineRows accounts for the lines.
func lineRows(kv *rows, in *gc.Input) {
	if in == nil {
		return
	}
	total := int64(0)
	for _, n := range in.Lines {
		total += n
	}
	kv.add("size", units.Size(in.Bytes), counted(total, "line", "lines"))
	for _, c := range []struct{ class, what, note string }{
		{"foreign", "lines of others", "no GC log: left out"},
		{"unknown", "lines not understood", "they look like GC; see the notes"},
		{"cut", "lines cut off", "the log ends within them"},
	} {
		if n := in.Lines[c.class]; n > 0 {
			kv.add(c.what, units.Count(n), units.Share(float64(n)/float64(total))+" of the lines; "+c.note)
		}
	}
	if len(in.Wrappers) > 0 {
		kv.add("taken off", strings.Join(in.Wrappers, ", "), "what a container or log shipper put before each line")
	}
}

// inputNotes quotes what was not understood and could not be read.
func inputNotes(l *gc.Log) []string {
	var notes []string
	if l.Input == nil {
		return nil
	}
	for _, u := range l.Input.Unknown {
		notes = append(notes, fmt.Sprintf("not understood, %s like line %d: %s", counted(u.Count, "line", "lines"), u.Line, u.Example))
	}
	return append(notes, l.Input.Problems...)
}

func counted[T units.Integer](n T, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return units.Count(n) + " " + many
}

// deadlineBlock is what the pauses mean to clients.
func deadlineBlock(l *gc.Log) report.Block {
	d := l.Deadline
	if d == nil {
		return nil
	}
	note := fmt.Sprintf("of the time a request that arrived could not be answered within %s, because of pauses alone; what waits behind a pause adds to it", units.Seconds(d.Timeout))
	if d.Service > 0 {
		note += fmt.Sprintf("; it needs %s for itself", units.Seconds(d.Service))
	}
	level := report.Good
	if d.Late > 0 {
		level = report.Warn
	}
	return report.KeyValues{Caption: "Clients that wait " + units.Seconds(d.Timeout), Items: []report.KeyValue{
		{Key: "too late", Value: units.Share(d.Late), Note: note, Level: level},
		{Key: "in all", Value: units.Seconds(d.LateSeconds)},
	}}
}

// pausesBlock is the pauses in figures.
func pausesBlock(l *gc.Log) report.Block {
	p := l.Pauses
	if p.Stops == 0 {
		return nil
	}
	kv := &rows{report.KeyValues{Caption: "Pauses"}}
	note := ""
	if p.Count > p.Stops {
		note = fmt.Sprintf("%s lie inside another and are not counted", units.Count(p.Count-p.Stops))
	}
	if p.Full > 0 {
		note = joinNotes(fmt.Sprintf("%s full, %s", units.Count(p.Full), units.Seconds(p.FullTotal)), note)
	}
	kv.add("count", units.Count(p.Stops), note)
	if p.Throughput != nil {
		note = units.Share(*p.Throughput) + " of the time was left to the program"
		if len(l.Incidents) > 0 && *p.Throughput > 0.5 {
			note += "; over a whole log this hides what came at once"
		}
	}
	kv.add("total", units.Seconds(p.Total), note)
	if q := p.Quantiles; q != nil {
		kv.add("longest", units.Seconds(q.Max), "")
		kv.add("percentiles", fmt.Sprintf("p50 %s  p90 %s  p99 %s  p99.9 %s", units.Seconds(q.P50), units.Seconds(q.P90), units.Seconds(q.P99), units.Seconds(q.P999)), "")
	}
	return kv.KeyValues
}

func joinNotes(notes ...string) string {
	var said []string
	for _, n := range notes {
		if n != "" {
			said = append(said, n)
		}
	}
	return strings.Join(said, "; ")
}

func durationsBlock(caption, note string, d *gc.Durations) report.Block {
	if d == nil {
		return nil
	}
	kv := &rows{report.KeyValues{Caption: caption}}
	kv.add("count", units.Count(d.Count), "")
	kv.add("total", units.Seconds(d.Total), note)
	kv.add("longest", units.Seconds(d.Quantiles.Max), "")
	kv.add("percentiles", fmt.Sprintf("p50 %s  p90 %s  p99 %s  p99.9 %s", units.Seconds(d.Quantiles.P50), units.Seconds(d.Quantiles.P90),
		units.Seconds(d.Quantiles.P99), units.Seconds(d.Quantiles.P999)), "")
	return kv.KeyValues
}

const (
	// mostKinds is how many kinds of pauses a table has.
	mostKinds = 12
	notStated = "not stated"
)

// kindsTable lists what pauses were of, the most time first.
func kindsTable(caption, what string, shares []gc.Share, total float64) report.Block {
	if len(shares) == 0 || len(shares) == 1 && or(shares[0].Name, notStated) == notStated {
		return nil
	}
	t := report.Table{Caption: caption, Columns: []report.Column{
		{Title: what}, {Title: "count", Align: report.Right}, {Title: "total", Align: report.Right},
		{Title: "share", Align: report.Right}, {Title: "longest", Align: report.Right},
	}}
	for i, s := range shares {
		if i == mostKinds {
			t.Rows = append(t.Rows, report.Row(fmt.Sprintf("%d more", len(shares)-i)))
			break
		}
		share := units.NotAvailable
		if total > 0 {
			share = units.Share(s.Seconds / total)
		}
		t.Rows = append(t.Rows, report.Row(or(s.Name, notStated), units.Count(s.Count), units.Seconds(s.Seconds), share, units.Seconds(s.Longest)))
	}
	return t
}

// memoryBlock is rates and the live set.
func memoryBlock(l *gc.Log) report.Block {
	kv := &rows{report.KeyValues{Caption: "Memory"}}
	perSecond := func(v float64) string { return units.Size(int64(v)) + "/s" }
	r := l.Rates
	if r.Allocation != nil {
		note := "from the heap between collections"
		if r.AllocationPeak != nil && *r.AllocationPeak > *r.Allocation {
			note += ", at most " + perSecond(*r.AllocationPeak) + " over 10s"
		}
		kv.add("allocation", perSecond(*r.Allocation), note)
	}
	if r.Promotion != nil {
		note := ""
		if r.Allocation != nil && *r.Allocation > 0 {
			note = units.Share(*r.Promotion / *r.Allocation) + " of what is allocated lives to become old"
		}
		kv.add("promotion", perSecond(*r.Promotion), note)
	}
	if r.PausesPerSecond != nil && l.Pauses.Stops > 1 {
		kv.add("pauses", units.Rate(*r.PausesPerSecond), "one every "+units.Seconds(1 / *r.PausesPerSecond))
	}
	if l.Heap != nil && l.Heap.Live != nil {
		liveRows(kv, l.Heap.Live)
	}
	if len(kv.Items) == 0 {
		return nil
	}
	return kv.KeyValues
}

func liveRows(kv *rows, s *gc.LiveSet) {
	note := ""
	if s.Capacity != nil {
		note = fmt.Sprintf("of %s, %s", units.Size(*s.Capacity), units.Share(s.Level/float64(*s.Capacity)))
	}
	if s.SlopeLow <= 0 && s.SlopeHigh >= 0 {
		note = joinNotes(note, "no trend that the log can show")
	}
	kv.add("live set", units.Size(int64(s.Level)), note)
	if s.SlopeLow <= 0 && s.SlopeHigh >= 0 {
		return
	}
	signed := func(v float64) string {
		text := units.Size(int64(v*3600)) + "/h"
		if v > 0 {
			text = "+" + text
		}
		return text
	}
	kv.add("trend", signed(s.Slope), fmt.Sprintf("95%% interval %s to %s, over %s", signed(s.SlopeLow), signed(s.SlopeHigh), units.Seconds(s.Span)))
	if s.UntilFull != nil && s.SlopeLow > 0 {
		note := ""
		if s.Soonest != nil && s.Latest != nil {
			note = fmt.Sprintf("95%% interval %s to %s", units.Seconds(*s.Soonest), units.Seconds(*s.Latest))
		}
		kv.add("full in", units.Seconds(*s.UntilFull), note)
	}
}

// changeBlock is what to change, each advice once, for the worst finding first.
func changeBlock(findings []finding.Finding) report.Block {
	var items []report.Setting
	seen := map[string]bool{}
	for _, f := range findings {
		if f.Remediation == "" || seen[f.Remediation] {
			continue
		}
		seen[f.Remediation] = true
		items = append(items, report.Setting{Name: f.Remediation, Why: f.Rule + ": " + f.Message})
	}
	if len(items) == 0 {
		return nil
	}
	return report.Settings{Caption: "What to change", Items: items}
}
