package nodeproc

import (
	"example.com/kneeline/analyze/retained"
	"example.com/kneeline/heapdump/v8"
	"example.com/kneeline/heapdump/v8/v8graph"
)

// Bounds of what is told of one object.
const (
	usualDepth = 8
	mostFields = 100
	leastBelow = 1.0 / 200
)

// Path tells all of one object of a snapshot. Names of edges that may be contents are
// left out. The error is of a temporary file that cannot be read any more.
func Path(g *v8graph.Graph, v uint32, o retained.PathOptions) (*retained.PathResult, error) {
	if o.Depth <= 0 {
		o.Depth = usualDepth
	}
	if o.Rows <= 0 {
		o.Rows = retained.DefaultRows
	}
	a := &asked{g: g, s: g.Snapshot(), rows: o.Rows}
	res := &retained.PathResult{
		Schema: retained.PathSchema, Sizes: "vm", Object: a.object(v, true), Reachable: g.Reachable(v), Bytes: g.Bytes,
		Path: []retained.Object{}, Dominators: a.dominators(v), Referrers: []retained.ClassRow{}, Fields: []retained.Field{}, Warnings: []string{},
	}
	if res.Reachable {
		res.Path = a.path(v)
		res.Below = a.node(g.DominatorTree(v, v8graph.FoldOptions{Depth: o.Depth, Minimum: int64(float64(g.Retained(v)) * leastBelow), Nodes: retained.DefaultNodes}))
	}
	return res, a.around(v, res)
}

// around finds what an object refers to and what refers to it.
func (a *asked) around(v node, res *retained.PathResult) error {
	rows, last := map[string]*retained.ClassRow{}, node(v8graph.None)
	more := false
	err := a.s.Edges(func(e v8.Edge) bool {
		if e.From == v && v8graph.Holds(e) {
			if len(res.Fields) == mostFields {
				more = true
			} else {
				o := a.object(e.To, false)
				res.Fields = append(res.Fields, retained.Field{Name: edgeLabel(a.s, e), Type: "reference", Object: &o})
			}
		}
		if e.To == v && e.From != last && v8graph.Holds(e) {
			last = e.From
			class := v8graph.Name(a.s, e.From)
			if rows[class] == nil {
				rows[class] = &retained.ClassRow{Class: class}
			}
			rows[class].Count++
			rows[class].Shallow += a.s.Size(e.From)
			rows[class].Retained += a.g.Retained(e.From)
			res.ReferrerCount++
		}
		return true
	})
	res.Referrers = a.sorted(rows, a.rows)
	if more {
		res.Warnings = append(res.Warnings, "it refers to more than the objects that are shown")
	}
	return err
}
