package pending

import (
	"cmp"
	"fmt"
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
	in := a.threads()
	if len(in.Threads) == 0 {
		return
	}
	o := workers.Of(*in)
	drains := a.drainers()
	for i := range o.Pools {
		p := &o.Pools[i]
		if p.Executor != 0 {
			a.pools[p.Executor] = len(a.res.Workers)
		} else if id := a.executorOf(in, p, drains); id != 0 {
			a.pools[id] = len(a.res.Workers)
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

// threads are those of the heap, or of a thread dump beside it, which tells more.
// The heap then still tells which thread is which object, and whose: the names of
// its threads say which are the same.
func (a *analysis) threads() *workers.Input {
	own := workers.FromHeap(a.h)
	if a.o.Threads == nil {
		return &own
	}
	in := *a.o.Threads
	if in.Objects != nil || len(own.Threads) == 0 {
		return &in
	}
	byName := map[string]int{}
	for i := range own.Threads {
		byName[own.Threads[i].Name] = i
	}
	in.Objects, in.Executors = make([]heapdump.ID, len(in.Threads)), own.Executors
	if own.Members != nil {
		in.Members = make([]heapdump.ID, len(in.Threads))
	}
	same := make([]int, len(in.Threads))
	for i := range in.Threads {
		at, ok := byName[in.Threads[i].Name]
		if same[i] = at; !ok || in.Threads[i].Name == "" {
			same[i] = -1
			continue
		}
		in.Objects[i] = own.Objects[at]
		if own.Members != nil {
			in.Members[i] = own.Members[at]
		}
	}
	in.Locals = func(i int) []string {
		if same[i] < 0 {
			return nil
		}
		return own.Locals(same[i])
	}
	return &in
}

// drainers are the objects whose threads drain a queue: the queue itself, or its
// owner. A thread that an owner keeps in a field leads to the owner.
func (a *analysis) drainers() map[heapdump.ID]heapdump.ID {
	out := map[heapdump.ID]heapdump.ID{}
	for _, f := range a.queues {
		if f.instances > 1 || f.owner.row == nil && (f.row == nil || f.row.Server == "") {
			continue
		}
		id, role := f.id, ""
		if f.row != nil {
			role = f.row.Role
		}
		if f.owner.row != nil {
			id, role = f.owner.id, cmp.Or(f.owner.row.Role, role)
		}
		if role == RoleWaiters {
			continue // the threads that lead there are those that wait
		}
		out[id] = id
		if thread, ok := refAt(a.h, id, "thread"); ok && thread != 0 {
			out[thread] = id
		}
	}
	return out
}

// Limits of the way from a thread to what it works for.
const (
	executorHops    = 3
	executorObjects = 64
)

// executorOf finds the object that a pool's threads work for: what they run
// refers to it.
func (a *analysis) executorOf(in *workers.Input, p *workers.Pool, drains map[heapdump.ID]heapdump.ID) heapdump.ID {
	if len(in.Objects) == 0 || len(p.Members) == 0 || p.Members[0] >= len(in.Objects) {
		return 0
	}
	at := []heapdump.ID{in.Objects[p.Members[0]]}
	seen := map[heapdump.ID]bool{}
	for range executorHops + 1 {
		var next []heapdump.ID
		for _, id := range at {
			if id == 0 || seen[id] || len(seen) >= executorObjects {
				continue
			}
			seen[id] = true
			if found, ok := drains[id]; ok {
				return found
			}
			if in, ok := a.h.Instance(id); ok {
				next = append(next, worksFor(in)...)
			}
		}
		at = next
	}
	return 0
}

// worksFor are the references of a thread, or of what it runs, that may lead to
// its executor. A thread refers to much that it has nothing to do with.
func worksFor(in heapdump.Instance) []heapdump.ID {
	var out []heapdump.ID
	for i := range in.Class.Columns {
		col := &in.Class.Columns[i]
		if col.Type != typeObject || col.Class == "java.lang.Thread" && col.Name != "target" && col.Name != "holder" {
			continue
		}
		out = append(out, heapdump.ID(in.At(i)))
	}
	return out
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
	if !ok {
		at, ok = a.pools[f.id] // an executor that is its own queue
	}
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
	if f.owner.row == nil {
		return
	}
	if most := a.number(f, f.owner.row.MaxThreads); most != nil && *most > 0 && *most < noLimit {
		p.Max = most
	}
}

// nameByThreads names a queue by the threads of its pool where the pool has no
// name of its own: a program has many executors.
func (a *analysis) nameByThreads(f *found, q *Queue) {
	if q.Pool == nil || q.OwnerName != "" || f.owner.row == nil {
		return
	}
	q.OwnerName = a.res.Workers[*q.Pool].Name
	q.Name += fmt.Sprintf(" %q", q.OwnerName)
}

// sortGroups puts the largest first.
func sortGroups(groups []Group) {
	slices.SortStableFunc(groups, func(x, y Group) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Place, y.Place))
	})
}
