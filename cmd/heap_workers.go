package cmd

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

const (
	poolsInText   = 6
	groupsInText  = 8
	framesInText  = 6
	framesOnPage  = 24
	stacksOnPage  = 6
	localsInGroup = 4
	// frameRoom is how many characters a frame of a stack may have in text.
	frameRoom = 74
)

// workerBlocks are the pools, then what the busy ones of the first wait for.
func (v heapView) workerBlocks(res *pending.Result) []report.Block {
	if len(res.Workers) == 0 {
		return nil
	}
	t := report.Table{Caption: "Workers", Columns: []report.Column{
		{Title: "pool"}, {Title: workerWord(res) + "s", Align: report.Right}, {Title: "at most", Align: report.Right},
		{Title: "busy", Align: report.Right}, {Title: "idle", Align: report.Right}, {Title: "most of the busy"},
	}}
	pools := v.poolsByRank(res)
	most := v.rows(poolsInText)
	for i, p := range pools {
		if i == most {
			t.Rows = append(t.Rows, report.Row(units.Count(len(pools)-i)+" more"))
			break
		}
		t.Rows = append(t.Rows, v.poolRow(p))
	}
	blocks := []report.Block{t}
	for i, p := range pools {
		if len(p.Groups) == 0 || i > 0 && !v.page || i == most {
			break
		}
		blocks = append(blocks, v.groupsTable("What the busy "+workerWord(res)+"s of "+p.Name+" do", p.Groups))
		blocks = append(blocks, v.stackBlocks(p.Groups)...)
	}
	return blocks
}

// poolsByRank are the pools, the one that drains the named queue first.
func (v heapView) poolsByRank(res *pending.Result) []pending.Pool {
	queues := queuesByRank(res)
	if res.Verdict.Queue == nil || len(queues) == 0 || queues[0].Pool == nil || *queues[0].Pool >= len(res.Workers) {
		return res.Workers
	}
	i := *queues[0].Pool
	out := []pending.Pool{res.Workers[i]}
	out = append(out, res.Workers[:i]...)
	return append(out, res.Workers[i+1:]...)
}

func (v heapView) poolRow(p pending.Pool) []report.Cell {
	row := report.Row(or(p.Name, "(no name)"), units.Count(p.Total), dash, dash, dash, "")
	if p.Max != nil {
		row[2].Text = units.Count(*p.Max)
	}
	if p.Busy != nil {
		row[3].Text = units.Count(*p.Busy)
		if *p.Busy > 0 && *p.Busy >= p.Total {
			row[3].Level = report.Warn
		}
	}
	if p.Idle != nil {
		row[4].Text = units.Count(*p.Idle)
	}
	if len(p.Groups) > 0 {
		row[5].Text = v.groupWords(p.Groups[0])
	}
	return row
}

// poolWords is a pool in a few words.
func poolWords(res *pending.Result, p pending.Pool) string {
	all := counted(p.Total, workerWord(res), workerWord(res)+"s")
	if p.Busy == nil {
		return all
	}
	return fmt.Sprintf("%s of %s busy", units.Count(*p.Busy), all)
}

// workerWord is what does the work: Go has goroutines where others have threads.
func workerWord(res *pending.Result) string {
	if isGo(res) {
		return "goroutine"
	}
	return "thread"
}

// groupWords is what a group waits for, or else where it is.
func (v heapView) groupWords(g pending.Group) string {
	if g.WaitsFor != "" {
		return g.WaitsFor
	}
	return v.class(g.Place)
}

// groupBlocks are all threads or goroutines by the place where they are.
func (v heapView) groupBlocks(res *pending.Result) []report.Block {
	if len(res.Groups) == 0 || !v.page && !isGo(res) && len(res.Workers) > 0 {
		return nil // a terminal has the busy threads of the pools
	}
	what := "Threads by what they do"
	if isGo(res) {
		what = "Goroutines by what they do"
	}
	blocks := []report.Block{v.groupsTable(what, res.Groups)}
	if len(res.Workers) == 0 || isGo(res) && v.page {
		blocks = append(blocks, v.stackBlocks(res.Groups)...) // else those of the pools are shown
	}
	return blocks
}

// isGo says that what was read is of a Go process.
func isGo(res *pending.Result) bool { return res.Go != nil }

