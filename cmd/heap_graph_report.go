package cmd

import (
	"fmt"
	"strings"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/retained"
	"example.com/kneeline/internal/report"
	"example.com/kneeline/internal/units"
)

// How many rows of the graph's tables a terminal shows.
const (
	dominatorsInText = 8
	threadsInText    = 4
	loadersInText    = 3
)

// holderBlocks say who holds what waits in the queues; in text, of the queue that is
// named alone.
func (v heapView) holderBlocks(res *pending.Result) []report.Block {
	if res.Graph == nil {
		return nil
	}
	var blocks []report.Block
	for i := range res.Graph.Holders {
		h := &res.Graph.Holders[i]
		if !v.page && (res.Verdict.Queue == nil || h.Queue != *res.Verdict.Queue) {
			continue
		}
		blocks = append(blocks, v.holderBlock(h), v.wayTable("The way from a root to the "+h.Name, h.Path), v.othersTable(h))
	}
	return blocks
}

func (v heapView) holderBlock(h *retained.Holder) report.Block {
	kv := &rows{report.KeyValues{Caption: "Who holds the entries of the " + h.Name}}
	note := "what would be freed if all of them were"
	if n := len(h.With); n > 0 {
		note += ", with what comes with each: " + counted(n, "class", "classes")
	}
	if h.Sampled {
		note = "by an even sample of them"
	}
	kv.add("they retain", units.Size(h.Retained), joinNotes(units.Share(h.HeapShare)+" of what roots reach", note))
	kv.add("each", units.Size(int64(h.Each+0.5)), "")
	if len(h.With) > 0 {
		kv.add("the entries alone", units.Size(h.Entry), "what comes with them is held by others as well")
	}
	if h.QueueRetained != nil {
		kv.add("the queue object retains", units.Size(*h.QueueRetained), "")
	}
	if h.Alone != nil && h.Entries > 0 {
		kv.add("held by the queue alone", units.Count(*h.Alone), "of "+units.Count(h.Entries)+" entries")
	}
	if h.Unreachable > 0 {
		kv.add("garbage already", units.Count(h.Unreachable), "no root reaches them")
	}
	if n := len(h.Dominators); n > 0 {
		names := make([]string, 0, n)
		for i := range h.Dominators {
			names = append(names, fmt.Sprintf("%s (%s)", v.what(&h.Dominators[i]), units.Size(h.Dominators[i].Retained)))
		}
		kv.add("the queue is dominated by", strings.Join(names, " > "), "")
	}
	return kv.KeyValues
}

// what names an object within the room of the view.
func (v heapView) what(o *retained.Object) string {
	if o.Name != "" && o.Class == "java.lang.Class" {
		return "class " + v.class(o.Name)
	}
	text := v.class(o.Class)
	if o.Name != "" {
		text += fmt.Sprintf(" %q", o.Name)
	}
	return text
}

