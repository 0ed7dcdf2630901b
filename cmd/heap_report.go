package cmd

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/finding"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// heapView builds what people read from a result: for the terminal, or as a page,
// which bears more.
type heapView struct {
	page bool
	// top is how many rows a table of classes has.
	top int
}

// pageFactor is how many times as many rows a page has as a terminal.
const pageFactor = 5

// rows is how many rows of a table there are room for.
func (v heapView) rows(n int) int {
	if v.page {
		n *= pageFactor
	}
	return n
}

// report is the report of one heap.
func (v heapView) report(res *pending.Result) *report.Report {
	out := &report.Report{
		Title:   heapTitle(res),
		Verdict: report.Verdict{Text: res.Verdict.Sentence, Level: heapLevel(res.Verdict.Answer)},
		Notes:   append([]string(nil), res.Warnings...),
	}
	out.Incomplete = heapCut(res)
	out.Add(v.blocks(res)...)
	return out
}

// blocks are the evidence, then what to change, then what could not be said.
func (v heapView) blocks(res *pending.Result) []report.Block {
	blocks := []report.Block{whyBlock(res.Verdict)}
	blocks = append(blocks, v.queueBlocks(res)...)
	blocks = append(blocks, v.holderBlocks(res)...)
	blocks = append(blocks, v.goBlocks(res.Go)...)
	blocks = append(blocks, v.clusterBlocks(res)...)
	blocks = append(blocks, v.workerBlocks(res)...)
	blocks = append(blocks, v.groupBlocks(res)...)
	blocks = append(blocks, v.graphBlocks(res)...)
	blocks = append(blocks, v.limitsTable(res), v.histogramTable(res))
	if v.page || res.Verdict.Answer != pending.PileUp {
		// What else the heap is full of; a pile-up leaves no time for it.
		blocks = append(blocks, v.arraysTable(res), stringsBlock(res), v.fillTable(res))
	}
	blocks = append(blocks, v.valuesTable(res))
	blocks = append(blocks, heapGateBlocks(res.Gates)...)
	if len(res.Findings) > 0 {
		blocks = append(blocks, report.Findings{Caption: "Findings", Findings: v.findings(res)})
	}
	return append(blocks, heapChanges(res), unsaidBlock(res), heapReadBlock(res))
}

// findings leaves out of findings what other blocks say: what to change and, in
// text, the figures of the queue that is told in full, and those of an object that
// a finding before has told.
func (v heapView) findings(res *pending.Result) []finding.Finding {
	out := withoutFix(res.Findings)
	if v.page {
		return out
	}
	told := map[string]bool{}
	if res.Verdict.Queue != nil {
		told[queuesByRank(res)[0].Name] = true
	}
	for i := range out {
		object := out[i].Location.Object
		if told[object] {
			out[i].Evidence, out[i].Location.Object = nil, ""
		}
		told[object] = object != ""
	}
	return out
}

// heapTitle names what was examined.
func heapTitle(res *pending.Result) string {
	if len(res.Inputs) == 0 {
		return "Heap"
	}
	title := "Heap of " + res.Inputs[0].Name
	if n := len(res.Inputs) - 1; n > 0 {
		title += " and " + counted(n, "input beside it", "inputs beside it")
	}
	for _, in := range res.Inputs {
		if in.Taken != nil {
			return title + ", taken " + in.Taken.UTC().Format("2006-01-02 15:04:05") + "Z"
		}
	}
	return title
}

func heapLevel(answer string) report.Level {
	switch answer {
	case pending.PileUp:
		return report.Bad
	case pending.Nothing:
		return report.Good
	}
	return report.Warn
}

