package retained

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph"
	"example.com/kneeline/heapdump/layout"
)

// PathSchema names the shape of [PathResult] as JSON.
const PathSchema = "kneeline.heap-path/v1"

// PathResult is all that a graph tells of one object.
type PathResult struct {
	Schema string `json:"schema"`
	Sizes  string `json:"sizes"`
	Object Object `json:"object"`
	// Reachable is false when no root reaches the object: garbage.
	Reachable bool `json:"reachable"`
	// Path is a shortest way of strong references from a root; empty where there is
	// none. Weaker says that the object is held by weaker references alone, by which the
	// path then goes.
	Path   []Object `json:"path"`
	Weaker bool     `json:"held_by_weaker_references_alone"`
	// Dominators are who retains it, the outermost first.
	Dominators []Object `json:"dominators"`
	// Referrers are who refers to it, by class; ReferrerCount is all of them.
	Referrers     []ClassRow `json:"referrers"`
	ReferrerCount int64      `json:"referrer_count"`
	// Fields are those of the object, absent where the dump could not be read again.
	Fields []Field `json:"fields"`
	// Below is the dominator tree below it.
	Below *Node `json:"dominated,omitempty"`
	// Length is of an array.
	Length *int64 `json:"length,omitempty"`
	// Bytes is what roots reach, of which shares are.
	Bytes    int64    `json:"heap_bytes"`
	Warnings []string `json:"warnings"`
}

// Field is a field of an object, or a slot of an array.
type Field struct {
	Name string `json:"name"`
	// Class is the class that declares it.
	Class string `json:"declared_by,omitempty"`
	Type  string `json:"type"`
	// Object is what a reference leads to; absent of null.
	Object *Object `json:"object,omitempty"`
	// Value is that of a number; it is there when contents may be shown.
	Value string `json:"value,omitempty"`
}

// PathOptions say what to tell of an object.
type PathOptions struct {
	// Depth bounds the levels of the tree below it, 8 by default.
	Depth int
	// Rows bounds lists.
	Rows int
}

// usualDepth is how many levels below an object are told.
const usualDepth = 8

// leastBelow is the share of an object from which what it dominates is told.
const leastBelow = 1.0 / 200

// Path tells all of one object but its fields.
func Path(ctx context.Context, g *graph.Graph, r graph.Rank, o PathOptions) (*PathResult, error) {
	if o.Depth <= 0 {
		o.Depth = usualDepth
	}
	if o.Rows <= 0 {
		o.Rows = DefaultRows
	}
	j := newJudge(g, Options{Rows: o.Rows})
	res := &PathResult{
		Schema: PathSchema, Sizes: j.summary().Sizes, Object: j.object(r, true), Reachable: g.Reachable(r), Bytes: g.Bytes,
		Path: []Object{}, Dominators: []Object{}, Referrers: []ClassRow{}, Fields: []Field{}, Warnings: []string{},
	}
	if c := g.Heap().Class(g.Class(r)); c != nil && c.IsArray() {
		n := g.Length(r)
		res.Length = &n
	}
	if err := j.referrers(ctx, r, res); err != nil {
		return nil, err
	}
	if !res.Reachable {
		return res, nil
	}
	if err := j.wayTo(ctx, r, res); err != nil {
		return nil, err
	}
	for d := range g.Dominators(r) {
		res.Dominators = append(res.Dominators, j.object(d, false))
		if len(res.Dominators) == longestWay {
			res.Warnings = append(res.Warnings, fmt.Sprintf("it has more dominators than the %d nearest that are shown", longestWay))
			break
		}
	}
	slices.Reverse(res.Dominators)
	f, err := g.DominatorTree(ctx, r, graph.FoldOptions{Depth: o.Depth, Minimum: int64(float64(g.Retained(r)) * leastBelow), Nodes: DefaultNodes})
	if err != nil {
		return nil, err
	}
	res.Below = j.node(f)
	return res, nil
}

