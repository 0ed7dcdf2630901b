package cmd

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/kneeline/heapdump/redact"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// redactSchema names the shape of [redactResult] as JSON.
const redactSchema = "kneeline.heap-redact/v1"

// redactResult is what became of a dump. Keys that were not measured, as in a dry run,
// are absent.
type redactResult struct {
	Schema   string `json:"schema"`
	Complete bool   `json:"complete"`
	Input    string `json:"input"`
	// Output is the copy; empty in a dry run.
	Output string `json:"output,omitempty"`
	// Read and Written are bytes, unpacked; Zeroed those of contents.
	Read    int64 `json:"read_bytes,omitempty"`
	Written int64 `json:"written_bytes,omitempty"`
	Zeroed  int64 `json:"zeroed_bytes,omitempty"`
	// KeptNumbers is how many numbers stayed, KeptNames how many texts that are names
	// of threads and pools; Names is how many different ones there are.
	KeptNumbers int64 `json:"kept_number_count,omitempty"`
	KeptNames   int64 `json:"kept_name_count,omitempty"`
	Names       int   `json:"name_count"`
	// HiddenTexts is how many texts of the table of names named nothing.
	HiddenTexts int64 `json:"hidden_text_count,omitempty"`
	// UnknownInstances were zeroed with their references.
	UnknownInstances int64  `json:"unknown_instance_count,omitempty"`
	Lost             int64  `json:"lost_bytes,omitempty"`
	Why              string `json:"why,omitempty"`
	// Fields are those whose numbers stay.
	Fields []redactField `json:"fields"`
}

// redactField is one field whose numbers stay.
type redactField struct {
	Class string `json:"class"`
	Field string `json:"field"`
	// OnlyTimes is true where only times near that of the dump stay.
	OnlyTimes bool  `json:"only_times,omitempty"`
	Instances int64 `json:"instance_count"`
}

func (r *redactResult) begin(name string, o *redactOptions) {
	r.Schema, r.Input = redactSchema, name
	if !o.dryRun {
		r.Output = o.to
	}
}

func (r *redactResult) end(s redact.Summary) {
	r.Complete, r.Read, r.Written, r.Zeroed = s.Complete, s.Read, s.Written, s.Zeroed
	r.KeptNumbers, r.KeptNames, r.HiddenTexts = s.Kept, s.Names, s.Hidden
	r.UnknownInstances, r.Lost, r.Why = s.Unknown, s.Lost, s.Why
}

// report is what people read.
func (r *redactResult) report() *report.Report {
	out := &report.Report{Title: "Redacted copy of " + r.Input}
	if r.Output == "" {
		out.Verdict = report.Verdict{Level: report.Good, Text: fmt.Sprintf("a copy of %s would keep the numbers of %s and %s", r.Input,
			counted(int64(len(r.Fields)), "field", "fields"), counted(int64(r.Names), "name of threads and pools", "names of threads and pools"))}
	} else {
		out.Verdict = report.Verdict{Level: report.Good, Text: fmt.Sprintf("%s is a copy of %s without contents: %s became zero; %s and %s stayed", r.Output, r.Input,
			units.Size(r.Zeroed), counted(r.KeptNumbers, "number", "numbers"), counted(r.KeptNames, "name of a thread or pool", "names of threads and pools"))}
	}
	if !r.Complete {
		out.Verdict.Level = report.Warn
		out.Incomplete = "the dump ends too early: the copy has its whole records"
	}
	if r.Lost > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%s were left out: %s", units.Size(r.Lost), r.Why))
	}
	if r.UnknownInstances > 0 {
		out.Notes = append(out.Notes, counted(r.UnknownInstances, "instance", "instances")+" of classes that the dump does not describe are zero, with their references")
	}
	out.Add(r.keptTable(), r.copyBlock())
	return out
}

// keptInText is how many fields are listed; the JSON has all.
const keptInText = 60

// keptTable lists the fields whose numbers stay, those of most instances first.
func (r *redactResult) keptTable() report.Block {
	if len(r.Fields) == 0 {
		return nil
	}
	rows := slices.Clone(r.Fields)
	slices.SortStableFunc(rows, func(a, b redactField) int {
		return cmp.Or(cmp.Compare(boolRank(a.OnlyTimes), boolRank(b.OnlyTimes)), cmp.Compare(b.Instances, a.Instances), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Field, b.Field))
	})
	t := report.Table{Caption: "Numbers that stay", Columns: []report.Column{{Title: "field"}, {Title: "instances", Align: report.Right}, {Title: "which"}}}
	for i, f := range rows {
		if i == keptInText {
			t.Rows = append(t.Rows, report.Row(fmt.Sprintf("%d more", len(rows)-i), "", "in JSON"))
			break
		}
		which := "all"
		if f.OnlyTimes {
			which = "times near the dump's"
		}
		t.Rows = append(t.Rows, report.Row(f.Class+"#"+f.Field, units.Count(f.Instances), which))
	}
	return t
}

func boolRank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// copyBlock is the copy in figures.
func (r *redactResult) copyBlock() report.Block {
	if r.Output == "" {
		return nil
	}
	kv := &rows{report.KeyValues{Caption: "The copy"}}
	kv.add("read", units.Size(r.Read), r.Input)
	kv.add("written", units.Size(r.Written), r.Output+", unpacked")
	kv.add("contents", units.Size(r.Zeroed), "became zero")
	kv.add("table of names", units.Count(r.HiddenTexts), "texts that name nothing became question marks")
	return kv.KeyValues
}
