package report

// Icicle is a tree of sizes: each node is as wide as its share of the whole and
// stands below its parent. On a page it can be searched and zoomed; in text it is
// an indented list of the largest.
type Icicle struct {
	Title string
	// Value describes the sizes; its Format writes them. What is a node's own, and
	// not of its children, stays free below it.
	Value Axis
	Root  IcicleNode
}

// IcicleNode is a node and what is below it.
type IcicleNode struct {
	// Label names it, Note is a short remark such as a count.
	Label, Note string
	// Value is the size with everything below it. Children are shown in their
	// order; together they must not be larger.
	Value    float64
	Level    Level
	Children []IcicleNode
}

func (b Icicle) block() Block { return b }

// share is the node's part of whole, in [0, 1].
func (n *IcicleNode) share(whole float64) float64 {
	if !(n.Value > 0) || !(whole > 0) {
		return 0
	}
	return min(n.Value/whole, 1)
}

// icicleRow is a node in the list of the largest.
type icicleRow struct {
	node  *IcicleNode
	depth int
	// more is how many children are left out below it.
	more int
}

// Limits of the list of an icicle: a node is shown from leastShare of the whole on,
// to deepest levels, mostRows in all.
const (
	leastShare = 0.01
	deepest    = 12
	mostRows   = 40
)

// list is the largest nodes in the order of the tree. Of a chain of nodes that keep
// nearly everything, all are shown: the way is what the reader looks for.
func (b Icicle) list() []icicleRow {
	if !(b.Root.Value > 0) {
		return nil
	}
	limit := leastShare
	for {
		rows := b.rowsFrom(limit)
		if len(rows) <= mostRows {
			return rows
		}
		limit *= 2
	}
}

func (b Icicle) rowsFrom(limit float64) []icicleRow {
	var rows []icicleRow
	var walk func(n *IcicleNode, depth int)
	walk = func(n *IcicleNode, depth int) {
		at := len(rows)
		rows = append(rows, icicleRow{node: n, depth: depth})
		for i := range n.Children {
			c := &n.Children[i]
			if depth+1 > deepest || c.share(b.Root.Value) < limit {
				rows[at].more++
				continue
			}
			walk(c, depth+1)
		}
	}
	walk(&b.Root, 0)
	return rows
}

// table is the list for renderings that cannot draw.
func (b Icicle) table() Table {
	t := Table{
		Caption: b.Title,
		Columns: []Column{{Title: "share", Align: Right}, {Title: b.Value.label(), Align: Right}, {Title: "what"}},
		Empty:   "no data to plot",
	}
	for _, r := range b.list() {
		t.Rows = append(t.Rows, []Cell{
			Txt(percent(r.node.share(b.Root.Value))),
			Txt(b.Value.format(r.node.Value)),
			{Text: r.label("· "), Level: r.node.Level},
		})
	}
	return t
}

// label is the node's name behind its level.
func (r icicleRow) label(level string) string {
	out := ""
	for range r.depth {
		out += level
	}
	out += clean(r.node.Label)
	if note := clean(r.node.Note); note != "" {
		out += ", " + note
	}
	return out
}