// heapCut says that an input was not read to an end, or has none; empty where all
// was there.
func heapCut(res *pending.Result) string {
	var cut []string
	for _, in := range res.Inputs {
		if in.Complete {
			continue
		}
		text, were := in.Name+" ends too early", "were there"
		if !res.Complete {
			text, were = in.Name+" was not read to its end", "were read"
		}
		if in.Read != nil {
			text += ": " + units.Size(*in.Read) + " of it " + were
		}
		if in.Share != nil {
			text += ", " + units.Share(*in.Share)
		}
		if in.Missing != nil && in.Read != nil && *in.Missing >= *in.Read/100 {
			text += fmt.Sprintf(", and at least %s are missing", units.Size(*in.Missing))
		}
		if in.AtMost != nil && in.Share == nil {
			text += fmt.Sprintf("; about %s of the objects at most, as %[1]s of those that it refers to are there", units.Share(*in.AtMost))
		}
		cut = append(cut, text)
	}
	if len(cut) == 0 && !res.Complete {
		return "not all of the input was read"
	}
	return strings.Join(cut, "; ")
}

// whyBlock is what the verdict rests on.
func whyBlock(v pending.Verdict) report.Block {
	if len(v.Why) == 0 {
		return nil
	}
	return report.List{Caption: "Why", Items: v.Why}
}

// unsaidBlock is what a reader may look for in vain.
func unsaidBlock(res *pending.Result) report.Block {
	if len(res.CouldNotSay) == 0 {
		return nil
	}
	return report.List{Caption: "What could not be said", Items: res.CouldNotSay}
}

// heapChanges is what to change, each advice once: the settings of queues, then
// what findings say beside them.
func heapChanges(res *pending.Result) report.Block {
	var items []report.Setting
	seen := map[string]bool{}
	settled := map[string]bool{} // queues whose setting is said
	for i, q := range queuesByRank(res) {
		s := q.Setting
		if s == nil || seen[s.Name] || i > 0 && !q.Requests {
			continue
		}
		seen[s.Name], settled[q.Name] = true, true
		items = append(items, report.Setting{Name: s.Name, Value: s.Value, From: s.Today, Why: s.Note, Code: s.Snippet})
	}
	for _, f := range res.Findings {
		if f.Remediation == "" || seen[f.Remediation] || settled[f.Location.Object] {
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

// heapReadBlock says what was read.
func heapReadBlock(res *pending.Result) report.Block {
	kv := &rows{report.KeyValues{Caption: "What was read"}}
	for _, in := range res.Inputs {
		size := ""
		if in.Read != nil {
			size = units.Size(*in.Read)
		}
		kv.add(in.Format, in.Name, joinNotes(in.Version, size))
		for _, l := range in.Losses {
			kv.add("not read", l.What, lossWords(l))
		}
	}
	if h := res.Heap; h != nil {
		heapRows(kv, h)
		graphRows(kv, res.Graph)
	}
	if n := len(res.Settings.Patterns); n > 0 {
		kv.add("patterns", strings.Join(res.Settings.Patterns, ", "), "beside the built-in table")
	}
	if len(kv.Items) == 0 {
		return nil
	}
	return kv.KeyValues
}

func lossWords(l pending.Loss) string {
	var words []string
	if l.Count != nil {
		words = append(words, units.Count(*l.Count))
	}
	if l.Bytes != nil {
		words = append(words, units.Size(*l.Bytes))
	}
	return strings.Join(words, ", ")
}

// heapRows are the heap as a whole.
func heapRows(kv *rows, h *pending.HeapSummary) {
	note := ""
	if h.MATBytes != nil {
		note = "as the VM counts; Eclipse MAT would show " + units.Size(*h.MATBytes)
	}
	kv.add("heap", units.Size(h.Bytes), note)
	note = ""
	if h.Classes > 0 {
		note = counted(h.Classes, "class", "classes")
	}
	if h.Objects > 0 {
		kv.add("objects", units.Count(h.Objects), note)
	}
	if h.ReferenceBytes != nil && h.HeaderBytes != nil && h.Alignment != nil {
		note = "as usual: the dump has too little to learn it from"
		if h.Learned != nil && *h.Learned {
			note = "learned from the addresses in the dump"
		}
		kv.add("layout", fmt.Sprintf("references of %d bytes, headers of %d, alignment %d", *h.ReferenceBytes, *h.HeaderBytes, *h.Alignment), note)
	}
	if h.Threads != nil {
		kv.add("threads", units.Count(*h.Threads), "")
	}
}
