package pending

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"example.com/kneeline/analyze/retained"
	"example.com/kneeline/internal/units"
)

const (
	// maxHeld is how many queues are asked who holds them, which takes a walk through the
	// whole graph for each. Of the others it is asked whether they are garbage alone.
	maxHeld = 4
	// maxIdle is the same where no work piles up.
	maxIdle = 2
	// allEntries is how many entries of such a queue are taken one by one.
	allEntries = 1 << 23
	// mostlyLive is the share of a queue's entries that roots must reach for it to
	// count as work that waits, and not as garbage.
	mostlyLive = 0.5
)

// retain asks the graph, where there is one, who holds the queues that work piles up
// in, and returns those that are not garbage. Without a pile-up it asks for the
// longest queues.
func (a *analysis) retain(piled []int) []int {
	if a.o.Retain == nil {
		return piled
	}
	of := slices.Clone(piled)
	if len(of) == 0 {
		for i := range a.queues {
			of = append(of, i)
		}
	}
	slices.SortStableFunc(of, func(x, y int) int { return cmp.Compare(a.queues[y].n, a.queues[x].n) })
	if len(piled) == 0 {
		of = of[:min(len(of), maxIdle)]
	}
	anchors := make([]retained.Anchor, len(of))
	for i, at := range of {
		anchors[i] = a.anchorOf(at)
		anchors[i].Brief = i >= maxHeld
	}
	g, err := a.o.Retain(anchors)
	if errors.Is(err, context.Canceled) {
		err = errors.New("it was interrupted")
	}
	if err != nil && g == nil {
		a.warn("who holds what could not be told: %v", err)
		return piled
	}
	if err != nil {
		a.warn("who holds what could not all be told: %v", err)
	}
	a.res.Graph = g
	if !a.h.Complete {
		a.warn("the dump ends too early, so roots may be missing: what they hold counts as garbage here")
	}
	of = of[:min(len(of), len(g.Holders))]
	for i, at := range of {
		a.standing[at].garbage = a.takeHeld(at, &g.Holders[i], anchors[i].Brief)
		if !anchors[i].Brief {
			a.held = append(a.held, a.queues[at])
		}
	}
	g.Holders = g.Holders[:len(a.held)]
	return slices.DeleteFunc(piled, func(at int) bool { return a.standing[at].garbage })
}

// anchorOf is a queue as the graph is asked for it.
func (a *analysis) anchorOf(at int) retained.Anchor {
	f := a.queues[at]
	e := a.everyEntry(f)
	out := retained.Anchor{Queue: at, Name: a.res.Queues[at].Name, Entries: e.ids, Total: e.n, Sampled: e.n > int64(len(e.ids))}
	if f.instances == 1 {
		out.Object = f.id
	}
	if c := a.res.Queues[at].Cluster; c != nil {
		out.Classes = a.ownClasses(&a.res.Clusters[*c])
	}
	return out
}

// foreign is the share of the objects of a class that may belong to something else for
// all of them to be taken for those of the cluster.
const foreign = 0.05

// ownClasses are the classes of a cluster of which nearly all objects belong to it.
func (a *analysis) ownClasses(c *Cluster) []int {
	var own []int
	for _, row := range c.Classes {
		of := a.h.ClassNamed(row.Class)
		all := int64(0)
		for _, i := range of {
			all += a.h.Class(i).Instances
		}
		if all > 0 && float64(all)*(1-foreign) <= float64(c.Count)*math.Round(row.Each) {
			own = append(own, of...)
		}
	}
	return own
}

// everyEntry reads a queue again where but a sample of its entries was kept.
func (a *analysis) everyEntry(f *found) *entries {
	in, ok := a.h.Instance(f.id)
	if f.step <= 1 || f.sampled || f.instances != 1 || f.row == nil || !ok {
		return &f.entries
	}
	way := newTrail(a.h)
	way.most = allEntries
	again := readQueue(a.h, in, f.row, way)
	return &again.entries
}

// takeHeld takes over what the graph says of a queue, and says whether it is garbage:
// no root reaches most of its entries. That alone is known of a brief answer.
func (a *analysis) takeHeld(at int, h *retained.Holder, brief bool) (garbage bool) {
	q := &a.res.Queues[at]
	known := h.Entries + h.Unreachable
	if known == 0 {
		return false
	}
	if float64(h.Entries) < mostlyLive*float64(known) && !a.h.Complete {
		a.warn("roots reach %s of %s entries of the %s: it may be garbage, or the roots that hold it are in the part of the dump that is missing",
			units.Count(h.Entries), units.Count(known), q.Name)
		return false
	}
	if float64(h.Entries) < mostlyLive*float64(known) {
		a.warn("the %s is garbage that waits for its collection: of %s of its entries roots reach %s",
			q.Name, units.Count(known), units.Count(h.Entries))
		return true
	}
	if brief {
		return false
	}
	q.setBytes(h.Each, a.heapOf(a.queues[at]))
	q.Counted, q.AtLeast = "what would be freed with them: they hold it and nothing else does", false
	if n := len(h.With); n > 0 {
		q.Counted = fmt.Sprintf("what would be freed with them and with what comes with each, %s", countedClasses(n))
	}
	if h.Unreachable > 0 {
		a.warn("of the %s, %s entries are garbage already", q.Name, units.Count(h.Unreachable))
	}
	return false
}

// numberHolders sets the places of the queues after they were ranked.
func (a *analysis) numberHolders() {
	if a.res.Graph == nil {
		return
	}
	for i := range a.res.Graph.Holders {
		a.res.Graph.Holders[i].Queue = slices.Index(a.queues, a.held[i])
	}
}

func countedClasses(n int) string {
	if n == 1 {
		return "1 class"
	}
	return units.Count(int64(n)) + " classes"
}
