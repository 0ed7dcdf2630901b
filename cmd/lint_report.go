package cmd

import (
	"fmt"
	"slices"
	"strings"

	"example.com/kneeline/analyze/lint"
	"example.com/kneeline/analyze/lint/rule"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// lintReport builds what people read from the result.
func lintReport(res *lint.Result, in *lintRead) *report.Report {
	r := &report.Report{
		Title:   "Settings of " + counted(res.Counts.Recognised, "file", "files"),
		Verdict: report.Verdict{Text: res.Verdict, Level: levelOf(finding.MaxSeverity(res.Findings))},
	}
	if !res.Complete {
		r.Incomplete = "interrupted"
	}
	for _, group := range byFile(res.Findings) {
		file := group[0].Location.File
		r.Add(report.Findings{Caption: or(file, "no file"), Findings: within(file, group)})
	}
	r.Add(fixBlocks(res.Fixes)...)
	r.Add(comparedBlocks(res)...)
	r.Add(couldNotBlock(res.CouldNotCheck), problemsBlock(res.Problems), ignoredBlock(res.Ignored), lintCounts(res, in))
	r.Notes = append(r.Notes, in.notes...)
	for _, err := range in.errs {
		r.Notes = append(r.Notes, err.Error())
	}
	return r
}

// byFile groups findings by file, in the order of the worst of each.
func byFile(all []finding.Finding) [][]finding.Finding {
	var groups [][]finding.Finding
	at := map[string]int{}
	for _, f := range all {
		i, ok := at[f.Location.File]
		if !ok {
			i = len(groups)
			at[f.Location.File] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}

// within writes the places in evidence that are in the file of the findings themselves
// as lines of it.
func within(file string, group []finding.Finding) []finding.Finding {
	out := slices.Clone(group)
	for i := range out {
		out[i].Evidence = slices.Clone(out[i].Evidence)
		for j := range out[i].Evidence {
			e := &out[i].Evidence[j]
			e.Value = strings.ReplaceAll(e.Value, "("+file+":", "(line ")
		}
	}
	return out
}

// mostPlaces is how many places a row of a table names.
const mostPlaces = 3

// couldNotBlock lists what rules lack, each lack once.
func couldNotBlock(all []rule.Missing) report.Block {
	if len(all) == 0 {
		return nil
	}
	type lack struct{ rule, what string }
	var order []lack
	places := map[lack][]string{}
	for _, m := range all {
		l := lack{m.Rule, m.What}
		if _, ok := places[l]; !ok {
			order = append(order, l)
		}
		places[l] = append(places[l], finding.Location{File: m.At.File, Line: m.At.Line}.String())
	}
	t := report.Table{Caption: "Could not check", Columns: []report.Column{{Title: "rule"}, {Title: "what is missing"}, {Title: "where"}}}
	for _, l := range order {
		t.Rows = append(t.Rows, report.Row(l.rule, l.what, someOf(slices.Compact(places[l]))))
	}
	return t
}

// someOf names the first few of a list.
func someOf(all []string) string {
	if n := len(all) - mostPlaces; n > 0 {
		return strings.Join(all[:mostPlaces], ", ") + fmt.Sprintf(" and %s more", units.Count(n))
	}
	return strings.Join(all, ", ")
}

// problemsBlock lists what could not be read.
func problemsBlock(all []lint.Problem) report.Block {
	if len(all) == 0 {
		return nil
	}
	t := report.Table{Caption: "Problems", Columns: []report.Column{{Title: "where"}, {Title: "what"}}}
	for _, p := range all {
		t.Rows = append(t.Rows, report.Row(finding.Location{File: p.File, Line: p.Line, Column: p.Column}.String(), p.Message))
	}
	return t
}

// ignoredBlock lists the findings that comments leave out.
func ignoredBlock(all []lint.Ignored) report.Block {
	if len(all) == 0 {
		return nil
	}
	t := report.Table{Caption: "Ignored", Columns: []report.Column{{Title: "rule"}, {Title: "where"}, {Title: "reason"}, {Title: "until"}}}
	for _, g := range all {
		t.Rows = append(t.Rows, report.Row(g.Rule, finding.Location{File: g.Location.File, Line: g.Location.Line}.String(), g.Reason, or(g.Until, "no end")))
	}
	return t
}

// lintCounts says what was looked at.
func lintCounts(res *lint.Result, in *lintRead) report.Block {
	c := res.Counts
	kv := &rows{report.KeyValues{Caption: "What was read"}}
	note := ""
	if c.Skipped > 0 {
		note = units.Count(c.Skipped) + " binary or too large"
	}
	if in.leftOut > 0 {
		note = joinNotes(note, fmt.Sprintf("left out of directories: %s hidden, links or of others", units.Count(in.leftOut)))
	}
	kv.add("files", units.Count(c.Files), note)
	kv.add("recognised", units.Count(c.Recognised), someFormats(res.Files))
	kv.add("hops", units.Count(c.Hops), "calls from one program to another")
	kv.add("services", units.Count(c.Services), "")
	kv.add("rules", units.Count(c.Rules), "")
	if c.Ignored > 0 {
		kv.add("ignored", units.Count(c.Ignored), "by comments in the files")
	}
	return kv.KeyValues
}

// someFormats names the formats that were found, the most frequent first.
func someFormats(files []lint.File) string {
	count := map[string]int{}
	var names []string
	for _, f := range files {
		for _, name := range f.Formats {
			if count[name] == 0 {
				names = append(names, name)
			}
			count[name]++
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return count[b] - count[a] })
	return strings.Join(names, ", ")
}