// wayTo finds a way of strong references, else one of any.
func (j *judge) wayTo(ctx context.Context, r graph.Rank, res *PathResult) error {
	for _, without := range []graph.Strength{graph.AllWeaker, 0} {
		path, err := j.g.PathToRoot(ctx, r, without)
		if err != nil {
			return err
		}
		if path != nil {
			res.Path, res.Weaker = j.path(path), without == 0
			return nil
		}
	}
	return nil
}

// referrers adds up who refers to an object, by class.
func (j *judge) referrers(ctx context.Context, r graph.Rank, res *PathResult) error {
	in, err := j.g.In(ctx, r, 0)
	if err != nil {
		return err
	}
	rows := map[int]*ClassRow{}
	for _, ref := range in {
		c := j.g.Class(ref.Rank)
		if rows[c] == nil {
			rows[c] = &ClassRow{Class: j.className(c)}
		}
		rows[c].Count++
		rows[c].Shallow += j.g.Shallow(ref.Rank)
		rows[c].Retained += j.g.Retained(ref.Rank)
	}
	for _, row := range rows {
		row.HeapShare = j.share(row.Retained)
		res.Referrers = append(res.Referrers, *row)
	}
	slices.SortFunc(res.Referrers, func(a, b ClassRow) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Class, b.Class))
	})
	res.ReferrerCount = int64(len(in))
	res.Referrers = res.Referrers[:min(len(res.Referrers), j.o.Rows)]
	return nil
}

// Objects are the addresses of the object and of those of its path, whose fields a
// second reading of the dump may tell.
func (r *PathResult) Objects() []heapdump.ID {
	var ids []heapdump.ID
	for _, o := range append(slices.Clone(r.Path), r.Object) {
		ids = append(ids, o.ID)
	}
	return ids
}

// Name names the fields of the path, and lists those of the object, from a heap that
// has kept these objects.
func (r *PathResult) Name(g *graph.Graph, kept *heapdump.Heap, values bool) {
	f := fields{kept}
	for i := 1; i < len(r.Path); i++ {
		if r.Path[i].Field == "" {
			r.Path[i].Field = f.between(r.Path[i-1].ID, r.Path[i].ID)
		}
	}
	r.Fields = newJudge(g, Options{}).fieldsOf(kept, r.Object.ID, values)
}

// mostSlots is how many slots of an array are listed.
const mostSlots = 100

func (j *judge) fieldsOf(kept *heapdump.Heap, id heapdump.ID, values bool) []Field {
	out := []Field{}
	ref := func(name, class string, to heapdump.ID) {
		f := Field{Name: name, Class: class, Type: "reference"}
		if r, ok := j.g.Rank(to); to != 0 && ok {
			o := j.object(r, false)
			f.Object = &o
		}
		out = append(out, f)
	}
	if in, ok := kept.Instance(id); ok {
		for i, c := range in.Class.Columns {
			if c.Type.Size() == 0 {
				ref(c.Name, c.Class, heapdump.ID(in.At(i)))
				continue
			}
			f := Field{Name: c.Name, Class: c.Class, Type: c.Type.String()}
			if values {
				f.Value = valueText(in, c)
			}
			out = append(out, f)
		}
		return out
	}
	if a, ok := kept.Array(id); ok {
		for i, to := range a.Refs[:min(len(a.Refs), mostSlots)] {
			if to != 0 {
				ref(fmt.Sprintf("[%d]", int64(i)*a.Step), "", to)
			}
		}
	}
	for _, c := range kept.Classes {
		if c.ID != id {
			continue
		}
		for _, s := range c.Statics {
			if s.Type.Size() == 0 {
				ref(s.Name, c.Display, heapdump.ID(s.Value))
				continue
			}
			out = append(out, Field{Name: s.Name, Class: c.Display, Type: s.Type.String()})
		}
	}
	return out
}

func valueText(in heapdump.Instance, c heapdump.Column) string {
	name := c.Class + "#" + c.Name
	switch c.Type {
	case layout.Float, layout.Double:
		v, _ := in.Float(name)
		return strconv.FormatFloat(v, 'g', -1, 64)
	case layout.Boolean:
		v, _ := in.Bool(name)
		return strconv.FormatBool(v)
	}
	v, _ := in.Long(name)
	return strconv.FormatInt(v, 10)
}
