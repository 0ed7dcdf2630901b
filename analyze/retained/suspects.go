package retained

import (
	"cmp"
	"context"
	"slices"

	"example.com/kneeline/heapdump/graph"
)

const (
	// keepsMost is the share of its parent from which a child is followed to where
	// things come together, as in Eclipse MAT ("big drop").
	keepsMost = 0.7
	// longestWay bounds that way.
	longestWay = 100
	// wayShown is how much of it is told.
	wayShown = 12
	// mostSuspects bounds the list.
	mostSuspects = 5
	// topLevel bounds the dominators that are looked at.
	topLevel = 1 << 20
)

// suspects finds what retains a large part of the heap: single objects, and classes
// of which many objects do together.
func (j *judge) suspects(_ context.Context, r *Result) error {
	least := int64(j.o.Suspect * float64(j.g.Bytes))
	if least <= 0 {
		return nil
	}
	type group struct{ count, bytes int64 }
	groups := map[string]*group{}
	for _, d := range j.g.TopDominators(topLevel) {
		if j.g.Retained(d) >= least {
			r.Suspects = append(r.Suspects, j.suspect(d))
			continue
		}
		c := j.className(j.g.Class(d))
		if groups[c] == nil {
			groups[c] = &group{}
		}
		groups[c].count++
		groups[c].bytes += j.g.Retained(d)
	}
	for c, g := range groups {
		if g.bytes < least || g.count < 2 {
			continue
		}
		r.Suspects = append(r.Suspects, Suspect{
			Kind: SuspectGroup, Class: c, Count: g.count, Retained: g.bytes,
			HeapShare: j.share(g.bytes), Way: []Object{}, Below: []ClassRow{},
		})
	}
	slices.SortStableFunc(r.Suspects, func(a, b Suspect) int {
		return cmp.Or(cmp.Compare(b.Retained, a.Retained), cmp.Compare(a.Class, b.Class))
	})
	r.Suspects = r.Suspects[:min(len(r.Suspects), mostSuspects)]
	return nil
}

// suspect follows a big object to where what it retains comes together.
func (j *judge) suspect(d graph.Rank) Suspect {
	s := Suspect{Kind: j.kind(d), Count: 1, Retained: j.g.Retained(d), HeapShare: j.share(j.g.Retained(d)), Way: []Object{}}
	obj := j.object(d, true)
	s.Object, s.Class = &obj, obj.Class
	at := d
	for range longestWay {
		next := j.g.LargestChildren(at, 1)
		if len(next) == 0 || float64(j.g.Retained(next[0])) < keepsMost*float64(j.g.Retained(at)) {
			break
		}
		at = next[0]
		if len(s.Way) < wayShown {
			s.Way = append(s.Way, j.object(at, false))
		}
	}
	if at != d {
		point := j.object(at, true)
		s.Point = &point
	}
	s.Below = j.under(at)
	return s
}

// mostBelow is how many classes below an accumulation point are told.
const mostBelow = 5

// under adds up what an object dominates at once, by class.
func (j *judge) under(r graph.Rank) []ClassRow {
	rows := map[string]*ClassRow{} // several loaders may have a class of one name
	for c := range j.g.Children(r) {
		name := j.className(j.g.Class(c))
		row := rows[name]
		if row == nil {
			row = &ClassRow{Class: name}
			rows[name] = row
		}
		row.Count++
		row.Shallow += j.g.Shallow(c)
		row.Retained += j.g.Retained(c)
	}
	out := make([]ClassRow, 0, len(rows))
	for _, row := range rows {
		row.HeapShare = j.share(row.Retained)
		out = append(out, *row)
	}
	slices.SortFunc(out, func(a, b ClassRow) int {
		return cmp.Or(cmp.Compare(b.Retained, a.Retained), cmp.Compare(a.Class, b.Class))
	})
	return out[:min(len(out), mostBelow)]
}

// kind tells threads, class loaders and classes from other objects.
func (j *judge) kind(r graph.Rank) string {
	switch c := j.g.Class(r); {
	case j.h.IsA(c, "java.lang.Thread"):
		return SuspectThread
	case j.h.IsA(c, "java.lang.ClassLoader"):
		return SuspectLoader
	case j.h.IsA(c, "java.lang.Class"):
		return SuspectClass
	}
	return SuspectObject
}
