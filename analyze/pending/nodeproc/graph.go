package nodeproc

import (
	"cmp"
	"slices"

	"example.com/kneeline/analyze/pending"
	"example.com/kneeline/analyze/retained"
	"example.com/kneeline/heapdump/v8"
	"example.com/kneeline/heapdump/v8/v8graph"
)

// Bounds of what the graph is asked for.
const (
	// keepsMost and longestWay are as for dumps of Java: how far a suspect is followed
	// to where what it retains comes together.
	keepsMost  = 0.7
	longestWay = 100
	wayShown   = 12
	// mostSuspects, mostHolders and mostBelow bound lists.
	mostSuspects, mostHolders, mostBelow = 5, 4, 5
	// leastNode is the share of the heap from which a node of the tree is kept.
	leastNode = 1.0 / 4000
)

// takeGraph adds what the graph tells.
func (j *judge) takeGraph(g *v8graph.Graph, err error) {
	if err != nil {
		j.res.Warnings = append(j.res.Warnings, "who holds what could not be told: "+err.Error())
		return
	}
	if !j.s.Complete {
		j.res.Warnings = append(j.res.Warnings, j.o.Name+" ends too early: retained sizes are those of what is there")
	}
	a := &asked{g: g, s: j.s, rows: retained.DefaultRows}
	r := &retained.Result{
		Sizes: "vm", Objects: g.Reached, Bytes: g.Bytes, Unreachable: g.Unreached, UnreachableBytes: g.UnreachedBytes, References: g.Edges,
		Holders: []retained.Holder{}, Threads: []retained.Thread{}, Loaders: []retained.Loader{}, Suspects: []retained.Suspect{},
		Dominators: []retained.Object{}, Classes: []retained.ClassRow{},
	}
	tops := a.tops()
	for _, v := range tops[:min(len(tops), a.rows)] {
		r.Dominators = append(r.Dominators, a.object(v, true))
	}
	r.Classes = a.classes()
	r.Suspects = a.suspects(tops)
	r.Tree = a.node(g.DominatorTree(0, v8graph.FoldOptions{Minimum: int64(float64(g.Bytes) * leastNode), Nodes: retained.DefaultNodes}))
	j.addHolders(a, r)
	j.res.Graph = r
	j.res.Findings = append(j.res.Findings, pending.SuspectFindings(r)...)
}

// addHolders tells of the arrays and maps that are queues who holds them.
func (j *judge) addHolders(a *asked, r *retained.Result) {
	for i := range j.res.Queues {
		q := &j.res.Queues[i]
		at := j.nodeOf(q)
		if at == v8graph.None || !a.g.Reachable(at) || len(r.Holders) == mostHolders {
			continue
		}
		bytes := a.g.Retained(at)
		h := retained.Holder{
			Queue: i, Name: q.Name, Entries: q.Entries, Retained: bytes, With: []string{}, Entry: bytes, QueueRetained: &bytes,
			Path: a.path(at), Dominators: a.dominators(at), Others: []retained.Other{},
		}
		if q.Bytes != nil {
			h.Retained, h.Entry = *q.Bytes, *q.Bytes
		}
		if q.Entries > 0 {
			h.Each = float64(h.Retained) / float64(q.Entries)
		}
		h.HeapShare = a.share(h.Retained)
		r.Holders = append(r.Holders, h)
	}
}

// nodeOf is the array or map of a queue; of the open requests the one that most of them
// are in.
func (j *judge) nodeOf(q *pending.Queue) node {
	if q.Name == openName {
		if b := j.holderOf(j.open.n + j.streams.n); b != nil {
			return b.node
		}
	}
	for _, b := range j.holders {
		if q.Address != "" && q.Address == j.address(b.node) {
			return b.node
		}
	}
	return v8graph.None
}

// asked is a graph that is asked for what a report tells.
type asked struct {
	g    *v8graph.Graph
	s    *v8.Snapshot
	rows int
}

