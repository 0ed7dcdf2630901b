package graph

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"sort"
	"sync"

	"example.com/kneeline/heapdump/graph/disk"
)

// kids lists the children in the dominator tree: those of r from start[r] to
// start[r+1], by rank, those of Root at the end.
type kids struct {
	once        sync.Once
	start, list disk.Array[uint32]
	err         error
}

// index makes the lists when somebody asks for the first time.
func (g *Graph) index() error {
	k := &g.kids
	k.once.Do(func() {
		if k.start, k.err = disk.Make[uint32](g.arena, g.n+2); k.err != nil {
			return
		}
		if k.list, k.err = disk.Make[uint32](g.arena, int(g.Objects)); k.err != nil {
			return
		}
		start, idom := k.start.V, g.idom.V
		for r, d := range idom {
			if r%(1<<20) == 0 {
				g.arena.Trim()
			}
			if d != uint32(None) {
				start[g.slot(d)]++
			}
		}
		sum := uint32(0)
		for i := range start {
			sum += start[i]
			start[i] = sum
		}
		for r := len(idom) - 1; r >= 0; r-- {
			if r%(1<<20) == 0 {
				g.arena.Trim()
			}
			if d := idom[r]; d != uint32(None) {
				s := g.slot(d)
				start[s]--
				k.list.V[start[s]] = uint32(r)
			}
		}
	})
	return k.err
}

// slot is where the children of a dominator are listed.
func (g *Graph) slot(d uint32) uint32 {
	if d == uint32(Root) {
		return uint32(g.n)
	}
	return d
}

// list are the children of an object; the index is made.
func (g *Graph) list(r Rank) []uint32 {
	s := g.slot(uint32(r))
	return g.kids.list.V[g.kids.start.V[s]:g.kids.start.V[s+1]]
}

func (g *Graph) children(r Rank) iter.Seq[Rank] {
	return func(yield func(Rank) bool) {
		if r == None || r < Root && int(r) >= g.n {
			return
		}
		if g.index() == nil {
			for _, c := range g.list(r) {
				if !yield(Rank(c)) {
					return
				}
			}
			return
		}
		// Without room for the index, by looking at all.
		for c, d := range g.idom.V {
			if d == uint32(r) && !yield(Rank(c)) {
				return
			}
		}
	}
}

// largest are the n that retain most.
func (g *Graph) largest(list iter.Seq[Rank], n int) []Rank {
	var best []Rank
	order := func(a, b Rank) int {
		return cmp.Or(cmp.Compare(g.Retained(b), g.Retained(a)), cmp.Compare(a, b))
	}
	if n == 0 {
		return nil
	}
	least := int64(-1)
	for r := range list {
		if g.Retained(r) <= least {
			continue
		}
		if best = append(best, r); n > 0 && len(best) >= 2*n+64 {
			slices.SortFunc(best, order)
			best = best[:n]
			least = g.Retained(best[n-1])
		}
	}
	slices.SortFunc(best, order)
	if n > 0 && len(best) > n {
		best = best[:n]
	}
	return best
}

// walkEvery is after how many objects a walk looks whether it is to stop.
const walkEvery = 1 << 16

// goesOn is asked now and then by what goes through many objects: whether it may go on.
// It also sees to it that the pages of files which were met leave the process.
func (g *Graph) goesOn(ctx context.Context) bool {
	g.arena.Trim()
	return ctx.Err() == nil
}

// walk goes through the dominator tree below from, parents first, without a stack: the
// way back is found in the lists, which are sorted. enter says whether to go below an
// object; leave is called after all that is below it, if enter said so and there is
// something.
func (g *Graph) walk(ctx context.Context, from Rank, enter func(Rank) bool, leave func(Rank)) error {
	if err := g.index(); err != nil {
		return err
	}
	list := g.list(from)
	at, parent := 0, from
	for n := 0; ; n++ {
		if n%walkEvery == 0 && !g.goesOn(ctx) {
			return ctx.Err()
		}
		if at < len(list) {
			r := Rank(list[at])
			if enter(r) {
				if below := g.list(r); len(below) > 0 {
					list, at, parent = below, 0, r
					continue
				}
				leave(r)
			}
			at++
			continue
		}
		if parent == from {
			return nil
		}
		leave(parent)
		done := uint32(parent)
		parent = g.IDom(parent)
		list = g.list(parent)
		at = sort.Search(len(list), func(i int) bool { return list[i] > done })
	}
}

func (g *Graph) byClass(ctx context.Context) ([]ClassRetained, error) {
	sums := make([]ClassRetained, len(g.heap.Classes)+1) // the last is of no class
	open := make([]int32, len(sums))
	of := func(r Rank) int {
		if c := g.Class(r); c >= 0 {
			return c
		}
		return len(sums) - 1
	}
	err := g.walk(ctx, Root, func(r Rank) bool {
		c := of(r)
		s := &sums[c]
		s.Objects++
		s.Shallow += g.Shallow(r)
		if open[c] == 0 {
			s.Retained += g.Retained(r)
		}
		open[c]++
		return true
	}, func(r Rank) { open[of(r)]-- })
	if err != nil {
		return nil, err
	}
	var out []ClassRetained
	for c, s := range sums {
		if s.Objects > 0 {
			s.Class = c
			if c == len(sums)-1 {
				s.Class = -1
			}
			out = append(out, s)
		}
	}
	return out, nil
}
