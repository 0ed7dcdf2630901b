package retained

import (
	"cmp"
	"context"
	"slices"

	"example.com/kneeline/heapdump/graph"
)

// asSets is how many classes of loaders are weighed as a set with their classes, which
// takes a walk through the graph for each.
const asSets = 3

// loaderRow is a row being added up.
type loaderRow struct {
	Loader
	class int
}

// loaders are the class loaders by class, those that retain most first. Many of one
// class of which one would be expected are applications that were redeployed and are
// still held. What holds them is mostly an object of one of their classes, so that the
// loader itself retains little: loader, classes and objects are weighed as one.
func (j *judge) loaders(ctx context.Context, r *Result) error {
	rows, of := j.loaderRows()
	slices.SortFunc(rows, func(a, b *loaderRow) int {
		return cmp.Or(cmp.Compare(b.Copies, a.Copies), cmp.Compare(b.Loaded, a.Loaded), cmp.Compare(a.Class, b.Class))
	})
	for i, row := range rows {
		if i < asSets && row.Copies > 1 {
			set, err := j.g.RetainedOfSet(ctx, j.loadedBy(row.class, of))
			if err != nil {
				return err
			}
			row.Retained = set.Bytes
		}
		row.Share = j.share(row.Retained)
		r.Loaders = append(r.Loaders, row.Loader)
	}
	slices.SortStableFunc(r.Loaders, func(a, b Loader) int {
		return cmp.Or(cmp.Compare(b.Retained, a.Retained), cmp.Compare(a.Class, b.Class))
	})
	r.Loaders = r.Loaders[:min(len(r.Loaders), j.o.Rows)]
	return nil
}

// loaderRows counts the loaders by class, and tells which loader each class has;
// [graph.None] where it has none that roots reach.
func (j *judge) loaderRows() ([]*loaderRow, []graph.Rank) {
	rows, loaded, of := map[int]*loaderRow{}, map[graph.Rank]int64{}, make([]graph.Rank, len(j.h.Classes))
	type copied struct {
		loader int
		name   string
	}
	copies := map[copied]int64{}
	for i, c := range j.h.Classes {
		of[i] = graph.None
		if r, ok := j.g.Rank(c.Loader); c.Loader != 0 && ok && j.g.Reachable(r) {
			of[i] = r
			loaded[r]++
			if !c.Hidden && !c.IsArray() {
				copies[copied{j.g.Class(r), c.Name}]++
			}
		}
	}
	for r, n := range loaded {
		class := j.g.Class(r)
		if rows[class] == nil {
			rows[class] = &loaderRow{Loader: Loader{Class: j.className(class)}, class: class}
		}
		row := rows[class]
		row.Count++
		row.Loaded += n
		row.Retained += j.g.Retained(r)
	}
	for c, n := range copies {
		rows[c.loader].Copies = max(rows[c.loader].Copies, n)
	}
	out := make([]*loaderRow, 0, len(rows))
	for _, row := range rows {
		out = append(out, row)
	}
	return out, of
}

// loadedBy is the set of the loaders of a class with what they loaded.
func (j *judge) loadedBy(class int, of []graph.Rank) func(graph.Rank) bool {
	in := make([]bool, len(of))
	for i, loader := range of {
		in[i] = loader != graph.None && j.g.Class(loader) == class
	}
	return func(r graph.Rank) bool {
		c := j.g.Class(r)
		if c == class || c >= 0 && c < len(in) && in[c] {
			return true
		}
		described, ok := j.g.Described(r)
		return ok && described < len(in) && in[described]
	}
}