// wayTable is a way through the graph, from the root in.
func (v heapView) wayTable(caption string, path []retained.Object) report.Block {
	if len(path) == 0 {
		return nil
	}
	t := report.Table{Caption: caption, Columns: []report.Column{{Title: "by"}, {Title: "object"}, {Title: "retains", Align: report.Right}}}
	if v.page {
		t.Columns = append(t.Columns, report.Column{Title: "address"})
	}
	for i := range path {
		o := &path[i]
		by := o.Field
		switch {
		case i == 0:
			by = "root: " + or(o.Roots, "unknown")
		case by == "":
			by = dash
		}
		if o.Strength != "" {
			by += " (" + o.Strength + ")"
		}
		row := report.Row(by, v.what(o), units.Size(o.Retained))
		if v.page {
			row = append(row, report.Txt(o.Address))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// othersTable is who else refers to the entries.
func (v heapView) othersTable(h *retained.Holder) report.Block {
	if len(h.Others) == 0 {
		return nil
	}
	t := report.Table{
		Caption: fmt.Sprintf("Who else refers to them, of %s entries looked at", units.Count(h.Looked)),
		Columns: []report.Column{{Title: "class"}, {Title: "entries", Align: report.Right}, {Title: "reference"}, {Title: "which belongs to"}},
	}
	for i := range h.Others {
		o := &h.Others[i]
		of := dash
		if o.Held != nil {
			of = v.what(o.Held)
		}
		t.Rows = append(t.Rows, report.Row(v.class(o.Class), units.Count(o.Entries), or(o.Strength, "strong"), of))
	}
	return t
}

// graphBlocks are what the graph tells beside the queues.
func (v heapView) graphBlocks(res *pending.Result) []report.Block {
	g := res.Graph
	if g == nil {
		return nil
	}
	blocks := []report.Block{v.dominatorTable(g), v.threadTable(g), v.loaderTable(g)}
	if v.page {
		blocks = append(blocks, v.retainedTable(g))
		for i := range g.Suspects {
			if s := &g.Suspects[i]; s.Object != nil {
				blocks = append(blocks, v.wayDown(s))
			}
		}
	}
	return append(blocks, v.treeBlock(g.Tree, g.Bytes, "The dominator tree: who retains what"))
}

// dominatorTable is the objects that retain most.
func (v heapView) dominatorTable(g *retained.Result) report.Block {
	if len(g.Dominators) == 0 {
		return nil
	}
	t := report.Table{Caption: "Objects that retain most", Columns: []report.Column{
		{Title: "object"}, {Title: "retains", Align: report.Right}, {Title: "share", Align: report.Right},
		{Title: "itself", Align: report.Right}, {Title: "children", Align: report.Right}, {Title: "root"},
	}}
	if v.page {
		t.Columns = append(t.Columns, report.Column{Title: "address"})
	}
	most := v.rows(dominatorsInText)
	for i := range g.Dominators[:min(len(g.Dominators), most)] {
		o := &g.Dominators[i]
		children := dash
		if o.Children != nil {
			children = units.Count(*o.Children)
		}
		row := report.Row(v.what(o), units.Size(o.Retained), units.Share(o.HeapShare), units.Size(o.Shallow), children, or(o.Roots, dash))
		if v.page {
			row = append(row, report.Txt(o.Address))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// leastOfThread is the share of the heap from which a thread or loader is told of in
// text.
const leastOfThread = 0.01

func (v heapView) threadTable(g *retained.Result) report.Block {
	t := report.Table{Caption: "Threads that hold most", Columns: []report.Column{
		{Title: "thread"}, {Title: "retains", Align: report.Right}, {Title: "share", Align: report.Right},
		{Title: "in thread-local variables", Align: report.Right}, {Title: "largest"},
	}}
	for i := range g.Threads {
		th := &g.Threads[i]
		if len(t.Rows) == v.rows(threadsInText) || !v.page && th.HeapShare < leastOfThread {
			break
		}
		largest := dash
		if th.Largest != nil {
			largest = fmt.Sprintf("%s, %s", v.what(th.Largest), units.Size(th.Largest.Retained))
		}
		t.Rows = append(t.Rows, report.Row(or(th.Name, "without name"), units.Size(th.Retained), units.Share(th.HeapShare), units.Size(th.Locals), largest))
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

func (v heapView) loaderTable(g *retained.Result) report.Block {
	t := report.Table{Caption: "Class loaders", Columns: []report.Column{
		{Title: "class"}, {Title: "loaders", Align: report.Right}, {Title: "classes", Align: report.Right},
		{Title: "retain", Align: report.Right}, {Title: "share", Align: report.Right},
	}}
	for _, l := range g.Loaders {
		if len(t.Rows) == v.rows(loadersInText) || !v.page && (l.Share < leastOfThread || l.Copies < 2) {
			break
		}
		t.Rows = append(t.Rows, report.Row(v.class(l.Class), units.Count(l.Count), units.Count(l.Loaded), units.Size(l.Retained), units.Share(l.Share)))
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

// retainedTable is what the objects of classes retain together.
func (v heapView) retainedTable(g *retained.Result) report.Block {
	t := report.Table{Caption: "Classes whose objects retain most together", Columns: []report.Column{
		{Title: "class"}, {Title: "count", Align: report.Right}, {Title: "bytes", Align: report.Right},
		{Title: "retain", Align: report.Right}, {Title: "share", Align: report.Right},
	}}
	for _, c := range g.Classes {
		t.Rows = append(t.Rows, report.Row(v.class(c.Class), units.Count(c.Count), units.Size(c.Shallow), units.Size(c.Retained), units.Share(c.HeapShare)))
	}
	return t
}

// wayDown is the way from a suspect to where what it retains comes together.
func (v heapView) wayDown(s *retained.Suspect) report.Block {
	t := report.Table{
		Caption: fmt.Sprintf("Where the %s of %s come together", units.Size(s.Retained), v.what(s.Object)),
		Columns: []report.Column{{Title: "object"}, {Title: "count", Align: report.Right}, {Title: "retains", Align: report.Right}},
	}
	for i := range s.Way {
		t.Rows = append(t.Rows, report.Row(strings.Repeat("· ", i)+v.what(&s.Way[i]), "1", units.Size(s.Way[i].Retained)))
	}
	for _, b := range s.Below {
		t.Rows = append(t.Rows, report.Row(strings.Repeat("· ", len(s.Way))+v.class(b.Class), units.Count(b.Count), units.Size(b.Retained)))
	}
	return t
}

// treeBlock draws a dominator tree.
func (v heapView) treeBlock(tree *retained.Node, whole int64, title string) report.Block {
	if tree == nil || whole <= 0 {
		return nil
	}
	root := v.icicleNode(tree)
	if tree.Class == "" {
		root.Label = "what roots reach"
	}
	return report.Icicle{
		Title: title, Root: root,
		Value: report.Axis{Title: "retained", Format: func(b float64) string { return units.Size(int64(b)) }},
	}
}

func (v heapView) icicleNode(n *retained.Node) report.IcicleNode {
	out := report.IcicleNode{Label: nodeLabel(n), Value: float64(n.Retained)}
	if n.Count > 1 {
		out.Note = units.Count(n.Count) + " objects"
	}
	for _, c := range n.Children {
		out.Children = append(out.Children, v.icicleNode(c))
	}
	return out
}

// graphRows are the graph as a whole.
func graphRows(kv *rows, g *retained.Result) {
	if g == nil {
		return
	}
	kv.add("reached by roots", units.Size(g.Bytes), units.Count(g.Objects)+" objects; retained sizes are shares of this")
	kv.add("garbage", units.Size(g.UnreachableBytes), units.Count(g.Unreachable)+" objects that no root reaches")
	note := ""
	if g.Dangling > 0 {
		note = units.Count(g.Dangling) + " more lead to nothing in the dump"
	}
	kv.add("references", units.Count(g.References), note)
	if len(g.NotFollowed) > 0 {
		kv.add("not followed", strings.Join(g.NotFollowed, ", "), "references of these kinds count as holding nothing")
	}
	sizes := "as the VM counts"
	if g.Sizes == matSizes {
		sizes = "as Eclipse MAT counts"
	}
	kv.add("retained sizes", sizes, "")
}
