package diagram

import (
	"cmp"
	"math"
	"slices"
)

// Sizes in pixels.
const (
	fontSize   = 12
	lineHeight = 16
	padX, padY = 12, 9
	// gapX is between ranks, gapY between what stands in one.
	gapX, gapY = 26, 18
	margin     = 20
)

// item is what has a place in a rank: a box, the label of an arrow, or a point that a long
// arrow passes.
type item struct {
	rank, order int
	x, y        float64 // of its middle
	w, h        float64
	node        int // -1 for none
	// in and out are the neighbours in the ranks before and after.
	in, out []*item
}

// wire is an arrow with the items that it passes.
type wire struct {
	edge  Edge
	items []*item // from its first box to its last, in the order of the ranks
	label *item
	// back says that the arrow runs against the ranks, to break a cycle.
	back bool
}

// layout is where everything stands.
type layout struct {
	ranks         [][]*item
	boxes         []*item
	wires         []*wire
	loops         []Edge
	width, height float64
}

// arrange finds a place for everything: ranks by the longest way from a box that nothing
// leads to, the order in a rank by the middle of the neighbours, and heights that bring
// neighbours close to each other.
func arrange(g Graph) *layout {
	l := &layout{}
	edges, loops := g.edges()
	l.loops = loops
	back := backEdges(len(g.Nodes), edges)
	ranks := rankNodes(len(g.Nodes), edges, back)
	for i, n := range g.Nodes {
		w, h := size(append([]string{n.Name}, n.Lines...), true)
		l.boxes = append(l.boxes, l.add(&item{rank: 2 * ranks[i], node: i, w: w, h: h}))
	}
	for i, e := range edges {
		l.wire(e, back[i])
	}
	l.sort()
	l.place()
	return l
}

func (l *layout) add(it *item) *item {
	for len(l.ranks) <= it.rank {
		l.ranks = append(l.ranks, nil)
	}
	it.order = len(l.ranks[it.rank])
	l.ranks[it.rank] = append(l.ranks[it.rank], it)
	return it
}

// wire leads an arrow through all ranks between its boxes, with its label halfway.
func (l *layout) wire(e Edge, back bool) {
	from, to := l.boxes[e.From], l.boxes[e.To]
	if back {
		from, to = to, from
	}
	w := &wire{edge: e, back: back, items: []*item{from}}
	middle := from.rank + (to.rank-from.rank)/2
	if middle%2 == 0 {
		middle--
	}
	last := from
	for r := from.rank + 1; r < to.rank; r++ {
		it := &item{rank: r, node: -1, w: 1, h: 1}
		if r == middle && len(e.Lines) > 0 {
			it.w, it.h = size(e.Lines, false)
			w.label = it
		}
		l.add(it)
		join(last, it)
		w.items = append(w.items, it)
		last = it
	}
	join(last, to)
	w.items = append(w.items, to)
	l.wires = append(l.wires, w)
}

func join(a, b *item) { a.out, b.in = append(a.out, b), append(b.in, a) }

// backEdges are those that close a cycle, found depth first in the order of the nodes.
func backEdges(n int, edges []Edge) []bool {
	out := make([][]int, n)
	for i, e := range edges {
		out[e.From] = append(out[e.From], i)
	}
	back := make([]bool, len(edges))
	state := make([]uint8, n) // 1 on the way, 2 done
	type frame struct{ node, next int }
	for s := range n {
		if state[s] != 0 {
			continue
		}
		state[s] = 1
		for stack := []frame{{s, 0}}; len(stack) > 0; {
			f := &stack[len(stack)-1]
			if f.next == len(out[f.node]) {
				state[f.node] = 2
				stack = stack[:len(stack)-1]
				continue
			}
			i := out[f.node][f.next]
			f.next++
			switch to := edges[i].To; state[to] {
			case 0:
				state[to] = 1
				stack = append(stack, frame{to, 0})
			case 1:
				back[i] = true
			}
		}
	}
	return back
}

// rankNodes gives each node the length of the longest way to it.
func rankNodes(n int, edges []Edge, back []bool) []int {
	rank := make([]int, n)
	for changed, rounds := true, 0; changed && rounds <= n; rounds++ {
		changed = false
		for i, e := range edges {
			from, to := e.From, e.To
			if back[i] {
				from, to = to, from
			}
			if rank[to] < rank[from]+1 {
				rank[to], changed = rank[from]+1, true
			}
		}
	}
	return rank
}

// sweeps is how often the order of the ranks is improved.
const sweeps = 8

// sort orders each rank by the middle of the neighbours in the rank before, then after,
// and so on.
func (l *layout) sort() {
	for s := range sweeps {
		for i := range l.ranks {
			r := i
			near := func(it *item) []*item { return it.in }
			if s%2 == 1 {
				r = len(l.ranks) - 1 - i
				near = func(it *item) []*item { return it.out }
			}
			at := map[*item]float64{}
			for _, it := range l.ranks[r] {
				at[it] = float64(it.order)
				if all := near(it); len(all) > 0 {
					sum := 0.0
					for _, o := range all {
						sum += float64(o.order)
					}
					at[it] = sum / float64(len(all))
				}
			}
			slices.SortStableFunc(l.ranks[r], func(a, b *item) int { return cmp.Compare(at[a], at[b]) })
			for k, it := range l.ranks[r] {
				it.order = k
			}
		}
	}
}

// place gives ranks their columns and items their heights.
func (l *layout) place() {
	x := float64(margin)
	for _, rank := range l.ranks {
		widest, y := 0.0, 0.0
		for _, it := range rank {
			widest = max(widest, it.w)
			it.y = y + it.h/2
			y += it.h + gapY
		}
		for _, it := range rank {
			it.x = x + widest/2
		}
		x += widest + gapX
	}
	l.width = x - gapX + margin
	for range 4 * sweeps {
		for _, rank := range l.ranks {
			settle(rank)
		}
	}
	l.shift()
}

// settle moves the items of a rank towards the middle of their neighbours, without
// overlap: each from where it wants to be is pushed apart from those before it, and the
// whole is moved back by half of the push.
func settle(rank []*item) {
	if len(rank) == 0 {
		return
	}
	want := make([]float64, len(rank))
	for i, it := range rank {
		want[i] = it.y
		if n := len(it.in) + len(it.out); n > 0 {
			sum := 0.0
			for _, o := range slices.Concat(it.in, it.out) {
				sum += o.y
			}
			want[i] = (it.y + 3*sum/float64(n)) / 4
		}
	}
	down, up := slices.Clone(want), slices.Clone(want)
	for i := 1; i < len(rank); i++ {
		down[i] = max(down[i], down[i-1]+apart(rank[i-1], rank[i]))
	}
	for i := len(rank) - 2; i >= 0; i-- {
		up[i] = min(up[i], up[i+1]-apart(rank[i], rank[i+1]))
	}
	for i, it := range rank {
		it.y = (down[i] + up[i]) / 2
	}
}

// apart is the least distance between the middles of two items.
func apart(a, b *item) float64 { return (a.h+b.h)/2 + gapY }

// shift moves everything below the upper margin, and takes the height.
func (l *layout) shift() {
	top, bottom := math.Inf(1), math.Inf(-1)
	for _, rank := range l.ranks {
		for _, it := range rank {
			top, bottom = min(top, it.y-it.h/2), max(bottom, it.y+it.h/2)
		}
	}
	if math.IsInf(top, 1) {
		top, bottom = 0, 0
	}
	for _, rank := range l.ranks {
		for _, it := range rank {
			it.y += margin - top
		}
	}
	l.height = bottom - top + 2*margin
}
