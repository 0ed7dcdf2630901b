package compare

import (
	"cmp"
	"slices"
)

// retained compares what objects keep alive, where both have a graph.
func (c *comparison) retained() {
	if c.before.Graph == nil || c.after.Graph == nil {
		return
	}
	objects, classes := newJoin(), newJoin()
	for _, d := range c.before.Graph.Dominators {
		objects.at(d.Class, d.Name).Before += d.Retained
	}
	for _, d := range c.after.Graph.Dominators {
		objects.at(d.Class, d.Name).After += d.Retained
	}
	for _, k := range c.before.Graph.Classes {
		classes.at(k.Class, "").Before += k.Retained
	}
	for _, k := range c.after.Graph.Classes {
		classes.at(k.Class, "").After += k.Retained
	}
	c.res.Dominators, c.res.RetainedClasses = objects.list(c.o.Rows), classes.list(c.o.Rows)
}

// join is rows by class and name.
type join map[[2]string]*Retained

func newJoin() join { return join{} }

func (j join) at(class, name string) *Retained {
	key := [2]string{class, name}
	if j[key] == nil {
		j[key] = &Retained{Class: class, Name: name}
	}
	return j[key]
}

// list is the rows that changed, those that grew most first. What one of the two has
// not among those that retain most counts as 0 there.
func (j join) list(n int) []Retained {
	out := []Retained{}
	for _, r := range j {
		if r.Change = r.After - r.Before; r.Change != 0 {
			out = append(out, *r)
		}
	}
	slices.SortFunc(out, func(a, b Retained) int {
		return cmp.Or(cmp.Compare(b.Change, a.Change), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Name, b.Name))
	})
	return ends(out, n, func(r Retained) bool { return r.Change > 0 })
}