func (v heapView) groupsTable(caption string, groups []pending.Group) report.Block {
	t := report.Table{Caption: caption, Columns: []report.Column{
		{Title: "count", Align: report.Right}, {Title: "share", Align: report.Right}, {Title: "state"}, {Title: "place"}, {Title: "waits for"},
	}}
	hasOldest, hasBytes := false, false
	for _, g := range groups {
		hasOldest, hasBytes = hasOldest || g.Oldest != nil, hasBytes || g.Bytes != nil
	}
	if hasOldest {
		t.Columns = append(t.Columns, report.Column{Title: "oldest", Align: report.Right})
	}
	if hasBytes {
		t.Columns = append(t.Columns, report.Column{Title: "bytes", Align: report.Right})
	}
	most := v.rows(groupsInText)
	for i, g := range groups {
		if i == most {
			rest := int64(0)
			for _, more := range groups[i:] {
				rest += more.Count
			}
			t.Rows = append(t.Rows, report.Row(units.Count(rest), "", "", units.Count(len(groups)-i)+" more places"))
			break
		}
		row := report.Row(units.Count(g.Count), share(g.Share), g.State, v.class(g.Place), g.WaitsFor)
		if hasOldest {
			row = append(row, report.Txt(secondsOr(g.Oldest)))
		}
		if hasBytes {
			cell := report.Txt(dash)
			if g.Bytes != nil {
				cell.Text = units.Size(*g.Bytes)
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// stackBlocks show the stacks of the largest groups: of one in text.
func (v heapView) stackBlocks(groups []pending.Group) []report.Block {
	var blocks []report.Block
	stacks, frames := 1, framesInText
	if v.page {
		stacks, frames = stacksOnPage, framesOnPage
	}
	for _, g := range groups {
		if len(g.Stack) == 0 {
			continue
		}
		lines := make([]string, 0, frames+1)
		for _, f := range g.Stack[:min(len(g.Stack), frames)] {
			lines = append(lines, v.frame(f))
		}
		if more := len(g.Stack) - frames; more > 0 {
			lines = append(lines, fmt.Sprintf("… %d more", more))
		}
		blocks = append(blocks, report.Code{Caption: "Stack of " + stackOwners(g), Text: strings.Join(lines, "\n")})
		if locals := v.localsOf(g); locals != "" {
			blocks = append(blocks, report.Paragraph{Text: "On their stacks: " + locals})
		}
		if stacks--; stacks == 0 {
			break
		}
	}
	return blocks
}

// frame is a line of a stack: in text short enough not to be broken by a terminal.
func (v heapView) frame(f string) string {
	if v.page || utf8.RuneCountInString(f) <= frameRoom {
		return f
	}
	if m := javaFrame.FindStringSubmatch(f); m != nil && m[3] != "" {
		return shortClass(m[1], frameRoom-len(m[3])-1) + ":" + m[3]
	}
	return shortClass(f, frameRoom)
}

func stackOwners(g pending.Group) string {
	if g.Count == 1 {
		return "the one at " + g.Place
	}
	return fmt.Sprintf("the %s at %s", units.Count(g.Count), g.Place)
}

// localsOf are the classes on the stacks of a group.
func (v heapView) localsOf(g pending.Group) string {
	var parts []string
	for i, l := range g.Locals {
		if i == localsInGroup {
			break
		}
		parts = append(parts, fmt.Sprintf("%s %s", units.Count(l.Count), v.class(l.Class)))
	}
	return strings.Join(parts, ", ")
}

// limitsTable is what the dump holds of the settings of servers and pools.
func (v heapView) limitsTable(res *pending.Result) report.Block {
	if len(res.Limits) == 0 {
		return nil
	}
	t := report.Table{Caption: "Settings found in the dump", Columns: []report.Column{
		{Title: "of"}, {Title: "setting"}, {Title: "value", Align: report.Right},
	}}
	most := v.rows(12)
	for i, l := range res.Limits {
		if i == most {
			t.Rows = append(t.Rows, report.Row(units.Count(len(res.Limits)-i)+" more"))
			break
		}
		cell := report.Txt(limitValue(l))
		if l.Unbounded {
			cell = report.Cell{Text: "unbounded", Level: report.Warn}
		}
		t.Rows = append(t.Rows, []report.Cell{report.Txt(v.narrow(l.Object)), report.Txt(or(l.Name, l.Field)), cell})
	}
	return t
}

// limitValue writes a setting with its unit.
func limitValue(l pending.Limit) string {
	switch l.Unit {
	case "milliseconds":
		return units.Duration(time.Duration(min(l.Value, math.MaxInt64/int64(time.Millisecond))) * time.Millisecond)
	case "bytes":
		return units.Size(l.Value)
	}
	return strings.TrimSpace(units.Count(l.Value) + " " + l.Unit)
}