func (a *asked) share(bytes int64) float64 {
	if a.g.Bytes <= 0 {
		return 0
	}
	return float64(bytes) / float64(a.g.Bytes)
}

// object describes a node; counted asks for its children too.
func (a *asked) object(v node, counted bool) retained.Object {
	o := retained.Object{
		Class: v8graph.Name(a.s, v), Address: address(a.s, v), Shallow: a.s.Size(v), Retained: a.g.Retained(v), HeapShare: a.share(a.g.Retained(v)),
	}
	// A function without a name has that of the key under which it is kept, which may be
	// content.
	if name := a.s.Word(a.s.NameIndex(v)); a.s.Kind(v) == v8.Closure && identifier(name) {
		o.Name = name
	}
	if counted {
		n := int64(0)
		for range a.g.Children(v) {
			n++
		}
		o.Children = &n
	}
	return o
}

// tops are the nodes that nothing but the root and what V8 makes up dominates, those
// that retain most first.
func (a *asked) tops() []node {
	var out []node
	for todo := []node{0}; len(todo) > 0; {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for c := range a.g.Children(v) {
			if a.s.Kind(c) == v8.Synthetic {
				todo = append(todo, c)
				continue
			}
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(x, y node) int { return cmp.Or(cmp.Compare(a.g.Retained(y), a.g.Retained(x)), cmp.Compare(x, y)) })
	return out
}

// classes are those whose objects retain most together: the retained sizes of those
// that no other of the class dominates.
func (a *asked) classes() []retained.ClassRow {
	rows, inside := map[string]*retained.ClassRow{}, map[string]int{}
	type step struct {
		v     node
		leave bool
	}
	for todo := []step{{v: 0}}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		class := a.s.Class(at.v)
		if at.leave {
			inside[class]--
			continue
		}
		row := rows[class]
		if row == nil {
			row = &retained.ClassRow{Class: class}
			rows[class] = row
		}
		row.Count++
		row.Shallow += a.s.Size(at.v)
		if inside[class] == 0 {
			row.Retained += a.g.Retained(at.v)
		}
		inside[class]++
		todo = append(todo, step{at.v, true})
		for c := range a.g.Children(at.v) {
			todo = append(todo, step{v: c})
		}
	}
	delete(rows, a.s.Class(0))
	return a.sorted(rows, a.rows)
}

func (a *asked) sorted(rows map[string]*retained.ClassRow, most int) []retained.ClassRow {
	out := make([]retained.ClassRow, 0, len(rows))
	for _, r := range rows {
		r.HeapShare = a.share(r.Retained)
		out = append(out, *r)
	}
	slices.SortFunc(out, func(x, y retained.ClassRow) int {
		return cmp.Or(cmp.Compare(y.Retained, x.Retained), cmp.Compare(x.Class, y.Class))
	})
	return out[:min(len(out), most)]
}

// suspects are single objects that retain much, and classes of which many do.
func (a *asked) suspects(tops []node) []retained.Suspect {
	out, groups := []retained.Suspect{}, map[string]*retained.ClassRow{}
	least := int64(retained.DefaultSuspect * float64(a.g.Bytes))
	if least <= 0 {
		return out
	}
	for _, v := range tops {
		if a.g.Retained(v) >= least {
			out = append(out, a.suspect(v))
			continue
		}
		class := v8graph.Name(a.s, v)
		if groups[class] == nil {
			groups[class] = &retained.ClassRow{Class: class}
		}
		groups[class].Count++
		groups[class].Retained += a.g.Retained(v)
	}
	for _, g := range a.sorted(groups, mostSuspects) {
		if g.Retained >= least && g.Count > 1 {
			out = append(out, retained.Suspect{Kind: retained.SuspectGroup, Class: g.Class, Count: g.Count, Retained: g.Retained,
				HeapShare: g.HeapShare, Way: []retained.Object{}, Below: []retained.ClassRow{}})
		}
	}
	slices.SortStableFunc(out, func(x, y retained.Suspect) int { return cmp.Compare(y.Retained, x.Retained) })
	return out[:min(len(out), mostSuspects)]
}

