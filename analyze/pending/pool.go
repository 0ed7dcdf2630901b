package pending

import (
	"cmp"
	"slices"
	"strings"

	"example.com/kneeline/analyze/pending/workers"
	"example.com/kneeline/heapdump"
)

// maxStack is how many frames of a stack are shown.
const maxStack = 24

// readWorkers tells what the threads do.
func (a *analysis) readWorkers() {
	a.pools, a.poolByName = map[heapdump.ID]int{}, map[string]int{}
	in := a.o.Threads
	if in == nil {
		own := workers.FromHeap(a.h)
		in = &own
	}
	if len(in.Threads) == 0 {
		return
	}
	o := workers.Of(*in)
	for i := range o.Pools {
		p := &o.Pools[i]
		if p.Executor != 0 {
			a.pools[p.Executor] = len(a.res.Workers)
		}
		a.poolByName[strings.TrimRight(p.Name, "-*")] = len(a.res.Workers)
		a.res.Workers, a.ownThreads = append(a.res.Workers, poolOf(p)), append(a.ownThreads, p.Own)
		for j := range p.Groups {
			a.res.Groups = append(a.res.Groups, groupOf(&p.Groups[j], o.Threads))
		}
	}
	for j := range o.Others.Groups {
		a.res.Groups = append(a.res.Groups, groupOf(&o.Others.Groups[j], o.Threads))
	}
	sortGroups(a.res.Groups)
}

// poolOf turns a pool into what the result shows.
func poolOf(p *workers.Pool) Pool {
	out := Pool{Name: p.Name, Class: p.Class, Total: p.Total, Groups: []Group{}}
	if p.NoStack < p.Total {
		busy, idle := p.Busy, p.Idle
		out.Busy, out.Idle = &busy, &idle
	}
	for i := range p.Groups {
		out.Groups = append(out.Groups, groupOf(&p.Groups[i], p.Total))
	}
	return out
}

func groupOf(g *workers.Group, all int64) Group {
	out := Group{Count: g.Count, Share: share(g.Count, all), State: g.State, Place: g.Place, WaitsFor: g.WaitsFor}
	if g.Holder != "" {
		out.WaitsFor += ", held by " + g.Holder
	}
	out.Stack = g.Stack[:min(len(g.Stack), maxStack)]
	for _, l := range g.Locals {
		out.Locals = append(out.Locals, LocalRow{Class: l.Class, Count: l.Count})
	}
	return out
}

// linkPool finds the pool that drains a queue: by its object, or by the name that
// it gives its threads.
func (a *analysis) linkPool(f *found, q *Queue) {
	if f.instances > 1 {
		return
	}
	at, ok := a.pools[f.owner.id]
	if !ok && q.OwnerName != "" {
		at, ok = a.poolByName[q.OwnerName]
	}
	if !ok {
		return
	}
	q.Pool = &at
	p := &a.res.Workers[at]
	if p.Class == "" {
		p.Class = q.Owner
	}
	if most := a.number(f, f.owner.row.MaxThreads); most != nil && *most > 0 && *most < noLimit {
		p.Max = most
	}
}

// sortGroups puts the largest first.
func sortGroups(groups []Group) {
	slices.SortStableFunc(groups, func(x, y Group) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Place, y.Place))
	})
}
