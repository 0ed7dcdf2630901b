package retained

import (
	"cmp"
	"context"
	"slices"

	"example.com/kneeline/heapdump"
	"example.com/kneeline/heapdump/graph"
)

// lookedAt is how many entries of a queue are asked who else refers to them, spread
// evenly; mostOthers is how many classes of those are told.
const lookedAt, mostOthers = 1000, 5

// mostReferrers bounds the referrers of one entry.
const mostReferrers = 64

// holders tells of each anchor who holds its entries.
func (j *judge) holders(ctx context.Context, r *Result) error {
	holders := make([]Holder, len(j.o.Anchors))
	steps := make([]func() error, len(holders))
	for i, a := range j.o.Anchors {
		steps[i] = func() (err error) {
			holders[i], err = j.holder(ctx, a)
			return err
		}
	}
	if err := sideBySide(steps...); err != nil {
		return err
	}
	r.Holders = holders
	var queues []graph.Rank
	var at []int
	for i, a := range j.o.Anchors {
		if q, ok := j.g.Rank(a.Object); ok && a.Object != 0 && !a.Brief && j.g.Reachable(q) {
			queues, at = append(queues, q), append(at, i)
		}
	}
	paths, err := j.g.PathsToRoot(ctx, queues, graph.AllWeaker)
	if err != nil {
		return err
	}
	for i, p := range paths {
		r.Holders[at[i]].Path = j.path(p)
	}
	return nil
}

func (j *judge) holder(ctx context.Context, a Anchor) (Holder, error) {
	h := Holder{Queue: a.Queue, Name: a.Name, Sampled: a.Sampled, With: []string{}, Path: []Object{}, Dominators: []Object{}, Others: []Other{}}
	ranks := j.ranks(a.Entries, &h)
	if a.Brief {
		return h, nil
	}
	if err := j.weigh(ctx, a, ranks, &h); err != nil {
		return h, err
	}
	q, ok := j.g.Rank(a.Object)
	if !ok || a.Object == 0 || !j.g.Reachable(q) {
		q = graph.None
	} else {
		j.queueOf(q, ranks, &h)
	}
	return h, j.others(ctx, q, ranks, &h)
}

// weigh says what the entries retain: alone, and with what comes with them.
func (j *judge) weigh(ctx context.Context, a Anchor, ranks []graph.Rank, h *Holder) error {
	if len(ranks) == 0 {
		return nil
	}
	alone, err := j.g.RetainedOfRanks(ctx, ranks)
	if err != nil {
		return err
	}
	// Of a sample, all are as many times as much. What entries of the sample share with
	// those left out is in neither.
	times := float64(max(a.Total-h.Unreachable, h.Entries)) / float64(h.Entries)
	if !a.Sampled {
		times = 1
	}
	h.Entry = int64(float64(alone.Bytes) * times)
	h.Retained = h.Entry
	if len(a.Classes) > 0 {
		set := j.withClasses(a.Classes, ranks)
		nodes, err := j.nodesOf(ctx, set)
		if err != nil {
			return err
		}
		node := j.memberOf(nodes)
		all, err := j.g.RetainedOfSet(ctx, func(r graph.Rank) bool { return set(r) || node(r) })
		if err != nil {
			return err
		}
		// The objects of the classes are all of them, whatever part of the entries is known.
		h.Retained = max(h.Entry, all.Bytes)
		for _, c := range a.Classes {
			h.With = append(h.With, j.className(c))
		}
	}
	h.Each = float64(h.Retained) / (float64(h.Entries) * times)
	h.HeapShare = j.share(h.Retained)
	return nil
}

// withClasses is the set of some objects and all of some classes.
func (j *judge) withClasses(classes []int, ranks []graph.Rank) func(graph.Rank) bool {
	of := make([]bool, len(j.h.Classes))
	for _, c := range classes {
		of[c] = true
	}
	in := j.memberOf(ranks)
	return func(r graph.Rank) bool {
		c := j.g.Class(r)
		return c >= 0 && c < len(of) && of[c] || in(r)
	}
}

// mostBits is how many objects a graph may have for a set of them to be kept as a bit
// each, 16 MiB.
const mostBits = 1 << 27

// memberOf tells the members of a set from other objects: by a bit each, or by search
// where there are too many objects for that.
func (j *judge) memberOf(sorted []graph.Rank) func(graph.Rank) bool {
	n := j.g.NumObjects()
	if n > mostBits {
		return func(r graph.Rank) bool { return has(sorted, r) }
	}
	bits := make([]uint64, n/64+1)
	for _, r := range sorted {
		bits[r/64] |= 1 << (r % 64)
	}
	return func(r graph.Rank) bool { return int(r) < n && bits[r/64]>>(r%64)&1 != 0 }
}

func has(sorted []graph.Rank, r graph.Rank) bool {
	_, ok := slices.BinarySearch(sorted, r)
	return ok
}