// suspect follows an object to where what it retains comes together.
func (a *asked) suspect(v node) retained.Suspect {
	o := a.object(v, true)
	s := retained.Suspect{Kind: retained.SuspectObject, Object: &o, Class: o.Class, Count: 1, Retained: o.Retained, HeapShare: o.HeapShare, Way: []retained.Object{}}
	at := v
	for range longestWay {
		next, most := node(v8graph.None), int64(0)
		for c := range a.g.Children(at) {
			if a.g.Retained(c) > most {
				next, most = c, a.g.Retained(c)
			}
		}
		if float64(most) < keepsMost*float64(a.g.Retained(at)) || next == v8graph.None {
			break
		}
		at = next
		if len(s.Way) < wayShown {
			s.Way = append(s.Way, a.object(at, false))
		}
	}
	if at != v {
		point := a.object(at, true)
		s.Point = &point
	}
	rows := map[string]*retained.ClassRow{}
	for c := range a.g.Children(at) {
		class := v8graph.Name(a.s, c)
		if rows[class] == nil {
			rows[class] = &retained.ClassRow{Class: class}
		}
		rows[class].Count++
		rows[class].Shallow += a.s.Size(c)
		rows[class].Retained += a.g.Retained(c)
	}
	s.Below = a.sorted(rows, mostBelow)
	return s
}

func (a *asked) node(f *v8graph.Fold) *retained.Node {
	n := &retained.Node{Class: f.Class, Count: f.Count, Shallow: f.Shallow, Retained: f.Retained}
	for _, c := range f.Children {
		n.Children = append(n.Children, a.node(c))
	}
	return n
}

// dominators are who retains a node, the outermost first, without the root.
func (a *asked) dominators(v node) []retained.Object {
	out := []retained.Object{}
	for d := a.g.IDom(v); d != 0 && d != v8graph.None && len(out) < longestWay; d = a.g.IDom(d) {
		out = append(out, a.object(d, false))
	}
	slices.Reverse(out)
	return out
}

// path describes a shortest way from the root to a node. Nodes that V8 makes up stand
// for its roots.
func (a *asked) path(v node) []retained.Object {
	steps := a.g.Path(v)
	out, roots := []retained.Object{}, ""
	for len(steps) > 1 && a.s.Kind(steps[0]) == v8.Synthetic {
		roots = v8graph.Name(a.s, steps[0])
		steps = steps[1:]
	}
	names := a.between(steps)
	for i, at := range steps {
		o := a.object(at, false)
		if i == 0 {
			o.Roots = roots
		} else {
			o.Field = names[i]
		}
		out = append(out, o)
	}
	return out
}

// between are the names of the edges of a way, where they are identifiers of the
// program; keys of a dictionary are contents.
func (a *asked) between(steps []node) []string {
	names := make([]string, len(steps))
	at := map[node]int{}
	for i, v := range steps {
		at[v] = i
	}
	// That the file cannot be read any more leaves names out.
	_ = a.s.Edges(func(e v8.Edge) bool {
		if i, ok := at[e.From]; ok && i+1 < len(steps) && steps[i+1] == e.To && names[i+1] == "" && v8graph.Holds(e) {
			names[i+1] = edgeLabel(a.s, e)
		}
		return true
	})
	return names
}

// edgeLabel names an edge for people: an identifier of the program, or what kind of
// place it is.
func edgeLabel(s *v8.Snapshot, e v8.Edge) string {
	if name := shownName(s, e); name != "" {
		return name
	}
	switch e.Kind {
	case v8.Element:
		return "[]"
	case v8.Property, v8.Context:
		return "property"
	}
	return "<internal>"
}