// ranks are the entries that roots reach, each once.
func (j *judge) ranks(ids []heapdump.ID, h *Holder) []graph.Rank {
	ranks := make([]graph.Rank, 0, len(ids))
	for _, id := range ids {
		r, ok := j.g.Rank(id)
		switch {
		case !ok:
		case !j.g.Reachable(r):
			h.Unreachable++
		default:
			ranks = append(ranks, r)
		}
	}
	slices.Sort(ranks)
	ranks = slices.Compact(ranks)
	h.Entries = int64(len(ranks))
	return ranks
}

// queueOf tells what the queue object holds by itself and who holds it.
func (j *judge) queueOf(q graph.Rank, ranks []graph.Rank, h *Holder) {
	bytes := j.g.Retained(q)
	h.QueueRetained = &bytes
	alone := int64(0)
	for _, r := range ranks {
		if j.below(r, q) {
			alone++
		}
	}
	h.Alone = &alone
	for d := range j.g.Dominators(q) {
		h.Dominators = append(h.Dominators, j.object(d, false))
	}
	slices.Reverse(h.Dominators)
}

// deepEntry bounds how far an entry is followed outwards: a linked queue nests every
// node in the one before it.
const deepEntry = 64

// below says whether q dominates r. In a linked queue the nodes dominate each other
// in a chain as long as the queue; there the first few tell nothing, and the node
// that holds the entry alone is taken as part of the queue.
func (j *judge) below(r, q graph.Rank) bool {
	n := 0
	for d := range j.g.Dominators(r) {
		if d == q {
			return true
		}
		if n++; n == deepEntry {
			return j.class(d) == j.class(j.g.IDom(d)) && j.g.Retained(d) <= j.g.Retained(q)
		}
	}
	return false
}

func (j *judge) class(r graph.Rank) int {
	if r >= graph.Root {
		return -1
	}
	return j.g.Class(r)
}

// others finds who refers to entries and is no part of the queue.
func (j *judge) others(ctx context.Context, q graph.Rank, ranks []graph.Rank, h *Holder) error {
	some := spread(ranks, lookedAt)
	h.Looked = int64(len(some))
	if len(some) == 0 {
		return nil
	}
	refs, err := j.g.InAll(ctx, some, mostReferrers)
	if err != nil {
		return err
	}
	type key struct {
		class    int
		strength graph.Strength
	}
	count := map[key]int64{}
	who := map[key]map[graph.Rank]int64{} // by the dominator of the referring object
	for i, in := range refs {
		seen := map[key]bool{}
		for _, ref := range in {
			if ref.Class || ref.Rank == q || !j.g.Reachable(ref.Rank) || q != graph.None && j.below(ref.Rank, q) || j.inside(ref.Rank, some[i]) {
				continue
			}
			k := key{j.g.Class(ref.Rank), ref.Strength}
			if !seen[k] {
				seen[k] = true
				count[k]++
			}
			if who[k] == nil {
				who[k] = map[graph.Rank]int64{}
			}
			who[k][j.named(ref.Rank)]++
		}
	}
	for k, n := range count {
		o := Other{Class: j.className(k.class), Entries: n}
		if k.strength != 0 {
			o.Strength = k.strength.String()
		}
		if by := most(who[k]); by < graph.Root && j.g.Class(by) != k.class {
			obj := j.object(by, false)
			o.Held = &obj
		}
		h.Others = append(h.Others, o)
	}
	slices.SortFunc(h.Others, func(a, b Other) int {
		return cmp.Or(cmp.Compare(b.Entries, a.Entries), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Strength, b.Strength))
	})
	h.Others = h.Others[:min(len(h.Others), mostOthers)]
	return nil
}

// inside says that a referring object belongs to the entry itself: the entry
// dominates it.
func (j *judge) inside(r, entry graph.Rank) bool {
	n := 0
	for d := range j.g.Dominators(r) {
		if d == entry {
			return true
		}
		if n++; n == deepEntry {
			break
		}
	}
	return false
}

// named is the outermost object that dominates one, which is mostly a thread, a
// class or a component that people know.
func (j *judge) named(r graph.Rank) graph.Rank {
	out, n := r, 0
	for d := range j.g.Dominators(r) {
		out = d
		if n++; n == deepEntry {
			break
		}
	}
	return out
}

// most is the key with the greatest count, the least of equal ones.
func most(counts map[graph.Rank]int64) graph.Rank {
	best, n := graph.None, int64(0)
	for r, c := range counts {
		if c > n || c == n && r < best {
			best, n = r, c
		}
	}
	return best
}

// spread takes at most n of ranks, evenly.
func spread(ranks []graph.Rank, n int) []graph.Rank {
	if len(ranks) <= n {
		return ranks
	}
	out := make([]graph.Rank, n)
	for i := range out {
		out[i] = ranks[int64(i)*int64(len(ranks))/int64(n)]
	}
	return out
}
